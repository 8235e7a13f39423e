"""Kolmogorov–Smirnov: the largest gap between two distribution functions."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, array
from surefoot.errors import InputError
from surefoot.shifts.detectors._result import ShiftTest

EXACT_UP_TO = 10_000
"""Rows of the larger sample up to which the p-value counts lattice paths instead of using the limit."""


def ks(reference: ArrayLike, batch: ArrayLike) -> ShiftTest:
    """Two-sample Kolmogorov–Smirnov test of one numeric column; the statistic lies between 0 and 1.

        sup_x |F_reference(x) − F_batch(x)|

    NaN counts as missing and is left out; infinite values are fine. The p-value is exact up to 10,000 rows a
    side and else that of the one-sample statistic at nm / (n + m) rows. Ties make it too large, never
    too small.

    >>> ks([1, 2, 3, 4], [11, 12, 13, 14])
    ShiftTest(statistic=1.0, p_value=0.028571428571428577, n_reference=4, n_batch=4)
    """
    return ks_of_present(_present("reference", reference), _present("batch", batch))


def ks_of_present(reference: Array, batch: Array) -> ShiftTest:
    """The same for arrays that are known to hold no NaN."""
    n, m = len(reference), len(batch)
    if n == 0 or m == 0:
        return ShiftTest(0.0, 1.0, n, m)
    distance = ks_distance(reference, batch)
    return ShiftTest(distance, _p_value(reference, batch, distance), n, m)


def ks_distance(reference: Array, batch: Array) -> float:
    """The largest gap between two empirical distribution functions, from one sort."""
    n, m = len(reference), len(batch)
    pooled = np.concatenate([reference, batch])
    order = np.argsort(pooled)
    ordered = pooled[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # a tie counts as a whole
    below = np.cumsum(order < n)[ends]
    return float(np.abs(below / n - (ends + 1 - below) / m).max())


def _p_value(reference: Array, batch: Array, distance: float) -> float:
    from scipy import stats

    n, m = len(reference), len(batch)
    if max(n, m) <= EXACT_UP_TO:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # where counting overflows it takes the limit
            return float(stats.ks_2samp(reference, batch, method="exact").pvalue)
    return float(np.clip(stats.kstwo.sf(distance, np.round(n * m / (n + m))), 0, 1))


def _present(name: str, values: ArrayLike) -> Array:
    given = array(name, values, 1)
    present = given[~np.isnan(given)] if given.dtype.kind == "f" else given
    if len(present) == 0:
        raise InputError(f"{name} holds only missing values; there is nothing to compare")
    return present
