"""How uncertain an ensemble of Gaussian regressors is about each input, in total and by source."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError
from surefoot.measures import _cells

Array = NDArray[Any]


def regression(
    mean: ArrayLike, variance: ArrayLike, *, convention: str = "paper", validate: bool = True
) -> dict[str, Array]:
    """How uncertain Gaussian predictions ``mean[S, N]``, ``variance[S, N]`` are; higher means less certain.

    One array ``[N]`` a measure, with m̄ and v̄ the means over the samples s:

    - ``total_variance`` (total): v̄ + variance of mₛ
    - ``expected_variance`` (data): v̄
    - ``variance_of_means`` (knowledge): mean (mₛ − m̄)²
    - ``epkl`` (knowledge): mean over all pairs of KL(N(mᵣ, vᵣ) ‖ N(mₛ, vₛ)), in closed form
      ½ mean [(vₛ − v̄)² / v̄ + variance of m + (mₛ − m̄)²] / vₛ, which has no terms that cancel

    ``convention="published"`` gives ``epkl`` as the published code, and so the published tables, have it: the
    pairwise cross-entropy, which is the EPKL plus the mean entropy ½ ln 2πe vₛ, of variances raised by 1e-10.

    A zero variance is a prediction without any doubt: ``epkl`` is infinite if other samples disagree with it,
    and 0 if none does. float32 stays float32. ``validate=False`` skips checks that were made before.

    Malinin et al. 2021 (Shifts), section 3, table 3.

    >>> measures = regression([[1.0, 2.0], [1.0, 4.0]], [[0.5, 0.5], [0.5, 0.5]])
    >>> {name: values[1].item() for name, values in measures.items()}
    {'total_variance': 1.5, 'expected_variance': 0.5, 'variance_of_means': 1.0, 'epkl': 2.0}
    """
    _checks.choice("convention", convention, ("paper", "published"))
    m, v = _samples_first("mean", mean), _samples_first("variance", variance)
    if m.shape != v.shape:
        raise InputError(
            f"mean has shape {m.shape}, variance {v.shape}; give one variance for each mean, both [S, N]"
        )
    if validate:
        _check(m, v)
    n = m.shape[1]
    dtype = np.result_type(_cells.floating(m), _cells.floating(v))
    out: dict[str, Array] = {}
    for rows in _cells.row_chunks(m.shape):
        # In float64: targets far from 0 (temperatures in kelvin) leave float32 few digits for a variance.
        chunk = [_cells.side_by_side(_cells.load(table, rows, np.dtype(np.float64))) for table in (m, v)]
        measures = _measure(*chunk, published=convention == "published")
        _cells.store(out, measures, rows, n, dtype)
    return out


def _samples_first(name: str, values: ArrayLike) -> Array:
    try:
        rank = np.ndim(values)
    except ValueError:  # rows of unequal length, which the check below explains
        rank = 2
    if rank != 2:
        raise InputError(f"{name} has {rank} axes, but [S, N] is needed: samples first, even a single one")
    return _checks.array(name, values, 2)


def _check(mean: Array, variance: Array) -> None:
    _checks.finite("mean", mean.T, 2)
    _checks.finite("variance", variance.T, 2)
    if variance.min() < 0:
        bad = _checks.rows(np.any(variance < 0, axis=0))
        raise InputError(
            f"variance is negative in {bad}; give variances (if these are log-variances, apply exp)"
        )


def _measure(m: Array, v: Array, *, published: bool) -> dict[str, Array]:
    expected = v.mean(axis=0)
    squares = (m - m.mean(axis=0)) ** 2
    between = squares.mean(axis=0)
    if published:
        v = v + _checks.EPSILON
        epkl = _epkl(v, between + squares) + np.log(2 * np.pi * np.e * v).mean(axis=0) / 2
    else:
        epkl = _epkl(v, between + squares)
    return {
        "total_variance": expected + between,
        "expected_variance": expected,
        "variance_of_means": between,
        "epkl": epkl,
    }


def _epkl(v: Array, distance: Array) -> Array:
    """Expected pairwise KL-divergence; ``distance[S, N]`` is each mean's mean squared distance to all means."""
    expected = v.mean(axis=0)
    spread = np.divide((v - expected) ** 2, expected, out=np.zeros_like(v), where=expected > 0)
    apart = spread + distance
    with np.errstate(divide="ignore"):
        terms: Array = np.divide(apart, v, out=np.zeros_like(v), where=apart > 0)
    return np.asarray(terms.mean(axis=0) / 2)
