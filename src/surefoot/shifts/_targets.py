"""Labels of any kind (list, array, Series) as an array, and back as they came."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import InputError
from surefoot.shifts._record import Record


def open_targets(y: Any, rows: int) -> NDArray[Any] | None:
    """Labels as an array, one a row of the table.

    >>> open_targets(["a", "b"], 2)
    array(['a', 'b'], dtype=object)
    """
    if y is None:
        return None
    if isinstance(y, np.ndarray):
        opened = y
    elif isinstance(y, list | tuple):
        opened = np.empty(len(y), dtype=object)  # np.array would turn 1 into "1" beside a text
        opened[:] = y
    else:
        opened = _series(y).to_numpy()
    if opened.ndim != 1:
        raise InputError(f"y has shape {opened.shape}, but one label a row is needed; give a vector")
    if len(opened) != rows:
        raise InputError(f"y has {len(opened)} labels for {rows} rows; give one label a row")
    return opened


def close_targets(y: Any, opened: NDArray[Any] | None, moved: NDArray[Any] | None, record: Record) -> Any:
    """The moved labels in the kind that ``y`` is."""
    if y is None or opened is None or moved is None:
        return None
    if isinstance(y, np.ndarray):
        return moved.copy() if moved is y else moved
    if isinstance(y, list | tuple):
        return type(y)(moved.tolist())
    return _taken(y, opened, moved, record)


def _taken(y: Any, opened: NDArray[Any], moved: NDArray[Any], record: Record) -> Any:
    """A series that takes every label from a row that has it, so that any type survives."""
    rows = record.source.copy()
    if record.labels.any():
        first: dict[Any, int] = {}
        for row, label in enumerate(opened.tolist()):
            first.setdefault(label, row)
        rows[record.labels] = [first[label] for label in moved[record.labels].tolist()]
    series = _series(y)
    if series.implementation.is_pyarrow():
        return y.take(rows)
    taken = series[rows].to_native()
    if series.implementation.is_pandas_like():
        taken.index = y.index[record.source]
    return taken


def _series(y: Any) -> Any:
    import narwhals as nw

    try:
        return nw.from_native(y, series_only=True)
    except TypeError:
        raise InputError(
            f"y is a {type(y).__name__}; give a list, a NumPy array or a column of a table"
        ) from None
