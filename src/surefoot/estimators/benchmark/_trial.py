"""A trial is data: dataset, seed, experiment and sizes. `run` turns it into a table of per-batch results.

The same trial gives the same table, but for its clocks, whoever runs it and wherever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pyarrow as pa

from surefoot._checks import Array, choice
from surefoot.estimators._method import Learned, Seen
from surefoot.estimators._scores import SCORES
from surefoot.estimators.benchmark._calibrated import calibrated
from surefoot.estimators.benchmark._entrants import EXPERIMENTS, OURS, PUBLISHED, entrants
from surefoot.estimators.benchmark._results import SCHEMA
from surefoot.estimators.benchmark._setting import Setting, setting
from surefoot.estimators.benchmark._training import part_of, training
from surefoot.estimators.benchmark._worlds import ROWS
from surefoot.metrics import accuracy_interval

FORMAT = 3
"""Of the results; another one makes all trials new."""

ALPHA = 0.05
"""One minus the level of all intervals."""

CLOCKS = ("fit_seconds", "estimate_seconds")
"""Columns that differ from run to run: seconds of learning, and of estimating one batch."""


@dataclass(frozen=True)
class Trial:
    """An experiment on a dataset with a seed; the defaults are the paper's sizes.

    ``batches`` test batches are drawn of each kind, ``domains`` training domains of each, both of ``rows`` rows.
    """

    dataset: str
    seed: int
    experiment: str = PUBLISHED
    batches: int = 100
    domains: int = 100
    rows: int = ROWS

    def __post_init__(self) -> None:
        choice("experiment", self.experiment, EXPERIMENTS)


@dataclass(frozen=True)
class Answers:
    """What one method said of all test batches."""

    method: str
    kinds: tuple[str, ...]
    domains: int
    estimate: Array
    low: Array
    high: Array
    fit_seconds: float
    estimate_seconds: float


def run(trial: Trial) -> pa.Table:
    """Results of a trial, one row a method and test batch."""
    at = setting(trial.dataset, trial.rows, trial.batches, trial.seed)
    answers = _of_ours(at, trial) if trial.experiment == OURS else _of_entrants(at, trial)
    return pa.concat_tables([_table(at, trial, one) for one in answers])


def _of_entrants(at: Setting, trial: Trial) -> Iterator[Answers]:
    """The published way: learn from the paper's training domains, bounds by the binomial formula."""
    rehearsal = training(at, trial.domains, trial.seed)
    for one in entrants(trial.experiment, rehearsal.families, trial.domains):
        start = perf_counter()
        learned = one.method.learn(rehearsal, part_of(rehearsal, one.kinds, one.domains))
        learnt = perf_counter()
        estimate = guesses(learned, at)
        each = (perf_counter() - learnt) / len(estimate)
        low, high = accuracy_interval(estimate, at.sizes, alpha=ALPHA)
        yield Answers(one.name, one.kinds, one.domains, estimate, low, high, learnt - start, each)


def _of_ours(at: Setting, trial: Trial) -> Iterator[Answers]:
    """What `fit` does, with its calibrated bounds."""
    for one in calibrated(at, trial.domains, trial.seed, ALPHA):
        start = perf_counter()
        estimate = guesses(one.learned, at)
        each = (perf_counter() - start) / len(estimate)
        low, high = one.bounds(estimate)
        yield Answers(one.name, one.kinds, trial.domains, estimate, low, high, one.seconds, each)


def guesses(learned: Learned, at: Setting) -> Array:
    """The accuracy of every test batch, by a method that has learned."""
    score = SCORES["accuracy"]
    said = learned.per_row(at.tests)
    out = []
    for place, movement in zip(at.places(), at.movements, strict=True):
        batch = at.tests.take(place)
        told = None if said is None else said[place]
        seen = Seen(batch.outputs, told, np.ones(len(batch)), batch, movement)
        out.append(learned.guess(seen, score))
    return np.clip(out, *score.bounds)


def _table(at: Setting, trial: Trial, one: Answers) -> pa.Table:
    count = len(at.scenarios)

    def same(value: str | float) -> list[str | float]:
        return [value] * count

    return pa.table(
        {
            "experiment": same(trial.experiment),
            "dataset": same(trial.dataset),
            "seed": same(trial.seed),
            "method": same(one.method),
            "training_kinds": same("+".join(one.kinds)),
            "training_domains": same(one.domains),
            "set": [scenario.set for scenario in at.scenarios],
            "kind": [scenario.kind for scenario in at.scenarios],
            "severity": [scenario.samples for scenario in at.scenarios],
            "features": [scenario.features for scenario in at.scenarios],
            "batch": list(range(count)),
            "n": at.sizes,
            "truth": at.truth,
            "reference": same(at.reference),
            "estimate": one.estimate,
            "low": one.low,
            "high": one.high,
            "error": one.estimate - at.truth,
            "fit_seconds": same(one.fit_seconds),
            "estimate_seconds": same(one.estimate_seconds),
        },
        schema=SCHEMA,
    )
