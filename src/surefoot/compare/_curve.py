"""How a score grows with the size of an ensemble, from random subsets of a trained pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.compare._scores import Floats
from surefoot.errors import InputError
from surefoot.measures._classification import member_samples

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class EnsembleCurve:
    """Scores of random ensembles by size.

    Attributes:
        sizes: [sizes], numbers of members, ascending.
        mean: [sizes], mean score over the repeats.
        std: [sizes], standard deviation over the repeats (n − 1); NaN with a single repeat.
        scores: [repeats, sizes]; the ensembles of one row grow from each other.
    """

    sizes: NDArray[np.int64]
    mean: Floats
    std: Floats
    scores: Floats


def ensemble_curve(
    outputs: ArrayLike,
    target: Any,
    metric: Callable[[Array, Any], float],
    *,
    sizes: ArrayLike | None = None,
    repeats: int = 5,
    seed: int = 0,
    member: ArrayLike | None = None,
) -> EnsembleCurve:
    """Mean and standard deviation of a metric over random subsets of a pool of trained members.

    ``outputs[S, N, K]`` (or ``[S, N]``) are the members' class probabilities, or anything else that an ensemble
    averages; ``metric(mean_outputs, target)`` returns a number, as `surefoot.metrics.log_likelihood` does.
    ``member[S]`` says which member each sample came from, if members were sampled more than once: the pool is
    then one of members, each with all its samples. ``sizes`` defaults to all from 1 to the pool's.

    Each repeat draws one order of the pool and adds members in it, so all sizes together cost one pass over the
    pool and N × K of memory. Ensembles of the whole pool are all the same and are scored once.

    Subsets of one pool overlap, the more the larger they are, so the deviation shrinks towards 0 at the pool's
    own size, where it says nothing about another pool. Feeds `deep_ensemble_equivalent`:
    ``deep_ensemble_equivalent(curve.sizes, curve.mean, value, curve.std)``. Ashukha et al. 2020 (Pitfalls),
    section 4.

    >>> from surefoot.metrics import log_likelihood
    >>> probs = [[[0.9, 0.1], [0.1, 0.9]], [[0.5, 0.5], [0.9, 0.1]], [[0.1, 0.9], [0.5, 0.5]]]
    >>> curve = ensemble_curve(probs, [0, 1], log_likelihood, repeats=20)
    >>> curve.sizes, curve.mean.round(2)
    (array([1, 2, 3]), array([-0.94, -0.83, -0.69]))
    """
    table = _checks.finite("outputs", outputs, 2 if _depth(outputs) == 2 else 3)
    samples = len(table)
    pool = member_samples(np.arange(samples) if member is None else member, samples)
    wanted = _sizes(sizes, len(pool))
    if repeats < 1:
        raise InputError(f"repeats must be 1 or more, not {repeats}; 2 or more give a standard deviation")
    rng = np.random.default_rng(seed)
    scores = np.empty((repeats, len(wanted)))
    parts = wanted[wanted < len(pool)]
    for repeat in range(repeats):
        order = [pool[i] for i in rng.permutation(len(pool))]
        for column, mean in enumerate(_growing(table, order, parts)):
            scores[repeat, column] = _score(metric, mean, target, parts[column])
    if len(parts) < len(wanted):
        (mean,) = _growing(table, pool, wanted[-1:])
        scores[:, -1] = _score(metric, mean, target, wanted[-1])
    std = scores.std(axis=0, ddof=1) if repeats > 1 else np.full(len(wanted), np.nan)
    return EnsembleCurve(wanted, scores.mean(axis=0), std, scores)


def _depth(outputs: ArrayLike) -> int | None:
    try:
        return np.ndim(outputs)
    except ValueError:  # not rectangular, as the check will say
        return None


def _growing(table: Array, members: list[Array], sizes: NDArray[np.int64]) -> Iterator[Array]:
    """Mean outputs of the first members, for each size."""
    total, count, used = np.zeros(table.shape[1:]), 0, 0
    for size in sizes:
        for samples in members[used:size]:
            for sample in samples:
                total += table[sample]
            count += len(samples)
        used = int(size)
        yield np.divide(total, count, out=np.empty(total.shape, table.dtype), casting="same_kind")


def _score(metric: Callable[[Array, Any], float], mean: Array, target: Any, size: int) -> float:
    score = float(metric(mean, target))
    if not np.isfinite(score):
        raise InputError(
            f"metric gave {score} for an ensemble of {size}; give one that is finite for all sizes"
        )
    return score


def _sizes(sizes: ArrayLike | None, pool: int) -> NDArray[np.int64]:
    if sizes is None:
        return np.arange(1, pool + 1)
    given = _checks.finite("sizes", sizes)
    wrong = (given < 1) | (given > pool) | (given != np.floor(given))
    if wrong.any():
        raise InputError(
            f"sizes must be whole numbers from 1 to the pool's {pool} members; not so in {_checks.rows(wrong)}"
        )
    return np.unique(given.astype(np.int64))
