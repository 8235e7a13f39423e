"""The columns of a table, and the doors through which it comes and goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import _array, _arrow, _pandas
from surefoot._columns._column import Column, Kind, encoded, taken
from surefoot._columns._names import unique
from surefoot.errors import InputError


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
        chosen = np.arange(len(self))[rows]  # positions, whatever way of indexing was given
        return Columns(taken(self.columns, chosen), self.native, self.rows[chosen], self.changed)

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

        Types that cannot hold missing values give way where some were put in: a NumPy array of whole numbers
        or booleans becomes one of float64 and one of texts an object array; in pandas a column of int64 becomes
        float64, one of bool becomes object.
        """
        new = {j: self.columns[j] for j in sorted(self.changed)}
        if isinstance(self.native, np.ndarray):
            return _array.close(self.native, self.rows, new)
        return _frame_room(self.native).close(self.native, self.rows, new)


def open_columns(table: Any, *, categorical: Iterable[str] = ()) -> Columns:
    """Open a table; ``categorical`` names numeric columns whose numbers are only names.

    >>> columns = open_columns(np.array([[1.0, 2.0], [3.0, np.nan]]))
    >>> columns.names, columns.columns[1].missing.tolist()
    (('0', '1'), [False, True])
    """
    if isinstance(table, Columns):
        opened, native, rows, changed = table.columns, table.native, table.rows, table.changed
    else:
        opened = (_array if isinstance(table, np.ndarray) else _frame_room(table)).opened(table)
        native, rows, changed = table, np.arange(len(table)), frozenset()
    named = {categorical} if isinstance(categorical, str) else set(categorical)
    if named:
        known = [column.name for column in opened]
        if lacking := [name for name in named if name not in known]:
            raise InputError(f"categorical names {_listed(lacking)}, but the columns are {_listed(known)}")
        opened = tuple(encoded(column) if column.name in named else column for column in opened)
    return Columns(opened, native, rows, changed)


def concatenate(parts: Sequence[Columns]) -> Columns:
    """Put row sets of one table below each other."""
    first = parts[0]
    columns = tuple(
        column.having(np.concatenate([part.columns[j].values for part in parts]))
        for j, column in enumerate(first.columns)
    )
    changed = frozenset().union(*(part.changed for part in parts))
    return Columns(columns, first.native, np.concatenate([part.rows for part in parts]), changed)


def _frame_room(table: Any) -> Any:
    """The module that opens and closes this kind of frame."""
    import narwhals as nw

    try:
        frame = nw.from_native(table, eager_only=True)
    except ValueError:  # names that occur twice
        unique(table.column_names if hasattr(table, "column_names") else table.columns)
        raise
    except TypeError:
        raise InputError(
            f"a {type(table).__name__} is no table; give a pandas, polars or pyarrow table or a 2-D NumPy "
            "array (collect a lazy frame first)"
        ) from None
    return _pandas if frame.implementation.is_pandas_like() else _arrow


def _listed(names: Iterable[object], limit: int = 20) -> str:
    shown = [str(name) for name in names]
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more
