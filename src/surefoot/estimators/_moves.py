"""Which columns of a batch moved, read from how the labelled rows were spread, which are not kept themselves.

The tests are those of `surefoot.shifts.detectors.column_tests`: Kolmogorov–Smirnov of numbers, chi-squared of
categories, booleans and gaps, Bonferroni for all. Numbers are known at the points of a `Spread` alone, so that their
distance is never too large and at most 1/64 too small. Categories that are rare on both sides together are tested as
one, so that no tables need be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.estimators._schema import Field, Schema
from surefoot.estimators._spread import counted, percentiles
from surefoot.shifts.detectors import ColumnMove
from surefoot.shifts.detectors._change import change_of_gaps, change_of_numbers, change_of_shares
from surefoot.shifts.detectors._chi_squared import FEW, chi_squared_of_counts, total_variation
from surefoot.shifts.detectors._result import bonferroni

Counts = NDArray[np.int64]
Values = NDArray[np.float32]

ALPHA = 0.05
"""The chance that any column is named falsely."""


def moves(
    schema: Schema, features: Values, counts: Mapping[str, Counter[str | None]]
) -> tuple[ColumnMove, ...]:
    """Every column of a batch but dates: those that moved come first, the largest move at the top.

    ``features`` and ``counts`` are what the schema makes of the batch, or of a sample of it.
    """
    n = len(features)
    ordered = np.sort(features.T, axis=1)  # NaN comes last
    known = n - np.isnan(ordered).sum(axis=1)
    looks = [
        _look(field, ordered[j, : known[j]], counts[field.name], n)
        for j, field in enumerate(schema.fields)
        if field.kind != "other"  # a batch is always of another time
    ]
    tests = sum(look.tests for look in looks)
    found = [_move(look, tests) for look in looks]
    return tuple(sorted(found, key=lambda one: (not one.moved, -one.moved_by, one.name)))


@dataclass(frozen=True)
class _Values:
    """What the test of the values of a column says; `varied` if it could have found anything."""

    effect: float = 0.0
    p_value: float = 1.0
    change: str = ""
    varied: bool = False
    unseen: int = 0


@dataclass(frozen=True)
class _Look:
    """What the tests of one column say, before all columns are known."""

    field: Field
    values: _Values
    p_value: float
    missing: tuple[float, float]
    unseen: float
    tests: int


def _look(field: Field, ordered: Values, counts: Counter[str | None], n: int) -> _Look:
    """Test the values of a column, in order, and its gaps."""
    spread, absent = field.spread, counts[None]
    values = _Values()
    if spread.present and n > absent:
        values = _categories(field, counts) if field.kind == "categorical" else _numbers(field, ordered)
    before, after = spread.absent / max(spread.present + spread.absent, 1), absent / max(n, 1)
    may_miss = spread.absent + absent > 0 and spread.present + n - absent > 0
    chance = 1.0
    if may_miss:
        gaps = np.array([[spread.present, spread.absent], [n - absent, absent]])
        chance = chi_squared_of_counts(*gaps).p_value
    tests = int(values.varied) + int(may_miss)
    return _Look(field, values, min(values.p_value, chance), (before, after), values.unseen / n, tests)


def _categories(field: Field, counts: Counter[str | None]) -> _Values:
    """The test of a column of categories."""
    known = set(field.categories)
    new = [name for name in counts if name is not None and name not in known]
    names = [*field.categories, *new]
    before = np.array([*field.spread.counts, *(0 for _ in new)])
    after = np.array([counts[name] for name in names])
    return _shares(before, after, names, sum(counts[name] for name in new))


def _numbers(field: Field, ordered: Values) -> _Values:
    """The test of a column of numbers or booleans; where there are but two values on both sides, they are shares."""
    spread, m = field.spread, len(ordered)
    points = np.array(spread.points, dtype=np.float32)
    if len(points) <= 2:
        values = (
            np.unique([*points, ordered[0], ordered[-1]]) if field.kind == "numeric" else np.array([0.0, 1.0])
        )
        if len(values) <= 2 and np.isin(ordered, values).all():
            up_to = np.interp(values, points, spread.up_to, left=0)
            before = np.diff(up_to.astype(np.int64), prepend=0)
            after = np.diff(ordered.searchsorted(values, "right"), prepend=0)
            names = ("false", "true") if field.kind == "boolean" else [f"{value:g}" for value in values]
            return _shares(before, after, names)
    from scipy.special import kolmogorov

    known, now = np.array([spread.under, spread.up_to]), np.array(counted(ordered, points))
    distance = float(np.abs(known / spread.present - now / m).max())
    p_value = float(kolmogorov(np.sqrt(spread.present * m / (spread.present + m)) * distance))
    change = change_of_numbers(np.array(spread.percentiles), percentiles(ordered))
    return _Values(distance, p_value, change, len(points) > 1 or distance > 0)


def _shares(before: Counts, after: Counts, names: Sequence[str], unseen: int = 0) -> _Values:
    """The test of counts; categories in which too few rows are expected are taken together."""
    total = before + after
    fewest = FEW * total.sum() / min(before.sum(), after.sum())
    order = np.lexsort((after, total))[::-1]  # so that the order of the categories does not matter
    kept = max(int((total >= fewest).sum()), 1)
    if kept > 1 and 0 < total[order[kept:]].sum() < fewest:
        kept -= 1  # so that the rest is enough
    cells = (np.append(side[order[:kept]], side[order[kept:]].sum()) for side in (before, after))
    return _Values(
        total_variation(before, after),
        chi_squared_of_counts(*cells).p_value,
        change_of_shares(before, after, names),
        int((total > 0).sum()) > 1,
        unseen,
    )


def _move(look: _Look, tests: int) -> ColumnMove:
    """What is told of a column, its p-value adjusted for all tests."""
    before, after = look.missing
    gaps, effect = abs(after - before), look.values.effect
    p_value = bonferroni(look.p_value, tests)
    return ColumnMove(
        name=look.field.name,
        kind=look.field.kind,
        moved=p_value <= ALPHA,
        moved_by=max(effect, gaps),
        effect=effect,
        p_value=p_value,
        missing_reference=before,
        missing_batch=after,
        unseen=look.unseen,
        importance=None,
        change=change_of_gaps(before, after) if gaps > effect else look.values.change,
    )
