"""What every text shift is: a rewriting of known severity, done to a share of the texts of a sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import rows as name_rows
from surefoot.errors import InputError
from surefoot.shifts._graded import Graded, matching
from surefoot.shifts._record import Record
from surefoot.shifts._shift import Rows, draw

_CHUNK = 1 << 20  # characters handled at a time: temporaries stay small however many texts there are

Texts = list[str]


@dataclass(frozen=True, kw_only=True)
class TextShift(Graded):
    """A rewriting of texts: a list, a tuple, a NumPy vector or a column of a frame, of strings.

    The same kind comes back; a missing text stays missing.
    """

    _what: ClassVar[str] = "text"

    def __call__(self, X: Any, y: Any = None, rng: np.random.Generator | int = 0) -> tuple[Any, Any, Record]:
        """Rewrite some of the texts; ``y`` is handed through, the record's rows are the texts that changed."""
        texts, close = open_texts(X)
        matching(len(texts), y)
        rng = np.random.default_rng(rng)
        chosen = draw(rng, len(texts), self.samples)
        new: dict[int, str] = {}
        for rows in _chunks(chosen, texts):
            old = [texts[i] or "" for i in rows]
            for i, before, after in zip(rows, old, self._rewrite(old, rng), strict=True):
                if after != before:
                    new[i] = after
        return close(new), y, self._record(len(texts), np.fromiter(new, np.int64, len(new)))

    @abstractmethod
    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        """The texts, all rewritten."""


def open_texts(X: Any) -> tuple[list[str | None], Callable[[dict[int, str]], Any]]:
    """The texts, None where missing, and a function that gives them back in their kind with some replaced.

    >>> texts, close = open_texts(("a", None))
    >>> texts, close({0: "b"})
    (['a', None], ('b', None))
    """
    if isinstance(X, list | tuple):
        values = list(X)
        return _strings(values), lambda new: type(X)(new.get(i, value) for i, value in enumerate(values))
    if isinstance(X, np.ndarray):
        if X.ndim != 1:
            raise InputError(f"X has shape {X.shape}, but a vector of texts is needed")
        return _strings(X.tolist()), lambda new: _replaced(X, new)
    if isinstance(X, str):
        raise InputError("X is one text; give a list of texts, e.g. [X]")
    import narwhals as nw

    try:
        series = nw.from_native(X, series_only=True)
    except TypeError:
        raise InputError(
            f"X is a {type(X).__name__}; give texts as a list, a NumPy vector or one column of a table"
        ) from None
    if series.dtype in (nw.Categorical, nw.Enum):
        raise InputError(
            f"X is a column of type {series.dtype}, which takes no new texts; cast it to text first"
        )
    return _strings(
        series.to_list()
    ), lambda new: series.scatter(list(new), list(new.values())).to_native() if new else X


def _strings(values: list[Any]) -> list[str | None]:
    """The values with None for whatever means missing, if the others are strings."""
    if not values:
        raise InputError("X is empty; give at least one text")
    out = [value if isinstance(value, str) else None for value in values]
    strange = np.array(
        [text is None and not _missing(value) for text, value in zip(out, values, strict=True)]
    )
    if strange.any():
        kind = type(values[strange.argmax()]).__name__
        remedy = (
            "decode them first" if kind == "bytes" else "turn them into str first, or give another column"
        )
        raise InputError(f"X holds no text in {name_rows(strange)} (the first is a {kind}); {remedy}")
    return out


def _missing(value: Any) -> bool:
    """None, NaN and pandas' NA, without importing pandas."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _replaced(X: NDArray[Any], new: dict[int, str]) -> NDArray[Any]:
    """The vector with new texts, as wide as the longest needs."""
    out: NDArray[Any] = X.copy()
    if X.dtype.kind == "U" and new:
        out = X.astype(f"<U{max(X.dtype.itemsize // 4, *map(len, new.values()))}")
    for i, text in new.items():
        out[i] = text
    return out


def _chunks(chosen: Rows, texts: Sequence[str | None]) -> Iterator[list[int]]:
    """The chosen rows that hold text, in portions of a bounded number of characters."""
    rows: list[int] = []
    characters = 0
    for i in chosen.tolist():
        if text := texts[i]:
            rows.append(i)
            characters += len(text)
        if characters >= _CHUNK:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows
