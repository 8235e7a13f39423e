"""The one place where a table is split by a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import rows
from surefoot.errors import InputError

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    Frame = TypeVar("Frame", bound=IntoDataFrame)

PARTITIONS = ("train", "dev_in", "dev_out", "eval_in", "eval_out")
"""The five parts of a dataset with a shift: to train on, to tune on and to judge by, in-domain and shifted."""


def split_by(
    frame: Frame,
    column: str,
    *,
    source: object,
    shifted: object = None,
    drop: Sequence[str] = (),
) -> tuple[Frame, Frame]:
    """Split a dataframe by a column into (source rows, shifted rows), without that column.

    ``source`` and ``shifted`` are values of the column, one or several; without ``shifted`` every other
    value counts as shifted, with it rows that are neither are left out. ``drop`` names further columns that
    tell the same as the split variable (a card lists them under ``splits``) and must leave with it. Any
    eager dataframe that narwhals knows (pandas, polars, pyarrow, …) is returned as it came, rows in order.

    >>> import pyarrow as pa
    >>> frame = pa.table({"area": ["a", "b", "a"], "x": [1, 2, 3]})
    >>> source, shifted = split_by(frame, "area", source="a")
    >>> source.to_pydict(), shifted.to_pydict()
    ({'x': [1, 3]}, {'x': [2]})
    """
    import narwhals as nw

    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"a {type(frame).__name__} cannot be split; give a pandas, polars or pyarrow table "
            "(collect a lazy frame first)"
        ) from None
    lacking = [name for name in (column, *drop) if name not in table.columns]
    if lacking:
        raise InputError(
            f"the table has no column {', '.join(lacking)}; it has {', '.join(map(str, table.columns[:20]))}"
        )
    codes, values = _encode(column, table[column])
    inside = _chosen(column, "source", source, values)
    outside = ~inside if shifted is None else _chosen(column, "shifted", shifted, values)
    _refuse_overlap(column, values, source=inside, shifted=outside)
    rest = table.drop(column, *drop)
    taken, moved = (rest[np.flatnonzero(side[codes])] for side in (inside, outside))
    return taken.to_native(), moved.to_native()


def partition_by(
    values: object,
    *,
    source: object,
    dev_out: object = None,
    eval_out: object = None,
    fractions: tuple[float, float, float] = (0.7, 0.1, 0.2),
    seed: int = 0,
) -> NDArray[np.str_]:
    """Name the partition of every row from the values of its split column.

    Rows whose value is in ``source`` are divided at random into train, dev_in and eval_in by ``fractions``.
    The other rows are shifted: they go to dev_out or eval_out by value where ``dev_out`` or ``eval_out``
    names values (naming one side leaves the rest to the other), else at random in the same dev : eval
    proportion. The division in-domain depends only on the seed and the number of in-domain rows.

    >>> partition_by([2015, 2016, 2015, 2017], source=2015, dev_out=2016, fractions=(0.5, 0, 0.5)).tolist()
    ['train', 'dev_out', 'eval_in', 'eval_out']
    """
    shares = np.asarray(fractions, dtype=np.float64)
    if shares.shape != (3,) or not (shares >= 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise InputError(
            f"fractions must be three numbers ≥ 0 (train, dev, eval) that sum to 1, not {fractions}"
        )
    codes, known = _encode("the split column", values)
    inside = _chosen("the split column", "source", source, known)
    named = {
        name: _chosen("the split column", name, chosen, known)
        for name, chosen in (("dev_out", dev_out), ("eval_out", eval_out))
        if chosen is not None
    }
    _refuse_overlap("the split column", known, source=inside, **named)
    left = ~np.logical_or.reduce([inside, *named.values()])
    if len(named) == 2 and left.any():
        raise InputError(
            f"the split column also holds {_listed(known, left)}, which is in none of source, dev_out and "
            "eval_out; name every value or leave these rows out first"
        )
    if len(named) == 1:
        named["eval_out" if "dev_out" in named else "dev_out"] = left
    parts = np.empty(codes.size, dtype=f"<U{max(map(len, PARTITIONS))}")
    in_domain = np.flatnonzero(inside[codes])
    parts[in_domain] = _deal(in_domain.size, ("train", "dev_in", "eval_in"), shares, [seed, 0])
    if named:
        for name, side in named.items():
            parts[side[codes]] = name
    elif left.any():
        shifted = np.flatnonzero(left[codes])
        if not shares[1:].any():
            raise InputError("fractions leave nothing for dev and eval, so shifted rows have no place")
        parts[shifted] = _deal(
            shifted.size, ("dev_out", "eval_out"), shares[1:] / shares[1:].sum(), [seed, 1]
        )
    return parts


def _deal(n: int, names: Sequence[str], shares: NDArray[np.float64], seed: list[int]) -> NDArray[np.str_]:
    """Give each of n rows a name at random, every name its share to within one row."""
    ends = np.rint(np.cumsum(shares) * n).astype(np.int64)
    dealt = np.repeat(np.asarray(names), np.diff(ends, prepend=0))
    return np.random.default_rng(seed).permutation(dealt)


def _encode(column: str, values: object) -> tuple[NDArray[np.int64], list[Any]]:
    """Codes of the rows and the distinct values, in order of appearance; missing values are refused."""
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
    if arrow.null_count:
        missing = np.asarray(arrow.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        raise InputError(
            f"{column} is missing in {rows(missing)}; fill these values in or leave the rows out"
        )
    if not len(arrow):
        raise InputError(f"{column} is empty; give at least one row")
    encoded = arrow.dictionary_encode()
    return np.asarray(encoded.indices, dtype=np.int64), encoded.dictionary.to_pylist()


def _chosen(column: str, role: str, given: object, values: list[Any]) -> NDArray[np.bool_]:
    """Which of the distinct values the caller named; a value that is not there is refused."""
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    wanted = list(given) if isinstance(given, Iterable) and several else [given]
    strange = [item for item in wanted if item not in values]
    if strange or not wanted:
        what = ", ".join(map(repr, strange)) or "nothing"
        raise InputError(f"{role} names {what}, but {column} holds {_listed(values)}")
    return np.asarray([value in wanted for value in values], dtype=np.bool_)


def _refuse_overlap(column: str, values: list[Any], **sides: NDArray[np.bool_]) -> None:
    """Refuse values that were given to two sides at once."""
    twice = np.sum(list(sides.values()), axis=0) > 1
    if twice.any():
        raise InputError(
            f"{_listed(values, twice)} of {column} is in more than one of {', '.join(sides)}; "
            "every value belongs to one side"
        )


def _listed(values: list[Any], mask: NDArray[np.bool_] | None = None, limit: int = 20) -> str:
    """Name the distinct values, the first few of them."""
    shown = values if mask is None else [value for value, keep in zip(values, mask, strict=True) if keep]
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(map(repr, shown[:limit])) + more
