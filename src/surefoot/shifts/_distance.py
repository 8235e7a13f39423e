"""Distances between rows: Euclidean over numeric columns, a missing value standing at its column's mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Columns
from surefoot.shifts._numeric import finite


def positions(
    columns: Columns, which: Sequence[int], *, scaled: bool = True, dtype: type[np.floating[Any]] = np.float64
) -> NDArray[Any]:
    """Rows as points, [columns, rows]: each column minus its mean and in units of its spread.

    Without ``scaled`` they keep the columns' own units.
    """
    out = np.zeros((len(which), len(columns)), dtype=dtype)
    for i, j in enumerate(which):
        column = columns.columns[j]
        known = finite(column)
        if not known.size:
            continue
        mean = float(known.mean())
        points = column.values - np.float64(mean)
        present = points if known.size == len(points) else points[np.isfinite(points)]
        unit = float(np.sqrt(present @ present / len(present)))
        if unit > 1e-12 * abs(mean):  # less is the rounding of a constant column
            out[i] = points / unit if scaled else points
        if known.size < len(points):
            out[i, ~np.isfinite(points)] = 0.0
    return out


def squares(points: NDArray[Any]) -> NDArray[Any]:
    """Squared distance of each point from the origin.

    >>> squares(np.array([[3.0, 0.0], [4.0, 1.0]]))
    array([25.,  1.])
    """
    out: NDArray[Any] = np.zeros(points.shape[1], dtype=points.dtype)
    for coordinate in points:
        out += coordinate * coordinate
    return out
