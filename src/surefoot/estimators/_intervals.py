"""Bounds of an estimate: by the binomial formula, or calibrated on shifts that the method has not seen.

The bounds hold the score that the labels of the batch itself would give. Three things separate it from the estimate:
chance in a batch of n rows, what the method cannot know even of rows like the labelled ones, and what it gets wrong
where the data moved. The conformal interval writes them as one standard deviation

    σ² = v / n + a² + (b · γ)² + (c · |estimate − reference|)²

with v the variance of the score on one row and γ between 0 and 1 how much the batch has moved. It fits a, b and c to
domains that were kept from the method, rows and family of shift alike, and then takes the quantile of |error| / σ on
them, so that the coverage does not rest on the formula (split conformal prediction with a normalised score,
Papadopoulos et al. 2002; Lei et al. 2018).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.estimators._scores import Score
from surefoot.estimators._worth import worth
from surefoot.metrics import accuracy_interval

BINOMIAL, CONFORMAL = "binomial", "conformal"

FEWEST_DOMAINS = 20
"""Domains below which a quantile near 95 % has no meaning."""

RESAMPLES = 50
"""Resamples of the labelled rows for the variance of a score."""


@dataclass(frozen=True)
class Width:
    """The fitted formula and the quantile of errors in its unit, for one score."""

    noise: float
    floor: float
    moved: float
    slope: float
    quantile: float = 1.0

    def deviation(self, n: Array | float, moved: Array | float, drop: Array | float) -> Array:
        """σ of batches of n rows that moved this much and are estimated to have dropped this far."""
        chance = self.noise / np.asarray(n)
        return np.sqrt(
            chance
            + self.floor**2
            + (self.moved * np.asarray(moved)) ** 2
            + (self.slope * np.asarray(drop)) ** 2
            + 1e-12
        )

    def to_dict(self) -> dict[str, float]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Width:
        """The way back."""
        return cls(**{name: float(value) for name, value in content.items()})


def binomial(value: float, n: float, alpha: float) -> tuple[float, float]:
    """Chance alone, as if the estimate a were right: a ± z √(a (1 − a) / n), the paper's (section V)."""
    low, high = accuracy_interval([min(max(value, 0.0), 1.0)], n, alpha=alpha)
    return float(low[0]), float(high[0])


def conformal(value: float, n: float, moved: float, drop: float, width: Width) -> tuple[float, float]:
    """The value and the calibrated width to both sides."""
    half = float(width.quantile * width.deviation(n, moved, drop))
    return value - half, value + half


def calibrate(
    error: Array, n: NDArray[np.int64], moved: Array, drop: Array, noise: float, alpha: float
) -> Width:
    """Fit the formula to the errors on domains of n rows, and take the quantile."""
    if len(error) < FEWEST_DOMAINS:
        raise InputError(
            f"{len(error)} kept domains are too few to calibrate an interval; make more (domains=…), or take "
            'interval="binomial"'
        )
    shape = _fit(error, n, moved, drop, noise)
    ratio = np.abs(error) / shape.deviation(n, moved, drop)
    level = min(1.0, np.ceil((len(ratio) + 1) * (1 - alpha)) / len(ratio))
    quantile = float(np.quantile(ratio, level, method="higher"))
    return Width(shape.noise, shape.floor, shape.moved, shape.slope, quantile)


def noise_of(score: Score, outputs: Array, belief: Array, weights: Array, seed: int) -> float:
    """Variance of the score on one row, from resamples of the labelled rows."""
    rng = np.random.default_rng(seed)
    n = len(outputs)
    values = []
    for _ in range(RESAMPLES):
        rows = rng.integers(n, size=n)
        values.append(score.of(outputs[rows], belief[rows], weights[rows]))
    return float(np.nanvar(values, ddof=1) * worth(weights))


def _fit(error: Array, n: NDArray[np.int64], moved: Array, drop: Array, noise: float) -> Width:
    """The three coefficients of the highest normal likelihood, on a grid."""
    scale = float(np.sqrt(np.mean(error**2))) + 1e-12
    best, chosen = np.inf, Width(noise, 0.0, 0.0, 0.0)
    slopes = np.linspace(0, 1, 11)
    for floor in scale * np.linspace(0, 1, 6):
        for step in scale * np.linspace(0, 2, 11):
            for slope in slopes:
                width = Width(noise, float(floor), float(step), float(slope))
                deviation = width.deviation(n, moved, drop)
                loss = float((np.log(deviation) + (error / deviation) ** 2 / 2).sum())
                if loss < best:
                    best, chosen = loss, width
    return chosen
