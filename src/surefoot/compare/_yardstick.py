"""How many members of an ensemble each method is worth, from the files' own samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import EPSILON, Array
from surefoot.compare._curve import EnsembleCurve, ensemble_curve
from surefoot.compare._entrants import Candidate, Rows
from surefoot.compare._equivalent import DeepEnsembleEquivalent, deep_ensemble_equivalent
from surefoot.errors import InputError
from surefoot.metrics import _proper, _temperature
from surefoot.predictions import Predictions, Scan
from surefoot.scorecard._rows import WIDE_CELLS
from surefoot.scorecard._sides import IN, SETS, evaluation_set

FEWEST_MEMBERS = 4
"""An ensemble of fewer members is no yardstick."""

MOST_ROWS = 20_000
"""Curves are measured on a sample of at most so many rows."""

_FEWEST_ROWS = 100
_REPEATS = 5


@dataclass(frozen=True, eq=False)
class Ensemble:
    """The calibrated log-likelihood of a method by its number of members, in-domain where sides are named."""

    dataset: str
    method: str
    curve: EnsembleCurve


@dataclass(frozen=True, eq=False)
class Equivalent:
    """How many members of an ensemble a method is worth.

    Attributes:
        dataset: where.
        ensemble: the method whose members are counted.
        method: the method that is measured by them.
        sizes: numbers of the method's own samples (of its members, if it has several); the last is all.
        found: for each of them, the equivalent number of the ensemble's members.
    """

    dataset: str
    ensemble: str
    method: str
    sizes: NDArray[np.int64]
    found: DeepEnsembleEquivalent


def equivalents(
    rows: Sequence[Rows], seed: int, named: str | None
) -> tuple[list[Ensemble], list[Equivalent]]:
    """Curves of all ensembles on one dataset, and every other method measured by one of them.

    That is the one named, or else the largest, of several the first. Ashukha et al. 2020 (Pitfalls), section
    4.1: by calibrated log-likelihood. Nothing without an ensemble of at least four members, or for other
    predictions than of classes.
    """
    candidates = [one.candidate for one in rows]
    members = [len(np.unique(one.source.member)) for one in candidates]
    large = _place(candidates, members, named)
    if large is None or candidates[0].source.kind != "classification":
        return [], []
    wanted = _sample(rows, seed)
    if len(wanted) < _FEWEST_ROWS:
        return [], []
    curves = [_curve(one, wanted, seed) for one in candidates]
    yardstick = curves[large]
    ensembles = [
        Ensemble(one.dataset, one.method, curve)
        for one, curve, count in zip(candidates, curves, members, strict=True)
        if count >= FEWEST_MEMBERS
    ]
    return ensembles, [
        Equivalent(
            one.dataset, candidates[large].method, one.method, curve.sizes,
            deep_ensemble_equivalent(yardstick.sizes, yardstick.mean, curve.mean, yardstick.std),
        )
        for one, curve in zip(candidates, curves, strict=True)
        if curve is not yardstick
    ]  # fmt: skip


def _place(candidates: Sequence[Candidate], members: Sequence[int], named: str | None) -> int | None:
    """Where the ensemble stands that the others are measured by, if there is one."""
    if named is None:
        return int(np.argmax(members)) if max(members) >= FEWEST_MEMBERS else None
    for i, one in enumerate(candidates):
        if one.method == named:
            if members[i] < FEWEST_MEMBERS:
                raise InputError(
                    f"yardstick {named!r} is no ensemble of {FEWEST_MEMBERS} or more on dataset {one.dataset!r} "
                    f"(members: {members[i]}); name a larger one"
                )
            return i
    return None


def _sample(rows: Sequence[Rows], seed: int) -> Array:
    """Ids of rows of known classes, of the evaluation set and in-domain where it has such a side."""
    first = rows[0]
    sets, side = first.table.columns["set"], first.table.columns["side"]
    present = [name for code, name in enumerate(SETS) if (sets == code).any()]
    eligible = (sets == SETS.index(evaluation_set(present))) & (first.truth >= 0)
    if (eligible & (side == IN)).any():
        eligible &= side == IN
    ids: Array = first.ids[eligible]
    cells = max(one.candidate.source.samples for one in rows) * len(first.candidate.source.classes)
    most = min(MOST_ROWS, WIDE_CELLS // cells)
    if len(ids) <= most:
        return ids
    return np.sort(np.random.default_rng(seed).choice(ids, size=most, replace=False))


def _curve(one: Candidate, wanted: Array, seed: int) -> EnsembleCurve:
    """The calibrated log-likelihood of a method by its number of members, or of samples of its only one."""
    probs, target = _outputs(one.source, wanted)
    member = one.source.member
    several = len(np.unique(member)) > 1
    units = len(np.unique(member)) if several else len(member)
    return ensemble_curve(
        probs, target, _calibrated, sizes=_sizes(units), repeats=_REPEATS, seed=seed,
        member=member if several else None,
    )  # fmt: skip


def _calibrated(probs: Array, target: Any) -> float:
    log_probs = np.log(probs + probs.dtype.type(EPSILON))
    return _temperature.calibrated(_proper.log_likelihood, log_probs, target).mean


def _sizes(units: int) -> Array:
    """About two sizes for every doubling, 1 and all among them.

    >>> _sizes(10)
    array([ 1,  2,  3,  4,  6,  8, 10])
    """
    doubling = np.concatenate([2 ** np.arange(32), 3 * 2 ** np.arange(30)])
    return np.unique(np.append(doubling[doubling < units], units))


def _outputs(source: Predictions | Scan, wanted: Array) -> tuple[Array, Array]:
    """Probabilities [S, n, K] and target codes of the wanted rows, in the order of the ids."""
    probs, target, ids = [], [], []
    for batch in source.batches():
        own = batch.id if batch.id.dtype.kind == wanted.dtype.kind else batch.id.astype(wanted.dtype)
        kept = np.flatnonzero(np.isin(own, wanted))
        if kept.size:
            probs.append(batch.probs[:, kept])
            target.append(batch.target[kept])
            ids.append(own[kept])
    order = np.argsort(np.concatenate(ids))
    return np.concatenate(probs, axis=1)[:, order], np.concatenate(target)[order]
