"""Shifts of categorical and boolean cells. Missing values stay missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import MISSING, Column, Kind
from surefoot.shifts._shift import CellShift, Rows
from surefoot.shifts._subsample import category, occurring


@dataclass(frozen=True, kw_only=True)
class ConstantCategorical(CellShift):
    """Puts one category, drawn out of those that occur in the column, into all its cells."""

    kinds: ClassVar[tuple[Kind, ...]] = ("categorical", "boolean")

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[NDArray[Any], Any]:
        old, present = column.values[rows], occurring(column)
        if not present.size:
            return old, None
        code = int(rng.choice(present))
        return np.where(old == MISSING, old, code), category(column, code)


@dataclass(frozen=True, kw_only=True)
class SwitchCategorical(CellShift):
    """Puts another category, drawn out of those that occur in the column, into each cell.

    A column with a single category stays.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("categorical", "boolean")

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[NDArray[Any], Any]:
        old, present = column.values[rows], occurring(column)
        if len(present) < 2:
            return old, None
        return np.where(old == MISSING, old, another(old, present, rng)), None


def another(old: NDArray[Any], present: Rows, rng: np.random.Generator) -> NDArray[Any]:
    """For every code another one out of those that occur (at least two), each equally likely."""
    place = np.zeros(int(present[-1]) + 2, dtype=np.int64)  # the last one: missing
    place[present] = np.arange(len(present))
    step = rng.integers(1, len(present), len(old))
    out: NDArray[Any] = present[(place[old] + step) % len(present)]
    return out
