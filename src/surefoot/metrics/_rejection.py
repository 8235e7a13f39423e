"""Accuracy and risk of what is kept when the least certain predictions are rejected.

Unlike the retention curves, whose oracle repairs what was handed over, these look only at the rows kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, boolean, choice, finite, same_length, unit_interval
from surefoot.errors import InputError
from surefoot.metrics._ranking import CONVENTIONS, Floats, Ranking, error_of_rows, rank, trapezoid


@dataclass(frozen=True, eq=False)
class RejectionCurve:
    """The mean over the k most certain rows, its share k / N of all rows, and the area under it."""

    fraction: Floats
    value: Floats
    area: float


@dataclass(frozen=True, eq=False)
class AccuracyConfidence:
    """Accuracy of the rows at least as confident as each threshold, and their share of all rows."""

    threshold: Array
    fraction: Floats
    value: Floats


def accuracy_rejection(
    correct: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper", steps: int = 1000
) -> RejectionCurve:
    """Accuracy of the k most certain predictions over the share k / N that is kept; higher is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Nadeem et al. 2009; Ashukha et al. 2020 (Pitfalls), section 3.3, who recommend its area, AU-ARC, since it
    is comparable across models where accuracy-confidence curves are not.

    With ``paper``, k = 1 … N, tied rows count with their expected number of correct ones, and the area is
    the mean of the N points. ``published`` reproduces that paper's code, whose tables give one minus this
    area: 1, 1 + step, 1 + 2 · step, … rows are rejected with step = int(N / steps), and the trapezoid sum is
    divided by ``steps``, not by the number of points. It therefore leaves out the full set, is biased unless
    N is a multiple of ``steps``, needs N ≥ ``steps``, and depends on the order of the input where rows tie.

    >>> curve = accuracy_rejection([True, False, True, True], [0.1, 0.9, 0.2, 0.3])
    >>> curve.value
    array([1.  , 1.  , 1.  , 0.75])
    >>> curve.area
    0.9375
    """
    values = boolean("correct", correct)
    curve = _rejection(values, "correct", uncertainty, convention)
    if convention == "paper":
        return curve
    n = len(values)
    if not 1 <= steps <= n:
        raise InputError(
            f"steps is {steps}, but the published accuracy-rejection curve needs between 1 and N = {n} of "
            "them; set steps= accordingly, or use convention='paper'"
        )
    kept = (n - np.arange(1, n, n // steps))[::-1]
    value = curve.value[kept - 1]
    area = trapezoid(value, steps) if len(value) else 0.0
    return RejectionCurve(curve.fraction[kept - 1], value, area)


def risk_coverage(
    errors: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper"
) -> RejectionCurve:
    """Mean error of the k most certain predictions over the share k / N that is kept; lower is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Geifman & El-Yaniv 2017; its area is AURC, the mean of the points k = 1 … N.

    With ``paper``, tied rows share their mean error. ``published`` takes them in the order of the input, as
    a stable sort does.

    >>> curve = risk_coverage([0.0, 1.0, 0.0, 0.0], [0.1, 0.9, 0.2, 0.3])
    >>> curve.value
    array([0.  , 0.  , 0.  , 0.25])
    >>> curve.area
    0.0625
    """
    return _rejection(error_of_rows(errors), "errors", uncertainty, convention)


def au_arc(
    correct: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper", steps: int = 1000
) -> float:
    """Area under the accuracy-rejection curve, see `accuracy_rejection`; higher is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Ashukha et al. 2020 (Pitfalls), section 3.3. The published tables give one minus the ``published`` area.

    >>> au_arc([True, False, True, True], [0.1, 0.9, 0.2, 0.3])
    0.9375
    """
    return accuracy_rejection(correct, uncertainty, convention=convention, steps=steps).area


def aurc(errors: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper") -> float:
    """Area under the risk-coverage curve, see `risk_coverage`; lower is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Geifman & El-Yaniv 2017.

    >>> aurc([0.0, 1.0, 0.0, 0.0], [0.1, 0.9, 0.2, 0.3])
    0.0625
    """
    return risk_coverage(errors, uncertainty, convention=convention).area


def accuracy_confidence(
    confidence: ArrayLike, correct: ArrayLike, *, thresholds: ArrayLike
) -> AccuracyConfidence:
    """Accuracy of the predictions whose confidence is at least each threshold; higher is better.

    Lakshminarayanan et al. 2017. NaN where no row is that confident. Not comparable across models: another
    temperature moves other rows over a threshold, though nothing about the model's knowledge has changed
    (Ashukha et al. 2020, Pitfalls, section 3.3). Compare models by `accuracy_rejection`.

    >>> curve = accuracy_confidence([0.9, 0.6, 0.8], [True, False, True], thresholds=[0.5, 0.7, 0.95])
    >>> curve.value.round(4), curve.fraction.round(4)
    (array([0.6667, 1.    ,    nan]), array([1.    , 0.6667, 0.    ]))
    """
    values = unit_interval("confidence", confidence, 1)
    right = boolean("correct", correct)
    same_length(confidence=values, correct=right)
    levels = finite("thresholds", thresholds).astype(values.dtype, copy=False)
    ranking = rank(values)
    hits = ranking.running(ranking.arrange(right), spread=False)
    below = np.searchsorted(ranking.arrange(values), levels)
    kept = len(values) - below
    value = np.full(len(levels), np.nan)
    np.divide(hits[-1] - hits[below], kept, out=value, where=kept > 0)
    return AccuracyConfidence(levels, kept / len(values), value)


def _rejection(values: Array, name: str, uncertainty: ArrayLike | Ranking, convention: str) -> RejectionCurve:
    """Return the running mean of ``values``, most certain rows first."""
    published = choice("convention", convention, CONVENTIONS) == "published"
    ranking = rank(uncertainty, first="earlier" if published else "any")
    same_length(**{name: values, "uncertainty": ranking.uncertainty})
    kept = np.arange(1.0, len(values) + 1)
    value = ranking.running(ranking.arrange(values), spread=not published)[1:]
    value /= kept
    kept /= len(values)
    return RejectionCurve(kept, value, float(value.mean()))
