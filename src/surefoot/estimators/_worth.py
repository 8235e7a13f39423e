"""How many rows of one weight tell as much as rows of these weights do."""

from __future__ import annotations

import numpy as np

from surefoot._checks import Array


def worth(weights: Array) -> Array:
    """(Σ w)² / Σ w² down the rows: a weighted mean is as uncertain as a plain one of so many rows (Kish 1965).

    >>> worth(np.array([[1.0, 0.0], [1.0, 0.0], [2.0, 0.0]])).round(2)
    array([2.67, 0.  ])
    """
    squares = (weights**2).sum(axis=0)
    return np.asarray(weights.sum(axis=0) ** 2 / np.where(squares > 0, squares, 1))
