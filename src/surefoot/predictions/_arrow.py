"""Arrow columns as NumPy arrays: lists of constant length become axes, nulls become the missing value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from surefoot._checks import Array, rows
from surefoot.errors import InputError


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Refuse what Arrow cannot read with a sentence."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"this is not a {what} file, or it is damaged ({reason}); write it again") from None


def plain_column(name: str, column: pa.Array | pa.ChunkedArray, as_float: bool = False) -> Array:
    """One value a row; missing numbers become NaN (of a float), missing text becomes ""."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type) and is_text(column.type.value_type):
        return _categories(column)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if is_text(column.type):
        return np.asarray(pc.fill_null(column, "").to_numpy(zero_copy_only=False), dtype=str)
    if _is_number(column.type) or pa.types.is_null(column.type):
        with_gaps = as_float or column.null_count > 0
        if (with_gaps and not pa.types.is_floating(column.type)) or pa.types.is_decimal(column.type):
            column = column.cast(pa.float64(), safe=False)
    elif not _is_time(column.type):
        raise InputError(f"column {name!r} has type {column.type}, not one value a row; drop or convert it")
    return np.asarray(column.to_numpy(zero_copy_only=False))


def nested(name: str, column: pa.Array) -> Array:
    """Lists of constant length, of any depth, as one array [rows, …]; ragged or missing ones are refused."""
    lengths = [len(column)]
    values = column
    while _is_list(values.type):
        if values.null_count:
            missing = np.asarray(values.is_null().to_numpy(zero_copy_only=False))
            raise InputError(
                f"{name} is missing in {_first_axis(missing, lengths)}; remove or fill these rows"
            )
        if pa.types.is_fixed_size_list(values.type):
            length = values.type.list_size
        else:
            each = values.value_lengths().to_numpy(zero_copy_only=False)
            length = int(np.median(each)) if len(each) else 0
            if (each != length).any():
                raise InputError(
                    f"{name} has lists of different lengths: {length} numbers in most rows, but not in "
                    f"{_first_axis(each != length, lengths)}; write S·K (or S) numbers in every row"
                )
        lengths.append(length)
        values = values.flatten()
    if not _is_number(values.type):
        raise InputError(f"{name} has type {column.type}; write numbers, or lists of numbers")
    if not pa.types.is_floating(values.type):
        values = values.cast(pa.float64(), safe=False)
    return np.asarray(values.to_numpy(zero_copy_only=False)).reshape(lengths)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text, in any of Arrow's layouts."""
    return str(kind) in ("string", "large_string", "string_view")


def _categories(column: pa.DictionaryArray) -> Array:
    """Text with few distinct values: look it up instead of making a string a row."""
    values = np.append(plain_column("categories", column.dictionary), "")
    places = pc.fill_null(column.indices.cast(pa.int64()), len(values) - 1)
    return np.asarray(values[places.to_numpy(zero_copy_only=False)])


def _first_axis(bad: Array, lengths: list[int]) -> str:
    """Name the rows of the file in which anything is wrong."""
    return rows(np.asarray(bad.reshape(lengths[0], -1).any(axis=1)))


def _is_list(kind: pa.DataType) -> bool:
    return any(test(kind) for test in (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))


def _is_time(kind: pa.DataType) -> bool:
    return any(test(kind) for test in (pa.types.is_date, pa.types.is_timestamp, pa.types.is_duration))


def _is_number(kind: pa.DataType) -> bool:
    tests = (pa.types.is_floating, pa.types.is_integer, pa.types.is_boolean, pa.types.is_decimal)
    return any(test(kind) for test in tests)
