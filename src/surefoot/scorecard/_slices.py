"""Slices: the rows that share a value of a metadata column, each scored on its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.predictions import Predictions
from surefoot.scorecard._rows import Columns, RowTable

MOST_VALUES = 50
"""Text with more distinct values than this makes no slices; numbers are cut at their quartiles."""

SMALL = 50
"""Slices with fewer labelled rows than this are named in a note."""

_MISSING = "missing"


class Slicer:
    """Reads the columns to slice by, a batch at a time, as numbers: text becomes codes of its values."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._values: dict[str, dict[str, int]] = {}

    def columns(self, batch: Predictions) -> Columns:
        """The columns of a batch."""
        return {_key(name): self._numbers(name, batch) for name in self.names}

    def slices(self, table: RowTable, within: Array) -> Iterator[tuple[str, Array]]:
        """(name such as "city=york", mask) of every slice of some rows of a table."""
        for name in self.names:
            for label, chosen in self._of(name, table.columns[_key(name)], within):
                yield f"{name}={label}", chosen

    def _numbers(self, name: str, batch: Predictions) -> Array:
        if name not in batch.metadata:
            raise InputError(
                f"there is no metadata column {name!r} to slice by ({', '.join(batch.metadata) or 'there are none'})"
            )
        values = batch.metadata[name]
        if values.dtype.kind in "iuf":
            return values.astype(np.float64)
        if values.dtype.kind not in "bU":
            raise InputError(f"column {name!r} has dtype {values.dtype}; slice by text, booleans or numbers")
        distinct, place = np.unique(values, return_inverse=True)
        known = self._values.setdefault(name, {})
        codes = [known.setdefault(_text(value), len(known)) for value in distinct]
        if len(known) > MOST_VALUES:
            raise InputError(
                f"column {name!r} has more than {MOST_VALUES} different values; slice by one with fewer, "
                "or group them into one first"
            )
        return np.array(codes, dtype=np.float64)[place]

    def _of(self, name: str, values: Array, within: Array) -> Iterator[tuple[str, Array]]:
        if name in self._values:
            for label, code in sorted(self._values[name].items()):
                yield from _occurring(label, within & (values == code))
            return
        present = within & ~np.isnan(values)
        distinct = np.unique(values[present])
        if len(distinct) <= MOST_VALUES and (distinct == np.floor(distinct)).all():
            for value in distinct:
                yield f"{value:.0f}", within & (values == value)
        else:
            yield from _quartiles(values, distinct, present)
        yield from _occurring(_MISSING, within & np.isnan(values))


def _quartiles(values: Array, distinct: Array, present: Array) -> Iterator[tuple[str, Array]]:
    """Four parts of about equal size, or fewer where many rows tie; each holds its upper end."""
    ends = np.unique(np.quantile(values[present], [0.25, 0.5, 0.75, 1.0], method="inverted_cdf"))
    low = distinct[0]
    below = np.zeros(len(values), dtype=np.bool_)
    for high in ends:
        up_to = present & (values <= high)
        yield f"{_short(low)} to {_short(high)}" if low < high else _short(high), up_to & ~below
        below, low = up_to, distinct[min(np.searchsorted(distinct, high, "right"), len(distinct) - 1)]


def _occurring(label: str, chosen: Array) -> Iterator[tuple[str, Array]]:
    if chosen.any():
        yield label, chosen


def _short(value: float) -> str:
    return f"{value:.0f}" if value == np.floor(value) else f"{value:.4g}"


def _text(value: object) -> str:
    if isinstance(value, np.bool_):
        return str(bool(value)).lower()
    return str(value) or _MISSING


def _key(name: str) -> str:
    return f"slice by {name}"
