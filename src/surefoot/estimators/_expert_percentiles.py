"""Percentiles of the predictions tell the drop (Redyuk et al. 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._expert import drops, forest, reference_accuracy
from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._rehearsal import Rehearsal
from surefoot.estimators._scores import Score
from surefoot.shifts.detectors import prediction_percentiles


@dataclass(frozen=True)
class ExpertPercentiles(Method):
    """Predicts the drop of the accuracy from the percentiles of each class's probability in the batch.

    Percentiles 0 … 100 of all classes but the last, whose probabilities the others determine; a random forest learns
    from one row a domain (Redyuk et al. 2019, as ExpertRF [3] in Maggio et al. 2022).
    """

    name: ClassVar[str] = "expert-percentiles"
    scores: ClassVar[tuple[str, ...]] = ("accuracy",)

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Learn drops from percentiles."""
        domains, target = drops(rehearsal, fold)
        places = list(rehearsal)
        features = np.array([percentiles(rehearsal.domains.outputs[places[d]]) for d in domains])
        return ByPercentiles(reference_accuracy(rehearsal, fold), forest(features, target))


@dataclass(frozen=True)
class ByPercentiles(Learned):
    """The accuracy on the labelled rows, and the forest that knows drops."""

    reference: float
    model: Any

    def guess(self, seen: Seen, score: Score) -> float:
        """Reference plus predicted drop."""
        return self.reference + float(self.model.predict(percentiles(seen.outputs)[None])[0])

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The reference and the forest."""
        return {"reference": self.reference}, {"drop": self.model}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> ByPercentiles:
        """The way back."""
        return cls(values["reference"], models["drop"])


def percentiles(probs: Array) -> Array:
    """Percentiles of a batch's probabilities in one row.

    >>> percentiles(np.array([[0.2, 0.8], [0.4, 0.6]]))[[0, 50, 100]].round(3).tolist()
    [0.2, 0.3, 0.4]
    """
    return prediction_percentiles(probs, convention="published").ravel()
