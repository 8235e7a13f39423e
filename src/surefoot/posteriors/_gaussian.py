"""Mean and variance from models that only know means.

Squared residuals of rows that a model was not fitted on are what its variance has to predict: a boosted gamma
regression learns them (the gamma deviance is, up to a factor, the Gaussian likelihood of a known mean).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDS = 3
SMALLEST = 1e-6
"""Of the target's variance: the least that a variance or a squared residual counts as."""


@dataclass(frozen=True)
class MeanAndVariance:
    """A model of the mean, and one of the squared distance from it."""

    mean: Any
    variance: Any


def fit_mean_and_variance(
    make: Callable[[], Any], features: NDArray[Any], y: NDArray[Any], is_code: NDArray[np.bool_], seed: int
) -> MeanAndVariance:
    """Fit the mean on all rows, and the variance on the squared residuals of a cross-fit."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.model_selection import KFold, cross_val_predict

    folds = KFold(FOLDS, shuffle=True, random_state=seed)
    squares = np.square(y - cross_val_predict(make(), features, y, cv=folds))
    spread = HistGradientBoostingRegressor(
        loss="gamma",
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=50,
        categorical_features=is_code,
        early_stopping=True,
        random_state=seed,
    )
    spread.fit(features, np.maximum(squares, SMALLEST * max(float(y.var()), SMALLEST)))
    return MeanAndVariance(make().fit(features, y), spread)


def mean_and_variance(model: MeanAndVariance, features: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """One sample of both."""
    return {"mean": model.mean.predict(features)[None], "variance": model.variance.predict(features)[None]}
