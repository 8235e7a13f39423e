"""Does uncertainty go along with what it should: with shifted rows, and with wrong ones?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from surefoot import _checks


class UncertaintyCorrelation(NamedTuple):
    """Point-biserial correlations of an uncertainty; 1 is best, 0 is none, below 0 points the wrong way."""

    shifted: float
    wrong: float


def uncertainty_correlation(
    uncertainty: ArrayLike, is_shifted: ArrayLike, correct: ArrayLike
) -> UncertaintyCorrelation:
    """How strongly uncertainty goes along with rows being shifted (or novel), and with being wrong.

    Pearson's correlation with 0 and 1, from −1 to 1, its sign kept: below 0, the shifted or wrong rows are the
    *more* certain ones. Higher is better, but the range that can be reached depends on the share of such rows.
    NaN where it is undefined: all rows on one side, or all equally uncertain.

    Van Landeghem et al. 2022 (text classification), section IV-C, whose figure 8 and tables 13 to 17 give the
    correlation with novel rows; those of confidence ("softmax") with the sign turned.

    >>> uncertainty_correlation([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1], [1, 0, 1, 0])
    UncertaintyCorrelation(shifted=0.894..., wrong=0.447...)
    """
    wrong = ~_checks.boolean("correct", correct)
    return UncertaintyCorrelation(
        shifted=point_biserial(uncertainty, is_shifted, name="is_shifted"),
        wrong=point_biserial(uncertainty, wrong, name="correct"),
    )


def point_biserial(uncertainty: ArrayLike, positive: ArrayLike, *, name: str = "positive") -> float:
    """Pearson's correlation of ``uncertainty`` with ``positive`` as 0 and 1; NaN if either is constant.

    >>> round(point_biserial([0.1, 0.2, 0.3, 0.4], [False, False, True, True]), 4)
    0.8944
    """
    values = _checks.finite("uncertainty", uncertainty)
    flags = _checks.boolean(name, positive)
    _checks.same_length(uncertainty=values, **{name: flags})
    if flags.all() or not flags.any() or values.min() == values.max():
        return float("nan")
    centred = values.astype(np.float64)
    centred /= np.abs(centred).max()  # squares must not overflow
    centred -= centred.mean()
    side = flags - flags.mean()
    return float(np.clip(centred @ side / np.sqrt((centred @ centred) * (side @ side)), -1, 1))
