"""Values that are no longer there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import MISSING, Column, Kind
from surefoot.shifts._shift import CellShift, Rows


@dataclass(frozen=True, kw_only=True)
class MissingValues(CellShift):
    """Removes the values of the cells; numeric, categorical and boolean columns alike.

    Paper 002, table II: "replace the value with a missing value indicator". Where the type of a numeric column
    cannot hold a missing value (whole numbers in NumPy) it becomes float64. ``value`` is put into numeric
    columns instead of nothing; the published code puts −9999 into tables of whole numbers.
    """

    value: float | None = None

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "categorical", "boolean")

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[NDArray[Any], Any]:
        if column.kind != "numeric":
            return np.full(len(rows), MISSING, dtype=column.values.dtype), None
        return np.full(len(rows), np.nan if self.value is None else self.value), None
