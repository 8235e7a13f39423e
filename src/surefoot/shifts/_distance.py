"""Distances between rows: Euclidean over numeric columns, a missing value standing at its column's mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Columns
from surefoot.shifts._numeric import finite


def positions(columns: Columns, which: Sequence[int], *, scaled: bool = True) -> NDArray[np.float64]:
    """Rows as points: numeric columns side by side, each minus its mean and in units of its spread.

    Without ``scaled`` they keep the columns' own units.
    """
    out = np.zeros((len(columns), len(which)))
    for i, j in enumerate(which):
        values = columns.columns[j].values
        known = finite(columns.columns[j])
        unit = float(known.std()) if known.size else 0.0
        if not unit:
            continue
        points = (values - known.mean()) / (unit if scaled else 1.0)
        if known.size < len(points):
            points[~np.isfinite(points)] = 0.0
        out[:, i] = points
    return out


def squares(points: NDArray[Any]) -> NDArray[Any]:
    """Squared length of each row.

    >>> squares(np.array([[3.0, 4.0]]))
    array([25.])
    """
    out: NDArray[Any] = np.einsum("nf,nf->n", points, points)
    return out
