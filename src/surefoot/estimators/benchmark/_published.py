"""Error predictors as they were published, with their hyper-parameters: what `ErrorPredictor` is held against.

Each learns from all rows of all training domains at once (Maggio et al. 2022, sections III-C and VI-E). They see the
columns, the highest probability and the margin as the paper says; the published code gives them all sorted
probabilities, with ``features="full"`` here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import choice
from surefoot.estimators._error_predictor import RowModels, row_features
from surefoot.estimators._method import Fold, Method
from surefoot.estimators._model import CLASSIFICATION
from surefoot.estimators._rehearsal import Rehearsal

MOST_NEIGHBOURS = 25_000
"""Rows among which neighbours are sought, drawn evenly; every test row is compared to all of them."""


@dataclass(frozen=True)
class Published(Method):
    """An error predictor with a published learner and its hyper-parameters.

    ``"forest"`` is scikit-learn's as it comes; ``"boosting"`` 200 trees of depth 3 at rate 0.001 with leaves of 10
    rows, as histogram gradient boosting (the same trees up to the width of a bin, in a fiftieth of the time);
    ``"neighbours"`` the nearest 3. ``features`` are those of `ErrorPredictor`. ``shifted=False`` learns from the
    labelled rows alone.
    """

    learner: str = "forest"
    features: str = "paper"
    shifted: bool = True
    name: ClassVar[str] = "published-error-predictor"
    scores: ClassVar[tuple[str, ...]] = ("accuracy",)

    def __post_init__(self) -> None:
        choice("learner", self.learner, ("forest", "boosting", "neighbours"))

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> RowModels:
        """Train one classifier of right and wrong."""
        batch, target, kept = rehearsal.rows, rehearsal.target, fold.rows
        if self.shifted:
            batch, target = rehearsal.domains, rehearsal.domain_target
            kept = fold.domains[rehearsal.of_row]
        chosen = np.flatnonzero(kept)
        if self.learner == "neighbours":
            chosen = chosen[:: -(-len(chosen) // MOST_NEIGHBOURS)]
        right = batch.outputs[chosen].argmax(axis=1) == target[chosen]
        if right.all() or not right.any():
            return RowModels(self.features, CLASSIFICATION, (), constant=float(right[0]))
        table = row_features(batch.take(chosen), self.features)
        return RowModels(self.features, CLASSIFICATION, ((_classifier(self.learner).fit(table, right),),))


def _classifier(learner: str) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if learner == "forest":
        return RandomForestClassifier(random_state=0)
    if learner == "boosting":
        return HistGradientBoostingClassifier(
            max_iter=200,
            max_depth=3,
            max_leaf_nodes=None,
            learning_rate=0.001,
            min_samples_leaf=10,
            early_stopping=False,
            random_state=0,
        )
    return make_pipeline(
        SimpleImputer(keep_empty_features=True), StandardScaler(), KNeighborsClassifier(3, algorithm="brute")
    )
