"""Texts as one array of characters, so that whole collections are rewritten by array operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Characters = NDArray[np.uint32]
Mask = NDArray[np.bool_]


class Words(NamedTuple):
    """Runs of characters that are not white: where each starts, where what follows it starts, and its text."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    texts: NDArray[np.int64]

    def cover(self, chosen: Mask, size: int) -> Mask:
        """Which of ``size`` characters belong to the chosen words, white space behind them included."""
        change = np.zeros(size + 1, dtype=np.int8)
        change[self.starts[chosen]] += 1
        change[self.ends[chosen]] -= 1
        return np.cumsum(change[:-1], dtype=np.int8).astype(np.bool_)


@dataclass(frozen=True, eq=False)
class Page:
    """The code points of non-empty texts behind each other, and where each text ends."""

    characters: Characters
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, texts: list[str]) -> Page:
        """Lay out non-empty texts.

        >>> Page.of(["ab", "c"]).characters.tolist()
        [97, 98, 99]
        """
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        return cls(np.frombuffer(joined, dtype="<u4"), np.cumsum([len(text) for text in texts]))

    def texts(self) -> list[str]:
        """The texts as strings again."""
        joined = self.characters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        starts = [0, *self.ends[:-1].tolist()]
        return [joined[start:end] for start, end in zip(starts, self.ends.tolist(), strict=True)]

    @property
    def first(self) -> Mask:
        """Which characters are the first of their text."""
        out = np.zeros(len(self.characters), dtype=np.bool_)
        out[0] = True
        out[self.ends[:-1]] = True
        return out

    def where(self, test: Callable[[str], bool]) -> Mask:
        """Which characters pass a test, made once for each that occurs.

        >>> Page.of(["a b"]).where(str.isspace).tolist()
        [False, True, False]
        """
        return self._each(test, np.bool_, default=False)

    def mapped(self, change: Callable[[str], str]) -> Characters:
        """Every character changed, but for those that would become several (ß in upper case)."""

        def one(character: str) -> int:
            changed = change(character)
            return ord(changed if len(changed) == 1 else character)

        return self._each(one, np.uint32, default=0)

    def _each(self, function: Callable[[str], Any], dtype: Any, default: Any) -> NDArray[Any]:
        """A function of the characters, called once for each that occurs."""
        occurring = np.flatnonzero(np.bincount(self.characters))
        table = np.full(int(occurring[-1]) + 1, default, dtype=dtype)
        for code in occurring.tolist():
            table[code] = function(chr(code))
        return np.asarray(table[self.characters])

    def words(self) -> Words:
        """The words of all texts.

        >>> Page.of(["so  it", " is"]).words()
        Words(starts=array([0, 4, 7]), ends=array([4, 6, 9]), texts=array([0, 0, 1]))
        """
        white, first = self.where(str.isspace), self.first
        begins = ~white & (np.concatenate([[True], white[:-1]]) | first)
        bounds = np.flatnonzero(begins | first)
        ends = np.append(bounds[1:], len(self.characters))
        real = begins[bounds]
        starts = bounds[real]
        return Words(starts, ends[real], np.searchsorted(self.ends, starts, side="right"))

    def repeated(self, counts: NDArray[np.int64] | Mask) -> Page:
        """Every character as often as its count says, 0 to leave it out.

        >>> Page.of(["ab", "c"]).repeated(np.array([2, 0, 1])).texts()
        ['aa', 'c']
        """
        return Page(np.repeat(self.characters, counts), np.cumsum(counts, dtype=np.int64)[self.ends - 1])
