"""How much a batch has moved tells the drop (Elsahar & Gallé 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.estimators._expert import drops, forest, reference_accuracy
from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._rehearsal import Batch, Rehearsal
from surefoot.estimators._scores import Score
from surefoot.shifts.detectors import confidence_drop, proxy_a_distance, reverse_classification_accuracy

MOST_LABELLED = 2_000
"""Labelled rows that batches are held against, drawn evenly; more cost time in every domain."""


@dataclass(frozen=True)
class ExpertDetection(Method):
    """Predicts the drop of the accuracy from three signs that the batch has moved from the labelled rows.

    Proxy A-distance (by a logistic classifier on ranks), reverse classification accuracy (by one decision tree with
    leaves of 5 rows, whatever the model is: it is trained anew for every domain) and the drop of the mean confidence;
    a random forest learns from one row a domain (Elsahar & Gallé 2019, as ExpertRF [2] in Maggio et al. 2022).
    """

    name: ClassVar[str] = "expert-detection"
    scores: ClassVar[tuple[str, ...]] = ("accuracy",)
    needs_features: ClassVar[bool] = True

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Learn drops from the three signs of each domain.

        A domain is held against labelled rows of other groups than its own: no batch holds copies of them.
        """
        domains, target = drops(rehearsal, fold)
        others = {
            group: Signs.against(rehearsal, fold.rows & (rehearsal.group != group))
            for group in np.unique(rehearsal.domain_group[domains]).tolist()
        }
        places = list(rehearsal)
        features = np.array(
            [others[rehearsal.domain_group[d]].of(rehearsal.domains.take(places[d])) for d in domains]
        )
        signs = Signs.against(rehearsal, fold.rows)
        return BySigns(reference_accuracy(rehearsal, fold), signs, forest(features, target))


@dataclass(frozen=True)
class Signs:
    """The labelled rows that batches are held against, gaps filled with the columns' medians."""

    features: NDArray[np.float32]
    fill: NDArray[np.float32]
    outputs: Array
    target: NDArray[np.int64]

    @classmethod
    def against(cls, rehearsal: Rehearsal, chosen: NDArray[np.bool_]) -> Signs:
        """Look at some of the labelled rows."""
        places = np.flatnonzero(chosen)
        places = places[:: -(-len(places) // MOST_LABELLED)]
        rows = rehearsal.rows.take(places)
        assert rows.features is not None
        empty = np.isnan(rows.features).all(axis=0)
        fill = np.zeros(rows.features.shape[1], dtype=np.float32)
        fill[~empty] = np.nanmedian(rows.features[:, ~empty], axis=0)
        return cls(_filled(rows.features, fill), fill, rows.outputs, rehearsal.target[places])

    def of(self, batch: Batch) -> Array:
        """Proxy A-distance, reverse classification accuracy and confidence drop of a batch."""
        assert batch.features is not None
        order = np.lexsort(
            np.concatenate([batch.features, batch.outputs], axis=1).T
        )  # halves are drawn from it
        features, outputs = _filled(batch.features[order], self.fill), batch.outputs[order]
        apart = proxy_a_distance(self.features, features, model="logistic").statistic
        reverse = reverse_classification_accuracy(
            _tree, self.features, self.target, self.outputs, features, outputs
        ).statistic
        return np.array([apart, reverse, confidence_drop(self.outputs, outputs).statistic])


@dataclass(frozen=True)
class BySigns(Learned):
    """The accuracy on the labelled rows, these rows, and the forest that knows drops."""

    reference: float
    signs: Signs
    model: Any

    def guess(self, seen: Seen, score: Score) -> float:
        """Reference plus predicted drop."""
        return self.reference + float(self.model.predict(self.signs.of(seen.sample)[None])[0])

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The reference, the labelled rows as arrays, and the forest."""
        known = self.signs
        values = {
            "reference": self.reference,
            "features": known.features,
            "fill": known.fill,
            "outputs": known.outputs,
            "target": known.target,
        }
        return values, {"drop": self.model}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> BySigns:
        """The way back."""
        signs = Signs(
            np.asarray(values["features"], dtype=np.float32),
            np.asarray(values["fill"], dtype=np.float32),
            np.asarray(values["outputs"], dtype=np.float32),
            np.asarray(values["target"], dtype=np.int64),
        )
        return cls(values["reference"], signs, models["drop"])


def _filled(features: NDArray[np.float32], fill: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(np.isnan(features), fill, features)


def _tree(features: Array, labels: Array) -> Any:
    """The reverse model: as cheap as a model of mixed columns can be."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5, random_state=0).fit(features, labels)
