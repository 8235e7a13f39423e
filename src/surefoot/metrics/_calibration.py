"""Calibration: rows predicted with confidence p should come true in a share p of the cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError

Closed = Literal["right", "left"]

_FEW_CLASSES = 32
_CHUNK = 1 << 17  # entries of a working copy, so that it stays in the processor's cache

_Float = NDArray[np.float64]
_Column = tuple[NDArray[Any], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Reliability:
    """Confidence against accuracy, bin by bin: the reliability diagram.

    An empty bin has count 0 and NaN as its mean confidence and accuracy; it weighs nothing in `error`.
    """

    lower: _Float
    upper: _Float
    confidence: _Float
    accuracy: _Float
    count: NDArray[np.int64]

    def error(self, norm: float = 1) -> float:
        """The gaps |accuracy − confidence| of the bins, weighted by their counts, as an Lᵖ norm."""
        _check_norm(norm)
        used = self.count > 0
        gap = np.abs(self.accuracy[used] - self.confidence[used])
        if norm == np.inf:
            return float(gap.max())
        return float((self.count[used] / self.count.sum() @ gap**norm) ** (1 / norm))


def reliability(
    probs: ArrayLike, target: ArrayLike, *, bins: int = 15, adaptive: bool = False, closed: Closed = "right"
) -> Reliability:
    """Mean confidence, accuracy and number of rows per bin of confidence, the highest probability.

    Bins have equal width, (lower, upper] or with ``closed="left"`` [lower, upper); ``adaptive`` bins hold
    equally many rows (see `calibration_error`). A diagonal diagram is a calibrated model.

    >>> diagram = reliability([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1], bins=2)
    >>> diagram.count
    array([0, 3])
    >>> diagram.confidence.round(3), diagram.accuracy.round(3)
    (array([nan, 0.8]), array([ nan, 0.667]))
    """
    return _reliability(*_top_label(*_checked(probs, target)), bins, adaptive, closed)


def reliability_from(
    confidence: ArrayLike,
    correct: ArrayLike,
    *,
    bins: int = 15,
    adaptive: bool = False,
    closed: Closed = "right",
) -> Reliability:
    """Return `reliability` of rows reduced to their confidence and whether the prediction came true.

    The first bin also holds confidence 0.

    >>> reliability_from([0.9, 0.8, 0.7], [True, False, True], bins=2).count
    array([0, 3])
    """
    values = _checks.finite("confidence", confidence)
    outside = (values < 0) | (values > 1 + _checks.NORMALISATION_TOLERANCE)
    if outside.any():
        raise InputError(
            f"confidence lies outside [0, 1] in {_checks.rows(outside)}; give the highest probability of each row"
        )
    hits = _checks.boolean("correct", correct)
    _checks.same_length(confidence=values, correct=hits)
    return _reliability(values, hits, bins, adaptive, closed)


def binned_error(
    confidence: ArrayLike,
    correct: ArrayLike,
    *,
    bins: int = 15,
    norm: float = 1,
    adaptive: bool = False,
    closed: Closed = "right",
) -> float:
    """`calibration_error` of rows reduced to their confidence and whether the prediction came true.

    >>> round(binned_error([0.9, 0.8, 0.7], [True, False, True], bins=2), 4)
    0.1333
    """
    return reliability_from(confidence, correct, bins=bins, adaptive=adaptive, closed=closed).error(norm)


def calibration_error(
    probs: ArrayLike,
    target: ArrayLike,
    *,
    bins: int = 15,
    norm: float = 1,
    adaptive: bool = False,
    classwise: bool = False,
    threshold: float = 0.0,
    closed: Closed = "right",
) -> float:
    """How far confidence lies from accuracy, averaged over bins of confidence; lower is better.

    With norm p, rows n and bins B of |B| rows, (Σ_B |B|/n · |accuracy(B) − confidence(B)|ᵖ)^(1/p); norm ∞
    is the largest gap. Confidence is the highest probability, of the first class in a tie. ``classwise``
    bins every class's probabilities, a hit being a row of this class, and averages over the classes;
    probabilities ≤ ``threshold`` are left out, though n still counts all rows.

    Bins have equal width, (lower, upper]. ``closed="left"`` makes them [lower, upper), which differs for
    probabilities exactly on an edge only; the text-classification tables were made so, with 100 bins.
    ``adaptive`` bins hold ⌊kept/bins⌋ probabilities each, the last also the remainder; where fewer are kept
    than bins asked for (the published code returns NaN), each has a bin of its own. A run of tied
    probabilities that a boundary cuts shares its hits in proportion, so row order does not matter.

    Ashukha et al. 2020 (Pitfalls), section 3.4; Van Landeghem et al. 2022 (text classification), section
    III-D. Two formulas of the former are slips that its code and tables do not follow, and neither do we:
    equation 1 takes the target's probability for the confidence, and equation 2 divides by the number of
    bins a second time. Biased, and differently for each model: report it, do not rank models by it.

    >>> probs, target = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1]
    >>> round(calibration_error(probs, target, bins=2), 4)
    0.1333
    >>> round(calibration_error(probs, target, norm=float("inf")), 4)
    0.8
    """
    _check_norm(norm)
    if not 0 <= threshold < 1:
        raise InputError(f"threshold must be a probability in [0, 1), not {threshold}")
    table, codes = _checked(probs, target)
    columns = _classes(table, codes) if classwise else iter([_top_label(table, codes)])
    errors, shares = [], []
    for confidence, hits in columns:
        kept = confidence > threshold
        if not kept.all():
            confidence, hits = confidence[kept], hits[kept]
        shares.append(len(hits) / len(table))
        errors.append(_reliability(confidence, hits, bins, adaptive, closed).error(norm) if len(hits) else 0)
    if norm == np.inf:
        return float(max(errors))
    return float(np.mean(np.array(shares) * np.array(errors) ** norm) ** (1 / norm))


def ece(probs: ArrayLike, target: ArrayLike, *, bins: int = 15, closed: Closed = "right") -> float:
    """Expected calibration error: `calibration_error` of the confidence in equal-width bins; lower is better.

    The tables of Van Landeghem et al. 2022 (text classification) use ``bins=100, closed="left"``.

    >>> round(ece([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1], bins=2), 4)
    0.1333
    """
    return calibration_error(probs, target, bins=bins, closed=closed)


def sce(probs: ArrayLike, target: ArrayLike, *, bins: int = 15) -> float:
    """Static calibration error: `calibration_error` of every class in equal-width bins; lower is better.

    Nixon et al. 2019.

    >>> round(sce([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1], bins=2), 4)
    0.3333
    """
    return calibration_error(probs, target, bins=bins, classwise=True)


def ace(probs: ArrayLike, target: ArrayLike, *, bins: int = 15) -> float:
    """Adaptive calibration error: `calibration_error` of every class in equal-count bins; lower is better.

    Nixon et al. 2019.

    >>> round(ace([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1], bins=2), 4)
    0.3667
    """
    return calibration_error(probs, target, bins=bins, classwise=True, adaptive=True)


def tace(probs: ArrayLike, target: ArrayLike, *, bins: int = 15, threshold: float = 1e-3) -> float:
    """Thresholded adaptive calibration error: `ace` of the probabilities > ``threshold``; lower is better.

    Ashukha et al. 2020 (Pitfalls), equation 2, without its second division by the number of bins.

    >>> round(tace([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1], bins=2, threshold=0.25), 4)
    0.2167
    """
    return calibration_error(probs, target, bins=bins, classwise=True, adaptive=True, threshold=threshold)


def _checked(probs: ArrayLike, target: ArrayLike) -> tuple[NDArray[Any], NDArray[np.int64]]:
    table = _checks.probabilities("probs", probs, 2)
    codes = _checks.classes("target", target, table.shape[1])
    _checks.same_length(probs=table, target=codes)
    return table, codes


def _check_norm(norm: float) -> None:
    if norm not in (1, 2, np.inf):
        raise InputError(f"norm must be 1, 2 or inf, not {norm}")


def _top_label(probs: NDArray[Any], target: NDArray[np.int64]) -> _Column:
    """Confidence and whether the predicted class came true."""
    n, k = probs.shape
    if k > _FEW_CLASSES:
        predicted = probs.argmax(axis=1)
        return np.take_along_axis(probs, predicted[:, None], axis=1)[:, 0], predicted == target
    confidence, hits = np.empty(n, probs.dtype), np.empty(n, np.bool_)
    step = _CHUNK // k
    for start in range(0, n, step):
        rows = slice(start, start + step)
        # Across few classes NumPy's argmax takes longer than to turn them round and look for the highest.
        turned = np.ascontiguousarray(probs[rows].T)
        top = turned.max(axis=0, out=confidence[rows])
        if np.count_nonzero(turned == top) > len(top):  # a tie, of which the first class counts
            hits[rows] = probs[rows].argmax(axis=1) == target[rows]
        else:
            hits[rows] = turned[target[rows], np.arange(len(top))] == top
    return confidence, hits


def _classes(probs: NDArray[Any], target: NDArray[np.int64]) -> Iterator[_Column]:
    """Probability of each class and whether it came true, in blocks so that memory is read in order."""
    for start in range(0, probs.shape[1], 16):
        for c, column in enumerate(probs[:, start : start + 16].T.copy(), start):
            yield column, target == c


def _reliability(
    confidence: NDArray[Any], hits: NDArray[np.bool_], bins: int, adaptive: bool, closed: str
) -> Reliability:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise InputError(f"bins must be a whole number of at least 1, not {bins!r}")
    _checks.choice("closed", closed, ("right", "left"))
    if adaptive:
        return _equal_count(confidence, hits, min(int(bins), len(confidence)))
    return _equal_width(confidence, hits, int(bins), closed)


def _equal_width(confidence: NDArray[Any], hits: NDArray[np.bool_], bins: int, closed: str) -> Reliability:
    edges = np.linspace(0, 1, bins + 1)
    scaled = confidence * bins
    code = np.clip(np.ceil(scaled).astype(np.intp) - 1, 0, bins - 1)
    # Rounding may carry a value over a nearby edge: compare there, with edges of the confidence's own type,
    # so that a float32 0.6 lies on the edge 0.6.
    near = np.flatnonzero(np.abs(scaled - np.rint(scaled)) < 1e-6 * bins)
    side: Literal["left", "right"] = "left" if closed == "right" else "right"
    code[near] = np.searchsorted(edges[1:-1].astype(confidence.dtype), confidence[near], side)
    miss_hit = np.bincount(2 * code + hits, minlength=2 * bins).reshape(bins, 2)
    summed = np.bincount(code, weights=confidence, minlength=bins)
    return _means(edges[:-1], edges[1:], summed, miss_hit[:, 1], miss_hit.sum(axis=1))


def _equal_count(confidence: NDArray[Any], hits: NDArray[np.bool_], bins: int) -> Reliability:
    values, hit_values = np.sort(confidence), np.sort(confidence[hits])
    start = np.arange(bins) * (len(values) // bins)
    # Hits before each bin: those of lower values, and of the run of ties that the boundary cuts the same
    # share as of its rows.
    cut = values[start]
    run = np.searchsorted(values, cut, "left"), np.searchsorted(values, cut, "right")
    run_hits = np.searchsorted(hit_values, cut, "left"), np.searchsorted(hit_values, cut, "right")
    before = run_hits[0] + (run_hits[1] - run_hits[0]) * (start - run[0]) / (run[1] - run[0])
    summed = np.add.reduceat(values, start, dtype=np.float64)
    count = np.diff(start, append=len(values))
    accurate = np.diff(before, append=len(hit_values))
    last = values[start + count - 1]
    return _means(cut.astype(np.float64), last.astype(np.float64), summed, accurate, count)


def _means(
    lower: _Float, upper: _Float, summed: NDArray[Any], hits: NDArray[Any], count: NDArray[np.int64]
) -> Reliability:
    empty = np.full(len(count), np.nan)
    confidence = np.divide(summed, count, out=empty.copy(), where=count > 0)
    accuracy = np.divide(hits, count, out=empty, where=count > 0)
    return Reliability(lower, upper, confidence, accuracy, count)
