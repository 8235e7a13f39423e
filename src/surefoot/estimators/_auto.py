"""The default: methods weighed by what they did on kept domains, apart for batches that moved and that did not.

    (1 − γ) Σ w⁰ₘ gₘ + γ Σ w¹ₘ gₘ

gₘ are the guesses of the members, w⁰ their weights where nothing moved, w¹ where something did, and γ between 0 and 1
how much the batch has moved. The members are the error predictor as it is, the error predictor set right on the
labelled rows, and for classifiers the difference of confidences; weights are not negative and sum to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._confidence import Anchored, DoC
from surefoot.estimators._error_predictor import ErrorPredictor, RowModels
from surefoot.estimators._method import Fold, Learned, Method, Seen, Trials
from surefoot.estimators._model import CLASSIFICATION, REGRESSION
from surefoot.estimators._movement import Reference, reference_of
from surefoot.estimators._rehearsal import Batch, Rehearsal
from surefoot.estimators._scores import Score, truth

PREDICTOR, SET_RIGHT, DIFFERENCE = "error-predictor", "error-predictor-set-right", "doc"

STEP = 0.05
"""Grid of the weights."""


@dataclass(frozen=True)
class Auto(Method):
    """Combines the error predictor and the difference of confidences; see the file for the formula.

    What the error predictor is has its own options.
    """

    predictor: ErrorPredictor = field(default_factory=ErrorPredictor)
    name: ClassVar[str] = "auto"
    kinds: ClassVar[tuple[str, ...]] = (CLASSIFICATION, REGRESSION)

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """A combination needs kept domains to be weighed on: `train` makes it."""
        raise TypeError("auto learns from trials, not from one fold")

    def train(self, trials: Trials) -> tuple[Combined, Array]:
        """Train the members, and weigh them by their errors on the kept domains."""
        rehearsal = trials.rehearsal
        models = [self.predictor.learn(rehearsal, fold) for fold in trials.folds]
        guesses = {PREDICTOR: trials.guesses(models, self.scores)}
        offsets, of_folds = _offsets(trials, models)
        guesses[SET_RIGHT] = guesses[PREDICTOR] + np.repeat(of_folds, [len(k) for k in trials.kept], axis=0)
        difference = None
        if rehearsal.rows.outputs.ndim == 2:
            difference, guesses[DIFFERENCE] = DoC().train(trials)
        reference = reference_of(rehearsal, trials.domains[trials.unmoved])
        places = list(rehearsal)
        moved = np.array([reference.moved(rehearsal.domains.take(places[d])) for d in trials.domains])
        weights, combined = {}, np.full_like(trials.truth, np.nan)
        for s, score in enumerate(trials.scores):
            table = np.stack([guess[:, s] for guess in guesses.values()], axis=1)
            still, far = (_weights(table, trials.truth[:, s], share) for share in (1 - moved, moved))
            weights[score.name] = (tuple(still), tuple(far))
            combined[:, s] = (1 - moved) * (table @ still) + moved * (table @ far)
        learned = Combined(RowModels.mean_of(models), offsets, difference, reference, weights)
        return learned, combined


@dataclass(frozen=True)
class Combined(Learned):
    """The members after learning, and their weights for each score: where nothing moved, where something did."""

    predictor: RowModels
    offsets: Mapping[str, float]
    difference: Learned | None
    reference: Reference
    weights: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]

    def per_row(self, batch: Batch) -> Array | None:
        """What the error predictor says."""
        return self.predictor.per_row(batch)

    def guess(self, seen: Seen, score: Score) -> float:
        """The weighted guess."""
        still, far = self.weights[score.name]
        moved = self.reference.moved(seen.sample)
        said = np.array(list(self.members(seen, score).values()))
        return float((1 - moved) * (said @ still) + moved * (said @ far))

    def members(self, seen: Seen, score: Score) -> dict[str, float]:
        """What each member says."""
        predicted = self.predictor.guess(seen, score)
        said = {PREDICTOR: predicted, SET_RIGHT: predicted + self.offsets[score.name]}
        if self.difference is not None:
            said[DIFFERENCE] = self.difference.guess(seen, score)
        return said

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Everything of the members."""
        predictor, models = self.predictor.parts()
        values = {
            "predictor": predictor,
            "offsets": dict(self.offsets),
            "difference": None if self.difference is None else self.difference.parts()[0],
            "reference": self.reference.to_dict(),
            "weights": {name: [list(side) for side in sides] for name, sides in self.weights.items()},
        }
        return values, models

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Combined:
        """The way back."""
        difference = values["difference"]
        return cls(
            RowModels.from_parts(values["predictor"], models),
            dict(values["offsets"]),
            None if difference is None else Anchored.from_parts(difference, {}),
            Reference.from_dict(values["reference"]),
            {name: (tuple(still), tuple(far)) for name, (still, far) in values["weights"].items()},
        )


def _offsets(trials: Trials, models: list[RowModels]) -> tuple[dict[str, float], Array]:
    """By how much the error models misjudge labelled rows they have not seen: all of them, and without each group.

    What is used for the domains kept from a fold must not know the labels of its group.
    """
    rehearsal = trials.rehearsal
    said = np.empty(
        rehearsal.rows.outputs.shape[0] if rehearsal.rows.outputs.ndim == 2 else (len(rehearsal.rows), 2)
    )
    for i, model in enumerate(models):
        said[rehearsal.group == i] = model.per_row(rehearsal.rows.take(rehearsal.group == i))
    everyone = np.ones(len(rehearsal.rows), dtype=bool)
    masks = [everyone, *(rehearsal.group != i for i in range(len(models)))]
    found = np.array(
        [[_offset(rehearsal, said, rows, models[0], score) for score in trials.scores] for rows in masks]
    )
    return {score.name: float(one) for score, one in zip(trials.scores, found[0], strict=True)}, found[1:]


def _offset(rehearsal: Rehearsal, said: Array, rows: Array, model: RowModels, score: Score) -> float:
    batch, weights = rehearsal.rows.take(rows), rehearsal.weights[rows]
    actual = score.of(batch.outputs, truth(batch.outputs, rehearsal.target[rows]), weights)
    return actual - model.guess(Seen(batch.outputs, said[rows], weights, batch), score)


def _weights(guesses: Array, true: Array, share: Array) -> Array:
    """Weights on a grid, not negative and summing to 1, of the smallest squared error; each domain counts its share."""
    m = guesses.shape[1]
    steps = round(1 / STEP)
    grid = np.array([w for w in product(range(steps + 1), repeat=m) if sum(w) == steps]) * STEP
    if share.sum() < 1:
        return np.full(m, 1 / m)
    error = guesses @ grid.T - true[:, None]
    return np.asarray(grid[(share[:, None] * error**2).sum(axis=0).argmin()])
