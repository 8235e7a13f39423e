"""Bounds of an estimate: by the binomial formula, or calibrated on shifts that the method has not seen.

The bounds hold the score that the labels of the batch itself would give. What separates it from the estimate is chance
in a batch of n rows, what the method cannot know even of rows like the labelled ones, and what it gets wrong where the
data moved. The conformal interval writes them as one standard deviation

    σ² = v / n + Σ (cᵢ xᵢ)²

with v the variance of the score on one row and xᵢ `REASONS` to be wrong, read from how the batch has moved and how far
the estimate is from the score on the labelled rows. It fits the cᵢ to domains that were kept from the method, their
rows always and their family of shift often, and then takes the quantile of |error| / σ on them, so that the coverage
does not rest on the formula (conformal prediction with a normalised score, Papadopoulos et al. 2002; Lei et al. 2018;
six coefficients are fitted to the same domains as the quantile, which costs next to nothing of hundreds of them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.estimators._movement import Movement
from surefoot.estimators._scores import Score
from surefoot.estimators._worth import worth
from surefoot.metrics import accuracy_interval

BINOMIAL, CONFORMAL = "binomial", "conformal"

FEWEST_DOMAINS = 40
"""Domains below which neither the formula nor a quantile near 95 % has a meaning."""

RESAMPLES = 50
"""Resamples of the labelled rows for the variance of a score."""

REASONS = ("always", "other", "other_drop", "shares", "shares_drop", "doubtful_shares")
"""Always the same; something else than the shares of the classes has moved, the more the less it is like what was
rehearsed; the drop where it has; only these shares have moved; the drop where they have; they may have moved."""

NEAREST = 2.0
"""Strangeness that counts beside that of a batch: even what is like rehearsed domains is not one of them."""

FREEDOM = 6.0
"""Degrees of freedom of the t distribution that errors are taken to have: a few may be far off."""

USUAL = 0.1
"""What a coefficient is where hardly a domain tells: a tenth of the errors' scale at the largest reason seen."""

PULL = 0.05
"""How much that counts, for each reason, in terms of the likelihood of one domain."""


@dataclass(frozen=True)
class Width:
    """The fitted formula and the quantile of errors in its unit, for one score."""

    noise: float
    coefficients: tuple[float, ...]
    quantile: float = 1.0

    def deviation(self, n: Array | float, why: Array) -> Array:
        """σ of batches of n rows, with the reasons to be wrong [..., reasons]."""
        spread = ((why * np.array(self.coefficients)) ** 2).sum(axis=-1)
        return np.asarray(np.sqrt(self.noise / np.asarray(n) + spread))

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "noise": self.noise,
            "coefficients": dict(zip(REASONS, self.coefficients, strict=True)),
            "quantile": self.quantile,
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Width:
        """The way back."""
        coefficients = tuple(float(content["coefficients"][name]) for name in REASONS)
        return cls(float(content["noise"]), coefficients, float(content["quantile"]))


def reasons(movement: Movement, drop: float) -> Array:
    """Reasons to be wrong about a batch that moved like this and is estimated to have dropped so far.

    >>> reasons(Movement(1.0, 0.25, np.array([0.5, 0.5])), -0.5).tolist()
    [1.0, 1.5, 0.375, 0.25, 0.125, 0.0]
    """
    _, shares, other = movement.regimes.tolist()
    strange = NEAREST + movement.strangeness
    far = abs(drop)
    return np.array([1.0, other * strange, other * far, shares, shares * far, movement.doubtful_shares])


def binomial(value: float, n: float, alpha: float) -> tuple[float, float]:
    """Chance alone, as if the estimate a were right: a ± z √(a (1 − a) / n), the paper's (section V)."""
    low, high = accuracy_interval([min(max(value, 0.0), 1.0)], n, alpha=alpha)
    return float(low[0]), float(high[0])


def conformal(value: float, n: float, why: Array, width: Width) -> tuple[float, float]:
    """The value and the calibrated width to both sides."""
    half = float(width.quantile * width.deviation(n, why))
    return value - half, value + half


def calibrate(error: Array, n: NDArray[Any], why: Array, noise: float, alpha: float) -> Width:
    """Fit the formula to the errors on domains of n rows with their reasons to be wrong, and take the quantile.

    Domains of fewer rows than most count less: where a rare class has become common, a few rows are drawn many times.
    """
    if len(error) < FEWEST_DOMAINS:
        raise InputError(
            f"{len(error)} kept domains are too few to calibrate an interval; make more (domains=…), or take "
            'interval="binomial"'
        )
    counts = np.sqrt(np.minimum(n / np.median(n), 1))
    if (1 - alpha) * (counts.sum() + counts.mean()) > counts.sum():
        raise InputError(
            f"{len(error)} kept domains tell no bounds that miss so seldom as alpha={alpha:g}; make more "
            "(domains=…), or take a larger alpha"
        )
    fitted = _fit(error, n, why, noise, counts)
    ratio = np.abs(error) / np.maximum(fitted.deviation(n, why), np.finfo(float).tiny)
    return replace(fitted, quantile=_quantile(ratio, counts, 1 - alpha))


def _quantile(values: Array, counts: Array, level: float) -> float:
    """The smallest value that is not under the level, were there one more value beyond all others."""
    order = np.argsort(values)
    reached = np.cumsum(counts[order]) / (counts.sum() + counts.mean())
    place = min(int(reached.searchsorted(level - 1e-12)), len(values) - 1)
    return float(values[order[place]])


def noise_of(score: Score, outputs: Array, belief: Array, weights: Array, seed: int) -> float:
    """Variance of the score on one row, from resamples of the labelled rows."""
    rng = np.random.default_rng(seed)
    n = len(outputs)
    values = []
    for _ in range(RESAMPLES):
        rows = rng.integers(n, size=n)
        values.append(score.of(outputs[rows], belief[rows], weights[rows]))
    return float(np.nanvar(values, ddof=1) * worth(weights))


def _fit(error: Array, n: NDArray[Any], why: Array, noise: float, counts: Array) -> Width:
    """The coefficients of the highest likelihood, were errors t distributed with this σ."""
    from scipy.optimize import minimize

    scale = float(np.sqrt(np.mean(error**2))) + 1e-12
    unit = scale / _reach(why)  # so that coefficients are of one size, whatever the score's
    terms = (why * unit / scale) ** 2
    chance, squares = noise / n / scale**2 + 1e-6, (error / scale) ** 2
    usual = np.full(len(REASONS), 2 * np.log(USUAL))

    def loss(logs: Array) -> tuple[float, Array]:
        parts = terms * np.exp(logs)
        variance = chance + parts.sum(axis=1)
        ratio = squares / variance
        value = counts @ (np.log(variance) + (FREEDOM + 1) * np.log1p(ratio / FREEDOM)) / 2
        slope = counts * (1 - (FREEDOM + 1) * ratio / (FREEDOM + ratio)) / (2 * variance)
        far = logs - usual
        return float(value + PULL * far @ far) / len(error), (slope @ parts + 2 * PULL * far) / len(error)

    best = minimize(loss, usual, jac=True, method="L-BFGS-B", bounds=[(-20, 6)] * len(REASONS))
    return Width(noise, tuple((unit * np.exp(best.x / 2)).tolist()))


def _reach(why: Array) -> Array:
    """How large each reason gets, or would, where hardly a domain has it."""
    largest = np.maximum(why.max(axis=0), 1e-12)
    place = {name: j for j, name in enumerate(REASONS)}
    drops = [place["other_drop"], place["shares_drop"]]
    largest[place["shares"]], largest[drops] = 1.0, largest[drops].max()
    for name, least in (("other", NEAREST), ("doubtful_shares", 0.1)):
        largest[place[name]] = max(largest[place[name]], least)
    return np.asarray(largest)
