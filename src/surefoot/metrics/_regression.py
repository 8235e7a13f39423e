"""How good predicted values, distributions and intervals of a regression are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, choice, finite, rows, same_length
from surefoot.errors import InputError
from surefoot.metrics._ranking import CONVENTIONS

_NLL_EPSILON = 1e-8
_NAMES = ("lower", "upper", "target")


def rmse(prediction: ArrayLike, target: ArrayLike) -> float:
    """Root of the mean squared error, √ mean (prediction − target)²; lower is better.

    Malinin et al. 2021 (Shifts), appendix C.3.

    >>> rmse([1.0, 2.0], [1.0, 4.0])
    1.4142135623730951
    """
    error = _error(prediction, target)
    error *= error
    return math.sqrt(_mean(error))


def mae(prediction: ArrayLike, target: ArrayLike) -> float:
    """Mean absolute error, mean |prediction − target|; lower is better.

    Malinin et al. 2021 (Shifts), appendix C.3.

    >>> mae([1.0, 2.0], [1.0, 4.0])
    1.0
    """
    return _mean(np.abs(_error(prediction, target)))


def gaussian_nll(
    mean: ArrayLike, variance: ArrayLike, target: ArrayLike, *, convention: str = "paper"
) -> float:
    """Mean negative log-likelihood of a Gaussian prediction, in nats; lower is better.

        mean of  (y − μ)² / 2σ²  +  ½ log σ²  +  ½ log 2π

    An ensemble's μ and σ² are those of its mixture: the average mean and the total variance.
    ``published`` reproduces the code of Malinin et al. 2021 (Shifts), which adds 1e-8 to 2σ² and to σ².

    >>> round(gaussian_nll([0.0, 1.0], [1.0, 4.0], [0.0, 3.0]), 4)
    1.5155
    """
    return _mean(gaussian_nll_rows(mean, variance, target, convention=convention))


def gaussian_nll_rows(
    mean: ArrayLike, variance: ArrayLike, target: ArrayLike, *, convention: str = "paper"
) -> Array:
    """Negative log-likelihood of each row, see `gaussian_nll`; lower is better.

    >>> gaussian_nll_rows([0.0], [1.0], [2.0]).round(4)
    array([2.9189])
    """
    published = choice("convention", convention, CONVENTIONS) == "published"
    spread = _variance(variance)
    if not published and spread.min() == 0:
        raise InputError(
            f"variance is zero in {rows(spread == 0)}, where the Gaussian likelihood is undefined; "
            "add the noise of the data, give a floor such as variance + 1e-6, or use crps_gaussian"
        )
    error = _error(mean, target, variance=spread)
    epsilon = _NLL_EPSILON if published else 0.0
    error *= error
    error /= 2 * spread + epsilon
    error += np.log(spread + epsilon) / 2
    error += math.log(2 * math.pi) / 2
    return error


def crps_gaussian(mean: ArrayLike, variance: ArrayLike, target: ArrayLike) -> float:
    """Mean continuous ranked probability score of a Gaussian prediction; lower is better.

        mean of  σ · [ z (2Φ(z) − 1) + 2φ(z) − 1 / √π ],    z = (y − μ) / σ

    In the target's unit; where σ = 0 it is the absolute error. Gneiting & Raftery 2007, equation 5.

    >>> round(crps_gaussian([0.0], [1.0], [0.0]), 4)
    0.2337
    """
    return _mean(crps_gaussian_rows(mean, variance, target))


def crps_gaussian_rows(mean: ArrayLike, variance: ArrayLike, target: ArrayLike) -> Array:
    """Continuous ranked probability score of each row, see `crps_gaussian`; lower is better.

    >>> crps_gaussian_rows([0.0, 1.0], [1.0, 0.0], [0.0, 3.0]).round(4)
    array([0.2337, 2.    ])
    """
    from scipy.special import erf

    deviation = np.sqrt(_variance(variance))
    distance = np.abs(_error(mean, target, variance=deviation))
    # Half the squared z decides everything; a certain row is infinitely many deviations away.
    scaled = np.full_like(distance, np.inf)
    with np.errstate(over="ignore"):
        np.divide(distance, math.sqrt(2) * deviation, out=scaled, where=deviation > 0)
        density = np.exp(-scaled * scaled)
    score: Array = distance * erf(scaled)
    score += deviation * (math.sqrt(2) * density - 1) / math.sqrt(math.pi)
    return score


def gaussian_interval(mean: ArrayLike, variance: ArrayLike, *, alpha: float = 0.05) -> tuple[Array, Array]:
    """Lower and upper end of the central 1 − ``alpha`` interval of a Gaussian, μ ± z σ.

    >>> low, high = gaussian_interval([0.0], [4.0], alpha=0.05)
    >>> low.round(2), high.round(2)
    (array([-3.92]), array([3.92]))
    """
    centre, spread = finite("mean", mean), _variance(variance)
    same_length(mean=centre, variance=spread)
    half = two_sided_z(alpha) * np.sqrt(spread)
    return centre - half, centre + half


def interval_score(lower: ArrayLike, upper: ArrayLike, target: ArrayLike, *, alpha: float) -> float:
    """Mean interval score of central 1 − ``alpha`` intervals; lower is better.

        mean of  (u − l)  +  2/α · (l − y) · [y < l]  +  2/α · (y − u) · [y > u]

    Gneiting & Raftery 2007, equation 43.

    >>> interval_score([0.0, 0.0], [1.0, 1.0], [0.5, 2.0], alpha=0.5)
    3.0
    """
    low, high, truth = _interval(lower, upper, target)
    missed = np.maximum(low - truth, 0) + np.maximum(truth - high, 0)
    return _mean(high - low + (2 / significance(alpha)) * missed)


def picp(lower: ArrayLike, upper: ArrayLike, target: ArrayLike) -> float:
    """Share of targets inside their closed intervals (coverage probability); best at the nominal 1 − α.

    >>> picp([0.0, 0.0], [1.0, 1.0], [0.5, 2.0])
    0.5
    """
    return coverage(lower, upper, target)


def mpiw(lower: ArrayLike, upper: ArrayLike) -> float:
    """Mean width of prediction intervals; lower is better at equal coverage.

    >>> mpiw([0.0, 0.0], [1.0, 3.0])
    2.0
    """
    low, high = _ordered(lower, upper)
    return _mean(high - low)


def coverage(
    lower: ArrayLike, upper: ArrayLike, target: ArrayLike, names: tuple[str, str, str] = _NAMES
) -> float:
    """Share of targets inside their closed intervals, whatever the three are called in messages."""
    low, high, truth = _interval(lower, upper, target, names)
    return float(((low <= truth) & (truth <= high)).mean())


def significance(alpha: float) -> float:
    """Return a share of misses strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie between 0 and 1, such as 0.05 for 95 % intervals, not {alpha}")
    return float(alpha)


def two_sided_z(alpha: float) -> float:
    """Return the Gaussian quantile that leaves ``alpha`` / 2 on either side.

    >>> round(two_sided_z(0.05), 4)
    1.96
    """
    from scipy.special import ndtri

    return -float(ndtri(significance(alpha) / 2))


def _interval(
    lower: ArrayLike, upper: ArrayLike, target: ArrayLike, names: tuple[str, str, str] = _NAMES
) -> tuple[Array, Array, Array]:
    low, high = _ordered(lower, upper, names)
    truth = finite(names[2], target)
    same_length(**{names[0]: low, names[2]: truth})
    return low, high, truth


def _ordered(lower: ArrayLike, upper: ArrayLike, names: tuple[str, str, str] = _NAMES) -> tuple[Array, Array]:
    """Return the ends of intervals, none of them the wrong way round."""
    low, high = finite(names[0], lower), finite(names[1], upper)
    same_length(**{names[0]: low, names[1]: high})
    crossed = low > high
    if crossed.any():
        raise InputError(f"{names[0]} lies above {names[1]} in {rows(crossed)}; swap the two ends there")
    return low, high


def _error(prediction: ArrayLike, target: ArrayLike, **others: Array) -> Array:
    """Return a fresh array of prediction − target, as wide as the widest of all arrays."""
    name = "mean" if others else "prediction"
    predicted, truth = finite(name, prediction), finite("target", target)
    same_length(**{name: predicted}, **others, target=truth)
    error: Array = np.subtract(predicted, truth, dtype=np.result_type(predicted, truth, *others.values()))
    return error


def _variance(values: ArrayLike) -> Array:
    out = finite("variance", values)
    if out.min() < 0:
        raise InputError(
            f"variance is negative in {rows(out < 0)}; if these are logarithms of variances, apply exp first"
        )
    return out


def _mean(values: Array) -> float:
    return float(values.mean(dtype=np.float64))
