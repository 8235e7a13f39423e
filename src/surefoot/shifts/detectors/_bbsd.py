"""Black-box shift detection: has the distribution of a model's predictions moved?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import choice
from surefoot.shifts.detectors._chi_squared import chi_squared_of_counts
from surefoot.shifts.detectors._ks import ks_of_present
from surefoot.shifts.detectors._probabilities import same_classes
from surefoot.shifts.detectors._result import ShiftTest, bonferroni


@dataclass(frozen=True)
class ClassTests(ShiftTest):
    """A test per class and what they say together.

    ``statistic`` is the KS distance of the class with the smallest p-value, ``p_value`` is that one adjusted
    for the number of classes by Bonferroni.

    Attributes:
        distances: KS distance of each class's probability.
        p_values: p-value of each, not adjusted.
    """

    distances: NDArray[np.float64]
    p_values: NDArray[np.float64]


def bbsd_soft(probs_reference: ArrayLike, probs_batch: ArrayLike, *, convention: str = "paper") -> ClassTests:
    """BBSDs: Kolmogorov–Smirnov on the probability of each class [N, K], with Bonferroni.

    Lipton et al. 2018; Rabanser et al. 2019 found it to be the strongest single detector of label and
    covariate shift. Two classes are one test, because the one probability is the other's complement; the
    published code of Maggio et al. 2022 (``convention="published"``) multiplies by two even so.

    >>> low = np.linspace(0.1, 0.4, 30)
    >>> outcome = bbsd_soft(np.stack([low, 1 - low], axis=1), np.stack([low + 0.2, 0.8 - low], axis=1))
    >>> round(outcome.statistic, 4), outcome.drifted()
    (0.6667, True)
    """
    choice("convention", convention, ("paper", "published"))
    first, second = same_classes(probs_reference, probs_batch)
    k = first.shape[1]
    outcomes = [ks_of_present(first[:, j], second[:, j]) for j in range(k)]
    p_values = np.array([outcome.p_value for outcome in outcomes])
    distances = np.array([outcome.statistic for outcome in outcomes])
    best = int(np.lexsort((-distances, p_values))[0])
    tests = 1 if k == 2 and convention == "paper" else k
    return ClassTests(
        float(distances[best]),
        bonferroni(float(p_values[best]), tests),
        len(first),
        len(second),
        distances,
        p_values,
    )


def bbsd_hard(probs_reference: ArrayLike, probs_batch: ArrayLike, *, seed: int = 0) -> ShiftTest:
    """BBSDh: chi-squared on how often each class is predicted (highest probability; the first of a tie).

    Lipton et al. 2018, Rabanser et al. 2019; see `chi_squared` on small counts. The published code of Maggio
    et al. 2022 multiplies this p-value by the number of classes, though it is one test, and draws it at
    random where a class is predicted fewer than five times; neither is offered here.

    >>> a, b = [0.9, 0.1], [0.2, 0.8]
    >>> round(bbsd_hard([a] * 30 + [b] * 10, [a] * 10 + [b] * 30).p_value, 6)
    8e-06
    """
    first, second = same_classes(probs_reference, probs_batch)
    k = first.shape[1]
    predicted = [np.bincount(probs.argmax(axis=1), minlength=k) for probs in (first, second)]
    return chi_squared_of_counts(*predicted, seed=seed)
