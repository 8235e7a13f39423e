"""One column: what it is called, of what kind it is, and its values as an array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["numeric", "categorical", "boolean", "other"]

MISSING = -1
"""Code of a missing value in a categorical or boolean column; numeric ones use NaN."""

_FEW = 1 << 16
"""Whole numbers within such a range are encoded by a look-up instead of by sorting."""


@dataclass(frozen=True)
class Column:
    """One column of a table as an array.

    ``values`` are numbers (NaN for missing) in a numeric column, codes into ``categories`` (−1 for missing)
    in a categorical one, 0, 1 and −1 in a boolean one. Other columns, such as dates, are carried along and
    show as float64, in the order of their values (NaN throughout for lists and the like, which have none).
    ``whole``: the table holds whole numbers, even where missing ones make the values floats.
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    categories: tuple[Any, ...] = ()
    whole: bool = False

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows hold no value."""
        if self.kind in ("categorical", "boolean"):
            return np.asarray(self.values == MISSING)
        if self.values.dtype.kind == "f":
            return np.asarray(np.isnan(self.values))
        return np.zeros(len(self.values), dtype=bool)

    def numbers(self) -> NDArray[np.float64]:
        """The values or codes as float64, NaN where missing."""
        out = self.values.astype(np.float64)
        if self.kind in ("categorical", "boolean"):
            out[self.values == MISSING] = np.nan
        return out

    def having(self, values: NDArray[Any]) -> Column:
        """The same column with other values."""
        return Column(self.name, self.kind, values, self.categories, self.whole)

    def objects(self, rows: NDArray[Any]) -> list[Any]:
        """What the table holds in these rows, as Python's own values, None where missing."""
        values = self.values[rows]
        if self.kind == "numeric":
            listed = (np.rint(values) if self.whole else values).tolist()
            convert = int if self.whole else float
            return [convert(value) if value == value else None for value in listed]
        names = (*(self.categories if self.kind == "categorical" else (False, True)), None)
        return [names[code] for code in values.tolist()]

    def differs(self, other: Column) -> NDArray[np.bool_]:
        """In which rows another column of the same table and name holds other values."""
        return np.asarray((self.values != other.values) & ~(self.missing & other.missing))


class _Taken(Column):
    """Some rows of a column, gathered when they are first looked at: of many columns few ever are."""

    _whole_column: Column
    _rows: NDArray[np.int64]

    def __getattr__(self, name: str) -> Any:
        if name != "values":
            raise AttributeError(name)
        values = self._whole_column.values[self._rows]
        self.__dict__["values"] = values
        return values

    def __len__(self) -> int:
        return len(self.values) if "values" in self.__dict__ else len(self._rows)


def taken(columns: tuple[Column, ...], rows: NDArray[np.int64]) -> tuple[Column, ...]:
    """These rows of the columns."""
    through: dict[int, NDArray[np.int64]] = {}  # columns taken together before share their rows
    out = []
    for column in columns:
        source, chosen = column, rows
        if isinstance(column, _Taken) and "values" not in column.__dict__:
            before = column._rows
            if id(before) not in through:
                through[id(before)] = before[rows]
            source, chosen = column._whole_column, through[id(before)]
        one = object.__new__(_Taken)
        one.__dict__.update(
            name=column.name,
            kind=column.kind,
            categories=column.categories,
            whole=column.whole,
            _whole_column=source,
            _rows=chosen,
        )
        out.append(one)
    return tuple(out)


def fitted(values: NDArray[Any], dtype: np.dtype[Any], *, whole: bool = False) -> NDArray[Any]:
    """The values in a numeric dtype, kept within its range; as whole numbers they are rounded.

    >>> fitted(np.array([2.6, 300.0, -1.0]), np.dtype("uint8"))
    array([  3, 255,   0], dtype=uint8)
    """
    if values.dtype == dtype and not whole:
        return values
    if whole and values.dtype.kind == "f":
        values = np.rint(values)
    if dtype.kind in "iu" and values.dtype.kind == "f":
        limits = np.iinfo(dtype)
        top = limits.max if limits.bits < 64 else np.nextafter(float(limits.max), 0.0)  # else 2**63 overflows
        values = np.clip(np.rint(values.astype(np.float64)), limits.min, top)
    elif dtype.kind in "iu" and values.dtype.kind in "iu":
        limits, given = np.iinfo(dtype), np.iinfo(values.dtype)
        values = np.clip(values, max(limits.min, given.min), min(limits.max, given.max))
    elif dtype.kind == "f" and dtype.itemsize < values.dtype.itemsize:
        largest = float(np.finfo(dtype).max)
        values = np.where(np.isfinite(values), np.clip(values, -largest, largest), values)
    out: NDArray[Any] = values.astype(dtype, copy=False)
    return out


def encoded(column: Column) -> Column:
    """A numeric column whose numbers are only names as a categorical one, its distinct numbers sorted.

    >>> encoded(Column("x", "numeric", np.array([2.5, np.nan, 0.5]))).values.tolist()
    [1, -1, 0]
    """
    if column.kind != "numeric":
        return column
    absent = column.missing
    if absent.any():
        codes = np.full(len(absent), MISSING, dtype=np.int32)
        found, codes[~absent] = _distinct(column.values[~absent])
    else:
        found, codes = _distinct(column.values)
    numbers = found.tolist()
    categories = tuple(map(int, numbers) if column.whole else numbers)
    return Column(column.name, "categorical", codes, categories, column.whole)


def decoded(column: Column) -> Column:
    """The way back: the numbers that the codes stand for."""
    numbers = np.asarray(column.categories, dtype=None if column.categories else np.float64)
    if not column.missing.any() and column.categories:
        return Column(column.name, "numeric", numbers[column.values], whole=column.whole)
    values = np.append(numbers.astype(np.float64), np.nan)[column.values]
    return Column(column.name, "numeric", values, whole=column.whole)


def times(values: NDArray[Any]) -> NDArray[np.float64]:
    """Dates and durations in seconds, NaN where missing."""
    unit = np.timedelta64(1, "s") if values.dtype.kind == "m" else np.datetime64(1, "s")
    seconds = values.astype(f"{unit.dtype.kind}8[s]")
    return np.where(np.isnat(values), np.nan, seconds.astype("i8").astype(np.float64))


def _distinct(present: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The sorted distinct numbers and, for every entry, which it is."""
    if present.size:
        low, high = present.min(), present.max()
        if float(high) - float(low) < _FEW:
            offset = (present - low).astype(np.int32)
            if present.dtype.kind in "iu" or (offset + low == present).all():
                seen = np.flatnonzero(np.bincount(offset))
                place = np.empty(int(seen[-1]) + 1, dtype=np.int32)
                place[seen] = np.arange(len(seen))
                return (seen + low).astype(present.dtype), place[offset]
    found, inverse = np.unique(present, return_inverse=True)
    return found, inverse.astype(np.int32)
