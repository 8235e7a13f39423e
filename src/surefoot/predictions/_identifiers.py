"""Row identifiers: each once, which is checked in 8 bytes a row, whatever the ids are."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import Array, rows
from surefoot.errors import InputError
from surefoot.predictions._validate import column

_CHUNK = 1 << 16


def identifiers(values: ArrayLike | None, n: int) -> Array:
    """Row identifiers, each once; by default 0, 1, ….

    >>> identifiers(["a", "b"], 2)
    array(['a', 'b'], dtype='<U1')
    """
    if values is None:
        return np.arange(n)
    out = column("id", values)
    refuse_repeated(lambda: (out[start : start + _CHUNK] for start in range(0, len(out), _CHUNK)))
    return out


def refuse_repeated(pieces: Callable[[], Iterable[Array]]) -> None:
    """Refuse ids that are missing or occur more than once; ``pieces`` reads them from the start."""
    keys, start = [], 0
    for ids in pieces():
        _refuse_missing(ids, start)
        keys.append(_keys(ids))
        start += len(ids)
    ordered = np.concatenate(keys) if keys else np.empty(0, dtype=np.int64)
    keys.clear()
    ordered.sort()
    alike = ordered[1:][ordered[1:] == ordered[:-1]]
    if alike.size:
        _explain_repeated(pieces, alike)


def _refuse_missing(ids: Array, start: int) -> None:
    missing = ids == "" if ids.dtype.kind == "U" else ids != ids
    if missing.any():
        counted = np.concatenate([np.zeros(start, dtype=bool), missing])
        raise InputError(f"id is missing in {rows(counted)}; give every input an id, or leave the column out")


def _keys(ids: Array) -> NDArray[np.int64]:
    """A 64-bit key an id: numbers as they are, text through a universal hash of its characters."""
    if ids.dtype.kind == "f":
        return ids.astype(np.float64).view(np.int64)
    if ids.dtype.kind != "U":
        return ids.astype(np.int64)
    width = ids.dtype.itemsize // 4
    characters = np.ascontiguousarray(ids).view(np.uint32).reshape(len(ids), width).astype(np.uint64)
    # Drawn one after the other, so that texts of different widths share the first multipliers.
    multipliers = np.random.default_rng(0).integers(1 << 63, size=width, dtype=np.uint64) * 2 + 1
    return np.asarray((characters @ multipliers).view(np.int64))


def _explain_repeated(pieces: Callable[[], Iterable[Array]], alike: NDArray[np.int64]) -> None:
    """Name the first repeated id; different texts may share a key, so the ids themselves decide."""
    seen: dict[object, int] = {}
    start = 0
    for ids in pieces():
        for position in np.flatnonzero(np.isin(_keys(ids), alike)).tolist():
            value = ids[position].item()
            if value in seen:
                raise InputError(
                    f"id {value!r} occurs more than once (rows {seen[value]} and {start + position}; "
                    f"{alike.size} repeated in all); give every input its own id, or leave the id out"
                )
            seen[value] = start + position
        start += len(ids)
