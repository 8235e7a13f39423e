"""Words that get lost, and spaces and marks between them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

import numpy as np

from surefoot._checks import choice
from surefoot.shifts._text import Texts, TextShift
from surefoot.shifts._text_page import Page

Style = Literal["random", "upper", "lower"]


@dataclass(frozen=True, kw_only=True)
class DroppedWords(TextShift):
    """Leaves out 5, 10, 20, 30 or 40 % of the words; of every text at least one word remains.

    >>> DroppedWords(severity=5)(["it was not a bad film at all"])[0]
    ['it bad film at all']
    """

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        page = Page.of(texts)
        words = page.words()
        lot = rng.random(len(words.starts))
        share = self._at((0.05, 0.1, 0.2, 0.3, 0.4))
        own, first, place = np.unique(words.texts, return_index=True, return_inverse=True)
        luckiest = np.maximum.reduceat(lot, first)[place] if own.size else lot
        dropped = (lot < share) & (lot < luckiest)
        left = page.repeated(~words.cover(dropped, len(page.characters)))
        # A last word takes the space behind it along, of which there is none: the one before it remains.
        return [
            new if old[-1].isspace() else new.rstrip() for old, new in zip(texts, left.texts(), strict=True)
        ]


@dataclass(frozen=True, kw_only=True)
class Casing(TextShift):
    """Changes the case of 10, 25, 50, 75 or 100 % of the words.

    ``style`` is ``"upper"``, ``"lower"`` or ``"random"`` (a coin for every letter).

    >>> Casing(severity=5, style="upper")(["Is it, really?"])[0]
    ['IS IT, REALLY?']
    """

    style: Style = "random"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice("style", self.style, ("random", "upper", "lower"))

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        page = Page.of(texts)
        words = page.words()
        hit = rng.random(len(words.starts)) < self._at((0.1, 0.25, 0.5, 0.75, 1.0))
        if self.style == "random":
            coin = rng.random(len(page.characters), dtype=np.float32) < 0.5
            recased = np.where(coin, page.mapped(str.upper), page.mapped(str.lower))
        else:
            recased = page.mapped(str.upper if self.style == "upper" else str.lower)
        covered = words.cover(hit, len(page.characters))
        return Page(np.where(covered, recased, page.characters), page.ends).texts()


@dataclass(frozen=True, kw_only=True)
class Spacing(TextShift):
    """Runs 2, 5, 10, 15 or 25 % of the words together with the next, and splits as many.

    >>> Spacing(severity=5)(["it was not a bad film at all"])[0]
    ['it was n otab ad film at al l']
    """

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        page = Page.of(texts)
        words = page.words()
        white = page.where(str.isspace)
        share = self._at((0.02, 0.05, 0.1, 0.15, 0.25))
        lot = rng.random(len(words.starts))
        counts = np.ones(len(page.characters), dtype=np.int64)
        counts[white & words.cover(lot < share, len(white))] = 0
        # Words are split where two characters meet, as many as on average make the share of the words.
        gap = ~white & ~np.append(white[1:], True) & ~np.append(page.first[1:], True)
        split = np.flatnonzero(gap)
        split = split[rng.random(len(split)) < share * len(words.starts) / max(len(split), 1)]
        counts[split] = 2
        new = page.repeated(counts)
        new.characters[np.cumsum(counts)[split] - 1] = ord(" ")
        return new.texts()


@dataclass(frozen=True, kw_only=True)
class Punctuation(TextShift):
    """Drops or repeats 10, 25, 50, 75 or 100 % of the punctuation marks.

    >>> Punctuation(severity=5)(["Well, is it? (No!)"])[0]
    ['Well,, is it??? ((No!!)))']
    """

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        page = Page.of(texts)
        marks = np.flatnonzero(page.where(lambda character: unicodedata.category(character)[0] == "P"))
        hits = marks[rng.random(len(marks)) < self._at((0.1, 0.25, 0.5, 0.75, 1.0))]
        counts = np.ones(len(page.characters), dtype=np.int64)
        counts[hits] = rng.choice([0, 0, 2, 3], len(hits))
        return page.repeated(counts).texts()
