"""Weather before the lens: fog, snow, and spatter of water or mud."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._image import Images, ImageShift, luma, unit
from surefoot.shifts._image_blur import trails
from surefoot.shifts._image_geometry import blur, convolve, stretch

_WATER = (np.array([175, 238, 238]) / 255).astype(np.float32)  # pale turquoise
_MUD = (np.array([63, 42, 20]) / 255).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Fog(ImageShift):
    """Clouds of fog, the same in all channels: a plasma fractal is added and the whole darkened to the old maximum.

    >>> x = np.zeros((1, 8, 8), np.uint8)
    >>> foggy, _, _ = Fog()(x, None, np.random.default_rng(0))
    >>> int(foggy.max())  # black stays black: there is no light for the fog to scatter
    0
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        thickness, decay = self._at(((0.2, 3.0), (0.5, 3.0), (0.75, 2.5), (1.0, 2.0), (1.5, 1.75)))
        n, height, width, _ = images.shape
        side = 1 << (max(height, width) - 1).bit_length()
        clouds = plasma(n, side, decay, rng)[:, :height, :width, None]
        brightest = images.max(axis=(1, 2, 3), keepdims=True)
        haze = np.float32(thickness)
        out: Images = (images + haze * clouds) * (brightest / (brightest + haze))
        return out


@dataclass(frozen=True, kw_only=True)
class Snow(ImageShift):
    """Falling flakes, and everything a little whiter.

    Flakes are bright spots of noise, enlarged and smeared along a falling line; the same layer turned by 180° is
    laid over it.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        mean, deviation, zoom, threshold, length, smear, colour = self._at(
            (
                (0.10, 0.2, 1.00, 0.60, 8, 3, 0.95),
                (0.10, 0.2, 1.00, 0.50, 10, 4, 0.90),
                (0.15, 0.3, 1.75, 0.55, 10, 4, 0.90),
                (0.25, 0.3, 2.25, 0.60, 12, 6, 0.85),
                (0.30, 0.3, 1.25, 0.65, 14, 12, 0.80),
            )
        )
        n, height, width, _ = images.shape
        down, across = (stretch(side, zoom * unit(images)) for side in (height, width))
        noise = rng.standard_normal((n, down.shape[1], across.shape[1]), dtype=np.float32)
        layer = down @ (np.float32(mean) + np.float32(deviation) * noise) @ across.T
        flakes = np.where(layer < threshold, 0, np.minimum(layer, 1))[..., None]
        angles = np.deg2rad(rng.uniform(-135, -45, size=n))
        flakes = convolve(flakes, trails(angles, length, smear, unit(images)), "edge")
        whiter = np.maximum(images, luma(images) * np.float32(1.5) + np.float32(0.5))
        ground = np.float32(colour) * images + np.float32(1 - colour) * whiter
        out: Images = ground + flakes + flakes[:, ::-1, ::-1]
        return out


@dataclass(frozen=True, kw_only=True)
class Spatter(ImageShift):
    """Drops on the lens: of water at severities 1 to 3, of mud at 4 and 5.

    Drops are where smoothed noise is high. Water is lit by the distance from the drops' outlines, for which the
    published code takes what a Canny edge detector finds.
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        mean, deviation, softness, threshold, strength, muddy = self._at(
            (
                (0.62, 0.1, 0.7, 0.70, 0.5, False),
                (0.65, 0.1, 0.8, 0.70, 0.5, False),
                (0.65, 0.3, 1.0, 0.69, 0.5, False),
                (0.65, 0.1, 0.7, 0.69, 0.6, True),
                (0.65, 0.1, 0.5, 0.68, 0.6, True),
            )
        )
        n, height, width, _ = images.shape
        scale = unit(images)
        down, across = stretch(height, scale), stretch(width, scale)
        noise = rng.standard_normal((n, down.shape[1], across.shape[1]), dtype=np.float32)
        layer = down @ (np.float32(mean) + np.float32(deviation) * blur(noise, softness)) @ across.T
        if muddy:
            # Here strength is a width: only where the smoothed mask is nearly full does mud stick.
            mud = blur((layer > threshold).astype(np.float32), strength * scale)[..., None]
            mud = np.where(mud < 0.8, 0, mud)
            muddied: Images = images * (1 - mud) + _tint(images, _MUD) * mud
            return muddied
        water = _drops(np.where(layer < threshold, 0, layer), scale)[..., None]
        out: Images = images + np.float32(strength) * water * _tint(images, _WATER)
        return out


def plasma(n: int, side: int, decay: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Fractal clouds [n, side, side] from 0 to 1 by the diamond-square algorithm; ``side`` is a power of two.

    The map wraps round: each edge goes on at the opposite one. At every halving of the grid new midpoints get
    the mean of their four neighbours and a random displacement, which shrinks by ``decay``² from one to the next.

    >>> clouds = plasma(2, 8, 3.0, np.random.default_rng(0))
    >>> clouds.shape, clouds.min(axis=(1, 2)).tolist(), clouds.max(axis=(1, 2)).tolist()
    ((2, 8, 8), [0.0, 0.0], [1.0, 1.0])
    """
    heights = np.zeros((n, side, side), dtype=np.float32)
    step, reach = side, 1.0

    def displaced(total: NDArray[np.float32]) -> NDArray[np.float32]:
        return total / 4 + np.float32(reach) * (2 * rng.random(total.shape, dtype=np.float32) - 1)

    while step >= 2:
        half = step // 2
        corners, centres = heights[:, ::step, ::step], heights[:, half::step, half::step]
        rows = corners + np.roll(corners, -1, axis=1)  # a corner and the one below it
        columns = corners + np.roll(corners, -1, axis=2)  # and the one to its right
        centres[...] = displaced(rows + np.roll(rows, -1, axis=2))
        heights[:, ::step, half::step] = displaced(columns + centres + np.roll(centres, 1, axis=1))
        heights[:, half::step, ::step] = displaced(rows + centres + np.roll(centres, 1, axis=2))
        step, reach = half, reach / decay**2
    heights -= heights.min(axis=(1, 2), keepdims=True)
    return _up_to_one(heights)


def _up_to_one(maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """Maps [n, H, W] scaled so that each reaches 1, or stays 0."""
    highest = maps.max(axis=(1, 2), keepdims=True)
    out = np.zeros_like(maps)
    np.divide(maps, highest, out=out, where=highest > 0)
    return out


def _tint(images: Images, colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """The colour, as grey for grey images."""
    return colour if images.shape[-1] == 3 else luma(colour[None, None, None])[0, 0, 0]


def _drops(liquid: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """How strongly water [n, H, W] shines, up to 1 an image: by its depth, and lit from one side.

    The distance to the nearest outline, equalised, is the drops' relief; a kernel of slopes lights it.
    """
    from scipy.ndimage import correlate, distance_transform_edt, grey_erosion, uniform_filter

    wet = liquid > 0
    outline = wet & (grey_erosion(wet.astype(np.uint8), size=(1, 3, 3)) == 0)
    far = 1e6  # images lie so far apart that no outline is near another image
    relief = np.minimum(distance_transform_edt(~outline, sampling=(far, 1, 1)) / scale, 20)
    window = (1, 2 * round(scale) + 1, 2 * round(scale) + 1)
    relief = _equalised(uniform_filter(relief, window).astype(np.uint8))
    slopes = np.array([[[-2, -1, 0], [-1, 1, 1], [0, 1, 2]]])
    light = uniform_filter(np.clip(correlate(relief, slopes), 0, 255), window)
    return _up_to_one((liquid * light).astype(np.float32))


def _equalised(levels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Levels replaced by the share of the image's pixels above its lowest level that lie at or below, times 255."""
    n, pixels = len(levels), levels[0].size
    keys = levels.reshape(n, -1) + 256 * np.arange(n)[:, None]
    counts = np.bincount(keys.ravel(), minlength=256 * n).reshape(n, 256)
    below = counts.cumsum(axis=1)
    lowest = counts[np.arange(n), (counts > 0).argmax(axis=1)][:, None]
    shares = (below - lowest) / np.maximum(pixels - lowest, 1)
    out: NDArray[np.float64] = (255 * shares).clip(0).ravel()[keys].reshape(levels.shape)
    return out
