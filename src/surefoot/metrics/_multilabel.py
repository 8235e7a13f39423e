"""Scores of predictions that may name several labels an input: every label is a yes-or-no prediction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError
from surefoot.measures import predicted_labels
from surefoot.metrics._calibration import binned_error
from surefoot.metrics._f1 import f1_from_counts

Array = NDArray[Any]
_Truth = NDArray[np.bool_]

_CHUNK = 1 << 17  # entries of a working copy, so that it stays in the processor's cache


def multilabel_log_likelihood(
    probs: ArrayLike, target: ArrayLike, *, per_label: bool = False, epsilon: float = _checks.EPSILON
) -> Any:
    """Mean log-probability of a label's truth, mean ln(p + epsilon) or ln(1 − p + epsilon); higher is better.

    ``probs[N, K]`` and ``target[N, K]`` of 0 and 1. Averaged over rows and labels, or ``[K]`` with
    ``per_label=True``; the log-likelihood of a whole row is K times as large.

    >>> round(multilabel_log_likelihood([[0.9, 0.2]], [[1, 0]]), 4)
    -0.1643
    """
    return _overall(_log_likelihood(probs, target, epsilon)[1], per_label)


def multilabel_log_likelihood_rows(
    probs: ArrayLike, target: ArrayLike, *, epsilon: float = _checks.EPSILON
) -> Array:
    """Mean log-probability of each row's labels; :func:`multilabel_log_likelihood` is the rows' mean.

    >>> multilabel_log_likelihood_rows([[0.9, 0.2], [0.5, 0.5]], [[1, 0], [0, 0]]).round(4)
    array([-0.1643, -0.6931])
    """
    return _log_likelihood(probs, target, epsilon)[0]


def multilabel_brier(probs: ArrayLike, target: ArrayLike, *, per_label: bool = False) -> Any:
    """Mean squared distance (p − y)² of a label's probability from its truth; lower is better, 0 to 1.

    Averaged over rows and labels, or ``[K]`` with ``per_label=True``.

    >>> round(multilabel_brier([[0.9, 0.2]], [[1, 0]]), 4)
    0.025
    """
    return _overall(_brier(probs, target)[1], per_label)


def multilabel_brier_rows(probs: ArrayLike, target: ArrayLike) -> Array:
    """Mean squared distance of each row's labels; :func:`multilabel_brier` is the rows' mean.

    >>> multilabel_brier_rows([[0.9, 0.2], [0.5, 0.5]], [[1, 0], [0, 0]]).round(4)
    array([0.025, 0.25 ])
    """
    return _brier(probs, target)[0]


def multilabel_ece(
    probs: ArrayLike, target: ArrayLike, *, bins: int = 15, average: str = "macro", per_label: bool = False
) -> Any:
    """Expected calibration error of labels: gap between a label's probability and frequency; lower is better.

    Σ_B |B|/n · |mean p − mean y| over bins (lower, upper] of p, the first also holding 0. Unlike that of
    classes, a low probability counts like a high one. ``average="macro"`` averages the errors of the labels,
    ``"micro"`` bins the decisions about all labels together; ``per_label=True`` gives ``[K]``.

    >>> round(multilabel_ece([[0.9, 0.2], [0.9, 0.2]], [[1, 0], [0, 1]]), 4)
    0.35
    """
    _checks.choice("average", average, ("macro", "micro"))
    table, truth = _checked(probs, target)
    if average == "micro" and not per_label:
        return binned_error(table.ravel(), truth.ravel(), bins=bins)
    errors = [binned_error(p, y, bins=bins) for p, y in zip(table.T, truth.T, strict=True)]
    return _overall(np.array(errors), per_label)


def multilabel_f1(
    probs: ArrayLike,
    target: ArrayLike,
    *,
    average: str = "macro",
    per_label: bool = False,
    threshold: float = 0.5,
    fallback: bool = True,
) -> Any:
    """F1 = 2 TP / (2 TP + FP + FN) of the predicted labels; higher is better.

    ``average="macro"`` averages over the labels that occur in the target, ``"micro"`` counts all decisions
    together, ``"samples"`` averages over rows; ``per_label=True`` gives ``[K]``. Where there is nothing to
    find and nothing was found, F1 is 0. For ``threshold`` and ``fallback`` see
    :func:`surefoot.measures.predicted_labels`.

    >>> round(multilabel_f1([[0.9, 0.2], [0.8, 0.7]], [[1, 0], [0, 1]]), 4)
    0.8333
    """
    _checks.choice("average", average, ("macro", "micro", "samples"))
    table, truth = _checked(probs, target)
    predicted = predicted_labels(table, threshold=threshold, fallback=fallback)
    hits = predicted & truth
    if average == "micro" and not per_label:
        return float(f1_from_counts(hits.sum(), predicted.sum(), truth.sum()))
    axis = 1 if average == "samples" and not per_label else 0
    true = truth.sum(axis)
    f1 = f1_from_counts(hits.sum(axis), predicted.sum(axis), true)
    if average == "macro" and not per_label and true.any():
        f1 = f1[true > 0]
    return _overall(f1, per_label)


def _log_likelihood(probs: ArrayLike, target: ArrayLike, epsilon: float) -> tuple[Array, Array]:
    _checks.positive("epsilon", epsilon)
    return _score(probs, target, lambda p, y: np.log(np.where(y, p, 1 - p) + p.dtype.type(epsilon)))


def _brier(probs: ArrayLike, target: ArrayLike) -> tuple[Array, Array]:
    return _score(probs, target, lambda p, y: (p - y) ** 2)


def _score(
    probs: ArrayLike, target: ArrayLike, score: Callable[[Array, _Truth], Array]
) -> tuple[Array, Array]:
    """Mean scores of rows ``[N]`` and of labels ``[K]``."""
    table, truth = _checked(probs, target)
    n, k = table.shape
    of_rows, of_labels = np.empty(n, table.dtype), np.zeros(k)
    step = max(1, _CHUNK // k)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        scores = score(table[rows], truth[rows])
        of_rows[rows] = scores.mean(axis=1)
        of_labels += scores.sum(axis=0, dtype=np.float64)
    return of_rows, of_labels / n


def _overall(of_labels: Array, per_label: bool) -> Any:
    return of_labels if per_label else float(of_labels.mean())


def _checked(probs: ArrayLike, target: ArrayLike) -> tuple[Array, _Truth]:
    table = _checks.unit_interval("probs", probs, 2)
    truth = _checks.array("target", target, 2)
    if truth.shape != table.shape:
        raise InputError(
            f"target has shape {truth.shape}, probs {table.shape}; give one 0 or 1 for each row and label"
        )
    if truth.dtype == np.bool_:
        return table, truth
    strange = (truth != 0) & (truth != 1)
    if strange.any():
        rows = _checks.rows(strange.any(axis=1))
        if np.isnan(truth[strange]).any():
            raise InputError(f"target is NaN (unlabelled) in {rows}; leave these rows out")
        raise InputError(f"target must hold only 1 (has the label) and 0 (has not); {rows} do not")
    return table, truth.astype(np.bool_)
