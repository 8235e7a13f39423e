"""Light and colour: brightness, contrast, saturation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from surefoot.shifts._image import Images, ImageShift


@dataclass(frozen=True, kw_only=True)
class Brightness(ImageShift):
    """More light: adds to the value of hue, saturation and value.

    Hue and saturation stay, so each pixel is its colour times (new value / old value).

    >>> x = np.array([[[[0.4, 0.2, 0.0]]]])
    >>> Brightness(severity=2)(x, None, np.random.default_rng(0))[0].round(3).tolist()
    [[[[0.5, 0.25, 0.0]]]]
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        value = _over_channels(np.maximum, images)
        brighter = np.minimum(value + np.float32(self._at((0.05, 0.10, 0.15, 0.20, 0.30))), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            out: Images = np.where(value > 0, images * (brighter / value), brighter)
        return out


@dataclass(frozen=True, kw_only=True)
class Contrast(ImageShift):
    """Less contrast: every channel is pulled towards its mean over the image."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        kept = np.float32(self._at((0.75, 0.5, 0.4, 0.3, 0.15)))
        mean = images.mean(axis=(1, 2), keepdims=True)
        out: Images = (images - mean) * kept + mean
        return out


@dataclass(frozen=True, kw_only=True)
class Saturate(ImageShift):
    """Other saturation, at the same hue and value: paler at severities 1 and 2, stronger at 3 to 5.

    A colour without hue takes that of red when saturation is added (4 and 5), as in the published code. Grey
    images have none and stay as they are.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        if images.shape[-1] == 1:
            return images
        factor, added = self._at(((0.3, 0.0), (0.1, 0.0), (1.5, 0.0), (2.0, 0.1), (2.5, 0.2)))
        value = _over_channels(np.maximum, images)
        spread = value - _over_channels(np.minimum, images)
        with np.errstate(divide="ignore", invalid="ignore"):
            old = np.where(value > 0, spread / value, 0)
            new = np.clip(old * np.float32(factor) + np.float32(added), 0, 1)
            # How far each channel lies below the value: none for the highest, all of the spread for the lowest.
            below = np.where(spread > 0, (value - images) / spread, np.array([0, 1, 1], dtype=np.float32))
        out: Images = value * (1 - new * below)
        return out


def _over_channels(best: np.ufunc, images: Images) -> Images:
    """The largest or smallest of the channels [n, H, W, 1]; one by one, for NumPy is slow along a short axis."""
    found: Images = reduce(best, np.moveaxis(images, -1, 0))
    return found[..., None]
