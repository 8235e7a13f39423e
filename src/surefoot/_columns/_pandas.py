"""pandas frames, column by column: NumPy's dtypes directly, pandas' own and Arrow's through Arrow."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns._array import column_of_array, put
from surefoot._columns._arrow import arrow_of_column, column_of_arrow
from surefoot._columns._column import Column, decoded, fitted
from surefoot._columns._names import unique

if TYPE_CHECKING:
    import pyarrow as pa


def opened(table: Any) -> tuple[Column, ...]:
    """The columns of a frame."""
    names = unique(table.columns)
    return tuple(
        column_of_series(name, series) for name, (_, series) in zip(names, table.items(), strict=True)
    )


def column_of_series(name: str, series: Any) -> Column:
    """Type a column by its dtype."""
    pd: Any = import_module("pandas")  # it is there: the frame is one of its own

    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return column_of_array(name, series.to_numpy())
    if isinstance(dtype, pd.CategoricalDtype):
        codes = series.array.codes.astype(np.int32)
        return Column(name, "categorical", codes, tuple(dtype.categories.tolist()))
    if isinstance(dtype, pd.PeriodDtype):
        return column_of_array(name, series.dt.to_timestamp().to_numpy())
    if isinstance(dtype, pd.SparseDtype):
        return column_of_array(name, series.sparse.to_dense().to_numpy())
    if isinstance(dtype, pd.IntervalDtype):
        return column_of_series(name, series.astype("category"))
    return column_of_arrow(name, _arrow_of_series(series))


def close(native: Any, rows: NDArray[np.int64], new: dict[int, Column]) -> Any:
    """These rows of the frame with new columns at some positions."""
    whole_table = len(rows) == len(native) and bool((rows == np.arange(len(native))).all())
    taken = native.copy() if whole_table else native.take(rows)
    for j, column in new.items():
        before = taken.iloc[:, j]
        values = _values_of_column(column, before)
        made = type(before)(values, index=taken.index, dtype=values.dtype, copy=False)  # no type is guessed
        taken.isetitem(j, made)
    return taken


def _values_of_column(column: Column, taken: Any) -> Any:
    """An array of the dtype of the column it replaces, whose values stay where they were not moved."""
    pd: Any = import_module("pandas")

    dtype = taken.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return pd.Categorical.from_codes(column.values, dtype=dtype)
    if column.kind == "categorical" and pd.api.types.is_numeric_dtype(dtype):
        column = decoded(column)
    if isinstance(dtype, np.dtype):
        return _numpy_of_column(column, taken)
    if isinstance(dtype, pd.SparseDtype):
        return pd.arrays.SparseArray(column.numbers() if column.missing.any() else column.values)
    if isinstance(dtype, pd.IntervalDtype) or not hasattr(dtype, "__from_arrow__"):
        return pd.array(column.objects(np.arange(len(column.values))), dtype=dtype)
    return dtype.__from_arrow__(arrow_of_column(column, _arrow_of_series(taken)))


def _numpy_of_column(column: Column, taken: Any) -> NDArray[Any]:
    dtype, absent = taken.dtype, column.missing
    if dtype.kind == "O" or (column.kind == "boolean" and absent.any()):
        out: NDArray[Any] = taken.to_numpy(dtype=object, copy=True)
        put(column, out)
        return out
    if column.kind == "boolean":
        return column.values.astype(bool)
    lossy = dtype.kind in "iu" and absent.any()
    return fitted(column.values, np.dtype(np.float64) if lossy else dtype)


def _arrow_of_series(series: Any) -> pa.ChunkedArray:
    import pyarrow as pa

    arrow = pa.array(series.array, from_pandas=True)
    return arrow if isinstance(arrow, pa.ChunkedArray) else pa.chunked_array([arrow])
