"""Logistic regression of scikit-learn. Its optimum is one: members differ by the rows they see."""

from __future__ import annotations

from typing import Any

from surefoot.estimators._prepare import spread_out
from surefoot.posteriors._family import Family, Fitting, Setting
from surefoot.posteriors._recipe import Recipe
from surefoot.posteriors._sklearn import SklearnMember, opened, probabilities_of, share


def fit(rows: Fitting, recipe: Recipe, seed: int) -> SklearnMember:
    """Find the optimum on a share of the rows."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    seen = opened(rows.train, recipe.settings["share"], seed)
    penalised = LogisticRegression(C=1 / float(recipe.settings["l2"]), max_iter=1000)
    model = make_pipeline(spread_out(seen.form.is_code), penalised).fit(seen.features, seen.y)
    return SklearnMember(seen.form, model, probabilities_of(len(rows.classes)), _count)


def _count(model: Any) -> int:
    return int(model[-1].coef_.size + model[-1].intercept_.size)


family = Family(
    name="sklearn-logistic",
    title="logistic regression",
    kinds=("classification",),
    settings={
        "l2": Setting(1.0, 1e-6, about="penalty of large weights"),
        "share": share(0.8),
    },
    fit=fit,
)
