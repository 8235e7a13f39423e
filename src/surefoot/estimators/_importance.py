"""Importance-weighted calibration: the labelled rows that are like the batch say how to read its confidences.

Where only the mixture of rows has moved and not what the label of a row is (covariate shift), a labelled row x
stands for p_batch(x) / p_labelled(x) rows of the batch (Shimodaira 2000). A classifier that tells batch from labelled
rows knows this ratio (Bickel et al. 2009), and with these weights the confidences are calibrated for the batch (Park
et al. 2020; Wang et al. 2020). All of it happens when the batch is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.estimators._confidence import CLASSIFICATION_SCORES
from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._rehearsal import Batch, Rehearsal
from surefoot.estimators._scores import Score, spread_out

MOST_LABELLED = 10_000
"""Labelled rows that are kept, drawn evenly."""

LARGEST = 20.0
"""Bound of a weight, in means of all weights: a handful of rows must not decide alone."""

STRENGTH = 0.1
"""Inverse regularisation of the domain classifier; a weaker one finds differences where there are none."""


@dataclass(frozen=True)
class ImportanceWeighted(Method):
    """Calibrates the model's confidences on the labelled rows, weighted by how much they are like the batch.

    The domain classifier is logistic, on where a value ranks among the labelled rows, how far out it is and whether
    it is missing, of every column and every probability; confidences are calibrated by Platt's method.
    """

    name: ClassVar[str] = "importance-weighted"
    scores: ClassVar[tuple[str, ...]] = CLASSIFICATION_SCORES

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Keep the labelled rows, and which of them the model got right."""
        kept = np.flatnonzero(fold.rows)
        kept = kept[:: -(-len(kept) // MOST_LABELLED)]
        rows = rehearsal.rows.take(kept)
        return Reweighted(
            rows, rows.outputs.argmax(axis=1) == rehearsal.target[kept], rehearsal.weights[kept]
        )


@dataclass(frozen=True)
class Reweighted(Learned):
    """The labelled rows, whether the model got them right, and their weights."""

    rows: Batch
    right: NDArray[np.bool_]
    weights: Array

    def guess(self, seen: Seen, score: Score) -> float:
        """The score under the confidences calibrated for this batch."""
        weights = self.weights * importance(self.rows, seen.sample)
        correct = calibrated(self.rows.outputs, self.right, weights, seen.outputs)
        return score.of(seen.outputs, spread_out(seen.outputs, correct), seen.weights)

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The labelled rows as arrays."""
        values = {
            "features": self.rows.features,
            "outputs": self.rows.outputs,
            "right": self.right,
            "weights": self.weights,
        }
        return values, {}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Reweighted:
        """The way back."""
        features = values["features"]
        rows = Batch(
            None if features is None else np.asarray(features, dtype=np.float32),
            np.asarray(values["outputs"], dtype=np.float32),
        )
        return cls(rows, np.asarray(values["right"], dtype=bool), np.asarray(values["weights"]))


def importance(rows: Batch, batch: Batch) -> Array:
    """Weights of labelled rows, with a mean of 1: how much commoner such rows are in the batch."""
    from sklearn.linear_model import LogisticRegression

    known, new = _beside(rows), _beside(batch)
    ranked = np.concatenate([_ranked(known, known), _ranked(known, new)])
    is_batch = np.arange(len(ranked)) >= len(known)
    model = LogisticRegression(C=STRENGTH, max_iter=500).fit(ranked, is_batch)
    odds = np.exp(np.clip(model.decision_function(ranked[: len(known)]), -30, 30))
    weights = np.minimum(odds / odds.mean(), LARGEST)
    return np.asarray(weights / weights.mean())


def calibrated(outputs: Array, right: NDArray[np.bool_], weights: Array, new: Array) -> Array:
    """Probabilities that predictions are right, a + b · logit(confidence) fitted to weighted labelled rows."""
    from sklearn.linear_model import LogisticRegression

    if right.all() or not right.any():
        return np.full(len(new), float(right[0]))
    model = LogisticRegression(C=10.0).fit(_logit(outputs), right, weights)
    return np.asarray(model.predict_proba(_logit(new))[:, 1])


def _logit(outputs: Array) -> Array:
    confidence = np.clip(outputs.max(axis=1).astype(np.float64), 0.01, 0.99)
    return np.asarray(np.log(confidence / (1 - confidence))[:, None])


def _beside(batch: Batch) -> Array:
    """Columns and probabilities side by side; the last class follows from the others."""
    said = batch.outputs[:, :-1]
    return said if batch.features is None else np.concatenate([batch.features, said], axis=1)


def _ranked(known: Array, values: Array) -> Array:
    """Ranks among the known values in −1 … 1, their squares, and gaps; a gap has the middle rank."""
    absent = np.isnan(values)
    ranks = np.empty(values.shape)
    for j, column in enumerate(known.T):
        column = np.sort(column[~np.isnan(column)])
        below, upto = (np.searchsorted(column, values[:, j], side) for side in ("left", "right"))
        ranks[:, j] = (below + upto) / max(len(column), 1) - 1
    ranks[absent] = 0
    return np.concatenate([ranks, ranks**2, absent], axis=1)
