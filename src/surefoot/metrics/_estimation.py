"""How good estimates of a model's accuracy are, given that the accuracy itself was measured on few rows.

Maggio et al. 2022 (Performance Prediction Under Dataset Shift), sections IV and V.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, array, finite, rows, same_length, unit_interval
from surefoot.errors import InputError
from surefoot.metrics._regression import coverage, two_sided_z


def accuracy_interval(accuracy: ArrayLike, n: ArrayLike, *, alpha: float = 0.05) -> tuple[Array, Array]:
    """Lower and upper end of the 1 − ``alpha`` interval of accuracies a measured on ``n`` rows each.

        a ± z √(a (1 − a) / n)

    Section IV, and for an estimated accuracy section V. The ends are not clipped to [0, 1].

    >>> low, high = accuracy_interval([0.8], 400)
    >>> low.round(4), high.round(4)
    (array([0.7608]), array([0.8392]))
    """
    centre = unit_interval("accuracy", accuracy, 1)
    half = _half_width(centre, n, alpha)
    return centre - half, centre + half


def mae_ci(true_accuracy: ArrayLike, estimate: ArrayLike, n: ArrayLike, alpha: float = 0.05) -> float:
    """Mean distance of the estimates from the intervals of the true accuracies (MAE_CI); lower is better.

        mean of  max(0, |estimate − a| − z √(a (1 − a) / n))

    One entry a dataset; ``n`` is the number of rows that its true accuracy a was measured on, one number for
    all or one each. An estimate inside the interval counts as right. Equation 2.

    >>> round(mae_ci([0.8, 0.6], [0.82, 0.7], 400), 4)
    0.026
    """
    truth, guess = _accuracies(true_accuracy, estimate)
    return float(np.maximum(np.abs(guess - truth) - _half_width(truth, n, alpha), 0).mean(dtype=np.float64))


def acc_ci(true_accuracy: ArrayLike, estimate: ArrayLike, n: ArrayLike, alpha: float = 0.05) -> float:
    """Share of estimates inside the closed interval of the true accuracy (ACC_CI); higher is better.

    Section V; the interval is that of `mae_ci`.

    >>> acc_ci([0.8, 0.6], [0.82, 0.7], 400)
    0.5
    """
    truth, guess = _accuracies(true_accuracy, estimate)
    return float((np.abs(guess - truth) <= _half_width(truth, n, alpha)).mean())


def interval_coverage(low: ArrayLike, high: ArrayLike, true: ArrayLike) -> float:
    """Share of true accuracies inside the closed intervals of their estimates; best at the nominal 1 − α.

    The coverage probability PICP of section V; `mpiw` measures the width.

    >>> interval_coverage([0.7, 0.5], [0.8, 0.6], [0.75, 0.65])
    0.5
    """
    return coverage(low, high, true, names=("low", "high", "true"))


def _accuracies(true_accuracy: ArrayLike, estimate: ArrayLike) -> tuple[Array, Array]:
    truth, guess = unit_interval("true_accuracy", true_accuracy, 1), finite("estimate", estimate)
    same_length(true_accuracy=truth, estimate=guess)
    return truth, guess


def _half_width(accuracy: Array, n: ArrayLike, alpha: float) -> Array:
    count = array("n", np.atleast_1d(n), 1)
    if not (count >= 1).all():
        raise InputError(
            f"n must be the number of rows behind each accuracy, at least 1; not so in {rows(~(count >= 1))}"
        )
    if len(count) > 1:
        same_length(accuracy=accuracy, n=count)
    half: Array = two_sided_z(alpha) * np.sqrt(accuracy * (1 - accuracy) / count)
    return half
