"""Tables of scores, one row a dataset and one column a method: checked, and turned so that higher is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError

Floats = NDArray[np.float64]


def table(name: str, values: ArrayLike) -> Floats:
    """Return finite values [datasets, methods], or say which cells are missing."""
    out: Floats = _checks.array(name, values, 2).astype(np.float64)
    missing = np.argwhere(~np.isfinite(out))
    if len(missing):
        cells = ", ".join(f"({row}, {column})" for row, column in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise InputError(
            f"{name} has NaN or infinite values at (row, column) {cells}{more}; "
            "leave out that dataset (row) or that method (column)"
        )
    return out


def sign(higher_is_better: bool) -> int:
    """1 if higher is better, else −1: times this, higher is better.

    >>> sign(True), sign(False)
    (1, -1)
    """
    if not isinstance(higher_is_better, bool | np.bool_):
        raise InputError(f"higher_is_better must be True or False, not {higher_is_better!r}")
    return 1 if higher_is_better else -1
