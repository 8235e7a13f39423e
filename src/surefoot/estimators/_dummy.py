"""No change: what an estimate must beat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._model import CLASSIFICATION, REGRESSION
from surefoot.estimators._rehearsal import Rehearsal
from surefoot.estimators._scores import SCORES, Score, truth


@dataclass(frozen=True)
class Dummy(Method):
    """The score on the labelled rows, whatever the batch."""

    name: ClassVar[str] = "dummy"
    kinds: ClassVar[tuple[str, ...]] = (CLASSIFICATION, REGRESSION)

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Keep the scores of the labelled rows."""
        outputs, weights = rehearsal.rows.outputs[fold.rows], rehearsal.weights[fold.rows]
        actual = truth(outputs, rehearsal.target[fold.rows])
        kind = CLASSIFICATION if outputs.ndim == 2 else REGRESSION
        return Unchanged(
            {name: one.of(outputs, actual, weights) for name, one in SCORES.items() if one.kind == kind}
        )


@dataclass(frozen=True)
class Unchanged(Learned):
    """The scores on the labelled rows."""

    references: Mapping[str, float]

    def guess(self, seen: Seen, score: Score) -> float:
        """The same as ever."""
        return self.references[score.name]

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The scores."""
        return {"references": dict(self.references)}, {}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Unchanged:
        """The way back."""
        return cls(dict(values["references"]))
