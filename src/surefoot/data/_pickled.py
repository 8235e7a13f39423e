"""Reading a table that pandas pickled, without pandas and without running the pickle.

A pickle is a small program that may call anything. This reader lets it call eleven names, each of which is
answered by a stand-in below that only keeps what it is given; any other name is refused. So a file from an
unknown hand can do no harm, and nothing comes out but a table.
"""

from __future__ import annotations

import lzma
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

_XZ = b"\xfd7zXZ\x00"
_BROKEN = (
    *(pickle.UnpicklingError, lzma.LZMAError, EOFError),
    *(AttributeError, TypeError, ValueError, KeyError, IndexError),
)


def is_pickled(path: Path) -> bool:
    """Whether a file is an xz-compressed stream, as pickled tables come."""
    with path.open("rb") as handle:
        return handle.read(len(_XZ)) == _XZ


def read_pickled(path: Path) -> pa.Table:
    """A pickled pandas frame (xz) of numbers and text as a table; NaN and None are missing values."""
    import pyarrow as pa

    try:
        with lzma.open(path) as stream:
            columns = _Reader(stream).load().columns()
    except _BROKEN as error:
        raise InputError(f"{path.name} is not a pickled table ({error}); give the original file") from None
    return pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})


class _Dtype:
    """The type of an array: its code, and its byte order as state."""

    def __init__(self, code: str, *_: object) -> None:
        self.code, self.order = code, "|"

    def __setstate__(self, state: Sequence[Any]) -> None:
        self.order = state[1]

    @property
    def real(self) -> np.dtype[Any]:
        """The type itself; only numbers, truth values and objects (text) are known."""
        found = np.dtype(self.order + self.code)
        if found.kind not in "iufbO":
            raise TypeError(f"no columns of type {self.code}")
        return found


class _Array:
    """An array that gets its content as state: bytes of numbers, or a list of objects."""

    values: np.ndarray[Any, Any]

    def __init__(self, *_: object) -> None:
        pass

    def __setstate__(self, state: Sequence[Any]) -> None:
        _, shape, dtype, by_column, content = state
        if isinstance(content, list):
            flat = np.empty(len(content), dtype=object)
            flat[:] = content
        else:
            flat = np.frombuffer(content, dtype=dtype.real)
        self.values = _shaped(flat, shape, by_column)


def _shaped(flat: np.ndarray[Any, Any], shape: Sequence[int], by_column: bool) -> np.ndarray[Any, Any]:
    """The same values as rows and columns, whichever ran first."""
    return flat.reshape(tuple(shape), order="F" if by_column else "C")


def _from_buffer(content: bytes, dtype: _Dtype, shape: Sequence[int], order: str) -> _Array:
    """An array whose bytes lie outside of the stream."""
    made = _Array()
    made.values = _shaped(np.frombuffer(content, dtype=dtype.real), shape, order == "F")
    return made


def _index(_: object, state: dict[str, Any]) -> list[str]:
    """The labels of an axis; those of the rows are a range without content."""
    return list(state["data"].values) if "data" in state else []


def _block(values: _Array, places: slice | _Array, _: int) -> tuple[np.ndarray[Any, Any], list[int]]:
    """Columns of one type, and which ones of the frame they are."""
    where = range(places.start, places.stop, places.step) if isinstance(places, slice) else places.values
    return values.values, [int(place) for place in where]


class _Manager:
    """The blocks and the axes of a frame."""

    def __init__(self, blocks: Sequence[Any], axes: Sequence[list[str]]) -> None:
        self.blocks, self.names = blocks, axes[0]


class _Frame:
    """A frame, which gets its manager as state."""

    manager: _Manager

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.manager = state["_mgr"]

    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """The columns by name, in the frame's order."""
        placed = {
            place: values[row] for values, places in self.manager.blocks for row, place in enumerate(places)
        }
        return {str(name): placed[place] for place, name in enumerate(self.manager.names)}


_KNOWN: dict[str, Callable[..., Any]] = {
    "DataFrame": _Frame,
    "BlockManager": _Manager,
    "_unpickle_block": _block,
    "_new_Index": _index,
    "Index": list,
    "RangeIndex": list,
    "ndarray": _Array,
    "dtype": _Dtype,
    "_reconstruct": _Array,
    "_frombuffer": _from_buffer,
    "slice": slice,
}
"""By name alone: the modules around the names change with the versions of NumPy and pandas."""


class _Reader(pickle.Unpickler):
    """Knows the names above and refuses all others."""

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        """The stand-in of a name."""
        if name not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return _KNOWN[name]
