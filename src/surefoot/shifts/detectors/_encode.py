"""Mixed columns as matrices: one for trees, one for distances. Both treat the two samples alike.

Whatever is learnt here (ranks, frequent categories) is learnt from both samples together, blind to which row
is of which: a test on the encoded rows has the false-alarm rate it would have on the rows themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Column
from surefoot.errors import InputError
from surefoot.shifts.detectors._pair import Pair

Floats = NDArray[np.float64]

_TREE_CATEGORIES = 30
_KERNEL_CATEGORIES = 20
_CATEGORY_DISTANCE = 0.5


def comparable(pair: Pair) -> Pair:
    """The pair without dates and times, which no detector looks at."""
    names = [column.name for column in pair.reference.columns if column.kind != "other"]
    if not names:
        raise InputError("all columns hold dates or times, which always move; give others")
    return pair if len(names) == len(pair.reference.columns) else pair.select(names)


def for_trees(pair: Pair) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Numbers as they are and categories as codes, NaN where missing; which columns hold codes without order.

    Codes are places by frequency. Where there are many categories, too rare each for a tree to learn, they
    count as numbers, so that a split tells the frequent from the rare.
    """
    columns = list(zip(pair.reference.columns, pair.batch.columns, strict=True))
    unordered = [
        first.kind == "categorical" and len(first.categories) <= _TREE_CATEGORIES for first, _ in columns
    ]
    a, b = (np.empty((len(side), len(columns))) for side in (pair.reference, pair.batch))
    for j, (first, second) in enumerate(columns):
        if first.kind == "categorical":
            lookup = _by_frequency(first, second, len(first.categories))
            a[:, j], b[:, j] = lookup[first.values], lookup[second.values]
        else:
            a[:, j], b[:, j] = first.numbers(), second.numbers()
    return a, b, np.array(unordered)


def for_kernels(pair: Pair) -> tuple[Floats, Floats]:
    """Ranks of numbers and indicators of categories.

    Ranks lie between 0 and 1, so that no unit or outlier drowns the other columns. A missing value lies in
    the middle and has an indicator of its own.
    """
    n = len(pair.reference)
    parts: list[Floats] = []
    for first, second in zip(pair.reference.columns, pair.batch.columns, strict=True):
        parts.extend(_ranks(first, second) if first.kind == "numeric" else _indicators(first, second))
    pooled = np.stack(parts, axis=1)
    return pooled[:n], pooled[n:]


def _by_frequency(first: Column, second: Column, most: int) -> Floats:
    """New codes, the most frequent category first; the rare ones share the last, missing is NaN.

    Categories as frequent as each other are ordered by name: their old codes would tell those that only
    the batch has, and with them, under no shift, the batch.
    """
    k = len(first.categories)
    counts = [0] * k
    for side in (first, second):
        found = np.bincount(side.values[side.values >= 0], minlength=k).tolist()
        counts = [before + more for before, more in zip(counts, found, strict=True)]
    order = sorted(range(k), key=lambda code: (-counts[code], str(first.categories[code])))
    place = np.empty(k + 1)
    place[order] = np.minimum(np.arange(k), most - 1)
    place[k] = np.nan
    return place


def _ranks(first: Column, second: Column) -> list[Floats]:
    from scipy.stats import rankdata

    pooled = np.concatenate([first.numbers(), second.numbers()])
    absent = np.isnan(pooled)
    scaled = np.full(len(pooled), 0.5)
    present = int((~absent).sum())
    scaled[~absent] = (rankdata(pooled[~absent]) - 0.5) / max(present, 1)
    return [scaled, absent * _CATEGORY_DISTANCE] if absent.any() else [scaled]


def _indicators(first: Column, second: Column) -> list[Floats]:
    if first.kind == "categorical":
        lookup = _by_frequency(first, second, _KERNEL_CATEGORIES)
        codes = np.concatenate([lookup[first.values], lookup[second.values]])
    else:
        codes = np.concatenate([first.numbers(), second.numbers()])
    present = np.unique(codes[~np.isnan(codes)])
    return [(codes == code) * _CATEGORY_DISTANCE for code in present] or [np.zeros(len(codes))]
