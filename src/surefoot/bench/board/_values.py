"""A score of a method over its trials, and whether that of another method differs by more than noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan, sqrt
from statistics import fmean
from typing import NamedTuple

import numpy as np

from surefoot.compare import WinsDrawsLosses

ALPHA = 0.05
_NORMAL = 1.959963984540054


@dataclass(frozen=True)
class Values:
    """What trials of one method, which differ in their seeds, have scored.

    `low` and `high` are the 95 % interval over inputs of the first of them, None where it has none.
    """

    each: tuple[float, ...]
    low: float | None = None
    high: float | None = None

    @cached_property
    def mean(self) -> float:
        """Mean over trials."""
        return fmean(self.each)

    @cached_property
    def std(self) -> float | None:
        """Sample standard deviation over trials; None of a single one."""
        n = len(self.each)
        if n > 1 and min(self.each) == max(self.each):
            return 0.0  # where rounding would make a little of it
        return sqrt(sum((one - self.mean) ** 2 for one in self.each) / (n - 1)) if n > 1 else None

    @property
    def _error_of_inputs(self) -> float:
        """Standard error over inputs, as the interval tells it."""
        return nan if self.low is None or self.high is None else (self.high - self.low) / (2 * _NORMAL)


class Apart(NamedTuple):
    """First minus second with its 95 % interval, NaN where nothing can be said, and what it is taken over."""

    value: float
    low: float
    high: float
    p_value: float
    over: str


def apart(first: Values, second: Values) -> Apart:
    """How far two methods are from each other, and how sure that is.

    With several trials of each it is Welch's interval over seeds: whether training anew could turn the difference
    round. Where one has a single trial, or neither differs between seeds, it is taken over inputs from the intervals
    of both scores, as if their inputs were not the same: wider than a paired interval.

    >>> apart(Values((0.90, 0.91, 0.92)), Values((0.80, 0.82, 0.81))).low > 0
    True
    >>> found = apart(Values((0.9,), 0.88, 0.92), Values((0.89,), 0.87, 0.91))
    >>> found.over, found.low < 0 < found.high
    ('inputs', True)
    """
    value = first.mean - second.mean
    if first.std is not None and second.std is not None and first.std + second.std > 0:
        return _welch(value, first, second)
    error = sqrt(first._error_of_inputs**2 + second._error_of_inputs**2)
    if not (isfinite(error) and error > 0):
        return Apart(value, nan, nan, nan, "nothing")
    from scipy.special import ndtr

    half = _NORMAL * error
    return Apart(value, value - half, value + half, float(2 * ndtr(-abs(value) / error)), "inputs")


def _welch(value: float, first: Values, second: Values) -> Apart:
    from scipy.special import stdtr, stdtrit

    parts = [(one.std or 0.0) ** 2 / len(one.each) for one in (first, second)]
    error = sqrt(sum(parts))
    freedom = sum(parts) ** 2 / sum(
        part**2 / (len(one.each) - 1) for part, one in zip(parts, (first, second), strict=True)
    )
    half = float(stdtrit(freedom, 1 - ALPHA / 2)) * error
    return Apart(value, value - half, value + half, float(2 * stdtr(freedom, -abs(value) / error)), "seeds")


def better(found: Apart, higher_is_better: bool | None) -> int:
    """1 if the first is clearly better, −1 if the second is, 0 within noise.

    >>> better(Apart(0.1, 0.05, 0.15, 0.001, "seeds"), False), better(Apart(0.1, -0.1, 0.3, 0.3, "seeds"), False)
    (-1, 0)
    """
    if higher_is_better is None or not (found.low > 0 or found.high < 0):
        return 0
    return 1 if (found.low > 0) == higher_is_better else -1


def best_of(values: Mapping[str, Values], higher_is_better: bool) -> str:
    """The method of the best mean; of equal ones the first."""
    turn = -1 if higher_is_better else 1
    return min(values, key=lambda method: turn * values[method].mean)


def standing(values: Mapping[str, Values], higher_is_better: bool | None) -> dict[str, str]:
    """How each method stands to the best one.

    "best": clearly better than every other method; "first": the best mean, but not clearly; "near": not clearly worse
    than that; "behind": clearly worse. Nothing where neither way is better, or nobody is compared.

    >>> standing({"a": Values((0.9, 0.91)), "b": Values((0.9, 0.9)), "c": Values((0.1, 0.1))}, True)
    {'a': 'first', 'b': 'near', 'c': 'behind'}
    """
    if higher_is_better is None or len(values) < 2:
        return {}
    top = best_of(values, higher_is_better)
    found = {
        method: "behind" if better(apart(values[top], one), higher_is_better) > 0 else "near"
        for method, one in values.items()
        if method != top
    }
    alone = all(where == "behind" for where in found.values())
    return {method: found.get(method, "best" if alone else "first") for method in values}


def wins_over(
    tables: Sequence[Mapping[str, Values]], methods: Sequence[str], higher_is_better: bool
) -> WinsDrawsLosses:
    """On how many tasks each method is clearly better than each other one; the rest are draws."""
    k = len(methods)
    wins = np.zeros((k, k), dtype=np.int64)
    for values in tables:
        for i, one in enumerate(methods):
            for j, other in enumerate(methods):
                if i < j:
                    won = better(apart(values[one], values[other]), higher_is_better)
                    wins[i, j] += won > 0
                    wins[j, i] += won < 0
    draws = len(tables) - wins - wins.T
    np.fill_diagonal(draws, 0)
    return WinsDrawsLosses(wins, draws)
