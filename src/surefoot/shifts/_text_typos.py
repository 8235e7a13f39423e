"""Slips of the finger."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._text import Texts, TextShift
from surefoot.shifts._text_page import Page

_KEYBOARDS = (
    ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
)
_STAGGER = (0.0, 0.25, 0.75)  # how far each row of keys is shifted to the right, in keys


@dataclass(frozen=True, kw_only=True)
class Typos(TextShift):
    """Mistypes 1, 2, 4, 7 or 10 % of the letters.

    A quarter each: a key beside the right one is hit (QWERTY for Latin, ЙЦУКЕН for Cyrillic letters), the letter
    changes places with the next, is left out, or comes twice. The last also stands in where one of the others is
    impossible: no keyboard has the letter, it is a word's last, or leaving out would take a word's first.

    >>> Typos(severity=5)(["the quick brown fox jumps over the lazy dog"], rng=1)[0]
    ['the uqick brown foxx jumps over the lazy ddogg']
    """

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        page = Page.of(texts)
        letter = page.where(str.isalpha)
        starts = letter & (page.first | ~np.concatenate([[False], letter[:-1]]))
        followed = letter & np.append(letter[1:] & ~starts[1:], False)
        hit = letter & (rng.random(len(letter), dtype=np.float32) < self._at((0.01, 0.02, 0.04, 0.07, 0.10)))
        places = np.flatnonzero(hit)
        near, known = _neighbours(page.characters[places], rng)
        slip = rng.integers(4, size=len(places))

        beside = (slip == 0) & known
        swapped = (slip == 1) & followed[places] & ~np.append(hit[1:], False)[places]
        missed = (slip == 2) & ~starts[places]
        characters = page.characters.copy()
        characters[places[beside]] = near[beside]
        left = places[swapped]
        characters[left], characters[left + 1] = page.characters[left + 1], page.characters[left]
        counts = np.ones(len(characters), dtype=np.int64)
        counts[places] = np.where(missed, 0, np.where(beside | swapped, 1, 2))
        return Page(characters, page.ends).repeated(counts).texts()


def _neighbours(
    characters: NDArray[np.uint32], rng: np.random.Generator
) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """For every character one from a key beside its own, and whether a keyboard has it."""
    table, counts = _layout()
    codes = np.where(characters < len(counts), characters, 0)
    pick = (rng.random(len(codes)) * counts[codes]).astype(np.int64)
    return table[codes, pick], counts[codes] > 0


@cache
def _layout() -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The characters beside each code point, and how many they are."""
    beside: dict[str, str] = {}
    for rows in _KEYBOARDS:
        places = {key: (x + _STAGGER[y], y) for y, row in enumerate(rows) for x, key in enumerate(row)}
        for key, (x, y) in places.items():
            close = [other for other, (a, b) in places.items() if abs(a - x) <= 1 and abs(b - y) <= 1]
            beside[key] = "".join(other for other in close if other != key)
    beside |= {key.upper(): others.upper() for key, others in beside.items()}
    size, widest = max(map(ord, beside)) + 1, max(map(len, beside.values()))
    table, counts = np.zeros((size, widest), dtype=np.uint32), np.zeros(size, dtype=np.int64)
    for key, others in beside.items():
        table[ord(key), : len(others)] = [ord(other) for other in others]
        counts[ord(key)] = len(others)
    return table, counts
