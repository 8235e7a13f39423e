"""Scores of a batch from what is believed of its labels; with the labels themselves, the true scores.

A *belief* of a classifier's batch is a distribution over the classes for every row, [n, K]: how likely each is to be
the label. The truth is the belief that is certain, one-hot. A belief of a regressor's batch is the expected absolute
and squared error of every row, [n, 2]. One function serves both, so that an estimate and the truth it is held
against can never be of different definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import EPSILON
from surefoot.errors import InputError

Array = NDArray[Any]

BINS = 15
"""Equal-width bins of the calibration error, as elsewhere in the package."""


@dataclass(frozen=True)
class Score:
    """A score: its function of (outputs, belief, weights), which way is better, and its bounds."""

    name: str
    kind: str
    higher_is_better: bool
    bounds: tuple[float, float]
    of: Callable[[Array, Array, Array], float]


def truth(outputs: Array, target: Array) -> Array:
    """The certain belief: one-hot class codes, or the errors of a regressor's predictions."""
    if outputs.ndim == 1:
        error = np.abs(outputs - target)
        return np.asarray(np.stack([error, error**2], axis=1))
    belief = np.zeros(outputs.shape, dtype=np.float32)
    belief[np.arange(len(target)), target] = 1
    return belief


def spread_out(probs: Array, correct: Array) -> Array:
    """A belief in which the predicted class has this probability and the others share the rest as they did.

    >>> spread_out(np.array([[0.6, 0.3, 0.1]]), np.array([0.8])).round(3)
    array([[0.8 , 0.15, 0.05]])
    """
    rows, predicted = np.arange(len(probs)), probs.argmax(axis=1)
    others: Array = probs.astype(np.float64)
    others[rows, predicted] = 0
    rest = others.sum(axis=1)  # what 1 − top would be, but for rounding
    if (nothing := rest < EPSILON).any():
        others[nothing] = 1  # nothing is left to share by: share evenly
        others[rows, predicted] = 0
        rest = np.maximum(others.sum(axis=1), EPSILON)
    others *= ((1 - correct) / rest)[:, None]
    others[rows, predicted] = correct
    return others


def accuracy(probs: Array, belief: Array, weights: Array) -> float:
    """Expected share of rows whose predicted class is the label."""
    return float(np.average(_of_predicted(probs, belief), weights=weights))


def balanced_accuracy(probs: Array, belief: Array, weights: Array) -> float:
    """Expected recall, averaged over the classes that are expected to occur."""
    right, _, actual = _counts(probs, belief, weights)
    occurs = _occurring(belief, actual)
    return float((right[occurs] / actual[occurs]).mean())


def macro_f1(probs: Array, belief: Array, weights: Array) -> float:
    """F1 of the expected counts, averaged over the classes that are expected to occur."""
    right, predicted, actual = _counts(probs, belief, weights)
    occurs = _occurring(belief, actual)
    return float((2 * right[occurs] / (predicted[occurs] + actual[occurs])).mean())


def roc_auc(probs: Array, belief: Array, weights: Array) -> float:
    """Area under the ROC curve, of class 1 against 0; with more classes the mean of each against the rest."""
    columns = [1] if probs.shape[1] == 2 else range(probs.shape[1])
    areas = [_area(probs[:, k], weights * belief[:, k], weights * (1 - belief[:, k])) for k in columns]
    return float(np.nanmean(areas)) if not np.isnan(areas).all() else float("nan")


def log_likelihood(probs: Array, belief: Array, weights: Array) -> float:
    """Expected logarithm of the probability given to the label."""
    per_row = (belief * np.log(probs + EPSILON)).sum(axis=1, dtype=np.float64)
    return float(np.average(per_row, weights=weights))


def calibration_error(probs: Array, belief: Array, weights: Array) -> float:
    """Expected calibration error, 15 bins, of labels drawn from the belief.

    Even a calibrated model shows an error on few rows. In every bin the gap is normal with the mean of
    (confidence − belief) and the variance of the draws, and its expected size is that of the folded normal.
    """
    confidence, right = probs.max(axis=1), np.clip(_of_predicted(probs, belief), 0, 1)
    edges = np.linspace(0, 1, BINS + 1)[1:-1].astype(confidence.dtype)  # a float32 0.6 lies on the edge 0.6
    place = np.searchsorted(edges, confidence)
    gap = np.bincount(place, weights * (confidence - right), BINS)
    deviation = np.sqrt(np.bincount(place, weights**2 * right * (1 - right), BINS))
    return float(_folded(gap, deviation).sum() / weights.sum())


def rmse(_: Array, belief: Array, weights: Array) -> float:
    """Root of the mean expected squared error."""
    return float(np.sqrt(np.average(belief[:, 1], weights=weights)))


def mae(_: Array, belief: Array, weights: Array) -> float:
    """Mean expected absolute error."""
    return float(np.average(belief[:, 0], weights=weights))


SCORES = {
    score.name: score
    for score in (
        Score("accuracy", "classification", True, (0.0, 1.0), accuracy),
        Score("balanced_accuracy", "classification", True, (0.0, 1.0), balanced_accuracy),
        Score("macro_f1", "classification", True, (0.0, 1.0), macro_f1),
        Score("roc_auc", "classification", True, (0.0, 1.0), roc_auc),
        Score("log_likelihood", "classification", True, (-np.inf, 0.0), log_likelihood),
        Score("calibration_error", "classification", False, (0.0, 1.0), calibration_error),
        Score("rmse", "regression", False, (0.0, np.inf), rmse),
        Score("mae", "regression", False, (0.0, np.inf), mae),
    )
}


def score(name: str, kind: str) -> Score:
    """The score of this name, for this kind of model."""
    fitting = [known.name for known in SCORES.values() if known.kind == kind]
    if name not in fitting:
        raise InputError(f"metric must be one of {', '.join(fitting)} for {kind}, not {name!r}")
    return SCORES[name]


def _of_predicted(probs: Array, belief: Array) -> Array:
    out: Array = belief[np.arange(len(probs)), probs.argmax(axis=1)].astype(np.float64)
    return out


def _counts(probs: Array, belief: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Expected number of right ones, predicted ones and actual ones of every class."""
    k = probs.shape[1]
    predicted = probs.argmax(axis=1)
    right = np.bincount(predicted, weights * _of_predicted(probs, belief), k)
    return right, np.bincount(predicted, weights, k), weights @ belief.astype(np.float64)


def _occurring(belief: Array, actual: Array) -> Array:
    """Classes of which at least half a row is expected; where there are none, in few rows, the likeliest."""
    expected = np.where(actual > 0, belief.sum(axis=0, dtype=np.float64), 0)
    occurs: Array = expected >= min(0.5, expected.max())
    return occurs


def _area(values: Array, positive: Array, negative: Array) -> float:
    """Probability that a positive has the higher value, where rows are positive and negative in parts."""
    order = np.argsort(values, kind="stable")
    values, positive, negative = values[order], positive[order], negative[order]
    first = np.flatnonzero(np.diff(values, prepend=-np.inf))
    ups, downs = np.add.reduceat(positive, first), np.add.reduceat(negative, first)
    below = np.cumsum(downs) - downs
    total = ups.sum() * downs.sum()
    return float((ups * (below + downs / 2)).sum() / total) if total > 0 else float("nan")


def _folded(mean: Array, deviation: Array) -> Array:
    """Expected absolute value of normal numbers."""
    from scipy.special import ndtr

    safe = np.maximum(deviation, 1e-300)
    ratio = np.minimum(np.abs(mean) / safe, 40.0)
    density = np.sqrt(2 / np.pi) * deviation * np.exp(-(ratio**2) / 2)
    folded: Array = density + np.abs(mean) * (1 - 2 * ndtr(-ratio))
    return folded
