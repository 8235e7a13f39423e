"""Influence of every row on calibration errors and on scores at the best temperature; see `_influence`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from surefoot._checks import EPSILON, Array
from surefoot.metrics._influence_ranking import by_row
from surefoot.metrics._proper import brier_rows, log_likelihood_rows
from surefoot.metrics._ranking import Floats, rank
from surefoot.metrics._temperature import apply_temperature, fit_temperature

_BINS = 15


def ece(confidence: Array, correct: Array) -> Floats:
    """Of the gaps between confidence and accuracy, in bins of equal width."""
    return _equal_width(confidence, correct)


def sce(probs: Array, target: Array) -> Floats:
    """Of the gaps of every class in bins of equal width, averaged over classes."""
    return _classwise(probs, target, adaptive=False)


def ace(probs: Array, target: Array) -> Floats:
    """Of the gaps of every class in bins of equal count, averaged over classes."""
    return _classwise(probs, target, adaptive=True)


def tace(probs: Array, target: Array, threshold: float = 1e-3) -> Floats:
    """The same of the probabilities above ``threshold`` only."""
    return _classwise(probs, target, adaptive=True, threshold=threshold)


def multilabel_ece(probs: Array, labels: Array) -> Floats:
    """Of the gaps of every label in bins of equal width, averaged over labels."""
    return _averaged(probs, labels.astype(np.bool_), adaptive=False)


def calibrated_log_likelihood(probs: Array, target: Array) -> Floats:
    """Of the log-likelihood at the best temperature: where it is highest, the temperature does not matter."""
    return np.asarray(log_likelihood_rows(_scaled(probs, target).probs, target), dtype=np.float64)


def calibrated_brier(probs: Array, target: Array) -> Floats:
    """Of the Brier score at the best temperature, which moves with the temperature."""
    fit = _scaled(probs, target)
    away = fit.probs.astype(np.float64)
    away[np.arange(len(target)), target] -= 1
    slope = 2 * np.einsum("nk,nk,nk->", away, fit.probs, fit.centred) / len(target)
    return np.asarray(brier_rows(fit.probs, target) + slope * fit.inverse(target))


def temperature(probs: Array, target: Array) -> Floats:
    """Of the best temperature itself."""
    fit = _scaled(probs, target)
    return -fit.inverse(target) * fit.temperature**2


class _Scaled(NamedTuple):
    """Probabilities at the best temperature, and the log-probabilities about their means under these."""

    temperature: float
    probs: Array
    centred: Array

    def inverse(self, target: Array) -> Floats:
        """Influence on 1/T, where the mean of the target's centred log-probability crosses zero."""
        observed = self.centred[np.arange(len(target)), target].astype(np.float64)
        spread = np.einsum("nk,nk,nk->", self.probs, self.centred, self.centred) / len(target)
        return np.asarray(observed / spread) if spread > 0 else np.full(len(target), np.nan)


def _scaled(probs: Array, target: Array) -> _Scaled:
    log_probs = np.log(probs + probs.dtype.type(EPSILON))
    best = fit_temperature(log_probs, target)
    scaled = apply_temperature(log_probs, best)
    log_probs -= np.einsum("nk,nk->n", scaled, log_probs)[:, None]
    return _Scaled(best, scaled, log_probs)


def _classwise(probs: Array, target: Array, *, adaptive: bool, threshold: float = 0.0) -> Floats:
    """Every class's probabilities, which come true in the rows of this class."""
    hits = target[:, None] == np.arange(probs.shape[1])
    return _averaged(probs, hits, adaptive=adaptive, threshold=threshold)


def _averaged(probs: Array, hits: Array, *, adaptive: bool, threshold: float = -1.0) -> Floats:
    """Mean over the columns; probabilities up to the threshold are in no bin."""
    total = np.zeros(len(probs))
    bins = _equal_count if adaptive else _equal_width
    for values, came_true in zip(probs.T, hits.T, strict=True):
        kept = np.flatnonzero(values > threshold)
        if kept.size:
            total[kept] += bins(values[kept], came_true[kept])
    return np.asarray(total / probs.shape[1])


def _equal_width(confidence: Array, hits: Array) -> Floats:
    """A bin's part of Σ |Σ (hit − confidence)| / N answers its rows with the sign of its gap."""
    edges = np.linspace(0, 1, _BINS + 1)[1:-1].astype(confidence.dtype)
    code = np.searchsorted(edges, confidence)
    gap = np.subtract(hits, confidence, dtype=np.float64)
    sign = np.sign(np.bincount(code, weights=gap, minlength=_BINS))
    return np.asarray(sign[code] * gap)


def _equal_count(confidence: Array, hits: Array) -> Floats:
    """The same, with the edges of the bins held still; ties that an edge cuts belong to both bins in part."""
    ranking, bins = rank(confidence), min(_BINS, len(confidence))
    gap = np.subtract(hits, confidence, dtype=np.float64)
    start = np.arange(bins) * (len(gap) // bins)
    ends = np.append(start, len(gap))
    sign = np.sign(np.diff(ranking.running(ranking.arrange(gap)).take(ends)))
    return np.asarray(by_row(ranking, np.repeat(sign, np.diff(ends))) * gap)
