"""Column by column: which of them moved, and by how much?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Column
from surefoot.shifts.detectors._change import (
    PERCENTILES,
    change_of_gaps,
    change_of_numbers,
    change_of_shares,
)
from surefoot.shifts.detectors._chi_squared import (
    chi_squared_of_counts,
    cramers_v,
    total_variation,
)
from surefoot.shifts.detectors._ks import ks_of_present
from surefoot.shifts.detectors._pair import Pair, open_pair
from surefoot.shifts.detectors._result import ShiftTest, bonferroni, level

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ColumnTest:
    """How one column moved: its values where present, and the share of missing ones.

    Attributes:
        name: of the column.
        kind: numeric, categorical or boolean.
        test: ks or chi_squared.
        values: the test of the values that are present.
        missing: the test of the share of missing values.
        effect: how far the values moved, between 0 and 1: the KS distance of numbers (the largest gap between
            the distribution functions), the total variation of categories (the share of rows that would have
            to change category).
        cramers_v: √(χ² / N) of categories; None for numbers.
        missing_reference: share of missing values in the reference.
        missing_batch: share of missing values in the batch.
        unseen: share of the batch's rows whose category the reference never has.
        change: what moved, in words.
    """

    name: str
    kind: str
    test: str
    values: ShiftTest
    missing: ShiftTest
    effect: float
    cramers_v: float | None
    missing_reference: float
    missing_batch: float
    unseen: float
    change: str

    @property
    def moved_by(self) -> float:
        """The larger of the effect on the values and the change in the share of missing ones."""
        return max(self.effect, abs(self.missing_batch - self.missing_reference))

    @property
    def p_value(self) -> float:
        """The smaller of the two p-values, not adjusted."""
        return min(self.values.p_value, self.missing.p_value)


@dataclass(frozen=True)
class ColumnTests:
    """Tests of all columns, in the order of the table; every array has one entry a column.

    Attributes:
        columns: the test of each column.
        tests: how many tests could find anything, which is what Bonferroni divides by. A column that is
            constant in both samples together, or misses nothing, cannot move.
    """

    columns: tuple[ColumnTest, ...]
    tests: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def statistic(self) -> Floats:
        """KS distance or χ² of the values."""
        return np.array([column.values.statistic for column in self.columns])

    @property
    def p_value(self) -> Floats:
        """Smaller p-value of values and missingness, adjusted for all tests by Bonferroni."""
        return np.array([bonferroni(column.p_value, self.tests) for column in self.columns])

    @property
    def effect(self) -> Floats:
        """KS distance or total variation of the values."""
        return np.array([column.effect for column in self.columns])

    def moved(self, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Which columns moved; the chance that any of them is named falsely is at most ``alpha``."""
        return self.p_value <= level(alpha)

    def drifted(self, alpha: float = 0.05) -> bool:
        """Whether any column moved, at a false-alarm rate of ``alpha`` for all together."""
        return bool(self.moved(alpha).any())

    def ranked(self, alpha: float = 0.05) -> tuple[ColumnTest, ...]:
        """The columns that moved first, and among these and the others the largest move first."""
        moved = self.moved(alpha)
        order = sorted(range(len(self.columns)), key=lambda j: (not moved[j], -self.columns[j].moved_by, j))
        return tuple(self.columns[j] for j in order)

    @cached_property
    def strongest(self) -> ColumnTest:
        """The column with the smallest p-value; of several, the one that moved most."""
        return min(self.columns, key=lambda column: (column.p_value, -column.moved_by))


def column_tests(reference: Any, batch: Any, *, ignore: Iterable[str] = (), seed: int = 0) -> ColumnTests:
    """Test every column of two tables on its own, as Rabanser et al. 2019 ("Failing loudly") found to do well.

    Numbers by Kolmogorov–Smirnov (`ks`), categories and booleans by chi-squared (`chi_squared`), with
    permutation p-values where counts are small; a column of numbers with only two values counts as boolean,
    for which KS has little power. A change in the share of missing values is tested apart, so that it neither
    hides nor feigns one of the values. Dates and times are left out: a batch is always of another time.

    Takes pandas, polars, pyarrow or NumPy tables, or `Columns`. ``seed`` fixes the drawn permutations.

    >>> reference = np.arange(200.0).reshape(100, 2)
    >>> tests = column_tests(reference, reference + [0, 60])
    >>> tests.moved().tolist(), tests.effect.round(4).tolist()
    ([False, True], [0.0, 0.3])
    """
    pair = open_pair(reference, batch, ignore=ignore)
    return column_tests_of_pair(pair, seed=seed)


def column_tests_of_pair(pair: Pair, *, seed: int = 0) -> ColumnTests:
    """The same for tables whose columns are matched."""
    sides = zip(pair.reference.columns, pair.batch.columns, strict=True)
    found = [_test(first, second, seed) for first, second in sides if first.kind != "other"]
    return ColumnTests(tuple(one for one, _ in found), sum(tests for _, tests in found))


def _test(first: Column, second: Column, seed: int) -> tuple[ColumnTest, int]:
    """The tests of one column, and how many of them could have found anything."""
    absent, gone = first.missing, second.missing
    x = first.values[~absent] if absent.any() else first.values
    y = second.values[~gone] if gone.any() else second.values
    counts = _counts(first, x, y)
    unseen = 0.0
    cramer = None
    if counts is None:
        values = ks_of_present(x, y)
        effect, change = values.statistic, _medians(x, y)
        varied = True  # with one or two distinct values it would have been counted
    else:
        a, b, names = counts
        values = chi_squared_of_counts(a, b, seed=seed)
        effect, cramer, change = total_variation(a, b), cramers_v(values), change_of_shares(a, b, names)
        varied = int((a + b > 0).sum()) > 1
        if first.kind == "categorical":
            unseen = float(b[a == 0].sum() / len(second.values))
    lost = _two(absent), _two(gone)
    missing = chi_squared_of_counts(*lost, seed=seed)
    testable = int(bool(len(x) and len(y) and varied)) + int((lost[0] + lost[1] > 0).all())
    shares = float(absent.mean()), float(gone.mean())
    if abs(shares[1] - shares[0]) > effect:
        change = change_of_gaps(*shares)
    test = "ks" if counts is None else "chi_squared"
    outcome = ColumnTest(
        first.name, first.kind, test, values, missing, effect, cramer, *shares, unseen, change
    )
    return outcome, testable


def _counts(
    column: Column, x: NDArray[Any], y: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[Any, ...]] | None:
    """How often each category occurs on both sides, and their names; None if these are numbers."""
    if column.kind == "categorical":
        k = len(column.categories)
        return np.bincount(x, minlength=k), np.bincount(y, minlength=k), column.categories
    if column.kind == "boolean":
        return _two(x == 1), _two(y == 1), ("false", "true")
    some = np.concatenate([x[:1], y[:1], x[x != x[0]][:1] if len(x) else x])
    low, high = (some.min(), some.max()) if len(some) else (0, 0)
    if all(bool(((side == low) | (side == high)).all()) for side in (x, y)):
        return _two(x == high), _two(y == high), (f"{low:g}", f"{high:g}")
    return None


def _two(true: NDArray[np.bool_]) -> NDArray[np.int64]:
    ones = int(np.count_nonzero(true))
    return np.array([len(true) - ones, ones])


def _medians(x: NDArray[Any], y: NDArray[Any]) -> str:
    if not len(x) or not len(y):
        return ""
    before, after = (np.percentile(side, PERCENTILES, method="nearest") for side in (x, y))
    return change_of_numbers(before, after)
