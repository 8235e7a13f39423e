"""F1 of a classifier's decisions, averaged over classes or over rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.metrics._proper import accuracy

Array = NDArray[Any]


def macro_f1(probs: ArrayLike, target: ArrayLike, *, classes: ArrayLike | None = None) -> float:
    """Average over classes of F1 = 2 TP / (2 TP + FP + FN), of the most probable classes; higher is better.

    The average is over the classes that occur in the target, or over ``classes`` (codes), so that sets with
    different classes can be put side by side. A class neither predicted nor true then counts as 0. Malinin et
    al. 2021 (Shifts), table 1.

    >>> macro_f1([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]], [0, 1, 1])
    0.6666666666666666
    """
    table = _checks.probabilities("probs", probs, 2)
    codes = _checks.classes("target", target, table.shape[1])
    return macro_f1_from_codes(table.argmax(axis=1), codes, classes=classes)


def macro_f1_from_codes(
    predicted: ArrayLike, target: ArrayLike, *, classes: ArrayLike | None = None
) -> float:
    """Macro-averaged F1 of predicted class codes, see :func:`macro_f1`.

    >>> macro_f1_from_codes([0, 0, 1], [0, 1, 1])
    0.6666666666666666
    """
    found, true = _codes("predicted", predicted), _codes("target", target)
    _checks.same_length(predicted=found, target=true)
    chosen = np.flatnonzero(np.bincount(true)) if classes is None else np.unique(_codes("classes", classes))
    k = 1 + max(found.max(), true.max(), chosen.max())
    hits, predictions, truths = (
        np.bincount(codes, minlength=k) for codes in (true[found == true], found, true)
    )
    return float(f1_from_counts(hits, predictions, truths)[chosen].mean())


def micro_f1(probs: ArrayLike, target: ArrayLike) -> float:
    """F1 of all decisions counted together: with one class a row this is accuracy. Higher is better.

    >>> micro_f1([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]], [0, 1, 1])
    0.6666666666666666
    """
    return accuracy(probs, target)


def f1_from_counts(hits: Array, predicted: Array, true: Array) -> Array:
    """F1 = 2 TP / (predicted + true) from counts; 0 where there is nothing to find and nothing was found.

    >>> f1_from_counts(np.array([1, 0]), np.array([2, 0]), np.array([1, 0]))
    array([0.66666667, 0.        ])
    """
    return np.asarray(2 * hits / np.maximum(predicted + true, 1))


def _codes(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Class codes of at least 0, whatever the number of classes."""
    codes = _checks.array(name, values, 1)
    codes = _checks.finite(name, codes) if codes.dtype.kind == "f" else codes
    return _checks.classes(name, codes, max(1, int(codes.max()) + 1))
