"""What estimators say of test batches of a real dataset, and what is true: one table a dataset, computed apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np

from surefoot.estimators.benchmark._calibrated import calibrated
from surefoot.estimators.benchmark._published import Published
from surefoot.estimators.benchmark._scenarios import KINDS, NATURAL, NONE
from surefoot.estimators.benchmark._setting import Setting, setting_of
from surefoot.estimators.benchmark._training import part_of, training
from surefoot.estimators.benchmark._trial import guesses
from surefoot.estimators.benchmark._worlds import world

EACH = 48
"""Test batches of every set, about: there are five sets."""

DOMAINS = 100
"""Training domains of each of five families, as `fit` makes them by default."""

PUBLISHED_DOMAINS = 20
"""Training domains of each family for the published error predictor; more change little (the paper's figure 6)."""

LABELLED = 5000
"""Labelled rows, where the data have twice as many left; the paper has 1,000."""

ALPHA = 0.05

PUBLISHED = "ErrorPredictorRF"


@dataclass(frozen=True)
class Batches:
    """Test batches: their sets, kinds of shift and rows, true accuracies, what every method says, Auto's bounds."""

    sets: np.ndarray
    kinds: np.ndarray
    sizes: np.ndarray
    truth: np.ndarray
    estimates: dict[str, np.ndarray]
    low: np.ndarray
    high: np.ndarray

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def covered(self) -> float:
        """Share of true accuracies between Auto's bounds."""
        return float(((self.low <= self.truth) & (self.truth <= self.high)).mean())

    @property
    def chance(self) -> float:
        """Mean absolute error that drawing the rows alone makes, however well the accuracy itself is known."""
        return float(np.sqrt(2 / np.pi * self.truth * (1 - self.truth) / self.sizes).mean())

    @property
    def width(self) -> float:
        """Mean distance of the bounds."""
        return float((self.high - self.low).mean())

    def error(self, name: str) -> float:
        """Mean absolute error of a method."""
        return float(np.abs(self.estimates[name] - self.truth).mean())

    def of_set(self, name: str) -> Batches:
        """The batches of one set."""
        rows = self.sets == name
        return Batches(
            self.sets[rows],
            self.kinds[rows],
            self.sizes[rows],
            self.truth[rows],
            {method: said[rows] for method, said in self.estimates.items()},
            self.low[rows],
            self.high[rows],
        )


def joined(several: Sequence[Batches]) -> Batches:
    """Batches of all datasets together."""

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(one, name) for one in several])

    estimates = {
        name: np.concatenate([one.estimates[name] for one in several]) for name in several[0].estimates
    }
    return Batches(
        column("sets"), column("kinds"), column("sizes"), column("truth"), estimates, column("low"), column("high")
    )  # fmt: skip


def batches_of(dataset: str, seed: int, folder: Path) -> Batches:
    """Train everything on a dataset, and ask it; what the peer needs is left in the folder."""
    at = _setting(dataset, seed)
    said = {}
    for one in calibrated(at, DOMAINS, seed, ALPHA):
        said[one.name] = guesses(one.learned, at)
        if one.name == "Auto":
            low, high = one.bounds(said[one.name])
    rehearsal = training(at, PUBLISHED_DOMAINS, seed)
    published = Published().learn(rehearsal, part_of(rehearsal, rehearsal.families, PUBLISHED_DOMAINS))
    said[PUBLISHED] = guesses(published, at)
    np.savez(
        folder / f"{dataset}.npz",
        reference=at.labelled.outputs,
        target=at.world.pool.y,
        probs=at.tests.outputs,
        sizes=at.sizes,
    )
    return Batches(
        np.array([scenario.set for scenario in at.scenarios]),
        np.array([scenario.kind for scenario in at.scenarios]),
        at.sizes,
        at.truth,
        said,
        low,
        high,
    )


def _setting(dataset: str, seed: int) -> Setting:
    """A world with about as many batches of every set."""
    one = world(dataset, seed=seed, labelled=LABELLED)
    count = {name: ceil(EACH / len(kinds)) for name, kinds in KINDS.items()}
    count[NATURAL] = ceil(EACH / max(len(one.natural), 1))
    count[NONE] = EACH
    return setting_of(one, count, seed)
