"""Methods that read the model's confidence: its mean, its difference, and the share above a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import EPSILON, Array, choice
from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._rehearsal import Rehearsal
from surefoot.estimators._scores import SCORES, Score, truth

CLASSIFICATION_SCORES = tuple(name for name, one in SCORES.items() if one.kind == "classification")


@dataclass(frozen=True)
class MeanConfidence(Method):
    """The score if labels were drawn from the model's own probabilities; for the accuracy, the mean confidence.

    Right for a calibrated model, wherever it stays calibrated (Hendrycks & Gimpel 2017 use it as a baseline; CBPE of
    NannyML is the same after calibration).
    """

    name: ClassVar[str] = "mean-confidence"
    scores: ClassVar[tuple[str, ...]] = CLASSIFICATION_SCORES

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Nothing is learned."""
        return Anchored({})


@dataclass(frozen=True)
class DoC(Method):
    """Difference of confidences: the reference score, moved by as much as the mean confidence moved.

        score on labelled rows + (MeanConfidence on the batch − MeanConfidence on the labelled rows)

    Guillory et al. 2021, with the difference itself instead of a regression on it. The reference does not need the
    model to be calibrated.
    """

    name: ClassVar[str] = "doc"
    scores: ClassVar[tuple[str, ...]] = CLASSIFICATION_SCORES

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Keep by how much the probabilities misjudge the labelled rows."""
        outputs, weights = rehearsal.rows.outputs[fold.rows], rehearsal.weights[fold.rows]
        actual = truth(outputs, rehearsal.target[fold.rows])
        known = {name: SCORES[name] for name in self.scores}
        return Anchored(
            {
                name: one.of(outputs, actual, weights) - one.of(outputs, outputs, weights)
                for name, one in known.items()
            }
        )


@dataclass(frozen=True)
class Anchored(Learned):
    """The expected score under the model's own probabilities, moved by a constant for each score."""

    offsets: Mapping[str, float]

    def guess(self, seen: Seen, score: Score) -> float:
        """Expected score plus the constant."""
        return score.of(seen.outputs, seen.outputs, seen.weights) + self.offsets.get(score.name, 0.0)

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The constants."""
        return {"offsets": dict(self.offsets)}, {}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Anchored:
        """The way back."""
        return cls(dict(values["offsets"]))


@dataclass(frozen=True)
class ATC(Method):
    """Average thresholded confidence: rows whose confidence reaches a threshold count as right.

    The threshold t makes the share of labelled rows below it equal their error rate (equation 1 of Maggio et al. 2022,
    after Garg et al. 2022); ``by`` is ``"entropy"`` (negative entropy Σ p ln p, the published choice) or
    ``"confidence"`` (highest probability). Zero probabilities are certain: 0 ln 0 = 0 on both sides, where the
    published code makes such a row the most certain one on the labelled side and an error on the other.
    """

    by: str = "entropy"
    name: ClassVar[str] = "atc"
    scores: ClassVar[tuple[str, ...]] = ("accuracy",)

    def __post_init__(self) -> None:
        choice("by", self.by, ("entropy", "confidence"))

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Find the threshold."""
        outputs, weights = rehearsal.rows.outputs[fold.rows], rehearsal.weights[fold.rows]
        wrong = outputs.argmax(axis=1) != rehearsal.target[fold.rows]
        return Thresholded(self.by, atc_threshold(certainty(outputs, self.by), wrong, weights))


@dataclass(frozen=True)
class Thresholded(Learned):
    """The share of rows at least as certain as a threshold."""

    by: str
    threshold: float

    def guess(self, seen: Seen, score: Score) -> float:
        """Share of rows that reach the threshold."""
        return float(np.average(certainty(seen.outputs, self.by) >= self.threshold, weights=seen.weights))

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The threshold."""
        return {"by": self.by, "threshold": self.threshold}, {}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Thresholded:
        """The way back."""
        return cls(values["by"], values["threshold"])


def certainty(probs: Array, by: str) -> Array:
    """Negative entropy Σ p ln p with 0 ln 0 = 0, or the highest probability.

    >>> certainty(np.array([[1.0, 0.0], [0.5, 0.5]]), "entropy").round(4).tolist()
    [0.0, -0.6931]
    """
    if by == "confidence":
        highest: Array = probs.max(axis=1)
        return highest
    wide = probs.astype(np.float64)
    terms: Array = (wide * np.log(np.maximum(wide, EPSILON**3))).sum(axis=1)
    return terms


def atc_threshold(values: Array, wrong: Array, weights: Array | None = None) -> float:
    """The threshold t among the values for which the share of values < t is nearest the error rate.

    >>> atc_threshold(np.array([0.9, 0.5, 0.7, 0.8]), np.array([False, True, False, False]))
    0.7
    """
    weights = np.ones(len(values)) if weights is None else weights
    levels, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weights, len(levels))
    below = (np.cumsum(mass) - mass) / mass.sum()
    return float(levels[np.abs(below - np.average(wrong, weights=weights)).argmin()])
