"""Which pairs of methods differ over datasets, once the Friedman test says that some do."""

from __future__ import annotations

from math import ceil, erfc, floor, log2, sqrt

import numpy as np

from surefoot.compare._scores import Floats

_EXACT = 50
"""Up to so many differences the signed-rank distribution is exact, beyond that normal."""


def critical_difference(methods: int, datasets: int, alpha: float) -> float:
    r"""Mean ranks further apart than this differ at level ``alpha`` by the Nemenyi test.

        q_α √(k (k + 1) / (6 N))     with q_α the studentized range of k methods, infinite freedom, over √2

    Demšar 2006, section 3.2.2 and table 5.

    >>> round(critical_difference(4, 14, 0.05), 2), round(critical_difference(4, 14, 0.1), 2)
    (1.25, 1.12)
    """
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - alpha, methods, np.inf) / sqrt(2)
    return float(q * sqrt(methods * (methods + 1) / (6 * datasets)))


def datasets_for_nemenyi(methods: int, alpha: float) -> int:
    """Fewest datasets on which the Nemenyi test can find any difference.

    >>> datasets_for_nemenyi(18, 0.05)
    3
    """
    return floor((critical_difference(methods, 1, alpha) / (methods - 1)) ** 2) + 1


def nemenyi(mean_ranks: Floats, datasets: int) -> Floats:
    """P-values [k, k] of the Nemenyi test, which allow for all pairs being looked at.

    >>> nemenyi(np.array([1.0, 2.0]), 6).round(4)
    array([[1.    , 0.0143],
           [0.0143, 1.    ]])
    """
    from scipy.stats import studentized_range

    k = len(mean_ranks)
    gaps, where = np.unique(np.abs(mean_ranks[:, None] - mean_ranks), return_inverse=True)
    q = gaps * sqrt(2) / sqrt(k * (k + 1) / (6 * datasets))
    p_values: Floats = np.clip(studentized_range.sf(q, k, np.inf), 0, 1)[where].reshape(k, k)
    np.fill_diagonal(p_values, 1)
    return p_values


def wilcoxon_holm(scores: Floats) -> Floats:
    """P-values [k, k] of pairwise Wilcoxon signed-rank tests over the rows, adjusted by `holm` for all pairs."""
    k = scores.shape[1]
    first, second = np.triu_indices(k, 1)
    p_values = np.ones((k, k))
    raw = [signed_rank(scores[:, i] - scores[:, j]) for i, j in zip(first, second, strict=True)]
    p_values[first, second] = p_values[second, first] = holm(np.array(raw))
    return p_values


def datasets_for_wilcoxon(methods: int, alpha: float) -> int:
    """Fewest datasets on which `wilcoxon_holm` can find any difference: 2¹⁻ⁿ times the pairs is at most alpha.

    >>> datasets_for_wilcoxon(4, 0.05)
    8
    """
    return ceil(1 + log2(methods * (methods - 1) / 2 / alpha))


def holm(p_values: Floats) -> Floats:
    """Adjust the p-values of several tests, so that together they err with at most the level of one.

    The i-th smallest of m is multiplied by m − i + 1, and none falls below a smaller one. Holm 1979.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(3)
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * p_values[order]), 1)
    return adjusted


def signed_rank(differences: Floats) -> float:
    """Two-sided p-value of Wilcoxon's signed-rank test that paired differences are symmetric about 0.

    Zero differences are left out (Wilcoxon's own rule, SciPy's ``zero_method="wilcox"``); equal sizes share
    their mean rank. With at most 50 differences left the p-value is exact, ties included: the share of all
    assignments of signs to the ranks that are as one-sided (SciPy's exact one knows no ties). Beyond that it
    is the normal approximation, corrected for ties. Nothing left: 1.

    >>> signed_rank(np.array([0.3, 0.1, 0.2, 0.5, 0.4, 0.0]))
    0.0625
    """
    from scipy.stats import rankdata

    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    rank = rankdata(np.abs(moved))
    smaller = min(rank[moved > 0].sum(), rank[moved < 0].sum())
    if len(moved) > _EXACT:
        z = (rank.sum() / 2 - smaller) / (sqrt((rank**2).sum()) / 2)
        return erfc(z / sqrt(2))
    return min(1.0, 2 * _at_most(rank, smaller))


def _at_most(rank: Floats, total: float) -> float:
    """Chance that the ranks which get a plus, each with one half, sum to at most ``total``."""
    doubled = np.rint(2 * rank).astype(np.int64)  # mean ranks are halves
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1
    for step in doubled:
        chance[step:] = (chance[step:] + chance[:-step]) / 2
        chance[:step] /= 2
    return float(chance[: round(2 * total) + 1].sum())
