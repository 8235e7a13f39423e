"""Influence of every row on a score: how much the score would move if the row weighed a little more.

A score of N rows varies from sample to sample as the mean of its rows' influences does, whatever the score:
its standard error is their standard deviation over √N, and that of the difference of two models on the same
rows the standard deviation of the rows' differences over √N (Hampel 1974; Efron 1982, the infinitesimal
jackknife). One pass gives what resampling takes hundreds for.

Functions return a value a row, in the order of the rows, up to a constant: its mean says nothing. Booleans
are a share, which is the mean of its rows. Here are means and what is made of counts; `_influence_ranking`
has the scores that rank rows, `_influence_calibration` those of probabilities.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from surefoot import measures
from surefoot._checks import EPSILON, Array
from surefoot.metrics import _estimation
from surefoot.metrics._f1 import f1_from_counts


def mean(values: Array) -> Array:
    """Of a mean: the rows themselves."""
    return values


def mean_log(p_target: Array) -> Array:
    """Of the mean log-probability."""
    return np.asarray(np.log(p_target + p_target.dtype.type(EPSILON)))


def absolute(prediction: Array, target: Array) -> Array:
    """Of the mean absolute error."""
    return np.asarray(np.abs(prediction - target))


def root_mean_square(prediction: Array, target: Array) -> Array:
    """Of the root of the mean squared error: the squares over twice the root."""
    squares = np.square(prediction - target, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(squares / (2 * np.sqrt(squares.mean())))


def width(low: Array, high: Array) -> Array:
    """How wide each interval is."""
    return np.asarray(high - low)


def inside(low: Array, high: Array, target: Array) -> Array:
    """Whether each interval holds its target."""
    return np.asarray((low <= target) & (target <= high))


def interval_score(alpha: float) -> Callable[[Array, Array, Array], Array]:
    """Width plus the penalty 2/α for each unit of a miss."""

    def of(low: Array, high: Array, target: Array) -> Array:
        missed = np.maximum(low - target, 0) + np.maximum(target - high, 0)
        return np.asarray(high - low + 2 / alpha * missed)

    return of


def macro_f1(predicted: Array, target: Array) -> Array:
    """Of the mean of F1 = 2 TP / (predicted + true) over the classes that occur in the target."""
    predicted, target = predicted.astype(np.intp), target.astype(np.intp)
    hits = predicted == target
    k = 1 + max(predicted.max(), target.max())
    found, true = np.bincount(predicted, minlength=k), np.bincount(target, minlength=k)
    f1 = f1_from_counts(np.bincount(target[hits], minlength=k), found, true)
    # Each class that occurs weighs the same, and answers a row in proportion to how few rows it has.
    scale = np.where(true > 0, len(target) / (np.count_nonzero(true) * np.maximum(found + true, 1)), 0)
    cost = f1 * scale
    return np.asarray(2 * hits * scale[target] - cost[predicted] - cost[target])


def multilabel_f1(probs: Array, labels: Array, average: str) -> Array:
    """The same for the decisions about labels, averaged over labels (macro) or counted together (micro)."""
    decided, truth = measures.predicted_labels(probs), labels.astype(np.bool_)
    hits, found, true = decided & truth, decided.sum(axis=0), truth.sum(axis=0)
    if average == "micro":
        f1 = f1_from_counts(hits.sum(), found.sum(), true.sum())
        scale = len(probs) / max(found.sum() + true.sum(), 1)
        return np.asarray(scale * (2 * hits.sum(axis=1) - f1 * (decided.sum(axis=1) + truth.sum(axis=1))))
    occurs = true > 0 if true.any() else np.ones(len(true), dtype=np.bool_)
    f1 = f1_from_counts(hits.sum(axis=0), found, true)
    weight = np.where(occurs, len(probs) / (np.count_nonzero(occurs) * np.maximum(found + true, 1)), 0)
    return np.asarray(hits @ (2 * weight) - decided @ (f1 * weight) - truth @ (f1 * weight))


def distance_from_interval(true_accuracy: Array, estimate: Array, n: Array) -> Array:
    """Of the mean distance of estimates from the intervals of the true accuracies."""
    low, high = _estimation.accuracy_interval(true_accuracy, n)
    return np.asarray(np.maximum(np.maximum(low - estimate, estimate - high), 0))


def inside_interval(true_accuracy: Array, estimate: Array, n: Array) -> Array:
    """Of the share of estimates inside the intervals of the true accuracies."""
    low, high = _estimation.accuracy_interval(true_accuracy, n)
    return inside(low, high, estimate)
