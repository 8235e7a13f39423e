"""Random forests of scikit-learn.

A regression's mean and variance are those of the mixture of its leaves: the variance inside the leaves, averaged over
trees, and the variance of the leaves' means between trees (Hutter et al. 2014, section 11.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.estimators._prepare import filled
from surefoot.posteriors._family import Family, Fitting, Setting
from surefoot.posteriors._gaussian import SMALLEST
from surefoot.posteriors._recipe import Recipe
from surefoot.posteriors._sklearn import Outputs, SklearnMember, opened, probabilities_of, share


def fit(rows: Fitting, recipe: Recipe, seed: int) -> SklearnMember:
    """Fit one forest; the seed draws its rows and features."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.pipeline import make_pipeline

    seen = opened(rows.train, recipe.settings["share"], seed)
    classify = rows.kind == "classification"
    forest = (RandomForestClassifier if classify else RandomForestRegressor)(
        n_estimators=recipe.settings["trees"],
        min_samples_leaf=recipe.settings["leaf"],
        max_features=None if recipe.settings["features"] == "all" else recipe.settings["features"],
        random_state=seed,
    )
    model = make_pipeline(filled(seen.form.is_code), forest).fit(seen.features, seen.y)
    outputs = probabilities_of(len(rows.classes)) if classify else _mixture_of(SMALLEST * float(seen.y.var()))
    return SklearnMember(seen.form, model, outputs, _count)


def _mixture_of(smallest: float) -> Outputs:
    """Mean and variance of the mixture of the leaves that a row falls into, the variance not below some value."""

    def outputs(model: Any, features: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        leaves = model[-1].apply(model[:-1].transform(features))
        trees = [one.tree_ for one in model[-1].estimators_]
        means = np.stack([tree.value[leaf, 0, 0] for tree, leaf in zip(trees, leaves.T, strict=True)])
        inside = np.stack([tree.impurity[leaf] for tree, leaf in zip(trees, leaves.T, strict=True)])
        variance = np.maximum(inside.mean(axis=0) + means.var(axis=0), smallest)
        return {"mean": means.mean(axis=0)[None], "variance": variance[None]}

    return outputs


def _count(model: Any) -> int:
    """A feature and a threshold of every inner node, and the values of every leaf."""
    total = 0
    for one in model[-1].estimators_:
        tree = one.tree_
        total += 2 * int(tree.node_count - tree.n_leaves) + int(tree.n_leaves) * tree.value[0].size
    return total


family = Family(
    name="sklearn-forest",
    title="random forest",
    kinds=("classification", "regression"),
    settings={
        "trees": Setting(100, 1, about="trees of one forest"),
        "leaf": Setting(2, 1, about="fewest rows of a leaf"),
        "features": Setting(
            "sqrt", words=("sqrt", "log2", "all"), about="how many features a split looks at"
        ),
        "share": share(1.0),
    },
    fit=fit,
)
