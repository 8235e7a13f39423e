"""Scores of class probabilities row by row: log-likelihood and Brier score, both proper, and accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks

Array = NDArray[Any]

_CHUNK = 1 << 17  # entries of a working copy, so that it stays in the processor's cache


def log_likelihood(probs: ArrayLike, target: ArrayLike, *, epsilon: float = _checks.EPSILON) -> float:
    """Mean log-probability of the target class, mean ln(p_y + epsilon); higher is better, 0 at best.

    ``probs[N, K]`` are averaged over samples, ``target[N]`` class codes. Ashukha et al. 2020 (Pitfalls),
    section 3.1, whose published code has ``epsilon=1e-12``. Compare models at their best temperatures only.

    >>> round(log_likelihood([[0.5, 0.5], [0.1, 0.9]], [0, 1]), 4)
    -0.3993
    """
    return _mean(log_likelihood_rows(probs, target, epsilon=epsilon))


def log_likelihood_rows(probs: ArrayLike, target: ArrayLike, *, epsilon: float = _checks.EPSILON) -> Array:
    """Log-probability of each row's target; :func:`log_likelihood` is their mean.

    >>> log_likelihood_rows([[0.5, 0.5], [0.1, 0.9]], [0, 1]).round(4)
    array([-0.6931, -0.1054])
    """
    table, codes = _checked(probs, target)
    _checks.positive("epsilon", epsilon)
    out = np.empty(len(table), table.dtype)
    for rows, cells in _chunks(table, codes):
        np.log(table[rows].ravel()[cells] + table.dtype.type(epsilon), out=out[rows])
    return out


def brier(probs: ArrayLike, target: ArrayLike, *, reduction: str = "sum") -> float:
    """Mean squared distance of the probabilities from the target, Σ_k (p_k − 1[y = k])²; lower is better.

    ``reduction="sum"`` over classes (0 to 2) is in every published table of Ashukha et al. 2020 (Pitfalls) and
    Van Landeghem et al. 2022 (text classification), ``"mean"`` over classes in the text of the former,
    section 3.1. Compare models at their best temperatures only.

    >>> round(brier([[0.5, 0.5], [0.1, 0.9]], [0, 1]), 4)
    0.26
    """
    return _mean(brier_rows(probs, target, reduction=reduction))


def brier_rows(probs: ArrayLike, target: ArrayLike, *, reduction: str = "sum") -> Array:
    """Brier score of each row; :func:`brier` is their mean.

    >>> brier_rows([[0.5, 0.5], [0.1, 0.9]], [0, 1]).round(4)
    array([0.5 , 0.02])
    """
    table, codes = _checked(probs, target)
    _checks.choice("reduction", reduction, ("sum", "mean"))
    out = np.empty(len(table), table.dtype)
    for rows, cells in _chunks(table, codes):
        # Σp² − 2p_y + 1 would spare the copy and lose all digits of a confident prediction.
        distance = table[rows].copy(order="C")
        distance.reshape(-1)[cells] -= 1
        np.einsum("nk,nk->n", distance, distance, out=out[rows])
    return out if reduction == "sum" else out / table.shape[1]


def accuracy(probs: ArrayLike, target: ArrayLike) -> float:
    """Share of rows whose most probable class, the first of ties, is the target; higher is better.

    >>> accuracy([[0.5, 0.5], [0.1, 0.9]], [0, 0])
    0.5
    """
    table, codes = _checked(probs, target)
    return float((table.argmax(axis=1) == codes).mean())


def _checked(probs: ArrayLike, target: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
    table = _checks.probabilities("probs", probs, 2)
    codes = _checks.classes("target", target, table.shape[1])
    _checks.same_length(probs=table, target=codes)
    return table, codes


def _chunks(table: Array, codes: NDArray[np.int64]) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Slices of rows, and which of their probabilities, counted row by row, are those of the targets."""
    n, k = table.shape
    step = max(1, _CHUNK // k)
    first = np.arange(min(n, step)) * k
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        yield rows, first[: rows.stop - start] + codes[rows]


def _mean(rows: Array) -> float:
    return float(rows.mean(dtype=np.float64))
