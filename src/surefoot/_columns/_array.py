"""2-D NumPy arrays: one type for all columns, or objects whose columns are typed one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import _arrow
from surefoot._columns._column import MISSING, Column, decoded, fitted, times
from surefoot.errors import InputError

_WITH_MISSING = {"i": np.float64, "u": np.float64, "b": np.float64, "U": object, "S": object}
"""What an array of a kind that cannot hold missing values becomes when some are put in."""


_BLOCK = 512
"""Rows that are moved between rows and columns at once; they fit into a core's cache."""


def opened(table: NDArray[Any]) -> tuple[Column, ...]:
    """The columns of an array, called 0, 1 and so on."""
    if isinstance(table, np.ma.MaskedArray):
        raise InputError("the table is a masked array; fill it first, e.g. with table.filled(np.nan)")
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"the table has shape {table.shape}, but [rows, columns] is needed; reshape it")
    return tuple(column_of_array(str(j), values) for j, values in enumerate(_column_major(np.asarray(table))))


def column_of_array(name: str, values: NDArray[Any]) -> Column:
    """Type a vector; what one of objects holds is found out from its values."""
    kind = values.dtype.kind
    if kind in "iuf":
        return Column(name, "numeric", values, whole=kind in "iu")
    if kind == "b":
        return Column(name, "boolean", values.astype(np.int8))
    if kind in "mM":
        return Column(name, "other", times(values))
    if kind not in "OUS":
        raise InputError(f"column {name} has dtype {values.dtype}; give numbers, booleans or text")
    return _column_of_objects(name, values)


def close(native: NDArray[Any], rows: NDArray[np.int64], new: dict[int, Column]) -> NDArray[Any]:
    """These rows of the array with new columns at some positions."""
    native = np.asarray(native)
    whole_table = len(rows) == len(native) and bool((rows == np.arange(len(native))).all())
    out: NDArray[Any] = native.copy() if whole_table else native[rows]
    if native.dtype.kind in _WITH_MISSING and any(column.missing.any() for column in new.values()):
        out = out.astype(_WITH_MISSING[native.dtype.kind])
    if out.dtype.kind in "OUS":
        for j, column in new.items():
            put(column, out[:, j])
        return out
    values = {j: _numbers_of_column(column, out.dtype) for j, column in new.items()}
    for rows_ahead in _blocks(len(out)):  # each row passes through the cache once
        for j, numbers in values.items():
            out[rows_ahead, j] = numbers[rows_ahead]
    return out


def _numbers_of_column(column: Column, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The column in the dtype of the array."""
    if column.kind == "boolean":
        return np.where(column.missing, np.nan, column.values) if dtype.kind == "f" else column.values
    number = decoded(column) if column.kind == "categorical" else column
    return fitted(number.values, dtype)


def _column_major(table: NDArray[Any]) -> NDArray[Any]:
    """The columns one after the other: as they are where they lie so, else copied block by block."""
    if table.T.flags.c_contiguous or len(table) <= _BLOCK or table.dtype.kind not in "iufb":
        return table.T
    out = np.empty(table.shape[::-1], dtype=table.dtype)
    for rows in _blocks(len(table)):
        out[:, rows] = table[rows].T
    return out


def _blocks(total: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, total, _BLOCK))


def put(column: Column, objects: NDArray[Any]) -> None:
    """Write a column into a vector of objects where it says something else than what is there."""
    before = column_of_array(column.name, objects)
    if before.kind != column.kind or before.categories != column.categories:
        moved = np.ones(len(objects), dtype=bool)
    else:
        moved = column.differs(before)
    made = np.empty(int(moved.sum()), dtype=object)
    made[:] = column.objects(np.flatnonzero(moved))
    objects[moved] = made


def _column_of_objects(name: str, values: NDArray[Any]) -> Column:
    """Arrow finds a common type quickly; where there is none, the distinct values are categories."""
    import pyarrow as pa

    try:
        arrow = pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, ValueError, TypeError):
        return _column_of_mixed(name, values.tolist())
    return _arrow.column_of_arrow(name, pa.chunked_array([arrow]))


def _column_of_mixed(name: str, values: list[Any]) -> Column:
    """Values of several types: numbers if all are, else categories in order of appearance."""
    absent = np.array([value is None or _unequal_to_itself(value) for value in values], dtype=bool)
    present = [value for value, gone in zip(values, absent.tolist(), strict=True) if not gone]
    if all(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in present):
        numbers = np.full(len(values), np.nan)
        numbers[~absent] = present
        whole = all(isinstance(value, int | np.integer) for value in present)
        return Column(name, "numeric", numbers, whole=whole)
    places: dict[Any, int] = {}
    try:
        for value in present:
            places.setdefault((type(value), value), len(places))
    except TypeError:
        raise InputError(
            f"column {name} holds {type(value).__name__} objects; give numbers, booleans or text"
        ) from None
    codes = np.full(len(values), MISSING, dtype=np.int32)
    codes[~absent] = [places[type(value), value] for value in present]
    return Column(name, "categorical", codes, tuple(value for _, value in places))


def _unequal_to_itself(value: Any) -> bool:
    """Whether a value is a NaN of some kind; pandas' NA does not even say so."""
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"
