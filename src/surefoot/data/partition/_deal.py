"""Dealing rows, or groups of rows, to parts at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def deal(n: int, names: Sequence[str], shares: NDArray[np.float64], seed: list[int]) -> NDArray[np.str_]:
    """Give each of n rows a name at random, every name its share to within one row."""
    ends = np.rint(np.cumsum(shares) * n).astype(np.int64)
    dealt = np.repeat(np.asarray(names), np.diff(ends, prepend=0))
    return np.random.default_rng(seed).permutation(dealt)


def deal_groups(
    groups: NDArray[np.int64], names: Sequence[str], shares: NDArray[np.float64], seed: list[int]
) -> NDArray[np.str_]:
    """Give each row the name of its group: whole groups are dealt, and shares hold to within one group.

    >>> deal_groups(np.array([7, 7, 3, 3]), ("train", "eval_in"), np.array([0.5, 0.5]), [0]).tolist()
    ['eval_in', 'eval_in', 'train', 'train']
    """
    _, member, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(sizes))
    middle = np.empty(len(sizes))
    middle[order] = (np.cumsum(sizes[order]) - sizes[order] / 2) / sizes.sum()
    part = np.searchsorted(np.cumsum(shares)[:-1], middle, side="right")
    dealt: NDArray[np.str_] = np.asarray(names)[part][member]
    return dealt
