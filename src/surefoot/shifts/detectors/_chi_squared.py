"""Chi-squared: do the shares of categories differ? With p-values that hold for small counts, too."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import array as as_numbers
from surefoot._checks import rows, same_length
from surefoot.errors import InputError
from surefoot.shifts.detectors._result import ShiftTest

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

FEW = 5
"""The textbook's smallest expected count for the chi-squared distribution (Cochran 1954)."""

_DRAWS = 1_999
_CELLS_TO_DRAW = 50
"""Categories up to which tables are drawn; with more of them the gamma distribution is as good."""


def chi_squared(reference: ArrayLike, batch: ArrayLike, *, seed: int = 0) -> ShiftTest:
    """Pearson's test of whether two vectors of counts come from the same shares.

        Σ (observed − expected)² / expected

    over both samples and all categories, without continuity correction. Where every expected count is at
    least 5, the p-value is that of the chi-squared distribution. Else it is the permutation one, given how
    often each category occurs in both samples together: exact for two categories; for up to 50 from 1,999
    drawn tables (fixed by ``seed``); for more of them, and beyond what was drawn, from the gamma distribution
    with the exact mean and variance of all tables (Haldane 1940). Rare categories are not
    pooled: pooling hides a shift among many rare ones, and pooling by what the reference lacks is wrong
    (rare categories of a batch always look new).

    The published code of Maggio et al. 2022 returns a random number as the p-value of counts below 5, for
    which there is no use here.

    >>> outcome = chi_squared([30, 20, 10], [10, 20, 30])
    >>> outcome.statistic, round(outcome.p_value, 6)
    (20.0, 4.5e-05)
    """
    counts = _counts("reference", reference), _counts("batch", batch)
    same_length(reference=counts[0], batch=counts[1])
    return chi_squared_of_counts(*counts, seed=seed)


def chi_squared_of_counts(reference: Counts, batch: Counts, *, seed: int = 0) -> ShiftTest:
    """The same for counts that need no check; an empty side or a single category gives 0 and p-value 1."""
    n, m = int(reference.sum()), int(batch.sum())
    total = reference + batch
    order = np.lexsort((batch, total))  # so that the order of the categories changes no sum and no draw
    order = order[total[order] > 0]
    total, batch = total[order], batch[order]
    if n == 0 or m == 0 or len(total) < 2:
        return ShiftTest(0.0, 1.0, n, m)
    statistic = float(_statistic(batch, total, n, m))
    if total.min() * min(n, m) / (n + m) >= FEW:
        from scipy.special import chdtrc

        return ShiftTest(statistic, float(chdtrc(len(total) - 1, statistic)), n, m)
    if len(total) == 2:
        return ShiftTest(statistic, _exact(statistic, total, n, m), n, m)
    return ShiftTest(statistic, _permuted(statistic, total, n, m, seed), n, m)


def total_variation(reference: Counts, batch: Counts) -> float:
    """Half the sum of absolute differences between the shares: the share of rows that changed category."""
    if not reference.sum() or not batch.sum():
        return 0.0
    differences = np.abs(reference / reference.sum() - batch / batch.sum())
    return float(np.sort(differences).sum() / 2)  # sorted: the sum does not depend on their order


def cramers_v(outcome: ShiftTest) -> float:
    """Cramér's V of a table with two rows: √(χ² / N), between 0 and 1."""
    return float(np.sqrt(outcome.statistic / max(outcome.n_reference + outcome.n_batch, 1)))


def _statistic(batch: Counts, total: Counts, n: int, m: int) -> Floats:
    """Pearson's statistic of a table with two rows, from one row and the sums; batch is [..., categories].

    The two rows deviate alike, so that their terms join: (b − e)² (1/e + 1/e') with e + e' = total.
    """
    expected = total * (m / (n + m))
    return np.asarray(((batch - expected) ** 2 / (expected * (n / (n + m)))).sum(axis=-1))


def _exact(statistic: float, total: Counts, n: int, m: int) -> float:
    """Sum the hypergeometric probabilities of all 2 × 2 tables that are at least as far out."""
    from scipy.special import gammaln

    def log_choose(of: int | Counts, taken: int | Counts) -> Floats:
        return np.asarray(
            gammaln(np.add(of, 1.0))
            - gammaln(np.add(taken, 1.0))
            - gammaln(np.subtract(of, taken, dtype=float) + 1)
        )

    first, second = int(total[0]), int(total[1])
    possible = np.arange(max(0, m - second), min(first, m) + 1)
    log_p = log_choose(first, possible) + log_choose(second, m - possible) - log_choose(n + m, m)
    tables = np.stack([possible, m - possible], axis=1)
    extreme = _statistic(tables, total, n, m) >= statistic * (1 - 1e-9)
    return float(min(np.exp(log_p[extreme]).sum(), 1.0))


def _permuted(statistic: float, total: Counts, n: int, m: int, seed: int) -> float:
    """Share of random tables with these sums that are at least as far out; beyond their reach, a gamma."""
    single = total == 1
    cells = np.append(total[~single], single.sum()) if single.any() else total
    mean, variance = _moments(total, n, m)
    if variance <= 1e-12 * mean**2:  # each category once: every table has the same statistic
        return 1.0
    from scipy.special import gammaincc

    tail = float(gammaincc(mean**2 / variance, statistic * mean / variance))
    if len(cells) > _CELLS_TO_DRAW:
        return tail
    drawn = np.random.default_rng(seed).multivariate_hypergeometric(cells, m, size=_DRAWS, method="marginals")
    if single.any():  # categories of one row all add alike to the statistic: only their number counts
        parts = _statistic(drawn[:, :-1], total[~single], n, m)
        in_batch, out = ((x - m / (n + m)) ** 2 / (m / (n + m) * n / (n + m)) for x in (1, 0))
        simulated = parts + drawn[:, -1] * in_batch + (cells[-1] - drawn[:, -1]) * out
    else:
        simulated = _statistic(drawn, total, n, m)
    beyond = int((simulated >= statistic * (1 - 1e-9)).sum())
    return (beyond + 1) / (_DRAWS + 1) if beyond else min(tail, 1 / (_DRAWS + 1))


def _moments(total: Counts, n: int, m: int) -> tuple[float, float]:
    """Mean and variance of Pearson's statistic over all tables with these sums (Haldane 1940).

    The statistic is N² / (nm) · (Σ b² / t − m² / N), and b², b⁴ and b² b'² are sums of falling factorials,
    whose means are products of ratios such as m (m − 1) / (N (N − 1)).
    """
    rows_ = n + m
    r = np.cumprod([(m - i) / (rows_ - i) if rows_ > i else 0.0 for i in range(4)])
    t = total.astype(np.float64)
    square = r[0] + r[1] * (t - 1)  # mean of b² / t
    fourth = (
        r[0] + 7 * r[1] * (t - 1) + 6 * r[2] * (t - 1) * (t - 2) + r[3] * (t - 1) * (t - 2) * (t - 3)
    ) / t
    # Means of b² b'² / (t t') summed over pairs of categories: all pairs less those of a category with itself.
    k, excess = len(t), (t - 1).sum()
    itself = r[1] + 2 * r[2] * (t - 1) + r[3] * (t - 1) ** 2
    pairs = k * k * r[1] + 2 * k * r[2] * excess + r[3] * excess**2 - itself.sum()
    scale = rows_**2 / (n * m)
    mean = scale * (square.sum() - m**2 / rows_)
    variance = scale**2 * (fourth.sum() + pairs - square.sum() ** 2)
    return float(mean), float(max(variance, 0.0))


def _counts(name: str, values: ArrayLike) -> Counts:
    given = as_numbers(name, values, 1)
    with np.errstate(invalid="ignore"):
        whole = given.astype(np.int64)
    wrong = (whole != given) | (whole < 0)
    if wrong.any():
        raise InputError(f"{name} must hold counts, whole numbers from 0; {rows(wrong)} do not")
    if not whole.sum():
        raise InputError(f"{name} holds no counts; there is nothing to compare")
    return whole
