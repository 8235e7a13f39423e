"""Blurs: out of focus, through frosted glass, moved, zoomed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._image import Images, ImageShift, unit
from surefoot.shifts._image_geometry import Kernels, blur, convolve, pick, stretch


@dataclass(frozen=True, kw_only=True)
class GaussianBlur(ImageShift):
    """Blur with a normal kernel.

    >>> line = np.zeros((1, 1, 5))
    >>> line[0, 0, 2] = 1
    >>> GaussianBlur(severity=5)(line)[0].round(2).tolist()
    [[[0.05, 0.24, 0.4, 0.24, 0.05]]]
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        return blur(images, self._at((0.4, 0.6, 0.7, 0.8, 1.0)) * unit(images))


@dataclass(frozen=True, kw_only=True)
class DefocusBlur(ImageShift):
    """Out of focus: every point becomes a disk with softened rim."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        radius, softness = self._at(((0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (1.0, 0.2), (1.5, 0.1)))
        return convolve(images, disk(radius, softness, unit(images))[None], "reflect")


@dataclass(frozen=True, kw_only=True)
class GlassBlur(ImageShift):
    """Frosted glass: every pixel shows a neighbour's value, between two slight blurs.

    The published code means to swap neighbours, but its swap of two NumPy views copies one over the other; this
    does what it does.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        levels = ((0.05, 1, 1), (0.25, 1, 1), (0.4, 1, 1), (0.25, 1, 2), (0.4, 1, 2))
        deviation, reach, times = self._at(levels)
        scale = unit(images)
        out = blur(images, deviation * scale)
        for _ in range(times):
            out = _scattered(out, round(reach * scale), rng)
        return blur(out, deviation * scale)


@dataclass(frozen=True, kw_only=True)
class MotionBlur(ImageShift):
    """Camera shake: a fading trail along a line, at an angle of its own within 45° of the horizontal."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        length, deviation = self._at(((6, 1.0), (6, 1.5), (6, 2.0), (8, 2.0), (9, 2.5)))
        angles = np.deg2rad(rng.uniform(-45, 45, size=len(images)))
        return convolve(images, trails(angles, length, deviation, unit(images)), "edge")


@dataclass(frozen=True, kw_only=True)
class ZoomBlur(ImageShift):
    """The camera moves towards the picture: the mean of the image at growing magnifications."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        nearest = self._at((1.06, 1.11, 1.16, 1.21, 1.26))
        n, height, width, channels = images.shape
        pixels = images.transpose(1, 2, 0, 3).reshape(height * width, n * channels)
        zoomed: Images = _zooms(height, width, nearest) @ pixels
        return zoomed.reshape(height, width, n, channels).transpose(2, 0, 1, 3)


def disk(radius: float, softness: float, scale: float = 1.0) -> Kernels:
    """A disk that sums to 1 and is smoothed by a normal kernel of deviation ``softness``, cut off at one unit.

    >>> disk(1.0, 0.2)[1:4, 1:4].round(3)  # a cross of five pixels
    array([[0. , 0.2, 0. ],
           [0.2, 0.2, 0.2],
           [0. , 0.2, 0. ]], dtype=float32)
    """
    from scipy.ndimage import gaussian_filter

    rim = ceil(scale)
    half = int(radius * scale) + rim
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    flat = (x**2 + y**2 <= (radius * scale) ** 2).astype(np.float32)
    soft: Kernels = gaussian_filter(flat / flat.sum(), softness * scale, radius=rim, mode="constant")
    return soft


def trails(angles: NDArray[np.float64], length: float, deviation: float, scale: float = 1.0) -> Kernels:
    """Kernels [n, k, k] that fade like a normal curve from the pixel along a line of pixels, and sum to 1.

    >>> trails(np.zeros(1), length=6, deviation=0.5)[0, 2].round(3)
    array([0.   , 0.   , 0.881, 0.119, 0.   ], dtype=float32)
    """
    reach = ceil(min(2 * length, 4 * deviation) * scale)  # beyond four deviations nothing is left
    steps = np.arange(reach + 1)
    weights = np.exp(-0.5 * (steps / (deviation * scale)) ** 2)
    out = np.zeros((len(angles), 2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    y, x = (np.rint(np.multiply.outer(along(angles), steps)).astype(int) for along in (np.sin, np.cos))
    each = np.arange(len(angles))[:, None]
    np.add.at(out, (each, y + reach, x + reach), (weights / weights.sum()).astype(np.float32))
    return out


def _scattered(images: Images, reach: int, rng: np.random.Generator) -> Images:
    """Every pixel with the value of one up to ``reach`` before it or ``reach`` − 1 after it, in either direction."""
    n, height, width, _ = images.shape
    y, x = rng.integers(-reach, reach, size=(2, n, height, width), dtype=np.int32)
    y = np.clip(y + np.arange(height, dtype=np.int32)[:, None], 0, height - 1)
    x = np.clip(x + np.arange(width, dtype=np.int32), 0, width - 1)
    return pick(images, y, x)


@lru_cache(maxsize=4)
def _zooms(height: int, width: int, nearest: float) -> Any:
    """The sparse matrix [H·W, H·W] that averages an image with its magnifications, which start with 1 again."""
    from scipy.sparse import eye_array, kron

    zooms = np.arange(1, nearest, 0.01).tolist()  # rounding gives some of these one step more than it says
    total = eye_array(height * width, dtype=np.float32, format="csr")
    for zoom in zooms:
        total = total + kron(_magnified(height, zoom), _magnified(width, zoom), format="csr")
    return total / np.float32(len(zooms) + 1)


def _magnified(size: int, zoom: float) -> Any:
    """The sparse matrix [size, size] that stretches the middle of a vector over the whole."""
    from scipy.sparse import csr_array

    middle = stretch(size, zoom)
    start = (size - middle.shape[1]) // 2
    out = np.zeros((size, size), dtype=np.float32)
    out[:, start : start + middle.shape[1]] = middle
    return csr_array(out)
