"""Noise of the camera's sensor and of transmission, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.shifts._image import Images, ImageShift


@dataclass(frozen=True, kw_only=True)
class GaussianPixelNoise(ImageShift):
    """Normal noise on every value, as of a sensor in low light.

    >>> x = np.full((2, 8, 8), 128, np.uint8)
    >>> noisy, _, record = GaussianPixelNoise(severity=1)(x, None, np.random.default_rng(0))
    >>> noisy[0, 0, :4].tolist(), record.rows.tolist()
    ([114, 124, 120, 134], [True, True])
    """

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        deviation = self._at((0.04, 0.06, 0.08, 0.09, 0.10))
        return images + np.float32(deviation) * _normal(images.shape, rng)


@dataclass(frozen=True, kw_only=True)
class ShotNoise(ImageShift):
    """Poisson noise: light comes in whole photons, few of them."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        photons = self._at((500, 250, 100, 75, 50))
        return rng.poisson(images * photons).astype(np.float32) / np.float32(photons)


@dataclass(frozen=True, kw_only=True)
class ImpulseNoise(ImageShift):
    """Salt and pepper: single values that come out as 0 or 1, as of faulty bits."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        share = self._at((0.01, 0.02, 0.03, 0.05, 0.07))
        draw = rng.random(images.shape, dtype=np.float32)
        out = np.where(draw < share, np.float32(0), images)
        out[draw < share / 2] = 1
        return out


@dataclass(frozen=True, kw_only=True)
class SpeckleNoise(ImageShift):
    """Normal noise in proportion to the value, as of radar and ultrasound."""

    def _corrupt(self, images: Images, rng: np.random.Generator) -> Images:
        deviation = self._at((0.06, 0.10, 0.12, 0.16, 0.20))
        return images * (1 + np.float32(deviation) * _normal(images.shape, rng))


def _normal(shape: tuple[int, ...], rng: np.random.Generator) -> Images:
    return rng.standard_normal(shape, dtype=np.float32)
