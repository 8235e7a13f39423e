"""Intervals of scores, from the influence of their rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import Array, finite, same_length
from surefoot.errors import InputError
from surefoot.metrics._ranking import Ranking, rank
from surefoot.metrics._registry import describe
from surefoot.metrics._regression import two_sided_z

LEVEL = 0.95
"""How often an interval is to cover the score of all rows there could be."""

FEWEST_ROWS = 20
"""Fewer rows than this get no interval: their standard error is a guess."""


class Interval(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


def influence(metric: str, **columns: Any) -> NDArray[np.float64]:
    """How far each row pulls a metric from its value: the influence function, of mean zero.

    ``columns`` are those that `describe(metric).reads` names. The standard error of the metric is
    ``phi.std() / sqrt(N)``, and of the difference of two models on the same rows
    ``(phi_a - phi_b).std() / sqrt(N)``. Hampel 1974; for AUROC DeLong et al. 1988.

    >>> phi = influence("auroc", uncertainty=[0.1, 0.4, 0.35, 0.8], is_shifted=[False, False, True, True])
    >>> phi
    array([ 0.5, -0.5, -0.5,  0.5])
    >>> describe("auroc").reads
    ('uncertainty', 'is_shifted')
    """
    entry = describe(metric)
    if entry.influence is None:
        raise InputError(f"{metric} has no influence function; resample it with poisson_bootstrap")
    if set(columns) != set(entry.reads):
        raise InputError(
            f"the influence on {metric} reads {', '.join(entry.reads)}, but {', '.join(columns) or 'nothing'} was given"
        )
    given = {name: _column(name, values) for name, values in columns.items()}
    same_length(**{name: _rows(values) for name, values in given.items() if not isinstance(values, float)})
    values = np.asarray(entry.influence(*[given[name] for name in entry.reads]), dtype=np.float64)
    return np.asarray(values - values.mean())


def standard_error(influence: ArrayLike, n: int | None = None) -> float:
    """Standard error of a score from the influence of its rows, or of a random part of its ``n`` rows.

    >>> round(standard_error([1.0, 2.0, 3.0, 4.0]), 4), round(standard_error([1.0, 2.0, 3.0, 4.0], n=400), 4)
    (0.6455, 0.0645)
    """
    values = finite("influence", influence)
    return float(np.std(values, ddof=1, dtype=np.float64) / np.sqrt(n or len(values)))


def interval(
    value: float, influence: Array, *, n: int | None = None, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Interval | None:
    """The 95 % interval of a score, from the influence of its rows, or of a random part of its ``n`` rows.

    It is value ± 1.96 standard errors, cut at the bounds of the score. A share of rows (its ``influence`` the
    booleans themselves) has the interval of Wilson 1927, which is not empty where all rows agree. None where
    nothing can be said: under 20 rows, a score that is not a number, or rows that show no variation.

    >>> low, high = interval(0.0, np.zeros(100, dtype=bool))
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    >>> low, high = interval(49.5, np.arange(100.0))
    >>> round(low, 1), round(high, 1)
    (43.8, 55.2)
    """
    n = n or len(influence)
    if n < FEWEST_ROWS or not np.isfinite(value):
        return None
    if influence.dtype == np.bool_:
        return _wilson(value, n)
    with np.errstate(invalid="ignore", over="ignore"):
        error = float(np.std(influence, ddof=1, dtype=np.float64)) / np.sqrt(n)
    # Rounding keeps the rows of a constant from being quite equal.
    if not error > 1e-12 * abs(value):
        return None
    half = two_sided_z(1 - LEVEL) * error
    return Interval(float(max(value - half, bounds[0])), float(min(value + half, bounds[1])))


def _wilson(share: float, n: int) -> Interval:
    z = two_sided_z(1 - LEVEL)
    centre = share + z**2 / (2 * n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    whole = 1 + z**2 / n
    low, high = max((centre - half) / whole, 0), min((centre + half) / whole, 1)
    return Interval(float(min(low, share)), float(max(high, share)))  # whatever is rounded at 0 and 1


def _column(name: str, values: Any) -> Any:
    if name == "uncertainty":
        return rank(values)
    return float(values) if np.ndim(values) == 0 else np.asarray(values)


def _rows(values: Array | Ranking) -> Array:
    return values.order if isinstance(values, Ranking) else values
