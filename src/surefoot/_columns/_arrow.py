"""Arrow tables, and frames that turn into them: polars and whatever else narwhals knows besides pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns._column import MISSING, Column, decoded, fitted, times
from surefoot._columns._names import unique
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def opened(table: Any) -> tuple[Column, ...]:
    """The columns of a frame."""
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True)
    names = unique(table.column_names if frame.implementation.is_pyarrow() else frame.columns)
    arrow = table if frame.implementation.is_pyarrow() else frame.to_arrow()
    return tuple(column_of_arrow(name, arrow.column(j)) for j, name in enumerate(names))


def column_of_arrow(name: str, values: pa.ChunkedArray) -> Column:
    """Type a column by its Arrow type; text and categories are encoded."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return Column(name, "numeric", _numpy(values), whole=pa.types.is_integer(kind))
    if pa.types.is_decimal(kind):
        return Column(name, "numeric", _numpy(values.cast(pa.float64())), whole=kind.scale <= 0)
    if pa.types.is_boolean(kind):
        return Column(name, "boolean", _numpy(values.cast(pa.int8()).fill_null(MISSING)))
    if pa.types.is_temporal(kind):
        return Column(name, "other", _numpy_times(values))
    if pa.types.is_nested(kind):
        return Column(name, "other", np.full(len(values), np.nan))
    return _categories(name, values)


def close(native: Any, rows: NDArray[np.int64], new: dict[int, Column]) -> Any:
    """These rows of the frame with new columns at some positions."""
    import narwhals as nw
    import pyarrow as pa

    frame = nw.from_native(native, eager_only=True)
    whole_table = len(rows) == len(frame) and bool((rows == np.arange(len(frame))).all())
    if frame.implementation.is_pyarrow():
        taken = native if whole_table else _taken(native, rows)
        for j, column in new.items():
            taken = taken.set_column(j, taken.schema.field(j), arrow_of_column(column, taken.column(j)))
        return taken
    frame = frame if whole_table else frame[rows]
    taken = frame.to_native()
    if not new:
        return taken
    arrow = frame.select(*(frame.columns[j] for j in new)).to_arrow()
    made = {column.name: arrow_of_column(column, arrow.column(i)) for i, column in enumerate(new.values())}
    back = nw.get_native_namespace(frame).from_arrow(pa.table(made))
    types = {name: taken.schema[name] for name in made}
    return taken.with_columns(back.cast(types).get_columns())


def arrow_of_column(column: Column, taken: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column in the Arrow type of the one it replaces, whose values stay where they were not moved."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = taken.type
    if column.kind == "categorical" and (pa.types.is_dictionary(kind) or not _is_number(kind)):
        return pa.chunked_array([_arrow_of_categories(column, kind)])
    if column.kind == "categorical":
        column = decoded(column)
    absent = column.missing
    if column.kind == "boolean":
        return pa.chunked_array([pa.array(column.values == 1, kind, mask=absent)])
    made = _arrow_of_numbers(column.values, absent, kind)
    if not absent.any() and not pa.types.is_decimal(kind) and not taken.null_count:
        return pa.chunked_array([made])
    before = column_of_arrow(column.name, taken)  # a float64 may be less than what was there: keep that
    return pc.if_else(pa.array(column.differs(before)), made, taken)


def _arrow_of_numbers(values: NDArray[Any], absent: NDArray[np.bool_], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_decimal(kind):
        largest = 10.0 ** (kind.precision - kind.scale) * (1 - 1e-9)
        known = np.where(np.isfinite(values), np.clip(values, -largest, largest), 0.0)
        scaled = pa.array(known, mask=absent | np.isnan(values))
        return pc.round(scaled, ndigits=kind.scale).cast(kind, safe=False)
    dtype = np.dtype(kind.to_pandas_dtype())
    known = np.where(absent, 0, values) if absent.any() else values
    return pa.array(fitted(known, dtype), kind, mask=absent)


def _arrow_of_categories(column: Column, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    codes = pa.array(column.values, mask=column.missing)
    if pa.types.is_dictionary(kind):
        names = pa.array(column.categories, kind.value_type)
        return pa.DictionaryArray.from_arrays(codes.cast(kind.index_type), names, ordered=kind.ordered)
    if pa.types.is_null(kind):
        return pa.nulls(len(codes))
    return pa.array(column.categories, _without_view(kind)).take(codes).cast(kind)


def _categories(name: str, values: pa.ChunkedArray) -> Column:
    import pyarrow as pa

    if pa.types.is_null(values.type) or not len(values):
        return Column(name, "categorical", np.full(len(values), MISSING, dtype=np.int32))
    values = values.cast(_without_view(values.type))
    if pa.types.is_dictionary(values.type):
        values = values.unify_dictionaries()
    try:
        coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
        whole = coded.combine_chunks()
    except (pa.ArrowException, TypeError) as error:
        raise InputError(
            f"column {name} has Arrow type {values.type}, which cannot be used ({error})"
        ) from None
    if isinstance(whole, pa.ChunkedArray):  # some versions leave one chunk
        whole = whole.chunk(0)
    names = whole.dictionary
    if names.null_count or len(names.unique()) < len(names):  # two codes for one value, or one for none
        return _categories(name, pa.chunked_array([whole.cast(values.type.value_type)]))
    codes = np.asarray(whole.indices.cast(pa.int32()).fill_null(MISSING))
    return Column(name, "categorical", codes, tuple(names.to_pylist()))


def _numpy(values: pa.ChunkedArray) -> NDArray[Any]:
    """Numbers of an Arrow column; nulls become NaN."""
    import pyarrow as pa

    if values.null_count:
        values = values.cast(pa.float64(), safe=False)
    return np.asarray(values.to_numpy())


def _numpy_times(values: pa.ChunkedArray) -> NDArray[np.float64]:
    """Points in time in their order: as seconds, or for intervals of mixed units not at all."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return times(values.to_numpy())
    if pa.types.is_date(kind):
        return times(values.cast(pa.timestamp("s")).to_numpy())
    if pa.types.is_time(kind):
        count = values.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
        per_second = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
        return _numpy(count).astype(np.float64) / per_second
    return np.full(len(values), np.nan)


def _taken(table: pa.Table, rows: NDArray[np.int64]) -> pa.Table:
    """Rows of a table; columns in the layout of views go through a plain one."""
    import pyarrow as pa

    plain = pa.schema(
        [field.with_type(_without_view(field.type)) for field in table.schema], table.schema.metadata
    )
    return table.cast(plain).take(pa.array(rows)).cast(table.schema)


def _without_view(kind: pa.DataType) -> pa.DataType:
    """The type itself, or for texts and bytes laid out as views, which few kernels know, the one without."""
    import pyarrow as pa

    plain = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}
    return plain.get(str(kind), kind)


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
