"""The distinct values of a column, and those of them that somebody named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import rows
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def arrow_of(column: str, values: object) -> pa.Array:
    """Any column of values (of a dataframe, an array, a list) as one Arrow array without a dictionary."""
    import narwhals as nw
    import pyarrow as pa

    series = nw.from_native(values, series_only=True, pass_through=True)
    try:
        if isinstance(series, nw.Series):
            arrow = series.to_arrow()
        elif isinstance(series, pa.Array):
            arrow = series
        else:
            arrow = pa.array(np.asarray(series), from_pandas=True)
    except (ValueError, TypeError) as error:  # Arrow's own errors are among these
        raise InputError(f"{column} cannot be read as one column of values ({error})") from None
    if pa.types.is_dictionary(arrow.type):
        arrow = arrow.cast(arrow.type.value_type)
    return arrow


def distinct(column: str, values: object) -> tuple[NDArray[np.int64], list[Any]]:
    """Codes of the rows and the distinct values, in order of appearance; missing values are refused."""
    arrow = arrow_of(column, values)
    if arrow.null_count:
        missing = np.asarray(arrow.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        raise InputError(
            f"{column} is missing in {rows(missing)}; fill these values in or leave the rows out"
        )
    if not len(arrow):
        raise InputError(f"{column} is empty; give at least one row")
    encoded = arrow.dictionary_encode()
    return np.asarray(encoded.indices, dtype=np.int64), encoded.dictionary.to_pylist()


def chosen(column: str, role: str, given: object, values: list[Any]) -> NDArray[np.bool_]:
    """Which of the distinct values the caller named; a value that is not there is refused."""
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    wanted = list(given) if isinstance(given, Iterable) and several else [given]
    strange = [item for item in wanted if item not in values]
    if strange or not wanted:
        what = ", ".join(map(repr, strange)) or "nothing"
        raise InputError(f"{role} names {what}, but {column} holds {listed(values)}")
    return np.asarray([value in wanted for value in values], dtype=np.bool_)


def refuse_overlap(column: str, values: list[Any], **sides: NDArray[np.bool_]) -> None:
    """Refuse values that were given to two sides at once."""
    twice = np.sum(list(sides.values()), axis=0) > 1
    if twice.any():
        raise InputError(
            f"{listed(values, twice)} of {column} is in more than one of {', '.join(sides)}; "
            "every value belongs to one side"
        )


def listed(values: list[Any], mask: NDArray[np.bool_] | None = None, limit: int = 20) -> str:
    """Name the distinct values, the first few of them."""
    shown = values if mask is None else [value for value, keep in zip(values, mask, strict=True) if keep]
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(map(repr, shown[:limit])) + more
