"""The error predictor: a model that says, row by row, whether the model is right.

It learns from shifted copies of the labelled rows, so that it has seen what the model does when cells go wrong
(Maggio et al. 2022, section III-C). The estimate is the score under what it says of the batch's rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array, choice
from surefoot.estimators._method import Fold, Learned, Method, Seen, Trials, everything
from surefoot.estimators._model import CLASSIFICATION, REGRESSION
from surefoot.estimators._rehearsal import Batch, Rehearsal
from surefoot.estimators._scores import Score, spread_out, truth

MOST_ROWS = 25_000
"""Rows that one error model learns from; more cost time and change nothing that was measured."""

MOST_SORTED = 10
"""Sorted class probabilities that are features, the highest ones."""


@dataclass(frozen=True)
class ErrorPredictor(Method):
    """Learns where the model errs from shifted copies of labelled rows; the score is that of what it says.

    ``learner`` is ``"boosting"`` (histogram gradient boosting, regularised), ``"forest"`` (the paper's choice) or
    ``"neighbours"``. ``features``: ``"full"`` are the columns, the sorted class probabilities and the margin between
    the highest two; ``"paper"`` the columns, the highest probability and the margin; ``"outputs"`` only those of the
    model. ``shifted=False`` learns from the labelled rows alone (the paper's ErrorPredictor_no_shift).

    With ``cross_fitted`` five models each leave out a fifth of the rows and one family of shifts, and their mean is
    taken: shifted copies of one row share its label, and a model that has seen them all remembers rows instead of
    errors. ``cross_fitted=False`` is the published way, one model on everything.

    For a regressor it predicts the absolute and the squared error of every row.
    """

    learner: str = "boosting"
    features: str = "full"
    shifted: bool = True
    cross_fitted: bool = True
    name: ClassVar[str] = "error-predictor"
    kinds: ClassVar[tuple[str, ...]] = (CLASSIFICATION, REGRESSION)

    def __post_init__(self) -> None:
        choice("learner", self.learner, ("boosting", "forest", "neighbours"))
        choice("features", self.features, ("full", "paper", "outputs"))

    def train(self, trials: Trials) -> tuple[Learned, Array]:
        """Train a model a fold; cross-fitted, the answer is their mean."""
        models = [self.learn(trials.rehearsal, fold) for fold in trials.folds]
        kept = trials.guesses(models, self.scores)
        if self.cross_fitted:
            return RowModels.mean_of(models), kept
        return self.learn(trials.rehearsal, everything(trials.rehearsal)), kept

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> RowModels:
        """Train one error model on the rows of the fold, shifted and as they are."""
        inputs, outputs, target, weights = _learning_rows(rehearsal, fold, self.shifted)
        known = Batch(inputs, outputs)
        belief = truth(outputs, target)
        is_code = rehearsal.is_code[: 0 if self.features == "outputs" else None]
        table = row_features(known, self.features)
        if outputs.ndim == 1:
            models = tuple(
                self._fitted(_regressor(self.learner, is_code, table.shape[1]), table, belief[:, i], weights)
                for i in range(2)
            )
            return RowModels(self.features, REGRESSION, (models,))
        correct = outputs.argmax(axis=1) == target
        if correct.all() or not correct.any():
            return RowModels(self.features, CLASSIFICATION, (), constant=float(correct[0]))
        model = self._fitted(_classifier(self.learner, is_code, table.shape[1]), table, correct, weights)
        return RowModels(self.features, CLASSIFICATION, ((model,),))

    def _fitted(self, model: Any, table: Array, target: Array, weights: Array) -> Any:
        """The model after learning; weights that are alike tell nothing and cost much, neighbours know none."""
        if self.learner == "neighbours" or (weights == weights[0]).all():
            return model.fit(table, target)
        return model.fit(table, target, sample_weight=weights)


@dataclass(frozen=True)
class RowModels(Learned):
    """Error models and the mean of what they say; each is one classifier, or regressors of both errors."""

    features: str
    kind: str
    models: tuple[tuple[Any, ...], ...]
    constant: float | None = None

    @classmethod
    def mean_of(cls, several: list[RowModels]) -> RowModels:
        """All their models together; one that has met no error, or nothing else, is heard only if all are like it."""
        first = several[0]
        models = tuple(model for one in several for model in one.models)
        return cls(first.features, first.kind, models, None if models else first.constant)

    def per_row(self, batch: Batch) -> Array:
        """Probability of being right, [n]; for a regressor the expected absolute and squared error, [n, 2]."""
        if self.constant is not None:
            return np.full(len(batch), self.constant)
        table = row_features(batch, self.features)
        if self.kind == REGRESSION:
            said = [np.stack([part.predict(table) for part in model], axis=1) for model in self.models]
            return np.asarray(np.maximum(np.mean(said, axis=0), 0))
        return np.asarray(np.mean([model[0].predict_proba(table)[:, 1] for model in self.models], axis=0))

    def guess(self, seen: Seen, score: Score) -> float:
        """The score under what was said of the rows."""
        assert seen.per_row is not None
        if self.kind == REGRESSION:
            return score.of(seen.outputs, seen.per_row, seen.weights)
        return score.of(seen.outputs, spread_out(seen.outputs, seen.per_row), seen.weights)

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The error models."""
        values = {"features": self.features, "kind": self.kind, "constant": self.constant}
        models = {f"{i}-{j}": part for i, model in enumerate(self.models) for j, part in enumerate(model)}
        return values, models

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> RowModels:
        """The way back."""
        each = 2 if values["kind"] == REGRESSION else 1
        count = len(models) // each
        rebuilt = tuple(tuple(models[f"{i}-{j}"] for j in range(each)) for i in range(count))
        return cls(values["features"], values["kind"], rebuilt, values["constant"])


def row_features(batch: Batch, which: str) -> NDArray[np.float32]:
    """What an error model sees of each row: the columns first, then what the model said.

    >>> row_features(Batch(None, np.array([[0.2, 0.7, 0.1]])), "outputs").round(1).tolist()
    [[0.699999988079071, 0.20000000298023224, 0.10000000149011612, 0.5]]
    """
    outputs = batch.outputs
    if outputs.ndim == 1:
        said = outputs[:, None]
    else:
        ranked = np.sort(outputs, axis=1)[:, ::-1]
        margin = ranked[:, :1] - (ranked[:, 1:2] if ranked.shape[1] > 1 else 0)
        said = np.concatenate([ranked[:, : 1 if which == "paper" else MOST_SORTED], margin], axis=1)
    parts = [said] if which == "outputs" or batch.features is None else [batch.features, said]
    return np.concatenate(parts, axis=1).astype(np.float32, copy=False)


def _learning_rows(
    rehearsal: Rehearsal, fold: Fold, shifted: bool
) -> tuple[NDArray[np.float32] | None, Array, Array, Array]:
    """Labelled rows of the fold and, below them, a sample of its domains' rows.

    Domains in which only the classes have other shares are left out: a row looks the same in them, and is right or
    wrong more often.
    """
    plain = np.flatnonzero(fold.rows)
    learnable = fold.domains & ~np.array(rehearsal.relabelled)[rehearsal.family]
    moved = np.flatnonzero(learnable[rehearsal.of_row]) if shifted else np.zeros(0, dtype=np.int64)
    if len(moved) > MOST_ROWS:
        moved = np.sort(np.random.default_rng(0).choice(moved, MOST_ROWS, replace=False, shuffle=False))
    rows, domains = rehearsal.rows.take(plain), rehearsal.domains.take(moved)
    features = (
        None
        if rows.features is None or domains.features is None
        else np.concatenate([rows.features, domains.features])
    )
    return (
        features,
        np.concatenate([rows.outputs, domains.outputs]),
        np.concatenate([rehearsal.target[plain], rehearsal.domain_target[moved]]),
        np.concatenate([rehearsal.weights[plain], rehearsal.domain_weights[moved]]),
    )


def _classifier(learner: str, is_code: NDArray[np.bool_], width: int) -> Any:
    if learner == "forest":
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(random_state=0)
    if learner == "neighbours":
        from sklearn.neighbors import KNeighborsClassifier

        return _scaled(KNeighborsClassifier(n_neighbors=25))
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=25, learning_rate=0.25, **_boosting(is_code, width))


def _regressor(learner: str, is_code: NDArray[np.bool_], width: int) -> Any:
    if learner == "forest":
        from sklearn.ensemble import RandomForestRegressor

        return RandomForestRegressor(min_samples_leaf=5, random_state=0)
    if learner == "neighbours":
        from sklearn.neighbors import KNeighborsRegressor

        return _scaled(KNeighborsRegressor(n_neighbors=25))
    from sklearn.ensemble import HistGradientBoostingRegressor

    # Errors of shifted rows may be a thousand times those of others, which takes more steps of a log link.
    return HistGradientBoostingRegressor(
        loss="poisson", max_iter=60, learning_rate=0.2, **_boosting(is_code, width)
    )


def _boosting(is_code: NDArray[np.bool_], width: int) -> dict[str, Any]:
    """Leaves of many rows: a domain repeats its rows, so that a small leaf would hold one row many times."""
    mask = np.zeros(width, dtype=bool)
    mask[: len(is_code)] = is_code
    return {
        "max_leaf_nodes": 31,
        "min_samples_leaf": 100,
        "l2_regularization": 10.0,
        "early_stopping": False,
        "categorical_features": mask if mask.any() else None,
        "random_state": 0,
    }


def _scaled(model: Any) -> Any:
    """Distances need columns of one scale and no gaps."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), model)
