"""What processing does: elastic distortion, coarse pixels, JPEG compression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._image import Images, ImageShift, unit
from surefoot.shifts._image_geometry import blur, combine, sample, stretch
from surefoot.shifts._image_jpeg import jpeg


@dataclass(frozen=True, kw_only=True)
class ElasticTransform(ImageShift):
    """The picture drawn on rubber: a random affine map and local displacements.

    With severity the local displacements grow and become finer, and the affine part shrinks. Both are put
    together into one interpolation, where the published code makes two and so blurs a little more.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        strength, softness, corner = self._at(
            ((0, 0, 2.56), (1.6, 6.4, 2.24), (2.56, 1.92, 1.92), (3.2, 1.28, 1.6), (3.2, 0.96, 0.96))
        )
        n, height, width, _ = images.shape
        scale = unit(images)
        down, across = stretch(height, scale), stretch(width, scale)
        wobble = rng.uniform(-1, 1, (2, n, down.shape[1], across.shape[1])).astype(np.float32)
        dy, dx = (strength * scale * (down @ blur(part, softness) @ across.T) for part in wobble)
        places = np.stack([np.arange(height)[:, None] + dy, np.arange(width) + dx, np.ones_like(dy)], axis=-1)
        back = _affine(n, height, width, corner * scale, rng)[:, None]
        y, x = np.moveaxis(places @ back, -1, 0)
        return sample(images, y, x)


@dataclass(frozen=True, kw_only=True)
class Pixelate(ImageShift):
    """Coarse pixels: scaled down to a share of the sides by box filter, and up again.

    >>> x = np.arange(16.0).reshape(1, 1, 16) / 16
    >>> (16 * Pixelate(severity=5)(x, None, np.random.default_rng(0))[0]).round(2).tolist()
    [[[0.5, 0.5, 2.0, 3.5, 3.5, 5.0, 6.5, 6.5, 8.5, 8.5, 10.0, 11.5, 11.5, 13.0, 14.5, 14.5]]]
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        kept = self._at((0.95, 0.9, 0.85, 0.75, 0.65))
        down, across = (_coarse(side, max(1, int(side * kept))) for side in images.shape[1:3])
        return combine(down, images, across)


@dataclass(frozen=True, kw_only=True)
class JpegCompression(ImageShift):
    """JPEG artefacts, simulated: no file is written, but the colours, blocks and tables are those of the codec.

    Qualities 80, 65, 58, 50, 40 with chroma at half resolution. Values come out in steps of 1/255.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        return jpeg(images, self._at((80, 65, 58, 50, 40)))


def _affine(n: int, height: int, width: int, reach: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Matrices [n, 3, 2] that send places (y, x, 1) of the new image to the old one.

    Three points about the middle are each moved by up to ``reach`` pixels; the map moves them back.
    """
    y, x, arm = height // 2, width // 2, max(1, min(height, width) // 3)
    old = np.array([[y + arm, x + arm], [y - arm, x + arm], [y - arm, x - arm]], dtype=np.float64)
    new = np.ones((n, 3, 3))
    new[..., :2] = old + rng.uniform(-reach, reach, (n, 3, 2))
    back: NDArray[np.float32] = np.linalg.solve(new, np.broadcast_to(old, (n, 3, 2))).astype(np.float32)
    return back


def _coarse(size: int, kept: int) -> NDArray[np.float32]:
    """The matrix [size, size] that averages a vector into ``kept`` boxes and repeats them to the old size."""
    return _box(kept, size) @ _box(size, kept)


def _box(before: int, after: int) -> NDArray[np.float32]:
    """The matrix [after, before] of a box filter: the mean of the pixels whose centres a new pixel covers."""
    scale = before / after
    centres = (np.arange(after) + 0.5) * scale
    offset = np.arange(before) + 0.5 - centres[:, None]
    half = max(scale, 1) / 2
    covered = ((offset > -half) & (offset <= half)).astype(np.float32)
    means: NDArray[np.float32] = covered / covered.sum(axis=1, keepdims=True)
    return means
