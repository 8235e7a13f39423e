"""Any table as typed NumPy columns, and back: what shifts, detectors and estimators compute on.

A table (pandas, polars, pyarrow or any other eager frame that narwhals knows, or a 2-D NumPy array) is opened
once. Rows are taken and columns replaced on plain arrays; `Columns.to_native` gives back a table of the kind
that came in, in which whatever was not replaced is exactly as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import InputError

Kind = Literal["numeric", "categorical", "boolean", "other"]

MISSING = -1
"""Code of a missing value in a categorical or boolean column; numeric ones use NaN."""


@dataclass(frozen=True)
class Column:
    """One column of a table as an array.

    ``values`` are numbers (NaN for missing) in a numeric column, codes into ``categories`` (−1 for missing)
    in a categorical one, 0, 1 and −1 in a boolean one. Other columns, such as dates, are carried along and
    show as float64, in the order of their values. ``whole``: the table holds whole numbers, even where missing
    ones make the values floats.
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    categories: tuple[Any, ...] = ()
    whole: bool = False

    def having(self, values: NDArray[Any]) -> Column:
        """The same column with other values."""
        return Column(self.name, self.kind, values, self.categories, self.whole)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows hold no value."""
        if self.kind in ("numeric", "other"):
            return (
                np.isnan(self.values) if self.values.dtype.kind == "f" else np.zeros(len(self.values), bool)
            )
        return np.asarray(self.values == MISSING)

    def numbers(self) -> NDArray[np.float64]:
        """The values or codes as float64, NaN where missing."""
        out = self.values.astype(np.float64)
        if self.kind in ("categorical", "boolean"):
            out[self.values == MISSING] = np.nan
        return out


@dataclass(frozen=True)
class Columns:
    """The columns of a table, which of its rows they are, and which columns no longer hold its values."""

    columns: tuple[Column, ...]
    native: Any = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    changed: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def of_kind(self, *kinds: Kind) -> list[int]:
        """Positions of the columns of these kinds."""
        return [j for j, column in enumerate(self.columns) if column.kind in kinds]

    def take(self, rows: NDArray[np.integer[Any]]) -> Columns:
        """These rows, by position; a row may be taken several times."""
        taken = tuple(column.having(column.values[rows]) for column in self.columns)
        return Columns(taken, self.native, self.rows[rows], self.changed)

    def replace(self, new: dict[int, NDArray[Any]]) -> Columns:
        """The same rows with new values in the columns at these positions."""
        columns = list(self.columns)
        for j, values in new.items():
            columns[j] = columns[j].having(values)
        return Columns(tuple(columns), self.native, self.rows, self.changed | new.keys())

    def matrix(self, positions: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Values and codes of the columns (or some of them) side by side, NaN where missing."""
        chosen = range(len(self.columns)) if positions is None else positions
        out = np.empty((len(self), len(chosen)))
        for i, j in enumerate(chosen):
            out[:, i] = self.columns[j].numbers()
        return out

    def to_native(self) -> Any:
        """A table of the kind that came in, with its types.

        A column of whole numbers that cannot hold missing values becomes one of floats where some were put in.
        """
        if isinstance(self.native, np.ndarray):
            return _close_array(self)
        return _close_frame(self)


def open_columns(table: Any, *, categorical: Iterable[str] = ()) -> Columns:
    """Open a table; ``categorical`` names numeric columns whose numbers are only names.

    >>> columns = open_columns(np.array([[1.0, 2.0], [3.0, np.nan]]))
    >>> columns.names, columns.columns[1].missing.tolist()
    (('0', '1'), [False, True])
    """
    if isinstance(table, Columns):
        return table
    opened = _open_array(table) if isinstance(table, np.ndarray) else _open_frame(table)
    named = set(categorical)
    if lacking := named - set(opened.names):
        raise InputError(f"categorical names {_listed(lacking)}, but the columns are {_listed(opened.names)}")
    if not named:
        return opened
    recoded = tuple(encoded(one) if one.name in named else one for one in opened.columns)
    return Columns(recoded, opened.native, opened.rows)


def concatenate(parts: Sequence[Columns]) -> Columns:
    """Put row sets of one table below each other."""
    first = parts[0]
    columns = tuple(
        column.having(np.concatenate([part.columns[j].values for part in parts]))
        for j, column in enumerate(first.columns)
    )
    changed = frozenset().union(*(part.changed for part in parts))
    return Columns(columns, first.native, np.concatenate([part.rows for part in parts]), changed)


# -- NumPy ------------------------------------------------------------------------------------------------


def _open_array(table: NDArray[Any]) -> Columns:
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"the table has shape {table.shape}, but [rows, columns] is needed; reshape it")
    columns = tuple(column_of_array(str(j), table[:, j]) for j in range(table.shape[1]))
    return Columns(columns, table, np.arange(len(table)))


def column_of_array(name: str, values: NDArray[Any]) -> Column:
    """Type a column of an array; in an object array every column has its own type."""
    kind = values.dtype.kind
    if kind in "iuf":
        return Column(name, "numeric", values, whole=kind in "iu")
    if kind == "b":
        return Column(name, "boolean", values.astype(np.int8))
    if kind in "mM":
        return Column(name, "other", _times(values))
    if kind not in "OUS":
        raise InputError(f"column {name} has dtype {values.dtype}; give numbers, booleans or text")
    absent = np.array([value is None or value != value for value in values.tolist()], dtype=bool)
    present: list[Any] = values[~absent].tolist()
    out: NDArray[Any]
    if present and all(isinstance(value, bool | np.bool_) for value in present):
        out = np.full(len(values), MISSING, dtype=np.int8)
        out[~absent] = np.asarray(present, dtype=np.int8)
        return Column(name, "boolean", out)
    if all(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in present):
        out = np.full(len(values), np.nan)
        out[~absent] = present
        whole = bool(present) and all(isinstance(value, int | np.integer) for value in present)
        return Column(name, "numeric", out, whole=whole)
    codes, categories = _encode(values.tolist(), absent)
    return Column(name, "categorical", codes, categories)


def _close_array(columns: Columns) -> NDArray[Any]:
    native: NDArray[Any] = columns.native
    lossy = native.dtype.kind in "iub" and any(columns.columns[j].missing.any() for j in columns.changed)
    out = native[columns.rows].astype(np.float64 if lossy else native.dtype, copy=False)
    for j in columns.changed:
        column = columns.columns[j]
        if column.kind == "categorical" and out.dtype.kind in "iuf":
            column = _as_numeric(column)
        if column.kind == "numeric":
            out[:, j] = fitted(column.values, out.dtype)
        elif column.kind == "boolean" and out.dtype != object:
            out[:, j] = np.where(column.missing, np.nan, column.values) if lossy else column.values
        else:
            lookup = np.empty(max(len(column.categories), 2) + 1, dtype=object)  # the last one: missing
            names = column.categories if column.kind == "categorical" else (False, True)
            lookup[: len(names)] = names
            out[:, j] = lookup[column.values]
    return out


# -- frames -----------------------------------------------------------------------------------------------


def _open_frame(table: Any) -> Columns:
    import narwhals as nw

    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        raise InputError(
            f"a {type(table).__name__} is no table; give a pandas, polars or pyarrow table or a 2-D NumPy "
            "array (collect a lazy frame first)"
        ) from None
    if not frame.columns:
        raise InputError("the table has no columns")
    columns = tuple(_column_of_series(str(name), frame[name]) for name in frame.columns)
    return Columns(columns, table, np.arange(len(frame)))


def _column_of_series(name: str, series: Any) -> Column:
    """Type a column of a frame by its dtype; text, categories and objects are encoded."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric():
        values = series.to_numpy() if not series.null_count() else series.cast(nw.Float64).to_numpy()
        if values.dtype.kind not in "iuf":
            values = np.asarray(values.astype(np.float64))
        return Column(name, "numeric", values, whole=dtype.is_integer())
    if dtype == nw.Boolean:
        if not series.null_count():
            return Column(name, "boolean", series.to_numpy().astype(np.int8))
        return Column(name, "boolean", series.cast(nw.Int8).fill_null(MISSING).to_numpy().astype(np.int8))
    if dtype.is_temporal():
        numbers = series.to_numpy()
        return Column(name, "other", _times(numbers) if numbers.dtype.kind in "mM" else _ranks(numbers))
    try:
        arrow = series.to_arrow()
        encoded = arrow if hasattr(arrow, "dictionary") else arrow.dictionary_encode()
        if hasattr(encoded, "combine_chunks") and not hasattr(encoded, "indices"):
            encoded = encoded.combine_chunks()
        codes = encoded.indices.cast("int32").fill_null(MISSING).to_numpy(zero_copy_only=False)
        return Column(name, "categorical", codes, tuple(encoded.dictionary.to_pylist()))
    except (ValueError, TypeError, NotImplementedError):  # objects of mixed types; Arrow's errors are these
        return column_of_array(name, np.asarray(series.to_list(), dtype=object))


def _close_frame(columns: Columns) -> Any:
    import narwhals as nw

    frame = nw.from_native(columns.native, eager_only=True)
    whole = len(columns) == len(frame) and bool((columns.rows == np.arange(len(frame))).all())
    taken = frame if whole else frame[columns.rows]
    if not columns.changed:
        return taken.to_native()
    names = frame.columns
    new = [
        _series_of_column(columns.columns[j], frame[names[j]], taken[names[j]])
        for j in sorted(columns.changed)
    ]
    return taken.with_columns(*new).to_native()


def _series_of_column(column: Column, original: Any, taken: Any) -> Any:
    """A series with the column's values and the original's type, laid out like the rows taken."""
    import narwhals as nw

    if column.kind == "categorical" and original.dtype.is_numeric():
        column = _as_numeric(column)
    if column.kind == "numeric":
        return _numeric_series(column, original, taken)
    codes = column.values.astype(np.int64)
    names = column.categories if column.kind == "categorical" else (False, True)
    values = np.empty(len(names) + 1, dtype=object)  # the last one: missing
    values[: len(names)] = names
    listed = values[codes].tolist()
    if original.implementation.is_pandas_like():
        native, index = original.to_native(), taken.to_native().index
        dtype = native.dtype
        if column.kind == "boolean" and isinstance(dtype, np.dtype) and column.missing.any():
            dtype = object
        made = native.__class__(listed, index=index, dtype=dtype, name=native.name)
        return nw.from_native(made, series_only=True)
    if original.implementation.is_pyarrow():
        import pyarrow as pa

        return nw.from_native(
            pa.chunked_array([pa.array(listed, original.to_native().type)]), series_only=True
        ).alias(original.name)
    return nw.new_series(original.name, listed, original.dtype, backend=original.implementation)


def _numeric_series(column: Column, original: Any, taken: Any) -> Any:
    import narwhals as nw

    absent = column.missing
    if original.implementation.is_pandas_like():
        native, index = original.to_native(), taken.to_native().index
        dtype = native.dtype
        if isinstance(dtype, np.dtype):
            keep = dtype.kind == "f" or (dtype.kind in "iu" and not absent.any())
            values = fitted(column.values, dtype if keep else np.dtype(np.float64))
            return nw.from_native(native.__class__(values, index=index, name=native.name), series_only=True)
        values = np.rint(column.values) if original.dtype.is_integer() else column.values
        made = native.__class__(values, index=index, name=native.name)
        return nw.from_native(made.where(~absent, None).astype(dtype), series_only=True)
    values = np.rint(column.values) if original.dtype.is_integer() else column.values
    if original.implementation.is_pyarrow():
        import pyarrow as pa

        made = pa.array(values, mask=absent).cast(original.to_native().type, safe=False)
        return nw.from_native(pa.chunked_array([made]), series_only=True).alias(original.name)
    series = nw.Series.from_numpy(
        original.name, np.ascontiguousarray(values), backend=original.implementation
    )
    if absent.any():
        series = series.fill_nan(None)
    return series.cast(original.dtype)


# -- shared -----------------------------------------------------------------------------------------------


def fitted(values: NDArray[Any], dtype: np.dtype[Any], *, whole: bool = False) -> NDArray[Any]:
    """The values in a numeric dtype, kept within its range; as whole numbers they are rounded.

    >>> fitted(np.array([2.6, 300.0, -1.0]), np.dtype("uint8"))
    array([  3, 255,   0], dtype=uint8)
    """
    if values.dtype == dtype and not whole:
        return values
    if dtype.kind in "iu" and values.dtype.kind == "f":
        limits = np.iinfo(dtype)
        top = np.nextafter(float(limits.max), 0) if limits.bits == 64 else limits.max  # 2**63 would overflow
        values = np.clip(np.rint(values), limits.min, top)
    elif dtype.kind == "f" and values.dtype.kind == "f":
        values = np.rint(values) if whole else values
        if dtype.itemsize < values.dtype.itemsize:
            largest = np.finfo(dtype).max
            values = np.where(np.isfinite(values), np.clip(values, -largest, largest), values)
    elif dtype.kind in "iu" and values.dtype.kind in "iu":
        limits, given = np.iinfo(dtype), np.iinfo(values.dtype)
        values = np.clip(values, max(limits.min, given.min), min(limits.max, given.max))
    out: NDArray[Any] = values.astype(dtype, copy=False)
    return out


def _times(values: NDArray[Any]) -> NDArray[np.float64]:
    """Dates and durations in seconds, NaN where missing."""
    seconds = values.astype("M8[s]" if values.dtype.kind == "M" else "m8[s]")
    return np.where(np.isnat(values), np.nan, seconds.astype("i8").astype(np.float64))


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Objects with an order, such as dates, by their place in it; NaN where missing."""
    listed = values.tolist()
    present = sorted({value for value in listed if value is not None})
    place = {value: float(i) for i, value in enumerate(present)}
    return np.asarray([place.get(value, np.nan) for value in listed])


def _encode(values: list[Any], absent: NDArray[np.bool_]) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Codes in order of appearance and the distinct values."""
    places: dict[Any, int] = {}
    codes = [
        MISSING if gone else places.setdefault(value, len(places))
        for value, gone in zip(values, absent.tolist(), strict=True)
    ]
    return np.asarray(codes, dtype=np.int32), tuple(places)


def encoded(column: Column) -> Column:
    """A numeric column whose numbers are names, as one that is replaced by its distinct values."""
    if column.kind == "categorical":
        return column
    absent = column.missing
    codes = np.full(len(absent), MISSING, dtype=np.int32)
    found, inverse = np.unique(column.values[~absent], return_inverse=True)
    codes[~absent] = inverse
    return Column(column.name, "categorical", codes, tuple(found.tolist()))


def _as_numeric(column: Column) -> Column:
    """The way back: the numbers that the codes stand for."""
    values = np.append(np.asarray(column.categories, dtype=np.float64), np.nan)[column.values]
    return Column(column.name, "numeric", values)


def _listed(names: Iterable[object], limit: int = 20) -> str:
    shown = [str(name) for name in names]
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more
