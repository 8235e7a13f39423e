"""A reference and a batch of the same columns, in one order, whose categories share their codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot._columns import MISSING, Column, Columns, open_columns
from surefoot.errors import InputError

_IN_WORDS = {
    "numeric": "numeric",
    "categorical": "text",
    "boolean": "true or false",
    "other": "of another type (a date, a time or a list)",
}


@dataclass(frozen=True)
class Pair:
    """Two row sets over the same columns; the code of a category is the same in both."""

    reference: Columns
    batch: Columns

    def take(self, rows: int, seed: int) -> Pair:
        """At most this many random rows of each."""
        rng = np.random.default_rng(seed)
        sides = [
            side if len(side) <= rows else side.take(np.sort(rng.choice(len(side), rows, replace=False)))
            for side in (self.reference, self.batch)
        ]
        return Pair(*sides)

    def select(self, names: Iterable[str]) -> Pair:
        """Only these columns, in the order of the table."""
        wanted = set(names)
        keep = [j for j, name in enumerate(self.reference.names) if name in wanted]
        return Pair(_of(self.reference, keep), _of(self.batch, keep))


def open_pair(reference: Any, batch: Any, *, ignore: Iterable[str] = (), optional: str | None = None) -> Pair:
    """Open two tables and match their columns by name; what cannot be matched is refused by name.

    A column named ``optional`` is dropped where only one of the tables has it.
    """
    first, second = open_columns(reference), open_columns(batch)
    left_out = set(ignore)
    known = set(first.names) | set(second.names)
    if unknown := left_out - known:
        raise InputError(f"there is no column {_listed(unknown)} to ignore; there are {_listed(known)}")
    if optional is not None:
        if optional not in known:
            raise InputError(f"there is no column {optional}; there are {_listed(known)}")
        if not (optional in first.names and optional in second.names):
            left_out.add(optional)
    for side, columns in (("reference", first), ("batch", second)):
        if not len(columns):
            raise InputError(f"the {side} has no rows; give at least one")
    names = [name for name in first.names if name not in left_out]
    others = [name for name in second.names if name not in left_out]
    if lacking := set(names) - set(others):
        raise InputError(
            f"the batch lacks the column {_listed(lacking)} of the reference; add or ignore it"
            if len(lacking) == 1
            else f"the batch lacks the columns {_listed(lacking)} of the reference; add or ignore them"
        )
    if extra := set(others) - set(names):
        one = len(extra) == 1
        raise InputError(
            f"the batch has the column{'' if one else 's'} {_listed(extra)} that the reference lacks; "
            f"remove or ignore {'it' if one else 'them'}"
        )
    if not names:
        raise InputError("no columns are left to compare; ignore fewer")
    a = [first.columns[first.names.index(name)] for name in names]
    b = [second.columns[second.names.index(name)] for name in names]
    matched = [_matched(x, y) for x, y in zip(a, b, strict=True)]
    return Pair(
        Columns(tuple(x for x, _ in matched), first.native, first.rows),
        Columns(tuple(y for _, y in matched), second.native, second.rows),
    )


def _matched(first: Column, second: Column) -> tuple[Column, Column]:
    """Two columns of one kind with one list of categories; a column without any value is of every kind."""
    if first.kind != second.kind:
        if _is_empty(second):
            return first, _absent(first, len(second))
        if _is_empty(first):
            return _absent(second, len(first)), second
        raise InputError(
            f"column {first.name} is {_IN_WORDS[first.kind]} in the reference but {_IN_WORDS[second.kind]} in "
            "the batch; give both the same type, or ignore it"
        )
    if first.kind != "categorical" or first.categories == second.categories:
        return first, second
    places = {value: i for i, value in enumerate(first.categories)}
    codes = [places.setdefault(value, len(places)) for value in second.categories]
    lookup = np.array([*codes, MISSING], dtype=np.int64)  # the last one: missing, code −1
    both = tuple(places)
    return (
        Column(first.name, "categorical", first.values, both, first.whole),
        Column(second.name, "categorical", lookup[second.values], both, second.whole),
    )


def _is_empty(column: Column) -> bool:
    """Whether it holds no value; lists and the like are no values, but not missing either."""
    return column.kind != "other" and bool(column.missing.all())


def _absent(column: Column, rows: int) -> Column:
    """As many missing values of the column's kind."""
    numbers = column.kind in ("numeric", "other")
    return Column(
        column.name,
        column.kind,
        np.full(rows, np.nan if numbers else MISSING),
        column.categories,
        column.whole,
    )


def _of(columns: Columns, keep: list[int]) -> Columns:
    return Columns(tuple(columns.columns[j] for j in keep), columns.native, columns.rows)


def _listed(names: Iterable[str], limit: int = 10) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - limit} more" if len(ordered) > limit else ""
    return ", ".join(ordered[:limit]) + more
