"""Methods ranked over datasets: Friedman's test, and which methods differ afterwards.

Demšar 2006, Statistical comparisons of classifiers over multiple data sets, section 3.2; used by Van Landeghem
et al. 2022 (text classification), sections III-E and IV, in their critical-difference diagrams.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import choice
from surefoot.compare import _posthoc
from surefoot.compare._scores import Floats, sign, table
from surefoot.errors import InputError

Groups = tuple[tuple[int, ...], ...]


class FTest(NamedTuple):
    """An F statistic and the chance of one at least as large if all methods were equal."""

    statistic: float
    p_value: float


@dataclass(frozen=True, eq=False)
class Ranks:
    """How methods rank over datasets, and which of them differ.

    Attributes:
        ranks: [datasets, methods], 1 the best; ties share their mean rank.
        mean_ranks: [methods], averaged over datasets; lower is better.
        statistic: Friedman's χ², corrected for ties.
        p_value: of ``statistic``, by χ² with methods − 1 degrees of freedom.
        iman_davenport: the less conservative F statistic of Iman and Davenport, and its p-value.
        critical_difference: mean ranks further apart differ by the Nemenyi test; None with another test.
        p_values: [methods, methods], of each pair, adjusted for there being many pairs.
        groups: largest sets of methods of which no two differ significantly, as column numbers from the best
            rank on; a method that differs from all others is in none. The bars of the diagram.
        test: the test behind ``p_values`` and ``groups``, "nemenyi" or "wilcoxon-holm".
        alpha: the level of significance.
        notes: what to know before reading the groups, in sentences; empty if nothing.
    """

    ranks: Floats
    mean_ranks: Floats
    statistic: float
    p_value: float
    iman_davenport: FTest
    critical_difference: float | None
    p_values: Floats
    groups: Groups
    test: str
    alpha: float
    notes: tuple[str, ...]


def ranks(scores: ArrayLike, higher_is_better: bool, *, alpha: float = 0.05, test: str = "nemenyi") -> Ranks:
    r"""Rank methods on each dataset and test whether, and where, their mean ranks differ.

    ``scores[datasets, methods]``: rank 1 is the best of a row, exact ties share their mean rank. With mean
    ranks R̄ over N datasets and k methods (Demšar 2006, section 3.2.2):

    - Friedman: χ² = 12 N / (k (k + 1)) · Σ (R̄ − (k + 1) / 2)², over 1 − Σ (t³ − t) / (N k (k² − 1)) for ties of
      t methods; the same as `scipy.stats.friedmanchisquare`, and 0 where all methods tie everywhere.
    - Iman–Davenport: F = (N − 1) χ² / (N (k − 1) − χ²) with k − 1 and (k − 1)(N − 1) degrees of freedom; χ² is
      here the one without correction, as Demšar has it. Ties make F conservative.
    - ``test="nemenyi"``: two methods differ if their mean ranks are more than the critical difference
      q_α √(k (k + 1) / (6 N)) apart.
    - ``test="wilcoxon-holm"``: two methods differ if Wilcoxon's signed-rank test of their scores says so after
      Holm's adjustment for all pairs, at most ``alpha``. It looks at the size of differences (so scores must
      mean the same on all datasets), and not at the other methods. Zero differences are left out; the p-values
      are exact up to 50 datasets, with ties, and normal beyond. Their groups may skip a method in between.

    The post-hoc tests are meant for when Friedman's test rejects; ``.notes`` says so if it does not, and if
    there are too few datasets for any difference to be significant. Scores equal but for rounding noise are
    different: round them first.

    >>> result = ranks([[0.9, 0.8, 0.6], [0.8, 0.7, 0.7], [0.9, 0.8, 0.5], [0.7, 0.6, 0.4]], True)
    >>> result.mean_ranks
    array([1.   , 2.125, 2.875])
    >>> round(result.statistic, 3), round(result.p_value, 3), round(result.critical_difference, 3)
    (7.6, 0.022, 1.657)
    >>> result.groups
    ((0, 1), (1, 2))
    """
    choice("test", test, ("nemenyi", "wilcoxon-holm"))
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie between 0 and 1, such as 0.05, not {alpha}")
    values = sign(higher_is_better) * table("scores", scores)
    n, k = values.shape
    if n < 2 or k < 2:
        raise InputError(f"scores has shape {(n, k)}; ranks need at least 2 datasets (rows) and 2 methods")
    ranked = _ranked(values)
    mean = ranked.mean(axis=0)
    statistic, p_value, f_test = _friedman(ranked)
    if test == "nemenyi":
        difference = _posthoc.critical_difference(k, n, alpha)
        p_values = _posthoc.nemenyi(mean, n)
        alike = np.abs(mean[:, None] - mean) <= difference
    else:
        difference = None
        p_values = _posthoc.wilcoxon_holm(values)
        alike = p_values > alpha
    return Ranks(
        ranks=ranked,
        mean_ranks=mean,
        statistic=statistic,
        p_value=p_value,
        iman_davenport=f_test,
        critical_difference=difference,
        p_values=p_values,
        groups=_groups(alike, mean),
        test=test,
        alpha=float(alpha),
        notes=tuple(_notes(n, k, p_value, alpha, test)),
    )


def _ranked(values: Floats) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(-values, axis=1), np.float64)


def _friedman(ranked: Floats) -> tuple[float, float, FTest]:
    """Friedman's statistic with its p-value, and that of Iman and Davenport."""
    from scipy.special import chdtrc, fdtrc

    n, k = ranked.shape
    between = ((ranked.sum(axis=0) - n * (k + 1) / 2) ** 2).sum()
    spread = ((ranked - (k + 1) / 2) ** 2).sum()
    statistic = (k - 1) * between / spread if spread else 0.0
    plain = 12 * between / (n * k * (k + 1))
    rest = n * (k - 1) - plain
    # Ranks are halves, so that complete agreement leaves exactly nothing.
    f = (n - 1) * plain / rest if rest > 0 else np.inf
    f_test = FTest(float(f), float(fdtrc(k - 1, (k - 1) * (n - 1), f)))
    return float(statistic), float(chdtrc(k - 1, statistic)), f_test


def _groups(alike: NDArray[np.bool_], mean_ranks: Floats) -> Groups:
    """Largest sets of two or more methods that are all alike, from the best on."""
    place = np.argsort(np.argsort(mean_ranks, kind="stable"))
    neighbours = [set(np.flatnonzero(row).tolist()) - {i} for i, row in enumerate(alike)]
    found = [sorted(group, key=lambda i: int(place[i])) for group in _cliques(neighbours) if len(group) > 1]
    found.sort(key=lambda group: [int(place[i]) for i in group])
    return tuple(map(tuple, found))


def _cliques(neighbours: list[set[int]]) -> Iterator[set[int]]:
    """Largest sets of mutual neighbours (Bron and Kerbosch 1973, with a pivot)."""

    def grow(chosen: set[int], candidates: set[int], done: set[int]) -> Iterator[set[int]]:
        if not candidates and not done:
            yield chosen
            return
        pivot = max(candidates | done, key=lambda i: len(neighbours[i] & candidates))
        for i in candidates - neighbours[pivot]:
            yield from grow(chosen | {i}, candidates & neighbours[i], done & neighbours[i])
            candidates = candidates - {i}
            done = done | {i}

    return grow(set(), set(range(len(neighbours))), set())


def _notes(n: int, k: int, p_value: float, alpha: float, test: str) -> Iterator[str]:
    if p_value > alpha:
        yield (
            f"Friedman's test does not reject that all methods rank equally (p = {p_value:.3g}, "
            f"level {alpha:g}): do not read differences from the groups."
        )
    if test == "nemenyi":
        needed, name = _posthoc.datasets_for_nemenyi(k, alpha), "Nemenyi"
    else:
        needed, name = _posthoc.datasets_for_wilcoxon(k, alpha), "Wilcoxon–Holm"
    if n < needed:
        yield (
            f"With {n} datasets no two of {k} methods can differ significantly by the {name} test at level "
            f"{alpha:g}, whatever the scores: at least {needed} datasets are needed."
        )
