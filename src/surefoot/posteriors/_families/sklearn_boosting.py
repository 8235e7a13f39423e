"""Gradient boosting of scikit-learn on histograms: categories and gaps as they are."""

from __future__ import annotations

from typing import Any

from surefoot.posteriors._family import Family, Fitting, Setting
from surefoot.posteriors._gaussian import fit_mean_and_variance, mean_and_variance
from surefoot.posteriors._recipe import Recipe
from surefoot.posteriors._sklearn import SklearnMember, can_stop_early, opened, probabilities_of, share
from surefoot.posteriors._trees import boosted_parameters


def fit(rows: Fitting, recipe: Recipe, seed: int) -> SklearnMember:
    """Boost until a tenth of the rows, drawn by the seed, gets no better."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    seen = opened(rows.train, recipe.settings["share"], seed)
    options: dict[str, Any] = {
        "max_iter": recipe.settings["iterations"],
        "learning_rate": recipe.settings["rate"],
        "max_leaf_nodes": recipe.settings["leaves"],
        "l2_regularization": recipe.settings["l2"],
        "categorical_features": seen.form.is_code,
        "early_stopping": can_stop_early(seen.y, rows.kind),
        "random_state": seed,
    }
    if rows.kind == "classification":
        model = HistGradientBoostingClassifier(**options).fit(seen.features, seen.y)
        return SklearnMember(seen.form, model, probabilities_of(len(rows.classes)), boosted_parameters)
    both = fit_mean_and_variance(
        lambda: HistGradientBoostingRegressor(**options), seen.features, seen.y, seen.form.is_code, seed
    )
    return SklearnMember(seen.form, both, mean_and_variance, _count)


def _count(model: Any) -> int:
    return boosted_parameters(model.mean) + boosted_parameters(model.variance)


family = Family(
    name="sklearn-boosting",
    title="gradient boosting on histograms",
    kinds=("classification", "regression"),
    settings={
        "iterations": Setting(200, 1, about="most trees (of each class)"),
        "rate": Setting(0.1, 1e-4, 1.0, about="learning rate"),
        "leaves": Setting(31, 2, about="most leaves of a tree"),
        "l2": Setting(0.0, 0.0, about="penalty of large leaves"),
        "share": share(0.8),
    },
    fit=fit,
)
