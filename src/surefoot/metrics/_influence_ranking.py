"""Influence of every row on the scores that rank rows by their uncertainty; see `_influence`.

An area over the share q of rows that is kept, T = ∫ C(q) w(q) dq with C(q) the sum of a value x over the
surest q, answers a little more weight on row i, at the share F, with

    x ∫_F^1 w dq  +  ∫_F^1 C w′ dq  +  C(F) w(F)

up to a constant: its value counts from F on, all later rows move up by one place, and one more point is
read at F. Tied rows take the average over the places of their tie, as the scores themselves do.
"""

from __future__ import annotations

import math

import numpy as np

from surefoot._checks import Array
from surefoot.metrics._detection import _sweep
from surefoot.metrics._ranking import Floats, Ranking, rank

_AT = 0.95


def r_auc(errors: Array, ranking: Ranking) -> Floats:
    """Of the area under the error-retention curve."""
    return _area(ranking, errors, np.ones(len(ranking)), None)


def rejection_ratio(errors: Array, ranking: Ranking) -> Floats:
    """Of (random − area) / (random − optimal), a ratio of three areas."""
    gain = errors / 2 - r_auc(errors, ranking)
    room = errors / 2 - r_auc(errors, rank(errors))
    # The influence of an area averages to twice the area, for every row has two roles in it.
    half = errors.mean(dtype=np.float64) / 4
    gained, there_was = half + gain.mean() / 2, half + room.mean() / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((gain - gained / there_was * room) / there_was)


def aurc(errors: Array, ranking: Ranking) -> Floats:
    """Of the mean of C(q) / q, for errors or for correctness."""
    share = _share(ranking)
    return _area(ranking, errors, 1 / share, -1 / share**2)


def f1_auc(errors: Array, ranking: Ranking, threshold: float) -> Floats:
    """Of the area under F(q) = 2 a(q) / (A + q), whose A is the share of acceptable rows."""
    acceptable = errors <= threshold
    if acceptable.all():
        return np.zeros(len(ranking))  # the curve is then the same whatever the ranking
    weight = 1 / (acceptable.mean() + _share(ranking))
    kept = ranking.running(ranking.arrange(acceptable))[1:] / len(ranking)
    area = _area(ranking, acceptable, weight, -(weight**2))
    return np.asarray(2 * (area - acceptable * (kept @ weight**2 / len(ranking))))


def f1_at(errors: Array, ranking: Ranking, threshold: float, q: float = _AT) -> Floats:
    """Of F(q) at one q: the rows kept, the place of the cut, and the share of acceptable rows."""
    n, acceptable = len(ranking), errors <= threshold
    running = ranking.running(ranking.arrange(acceptable)) / n
    places = np.arange(n + 1) / n
    half = _bandwidth(q, n)
    before, found, after = np.interp([q - half, q, q + half], places, running)
    local = (after - before) / (2 * half)
    kept = by_row(ranking, np.clip(q * n - np.arange(n), 0, 1))
    below = acceptable.mean() + q
    return np.asarray(2 * ((acceptable - local) * kept / below - found * acceptable / below**2))


def auroc(ranking: Ranking, positive: Array) -> Floats:
    """Of the probability that a positive ranks above a negative (placements: DeLong et al. 1988)."""
    negatives = _middle(ranking, ~positive)
    positives = _middle(ranking, positive)
    return _of_two_kinds(
        positive, negatives / np.count_nonzero(~positive), -positives / np.count_nonzero(positive)
    )


def aupr(ranking: Ranking, positive: Array) -> Floats:
    """Of the average precision Σ P/Q over the positives, P of the Q rows from a threshold on being positive."""
    n, share = len(ranking), positive.mean()
    start, size = ranking.bounds[:-1], np.diff(ranking.bounds)
    up_to = ranking.running(ranking.arrange(positive), spread=False).take(ranking.bounds)
    flagged = (n - start) / n
    caught = (up_to[-1] - up_to[:-1]) / n
    here = np.diff(up_to) / n
    precision = caught / flagged
    area = here @ precision / share
    as_positive = np.cumsum(here / flagged) + precision - area
    as_flagged = np.cumsum(here * precision / flagged)
    gain, loss = (by_row(ranking, np.repeat(of_tie, size)) for of_tie in (as_positive, as_flagged))
    return np.asarray((positive * gain - loss) / share)


def fpr_at(ranking: Ranking, positive: Array, tpr: float = _AT) -> Floats:
    """Of the share of negatives flagged where ``tpr`` of the positives are: the rows flagged, and the cut."""
    sweep = _sweep(ranking, positive)
    caught, flagged = sweep.caught / sweep.caught[-1], sweep.flagged / sweep.flagged[-1]
    half = _bandwidth(tpr, int(np.count_nonzero(positive)))
    cut, before, after = np.searchsorted(caught, [tpr, tpr - half, tpr + half])
    local = (flagged[after] - flagged[before]) / (caught[after] - caught[before] or np.inf)
    above = np.arange(len(ranking)) >= ranking.bounds[::-1][cut]
    flags = by_row(ranking, above)
    return _of_two_kinds(positive, -local * flags, flags)


def _area(ranking: Ranking, values: Array, weight: Floats, slope: Floats | None) -> Floats:
    """The influence at the head of this file, of weights w(k/N) and their slopes for k = 1 … N."""
    n = len(ranking)
    kept = ranking.running(ranking.arrange(values))[1:] / n
    moved = kept * weight
    if slope is not None:
        moved += _from_here(kept * slope) / n
    return np.asarray(values * by_row(ranking, _from_here(weight) / n) + by_row(ranking, moved))


def _of_two_kinds(positive: Array, of_positives: Floats, of_negatives: Floats) -> Floats:
    """Weight the rows of each kind by one over its share, and centre them: the shares carry no influence."""
    out = np.empty(len(positive))
    for kind, values in ((positive, of_positives), (~positive, of_negatives)):
        mine = values[kind]
        out[kind] = (mine - mine.mean()) * (len(positive) / len(mine))
    return out


def _middle(ranking: Ranking, values: Array) -> Floats:
    """Sum of the values of the rows below each row, with half of its tie."""
    running = ranking.running(ranking.arrange(values))
    return by_row(ranking, (running[1:] + running[:-1]) / 2)


def _share(ranking: Ranking) -> Floats:
    return np.arange(1.0, len(ranking) + 1) / len(ranking)


def _from_here(arranged: Floats) -> Floats:
    """Sums of each value and all that follow."""
    return np.cumsum(arranged[::-1])[::-1]


def by_row(ranking: Ranking, arranged: Array) -> Floats:
    """Give every row, in the order of the input, the value at its place; ties the average over their places."""
    if ranking.tied:
        size = np.diff(ranking.bounds)
        sums = np.add.reduceat(arranged, ranking.bounds[:-1], dtype=np.float64)
        arranged = np.repeat(sums / size, size)
    out = np.empty(len(ranking))
    out[ranking.order] = arranged
    return out


def _bandwidth(q: float, n: int) -> float:
    """Half the width of the window that shows a rate at the quantile q (Hall & Sheather 1988)."""
    from scipy.special import ndtri

    place = float(ndtri(q))
    density = math.exp(-(place**2)) / (2 * math.pi)
    best = math.cbrt(1.5 * float(ndtri(0.975)) ** 2 * density / (2 * place**2 + 1) / n)
    return min(best, 1 - q, q)
