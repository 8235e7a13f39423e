"""Methods as `fit` trains them, on one rehearsal, with the calibrated bounds that an `Estimator` gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._fit import widths_of
from surefoot.estimators._intervals import Width, conformal, noise_of
from surefoot.estimators._method import Learned, trials_of
from surefoot.estimators._rehearsal import Plan, rehearse
from surefoot.estimators._scores import SCORES, truth
from surefoot.estimators.benchmark._entrants import ours
from surefoot.estimators.benchmark._setting import Setting

FEWEST_DOMAINS = 50
"""Domains of all families together, below which too few are kept to calibrate bounds on."""


@dataclass(frozen=True)
class Calibrated:
    """A method after learning, how far its bounds are, and how long all of it took."""

    name: str
    learned: Learned
    kinds: tuple[str, ...]
    width: Width
    sizes: Array
    moved: Array
    reference: float
    seconds: float

    def bounds(self, estimate: Array) -> tuple[Array, Array]:
        """Bounds of the estimates of all test batches."""
        ends = [
            conformal(value, n, moved, abs(value - self.reference), self.width)
            for value, n, moved in zip(estimate, self.sizes, self.moved, strict=True)
        ]
        low, high = np.clip(ends, *SCORES["accuracy"].bounds).T
        return low, high


def calibrated(at: Setting, domains: int, seed: int, alpha: float) -> Iterator[Calibrated]:
    """Train the methods, one rehearsal for all, with as many domains as five families of ``domains`` each have."""
    score, labels, weights = SCORES["accuracy"], at.world.pool.y, np.ones(len(at.labelled))
    start = perf_counter()
    plan = Plan(max(5 * domains, FEWEST_DOMAINS), at.world.n, seed=seed)
    rehearsal = rehearse(at.model, at.pool, at.schema, at.labelled.outputs, labels, weights, plan)
    trials = trials_of(rehearsal, [score])
    noise = noise_of(score, at.labelled.outputs, truth(at.labelled.outputs, labels), weights, seed)
    shared = perf_counter() - start
    moved = np.array([movement.moved for movement in at.movements])
    for name, method in ours().items():
        start = perf_counter()
        learned, kept = method.train(trials)
        widths = widths_of(trials, kept, {score.name: at.reference}, {score.name: noise}, alpha)
        seconds = shared + perf_counter() - start
        yield Calibrated(
            name,
            learned,
            rehearsal.families,
            widths[score.name],
            at.sizes,
            moved,
            at.reference,
            seconds,
        )
