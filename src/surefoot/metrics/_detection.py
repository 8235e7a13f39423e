"""How well uncertainty tells two kinds of rows apart: shifted from in-domain, novel from known, wrong from right.

The positives are the rows that should be uncertain. Every score depends on the order of the uncertainties
alone, and rows of equal uncertainty are always taken together, so the order of the input does not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import boolean, same_length
from surefoot.errors import InputError
from surefoot.metrics._ranking import Floats, Ranking, rank


class Detection(NamedTuple):
    """Three views on the same ranking: two areas (higher is better) and an error rate (lower is better)."""

    auroc: float
    aupr: float
    fpr_at_95: float


class _Sweep(NamedTuple):
    """Positives caught and negatives flagged as the threshold falls from above all rows to below them."""

    caught: Floats
    flagged: Floats

    def auroc(self) -> float:
        height = (self.caught[1:] + self.caught[:-1]) / 2
        return float(np.diff(self.flagged) @ height / (self.caught[-1] * self.flagged[-1]))

    def aupr(self) -> float:
        precision = self.caught[1:] / (self.caught[1:] + self.flagged[1:])
        return float(np.diff(self.caught) @ precision / self.caught[-1])

    def fpr_at(self, tpr: float) -> float:
        if not 0 < tpr <= 1:
            raise InputError(f"tpr must be a share of the positives above 0 and at most 1, not {tpr}")
        first = np.searchsorted(self.caught / self.caught[-1], tpr)
        return float(self.flagged[first] / self.flagged[-1])


def detection(uncertainty: ArrayLike | Ranking, is_shifted: ArrayLike) -> Detection:
    """AUROC, AUPR and the false-positive rate at 95 % true positives, from one sort.

    Malinin et al. 2021 (Shifts), appendix C.3; see `auroc`, `aupr` and `fpr_at`.

    >>> detection([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    Detection(auroc=0.75, aupr=0.8333333333333333, fpr_at_95=0.5)
    """
    sweep = _detect(uncertainty, is_shifted)
    return Detection(sweep.auroc(), sweep.aupr(), sweep.fpr_at(0.95))


def auroc(uncertainty: ArrayLike | Ranking, is_shifted: ArrayLike) -> float:
    """Probability that a shifted row is less certain than an in-domain one; higher is better, 0.5 is chance.

        P(u_shifted > u_in) + P(u_shifted = u_in) / 2

    Malinin et al. 2021 (Shifts), appendix C.3; their published code computes the same.

    >>> auroc([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    0.75
    """
    return _detect(uncertainty, is_shifted).auroc()


def aupr(uncertainty: ArrayLike | Ranking, is_shifted: ArrayLike) -> float:
    """Average precision of finding the shifted rows; higher is better, their share of all rows is chance.

        Σ_t (R_t − R_{t−1}) · P_t

    over the distinct thresholds t, with precision P and recall R. The published code of Malinin et al. 2021
    (Shifts) takes the trapezoid area under the precision-recall curve instead, along lines that no threshold
    reaches. The "AUPR" in the tables of Van Landeghem et al. 2022 is ``1 - aupr(confidence, is_novel)``: one
    minus the average precision of the wrong ranking, which is not the area of any ranking.

    >>> round(aupr([0.1, 0.4, 0.35, 0.8], [False, False, True, True]), 4)
    0.8333
    """
    return _detect(uncertainty, is_shifted).aupr()


def fpr_at(uncertainty: ArrayLike | Ranking, is_shifted: ArrayLike, *, tpr: float = 0.95) -> float:
    """Smallest share of in-domain rows flagged by a threshold that catches ``tpr`` of the shifted ones.

    Lower is better. A threshold flags every row at least as uncertain, hence a whole tie or nothing of it.

    The published code of Van Landeghem et al. 2022 takes the in-domain rows for the positives, and rounds to
    one of 200 thresholds: without the rounding that is ``fpr_at(confidence, ~is_shifted)``.

    >>> fpr_at([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    0.5
    """
    return _detect(uncertainty, is_shifted).fpr_at(tpr)


def misclassification_auroc(uncertainty: ArrayLike | Ranking, correct: ArrayLike) -> float:
    """Probability that a wrong prediction is less certain than a right one; higher is better.

    Not comparable across models: each makes other mistakes, and so sets its own task (Ashukha et al. 2020,
    Pitfalls, section 3.2).

    >>> misclassification_auroc([0.1, 0.4, 0.35, 0.8], [True, True, False, False])
    0.75
    """
    return _misclassify(uncertainty, correct).auroc()


def misclassification_aupr(uncertainty: ArrayLike | Ranking, correct: ArrayLike) -> float:
    """Average precision of finding the wrong predictions; higher is better.

    Not comparable across models: each makes other mistakes, and so sets its own task (Ashukha et al. 2020,
    Pitfalls, section 3.2).

    >>> round(misclassification_aupr([0.1, 0.4, 0.35, 0.8], [True, True, False, False]), 4)
    0.8333
    """
    return _misclassify(uncertainty, correct).aupr()


def _detect(uncertainty: ArrayLike | Ranking, is_shifted: ArrayLike) -> _Sweep:
    shifted = boolean("is_shifted", is_shifted)
    ranking = rank(uncertainty)
    same_length(uncertainty=ranking.uncertainty, is_shifted=shifted)
    if not shifted.any():
        raise InputError("is_shifted has no shifted rows; detection needs both in-domain and shifted ones")
    if shifted.all():
        raise InputError("is_shifted has no in-domain rows; detection needs both in-domain and shifted ones")
    return _sweep(ranking, shifted)


def _misclassify(uncertainty: ArrayLike | Ranking, correct: ArrayLike) -> _Sweep:
    right = boolean("correct", correct)
    ranking = rank(uncertainty)
    same_length(uncertainty=ranking.uncertainty, correct=right)
    if right.all():
        raise InputError("correct has no wrong rows; detecting mistakes needs both right and wrong rows")
    if not right.any():
        raise InputError("correct has no right rows; detecting mistakes needs both right and wrong rows")
    return _sweep(ranking, ~right)


def _sweep(ranking: Ranking, positive: NDArray[np.bool_]) -> _Sweep:
    kept = ranking.running(ranking.arrange(positive), spread=False).take(ranking.bounds)
    caught = (kept[-1] - kept)[::-1]
    flagged = (len(ranking) - ranking.bounds)[::-1] - caught
    return _Sweep(caught, flagged)
