"""Networks of fully connected layers of scikit-learn; torch is not needed."""

from __future__ import annotations

import warnings
from typing import Any

from surefoot.estimators._prepare import spread_out
from surefoot.posteriors._family import Family, Fitting, Setting
from surefoot.posteriors._gaussian import fit_mean_and_variance, mean_and_variance
from surefoot.posteriors._recipe import Recipe
from surefoot.posteriors._sklearn import SklearnMember, can_stop_early, opened, probabilities_of, share
from surefoot.posteriors._trees import boosted_parameters


def fit(rows: Fitting, recipe: Recipe, seed: int) -> SklearnMember:
    """Train until a tenth of the rows gets no better; the seed draws weights, batches and that tenth."""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier, MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    seen = opened(rows.train, recipe.settings["share"], seed)
    options: dict[str, Any] = {
        "hidden_layer_sizes": (recipe.settings["width"],) * int(recipe.settings["layers"]),
        "alpha": recipe.settings["l2"],
        "learning_rate_init": recipe.settings["rate"],
        "max_iter": recipe.settings["epochs"],
        "early_stopping": can_stop_early(seen.y, rows.kind),
        "random_state": seed,
    }

    def regressor() -> Any:
        network = TransformedTargetRegressor(MLPRegressor(**options), transformer=StandardScaler())
        return make_pipeline(spread_out(seen.form.is_code), network)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the epochs are part of the recipe
        if rows.kind == "classification":
            model = make_pipeline(spread_out(seen.form.is_code), MLPClassifier(**options)).fit(
                seen.features, seen.y
            )
            return SklearnMember(seen.form, model, probabilities_of(len(rows.classes)), _weights)
        both = fit_mean_and_variance(regressor, seen.features, seen.y, seen.form.is_code, seed)
    return SklearnMember(seen.form, both, mean_and_variance, _count)


def _weights(model: Any) -> int:
    return _size(model[-1])


def _count(model: Any) -> int:
    return _size(model.mean[-1].regressor_) + boosted_parameters(model.variance)


def _size(network: Any) -> int:
    return sum(int(one.size) for one in (*network.coefs_, *network.intercepts_))


family = Family(
    name="sklearn-mlp",
    title="network of fully connected layers",
    kinds=("classification", "regression"),
    settings={
        "width": Setting(128, 1, about="units of a layer"),
        "layers": Setting(2, 1, about="hidden layers"),
        "l2": Setting(1e-4, 0.0, about="penalty of large weights"),
        "rate": Setting(1e-3, 1e-6, 1.0, about="learning rate"),
        "epochs": Setting(60, 1, about="most passes over the rows"),
        "share": share(1.0),
    },
    fit=fit,
)
