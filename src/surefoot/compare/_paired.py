"""The difference of two models' scores on the same rows, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from surefoot._checks import Array
from surefoot.compare._scores import Floats
from surefoot.metrics._intervals import FEWEST_ROWS
from surefoot.metrics._registry import Metric
from surefoot.scorecard._views import View

ALPHA = 0.05
"""Intervals cover 1 − 0.05 = 95 %."""


@dataclass(frozen=True, eq=False)
class Pulled:
    """A score, and how far each row pulls it, up to a constant (`surefoot.metrics.influence`)."""

    value: float
    pull: Array


class PairedInterval(NamedTuple):
    """First minus second with its 95 % interval; NaN where nothing can be said."""

    value: float
    low: float
    high: float
    p_value: float


def pulled(view: View, metric: Metric, measure: str | None) -> Pulled | None:
    """The score of a view with its rows' influences, or None where the metric does not apply."""
    scored = view.score(metric, measure)
    if scored is None or metric.influence is None:
        return None
    return Pulled(scored[0], view.influence(metric, measure))


def paired_interval(first: Pulled, second: Pulled) -> PairedInterval:
    """First minus second, the interval of that difference, and the p-value of there being none.

        difference ± t · std(φ₁ − φ₂) / √N

    with φ the rows' influences on each score and t the quantile of Student's distribution with N − 1 degrees of
    freedom: for means over rows this is the paired t-test, and for every other score what a bootstrap that
    draws rows for both models together gives (a test compares them). Differences of a score that are the same
    whatever the rows have an interval of no width. NaN under 20 rows, where a standard error is a guess, and
    where the two have different numbers of rows.

    >>> interval = paired_interval(Pulled(0.5, np.arange(40) % 2), Pulled(0.5, np.arange(40) % 4 < 2))
    >>> round(interval.value, 3), round(interval.low, 3), round(interval.p_value, 3)
    (0.0, -0.229, 1.0)
    """
    n, value = len(first.pull), first.value - second.value
    if n < FEWEST_ROWS or n != len(second.pull) or not np.isfinite(value):
        return PairedInterval(value, nan, nan, nan)
    apart: Floats = np.subtract(first.pull, second.pull, dtype=np.float64)
    error = float(apart.std(ddof=1)) / sqrt(n)
    # Rounding keeps the rows of a constant from being quite equal.
    if error <= 1e-12 * max(abs(first.value), abs(second.value)):
        return PairedInterval(value, value, value, float(value == 0))
    from scipy.special import stdtr, stdtrit

    half = float(stdtrit(n - 1, 1 - ALPHA / 2)) * error
    return PairedInterval(value, value - half, value + half, float(2 * stdtr(n - 1, -abs(value) / error)))


def better_of(interval: PairedInterval, higher_is_better: bool | None) -> int:
    """1 if the first is significantly better, −1 if the second is, 0 if the interval leaves it open.

    >>> better_of(PairedInterval(0.2, 0.1, 0.3, 0.001), False), better_of(PairedInterval(0.2, -0.1, 0.5, 0.2), True)
    (-1, 0)
    """
    if higher_is_better is None or not (interval.low > 0 or interval.high < 0):
        return 0
    return 1 if (interval.low > 0) == higher_is_better else -1
