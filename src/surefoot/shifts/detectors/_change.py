"""What moved in a column, in words: its median or range, the share of a category, the share of gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array

PERCENTILES = (50, 10, 90)
"""What the words on numbers are made of."""

_LONGEST = 24
"""Letters of a category's name to show."""


def change_of_numbers(before: Array, after: Array) -> str:
    """From their `PERCENTILES`: how the median moved, or where it did not, the range.

    >>> change_of_numbers([3, 1, 9], [3.5, 1, 9]), change_of_numbers([3, 1, 9], [3, 0, 20])
    ('median 3 → 3.5', '10–90 % 1 … 9 → 0 … 20')
    """
    if before[0] != after[0]:
        return f"median {before[0]:.4g} → {after[0]:.4g}"
    return f"10–90 % {before[1]:.4g} … {before[2]:.4g} → {after[1]:.4g} … {after[2]:.4g}"


def change_of_shares(before: NDArray[np.int64], after: NDArray[np.int64], names: Sequence[Any]) -> str:
    """From the counts of categories: how the share moved that moved most; nothing where a side is empty.

    >>> change_of_shares(np.array([8, 1, 1]), np.array([2, 1, 7]), ["red", "blue", "green"])
    'red 80.0 % → 20.0 %'
    """
    if not before.sum() or not after.sum():
        return ""
    p, q = before / before.sum(), after / after.sum()
    most = 1 if len(names) == 2 else int(np.abs(p - q).argmax())  # of two, the second: true, or the larger
    name = str(names[most])
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return f"{short} {_percent(p[most])} → {_percent(q[most])}"


def change_of_gaps(before: float, after: float) -> str:
    """From the shares of missing values.

    >>> change_of_gaps(0, 0.25)
    'missing 0.0 % → 25.0 %'
    """
    return f"missing {_percent(before)} → {_percent(after)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
