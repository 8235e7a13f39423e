"""Error- and F1-retention curves: robustness and uncertainty judged together.

Malinin et al. 2021 (Shifts), appendix A. A model keeps its k most certain predictions and hands the rest to
an oracle that is always right. The curves trace the error that remains, or how well "certain" finds the
acceptable predictions, over the share k / N that was kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import EPSILON, Array, choice, positive, same_length
from surefoot.errors import InputError
from surefoot.metrics._ranking import CONVENTIONS, Floats, Ranking, error_of_rows, rank, trapezoid


@dataclass(frozen=True, eq=False)
class _Retention:
    """A curve over the share of predictions that are kept, from none to all."""

    value: Floats
    convention: str

    @property
    def rows(self) -> int:
        """The number of predictions N; the curve has N + 1 points."""
        return len(self.value) - 1

    @cached_property
    def fraction(self) -> Floats:
        """The share of predictions kept at each point, k / N for k = 0 … N."""
        return np.arange(self.rows + 1.0) / self.rows

    def at(self, q: float) -> float:
        """Return the curve where the share ``q`` is kept, such as 0.95.

        Between two points the paper's convention interpolates; the published one takes the entry
        int(q · (N + 1)), or the last one.
        """
        if not 0 <= q <= 1:
            raise InputError(f"q must be a share of the rows between 0 and 1, not {q}")
        if self.convention == "published":
            return float(self.value[min(int(q * (self.rows + 1)), self.rows)])
        left = min(int(q * self.rows), self.rows - 1)
        low, high = self.value[left : left + 2]
        return float(low + (high - low) * (q * self.rows - left))


@dataclass(frozen=True, eq=False)
class ErrorRetention(_Retention):
    """The error that remains over the share of predictions kept; lower is better.

    The baselines are computed when asked for; they read ``errors``, which is not copied.
    """

    errors: Array = field(repr=False)

    @cached_property
    def area(self) -> float:
        """R-AUC, the area under the curve; lower is better."""
        return self._area_under(self.value)

    @property
    def random_value(self) -> Floats:
        """The expected curve of an uncertainty that says nothing."""
        return self.fraction * float(self.value[-1])

    @property
    def random_area(self) -> float:
        """The area under the random curve: half the mean error."""
        return float(self.value[-1] / 2)

    @property
    def optimal_value(self) -> Floats:
        """The curve of the best uncertainty there could be, the error itself."""
        total = np.zeros(self.rows + 1)
        # Asked for a stable sort, NumPy sorts single bytes by counting.
        best_first = np.sort(self.errors, kind="stable" if self.errors.dtype == np.bool_ else None)
        np.cumsum(best_first, dtype=np.float64, out=total[1:])
        total /= self.rows
        return total

    @cached_property
    def optimal_area(self) -> float:
        """The area under the optimal curve, the lowest that these errors allow."""
        return self._area_under(self.optimal_value)

    @cached_property
    def rejection_ratio(self) -> float:
        """The prediction-rejection ratio, (random − area) / (random − optimal); higher is better.

        1 for the best uncertainty, 0 for one that says nothing, NaN where all errors are equal, since no
        uncertainty could then do better than chance. The published code gives it in per cent.
        """
        room = self.random_area - self.optimal_area
        if room <= 0 or self.errors.min() == self.errors.max():
            return float("nan")
        return (self.random_area - self.area) / room

    def _area_under(self, value: Floats) -> float:
        if self.convention == "published":
            return float(value.mean())
        return trapezoid(value, self.rows)


@dataclass(frozen=True, eq=False)
class F1Retention(_Retention):
    """How well certainty finds acceptable predictions, over the share kept; higher is better."""

    acceptable: int
    beta: float = 1.0

    @cached_property
    def fraction(self) -> Floats:
        """The share kept at each point: k / N for k = 0 … N, or k / (N + 1) in the published convention."""
        return np.arange(self.rows + 1.0) / self._intervals

    @cached_property
    def area(self) -> float:
        """F1-AUC, the area under the curve; higher is better."""
        return trapezoid(self.value, self._intervals)

    @property
    def random_value(self) -> Floats:
        """The expected curve of an uncertainty that says nothing."""
        found = np.arange(self.rows + 1.0) * (self.acceptable / self.rows)
        return _f_score(found, self.acceptable, self.beta, self.convention)

    @cached_property
    def random_area(self) -> float:
        """The area under the random curve."""
        return trapezoid(self.random_value, self._intervals)

    @property
    def optimal_value(self) -> Floats:
        """The curve of the best uncertainty there could be, the error itself."""
        found = np.minimum(np.arange(self.rows + 1.0), self.acceptable)
        return _f_score(found, self.acceptable, self.beta, self.convention)

    @cached_property
    def optimal_area(self) -> float:
        """The area under the optimal curve, the highest that these errors allow."""
        return trapezoid(self.optimal_value, self._intervals)

    @property
    def _intervals(self) -> int:
        return self.rows + 1 if self.convention == "published" else self.rows


class Retention(NamedTuple):
    """Both retention curves of one uncertainty."""

    error: ErrorRetention
    f1: F1Retention


def retention(
    errors: ArrayLike,
    uncertainty: ArrayLike | Ranking,
    *,
    threshold: float,
    beta: float = 1.0,
    convention: str = "paper",
) -> Retention:
    """Both retention curves from one sort: see `error_retention` and `f1_retention`.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Malinin et al. 2021 (Shifts), appendix A.

    >>> both = retention([0.1, 4.0, 0.2], [0.3, 0.9, 0.1], threshold=1.0)
    >>> round(both.error.area, 4), round(both.f1.area, 4)
    (0.2944, 0.6889)
    """
    ranking, arranged, errors = _arranged(errors, uncertainty, convention)
    return Retention(
        _error_retention(ranking, arranged, errors, convention),
        _f1_retention(ranking, arranged, threshold, beta, convention),
    )


def error_retention(
    errors: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper"
) -> ErrorRetention:
    """The mean error that remains when an oracle repairs the least certain predictions; lower is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Point k of the N + 1 points is the sum of the errors of the k most certain rows, divided by N. Tied rows
    share their mean error, which is the expected curve if ties were broken at random.
    Malinin et al. 2021 (Shifts), appendix A.

    The conventions differ in the area alone: the trapezoid rule with ``paper``, the plain mean of the N + 1
    points with ``published``, which reproduces the R-AUC in the paper's tables.

    >>> curve = error_retention([2.0, 1.0], [1.0, 0.0])
    >>> curve.value
    array([0. , 0.5, 1.5])
    >>> curve.area, curve.random_area, curve.rejection_ratio
    (0.625, 0.75, 1.0)
    """
    ranking, arranged, errors = _arranged(errors, uncertainty, convention)
    return _error_retention(ranking, arranged, errors, convention)


def f1_retention(
    errors: ArrayLike,
    uncertainty: ArrayLike | Ranking,
    *,
    threshold: float,
    beta: float = 1.0,
    convention: str = "paper",
) -> F1Retention:
    """F score of taking the certain predictions for the acceptable ones; higher is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    A prediction is acceptable if its error is at most ``threshold`` (the text of the paper says below it, its
    formula and code say at most). With A acceptable rows, a(k) of them among the k most certain,

        F(k) = (1 + β²) · a(k) / (β² · A + k),    F(0) = 0,    and 0 everywhere if A = 0.

    Malinin et al. 2021 (Shifts), appendix A, equations 1–3.

    With ``paper``, k / N runs from 0 to 1 and a(k) is the expected count, a straight line across ties.
    ``published`` reproduces the F1-AUC and F1@95% in the paper's tables: the axis is k / (N + 1), 1e-10 is
    added to the denominator, and the later row of a tie is kept first, so the order of the input matters.

    >>> curve = f1_retention([0.1, 4.0, 0.2], [0.3, 0.9, 0.1], threshold=1.0)
    >>> curve.value.round(4)
    array([0.    , 0.6667, 1.    , 0.8   ])
    >>> round(curve.at(0.95), 4)
    0.83
    """
    ranking, arranged, _ = _arranged(errors, uncertainty, convention)
    return _f1_retention(ranking, arranged, threshold, beta, convention)


def r_auc(errors: ArrayLike, uncertainty: ArrayLike | Ranking, *, convention: str = "paper") -> float:
    """Area under the error-retention curve, see `error_retention`; lower is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Malinin et al. 2021 (Shifts), appendix A.

    >>> r_auc([2.0, 1.0], [1.0, 0.0])
    0.625
    """
    return error_retention(errors, uncertainty, convention=convention).area


def f1_auc(
    errors: ArrayLike,
    uncertainty: ArrayLike | Ranking,
    *,
    threshold: float,
    beta: float = 1.0,
    convention: str = "paper",
) -> float:
    """Area under the F1-retention curve, see `f1_retention`; higher is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Malinin et al. 2021 (Shifts), appendix A.

    >>> round(f1_auc([0.1, 4.0, 0.2], [0.3, 0.9, 0.1], threshold=1.0), 4)
    0.6889
    """
    return f1_retention(errors, uncertainty, threshold=threshold, beta=beta, convention=convention).area


def f1_at(
    errors: ArrayLike,
    uncertainty: ArrayLike | Ranking,
    *,
    threshold: float,
    q: float = 0.95,
    beta: float = 1.0,
    convention: str = "paper",
) -> float:
    """F1 where the share ``q`` of the predictions is kept (F1@95%), see `f1_retention`; higher is better.

    ``uncertainty`` is higher where the model is less certain: negate a confidence.

    Malinin et al. 2021 (Shifts), appendix A.

    >>> round(f1_at([0.1, 4.0, 0.2], [0.3, 0.9, 0.1], threshold=1.0), 4)
    0.83
    """
    return f1_retention(errors, uncertainty, threshold=threshold, beta=beta, convention=convention).at(q)


def _arranged(
    errors: ArrayLike, uncertainty: ArrayLike | Ranking, convention: str
) -> tuple[Ranking, Array, Array]:
    """Return the ranking, the errors in its order, and the errors as they came."""
    choice("convention", convention, CONVENTIONS)
    values = error_of_rows(errors)
    ranking = rank(uncertainty, first="later" if convention == "published" else "any")
    same_length(errors=values, uncertainty=ranking.uncertainty)
    return ranking, ranking.arrange(values), values


def _error_retention(ranking: Ranking, arranged: Array, errors: Array, convention: str) -> ErrorRetention:
    value = ranking.running(arranged)
    value /= len(ranking)
    return ErrorRetention(value, convention, errors)


def _f1_retention(
    ranking: Ranking, arranged: Array, threshold: float, beta: float, convention: str
) -> F1Retention:
    if not np.isfinite(threshold):
        raise InputError(f"threshold must be a number on the scale of the errors, not {threshold}")
    beta = positive("beta", beta)
    acceptable = arranged <= float(threshold)
    count = int(np.count_nonzero(acceptable))
    found = ranking.running(acceptable, spread=convention == "paper")
    return F1Retention(_f_score(found, count, beta, convention), convention, count, beta)


def _f_score(found: Floats, acceptable: int, beta: float, convention: str) -> Floats:
    """Turn the counts of acceptable rows among the k most certain into F scores, in place."""
    if acceptable == 0:
        return found
    kept = np.arange(1.0, len(found))
    score = found[1:]
    if convention == "published":
        recall = score / acceptable
        score /= kept
        denominator = beta**2 * score + recall + EPSILON
        score *= recall
    else:
        denominator = kept
        denominator += beta**2 * acceptable
    score *= 1 + beta**2
    score /= denominator
    return found
