"""Splitting a table by the values of one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from surefoot.data.partition._deal import deal
from surefoot.data.partition._names import PARTITIONS
from surefoot.data.partition._values import chosen, distinct, listed, refuse_overlap
from surefoot.errors import InputError

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    Frame = TypeVar("Frame", bound=IntoDataFrame)


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
    codes, values = distinct(column, table[column])
    inside = chosen(column, "source", source, values)
    outside = ~inside if shifted is None else chosen(column, "shifted", shifted, values)
    refuse_overlap(column, values, source=inside, shifted=outside)
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
    codes, known = distinct("the split column", values)
    inside = chosen("the split column", "source", source, known)
    named = {
        name: chosen("the split column", name, given, known)
        for name, given in (("dev_out", dev_out), ("eval_out", eval_out))
        if given is not None
    }
    refuse_overlap("the split column", known, source=inside, **named)
    left = ~np.logical_or.reduce([inside, *named.values()])
    if len(named) == 2 and left.any():
        raise InputError(
            f"the split column also holds {listed(known, left)}, which is in none of source, dev_out and "
            "eval_out; name every value or leave these rows out first"
        )
    if len(named) == 1:
        named["eval_out" if "dev_out" in named else "dev_out"] = left
    parts = np.empty(codes.size, dtype=f"<U{max(map(len, PARTITIONS))}")
    in_domain = np.flatnonzero(inside[codes])
    parts[in_domain] = deal(in_domain.size, ("train", "dev_in", "eval_in"), shares, [seed, 0])
    if named:
        for name, side in named.items():
            parts[side[codes]] = name
    elif left.any():
        shifted = np.flatnonzero(left[codes])
        if not shares[1:].any():
            raise InputError("fractions leave nothing for dev and eval, so shifted rows have no place")
        parts[shifted] = deal(shifted.size, ("dev_out", "eval_out"), shares[1:] / shares[1:].sum(), [seed, 1])
    return parts
