"""How uncertain a multilabel ensemble is about each label, and about an input over all or its predicted labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.measures import _cells

Array = NDArray[Any]


def predicted_labels(
    mean_probs: ArrayLike, *, threshold: float = 0.5, fallback: bool = True
) -> NDArray[np.bool_]:
    """Which labels are predicted from averaged probabilities ``[N, K]``: those strictly above the threshold.

    A row without any takes its most probable label, the first of ties, unless ``fallback`` is off.
    Van Landeghem et al. 2022 (text classification), as in their published code.

    >>> predicted_labels([[0.6, 0.4, 0.7], [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]]).astype(int)
    array([[1, 0, 1],
           [0, 0, 1],
           [1, 0, 0]])
    """
    probs = _checks.unit_interval("mean_probs", mean_probs, 2)
    return _predicted(probs, threshold, fallback)


def _predicted(probs: Array, threshold: float, fallback: bool = True) -> NDArray[np.bool_]:
    predicted: NDArray[np.bool_] = probs > threshold
    if fallback:
        without = np.flatnonzero(~predicted.any(axis=1))
        predicted[without, probs[without].argmax(axis=1)] = True
    return predicted


def multilabel(
    probs: ArrayLike, *, threshold: float = 0.5, per_label: bool = False, validate: bool = True
) -> dict[str, Array]:
    """How uncertain label probabilities ``probs[S, N, K]`` are; higher means less certain.

    Each label is a Bernoulli variable with the measures of :func:`surefoot.measures.classification` over its
    two outcomes, p and 1 − p (``model_variance`` is the variance of p, ``negative_confidence`` is
    −max(p̄, 1 − p̄)). The result holds arrays ``[N]``:

    - ``entropy``, ``mutual_information``, …: the average over all labels;
    - ``entropy_predicted``, ``mutual_information_predicted``, …: the average over the predicted labels (see
      :func:`predicted_labels`). Here ``negative_confidence_predicted`` is minus the mean probability of the
      predicted labels, the counterpart of the softmax score.

    With ``per_label=True`` it holds arrays ``[N, K]`` instead, one entry a label, and no averages.
    ``validate=False`` skips the check of probabilities that were checked before.

    Van Landeghem et al. 2022 (text classification), section II-C4 with its note 2.

    >>> measures = multilabel([[[0.9, 0.5]], [[0.9, 0.1]]])
    >>> {name: round(float(measures[name][0]), 3) for name in ("entropy", "entropy_predicted")}
    {'entropy': 0.468, 'entropy_predicted': 0.325}
    """
    table = _checks.array("probs", probs, 3)
    n = table.shape[1]
    dtype = _cells.floating(table)
    out: dict[str, Array] = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in _cells.row_chunks(table.shape):
            p = _cells.load(table, rows, dtype)
            if validate and not (p.min() >= 0 and p.max() <= 1):
                _checks.unit_interval("probs", table, 3)  # raises, naming the rows of the whole table
            labels, mean = _measure(p)
            measures = labels if per_label else _averages(labels, mean, threshold)
            _cells.store(out, measures, rows, n, dtype)
    return out


def _measure(p: Array) -> tuple[dict[str, Array], Array]:
    """Measures of each label, and the mean probabilities, ``[N, K]``."""
    shape = p.shape[1:]
    p = _cells.side_by_side(p)
    yes, no = _cells.over_samples(p), _cells.over_samples(1 - p)
    entropy = -(_cells.p_log_p(yes.mean) + _cells.p_log_p(no.mean))
    mutual = _cells.at_least_zero(yes.mutual + no.mutual)
    reverse = _cells.at_least_zero(yes.reverse + no.reverse)
    measures = {
        "negative_confidence": -np.maximum(yes.mean, no.mean),
        "entropy": _cells.at_least_zero(entropy),
        "expected_entropy": _cells.at_least_zero(entropy - mutual),
        "mutual_information": mutual,
        "epkl": mutual + reverse,
        "reverse_mutual_information": reverse,
        "model_variance": yes.variance,
    }
    return {name: values.reshape(shape) for name, values in measures.items()}, yes.mean.reshape(shape)


def _averages(labels: dict[str, Array], mean: Array, threshold: float) -> dict[str, Array]:
    """Averages ``[N]`` over all labels and over the predicted ones."""
    k = mean.shape[1]
    predicted, axis = _cells.by_class(_predicted(mean, threshold), k)
    count = predicted.sum(axis, dtype=mean.dtype)
    averages = {}
    for name, values in labels.items():
        table, _ = _cells.by_class(values, k)
        averages[name] = table.mean(axis)
        if name == "negative_confidence":
            table, _ = _cells.by_class(-mean, k)
        averages[f"{name}_predicted"] = (table * predicted).sum(axis) / count
    return averages
