"""Confidence drop: is the model less sure of itself on the batch?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import choice
from surefoot.errors import InputError
from surefoot.shifts.detectors._probabilities import same_classes
from surefoot.shifts.detectors._result import ShiftTest


def confidence_drop(
    probs_reference: ArrayLike, probs_batch: ArrayLike, *, convention: str = "paper"
) -> ShiftTest:
    """Mean highest class probability on the reference minus that on the batch; positive is a drop.

        mean max_k p_reference − mean max_k p_batch

    Elsahar & Gallé 2019. The p-value is that of Welch's two-sided test of equal means. The published code of
    Maggio et al. 2022 has the other sign (``convention="published"``).

    >>> sure, unsure = [[0.9, 0.1], [0.2, 0.8]] * 20, [[0.6, 0.4], [0.5, 0.5]] * 20
    >>> round(confidence_drop(sure, unsure).statistic, 4)
    0.3
    """
    choice("convention", convention, ("paper", "published"))
    first, second = (
        probs.max(axis=1).astype(np.float64) for probs in same_classes(probs_reference, probs_batch)
    )
    n, m = len(first), len(second)
    if min(n, m) < 2:
        raise InputError(f"probabilities of at least 2 rows a side are needed, not {n} and {m}")
    drop = float(first.mean() - second.mean())
    return ShiftTest(drop if convention == "paper" else -drop, _welch(drop, first, second), n, m)


def _welch(difference: float, first: np.ndarray, second: np.ndarray) -> float:
    from scipy.special import stdtr

    a, b = (float(side.var(ddof=1)) / len(side) for side in (first, second))
    if a + b <= 1e-24:  # constant on both sides
        return 1.0 if abs(difference) <= 1e-12 else 0.0
    freedom = (a + b) ** 2 / (a**2 / (len(first) - 1) + b**2 / (len(second) - 1))
    return float(2 * stdtr(freedom, -abs(difference) / np.sqrt(a + b)))
