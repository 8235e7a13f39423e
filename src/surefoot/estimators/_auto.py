"""The default: a gate that hears the method which is at home where the batch is.

    Σ_r γ_r Σ_m w_rm g_m,   Σ_r γ_r = 1

g_m are the guesses of the members and γ_r how much the batch is in regime r: nothing has moved (the difference of
confidences is heard), only the shares of the classes have (the label shift), or something else has (the error
predictor, most of it set right on the labelled rows). Of a regressor the error predictor is heard everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._confidence import Anchored, DoC
from surefoot.estimators._error_predictor import ErrorPredictor, RowModels
from surefoot.estimators._label_shift import LabelShift, Reshared
from surefoot.estimators._method import Fold, Learned, Method, Seen, Trials
from surefoot.estimators._model import CLASSIFICATION, REGRESSION
from surefoot.estimators._movement import STILL, Movement
from surefoot.estimators._rehearsal import Batch, Rehearsal
from surefoot.estimators._scores import Score, truth

PREDICTOR, SET_RIGHT = "error-predictor", "error-predictor-set-right"

STILL_VOICES = {DoC.name: 1.0}
SHARES_VOICES = {LabelShift.name: 1.0}
MOVED_VOICES = {SET_RIGHT: 0.8, PREDICTOR: 0.2}
VOICES: tuple[Mapping[str, float], ...] = (STILL_VOICES, SHARES_VOICES, MOVED_VOICES)
"""Who is heard where nothing has moved, where only the shares of the classes have, and where something else has.

Weights that were fitted to kept domains instead, for every model anew, did no better on real data: where a family
of shifts is left out, the error predictor looks worse than it is where the shift is known."""


@dataclass(frozen=True)
class Auto(Method):
    """Hears the difference of confidences, the label shift or the error predictor; see the file for the formula.

    What the error predictor is has its own options.
    """

    predictor: ErrorPredictor = field(default_factory=ErrorPredictor)
    name: ClassVar[str] = "auto"
    kinds: ClassVar[tuple[str, ...]] = (CLASSIFICATION, REGRESSION)

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """A combination is set right fold by fold: `train` makes it."""
        raise TypeError("auto learns from trials, not from one fold")

    def train(self, trials: Trials) -> tuple[Combined, Array]:
        """Train the members."""
        models = [self.predictor.learn(trials.rehearsal, fold) for fold in trials.folds]
        offsets, of_folds = _offsets(trials, models)
        predicted = trials.guesses(models, self.scores)
        guesses = {
            PREDICTOR: predicted,
            SET_RIGHT: predicted + np.repeat(of_folds, [len(k) for k in trials.kept], axis=0),
        }
        others: dict[str, Learned] = {}
        if trials.rehearsal.rows.outputs.ndim == 2:
            for method in (DoC(), LabelShift()):
                others[method.name], guesses[method.name] = method.train(trials)
        combined = np.array(
            [
                [
                    combination({name: float(said[d, s]) for name, said in guesses.items()}, movement)
                    for s in range(len(trials.scores))
                ]
                for d, movement in enumerate(trials.movements)
            ]
        )
        return Combined(RowModels.mean_of(models), offsets, others), combined


@dataclass(frozen=True)
class Combined(Learned):
    """The members after learning."""

    predictor: RowModels
    offsets: Mapping[str, float]
    others: Mapping[str, Learned]

    def per_row(self, batch: Batch) -> Array | None:
        """What the error predictor says."""
        return self.predictor.per_row(batch)

    def guess(self, seen: Seen, score: Score) -> float:
        """What the members say, combined."""
        return combination(self.members(seen, score), seen.movement)

    def members(self, seen: Seen, score: Score) -> dict[str, float]:
        """What each member says that has an answer."""
        predicted = self.predictor.guess(seen, score)
        said = {PREDICTOR: predicted, SET_RIGHT: predicted + self.offsets[score.name]}
        said |= {name: one.guess(seen, score) for name, one in self.others.items()}
        return {name: one for name, one in said.items() if np.isfinite(one)}

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Everything of the members."""
        predictor, models = self.predictor.parts()
        values = {
            "predictor": predictor,
            "offsets": dict(self.offsets),
            "others": {name: one.parts()[0] for name, one in self.others.items()},
        }
        return values, models

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Combined:
        """The way back."""
        kinds: dict[str, type[Learned]] = {DoC.name: Anchored, LabelShift.name: Reshared}
        return cls(
            RowModels.from_parts(values["predictor"], models),
            dict(values["offsets"]),
            {name: kinds[name].from_parts(one, {}) for name, one in values["others"].items()},
        )


def combination(said: Mapping[str, float], movement: Movement) -> float:
    """What members say, each heard where it is at home; one that has no answer leaves the floor to the others.

    NaN where nobody who is heard has one.

    >>> said = {PREDICTOR: 0.6, SET_RIGHT: 0.65, DoC.name: 0.7, LabelShift.name: 0.3}
    >>> [round(combination(said, Movement(*how, np.zeros(2))), 3) for how in ((0, 0), (1, 1), (1, 0), (0.5, 0))]
    [0.7, 0.3, 0.64, 0.67]
    """
    value = 0.0
    for share, voices in zip(movement.regimes, VOICES, strict=True):
        heard = {name: voice for name, voice in voices.items() if np.isfinite(said.get(name, np.nan))}
        heard = heard or {SET_RIGHT: 1.0}
        if share > 0:
            together = sum(voice * said.get(name, np.nan) for name, voice in heard.items())
            value += share * together / sum(heard.values())
    return float(value)


def _offsets(trials: Trials, models: list[RowModels]) -> tuple[dict[str, float], Array]:
    """By how much the error models misjudge labelled rows they have not seen: all of them, and without each group.

    What is used for the domains kept from a fold does not look at the labels of its group.
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
    return actual - model.guess(Seen(batch.outputs, said[rows], weights, batch, STILL), score)
