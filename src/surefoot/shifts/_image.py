"""What every image shift is: a corruption of known severity, done to a share of the images of an array.

The kinds are those of CIFAR-10-C (Hendrycks & Dietterich 2019, *Benchmarking neural network robustness to
common corruptions and perturbations*) with the constants of its published code for 32 × 32 images. Lengths
(widths of blurs, displacements, sizes of flakes and drops) grow with the shorter side of larger images, so that a
picture suffers alike at any resolution; below 32 they stay, because less than a pixel would move nothing.

Frost is left out: it pastes photographs of ice, which this package does not carry.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError
from surefoot.shifts._graded import Graded, matching
from surefoot.shifts._record import Record
from surefoot.shifts._shift import draw

Images = NDArray[np.float32]
"""Images [n, H, W, C] with values in [0, 1]."""

_SIDE = 32  # of the images the published constants are for
_CHUNK = 1 << 20  # values handled at a time: temporaries stay small however many images there are


@dataclass(frozen=True, kw_only=True)
class ImageShift(Graded):
    """A corruption of images: [N, H, W, C] with one or three channels, or [N, H, W].

    Takes uint8 (0 … 255) or floats in [0, 1] and gives back the same type. It is computed in float32; uint8 is
    rounded to the nearest, where the published code cuts off.
    """

    _what: ClassVar[str] = "image"

    def __call__(
        self, X: ArrayLike, y: Any = None, rng: np.random.Generator | int = 0
    ) -> tuple[NDArray[Any], Any, Record]:
        """Corrupt some of the images; ``y`` is handed through, the record's rows are the images that changed."""
        given = _checked(X)
        matching(len(given), y)
        rng = np.random.default_rng(rng)
        chosen = draw(rng, len(given), self.samples)
        out = given.copy()
        changed = np.zeros(len(given), dtype=bool)
        per_chunk = max(1, _CHUNK // given[0].size)
        for start in range(0, len(chosen), per_chunk):
            rows = chosen[start : start + per_chunk]
            out[rows] = _from_floats(self._corrupt(_to_floats(given[rows]), rng), given)
            changed[rows] = (out[rows] != given[rows]).reshape(len(rows), -1).any(axis=1)
        return out, y, self._record(len(given), np.flatnonzero(changed))

    @abstractmethod
    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        """The images, all corrupted; values outside [0, 1] are clipped afterwards."""


def unit(images: Images) -> float:
    """How many pixels of these images count as one of the published 32 × 32 ones.

    >>> unit(np.zeros((1, 224, 320, 3), np.float32)), unit(np.zeros((1, 8, 8, 1), np.float32))
    (7.0, 1.0)
    """
    return float(max(1, min(images.shape[1:3]) / _SIDE))


def luma(images: Images) -> Images:
    """The brightness [n, H, W, 1] as television weighs it (ITU-R BT.601).

    >>> luma(np.array([[[[1.0, 0.0, 0.0]]]])).round(3).item()
    0.299
    """
    if images.shape[-1] == 1:
        return images
    return images @ np.array([[0.299], [0.587], [0.114]], dtype=images.dtype)


def _to_floats(images: NDArray[Any]) -> Images:
    values = images if images.ndim == 4 else images[..., None]
    if images.dtype == np.uint8:
        return values.astype(np.float32) / np.float32(255)
    return values.astype(np.float32)


def _from_floats(images: Images, like: NDArray[Any]) -> NDArray[Any]:
    """Values in the type and rank of the array that came in."""
    values = np.clip(images, 0, 1)
    if like.dtype == np.uint8:
        values = np.rint(values * 255)
    return values.astype(like.dtype).reshape(-1, *like.shape[1:])


def _checked(X: ArrayLike) -> NDArray[Any]:
    """Images in an array of a usable shape, type and range."""
    images = _checks.as_array("X", X, "give images of equal size")
    if images.ndim not in (3, 4) or 0 in images.shape:
        raise InputError(
            f"X has shape {images.shape}, but images [N, H, W, C] or [N, H, W] are needed"
            + ("; give a single image as image[None]" if images.ndim == 2 else "")
        )
    if images.ndim == 3 and images.shape[2] in (1, 3, 4):
        raise InputError(
            f"X has shape {images.shape}, which looks like one image [H, W, C]; give image[None]"
        )
    if images.ndim == 4 and images.shape[3] not in (1, 3):
        raise InputError(f"X has shape {images.shape}; {_remedy_for_channels(images.shape)}")
    if images.dtype == np.uint8:
        return images
    if images.dtype.kind != "f":
        raise InputError(f"X has dtype {images.dtype}; give images as uint8 (0 … 255) or floats in [0, 1]")
    if not (images.min() >= 0 and images.max() <= 1):  # NaN fails, too
        bad = ~np.all((images >= 0) & (images <= 1), axis=tuple(range(1, images.ndim)))
        raise InputError(
            f"X lies outside [0, 1] or is NaN in {_checks.rows(bad)}; if it holds 0 … 255, give it as uint8, and "
            "corrupt images before they are standardised"
        )
    return images


def _remedy_for_channels(shape: tuple[int, ...]) -> str:
    if shape[1] in (1, 3):
        return "the channels must come last: X.transpose(0, 2, 3, 1)"
    if shape[3] == 4:
        return "drop the fourth channel (opacity): X[..., :3]"
    return "one or three channels are needed, in the last axis"
