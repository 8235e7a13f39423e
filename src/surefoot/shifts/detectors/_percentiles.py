"""Percentiles of predictions: what a batch looks like to the model, in a row of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import choice, probabilities


def prediction_percentiles(probs: ArrayLike, *, convention: str = "paper") -> NDArray[np.float64]:
    """Percentiles 0 … 100 of each class's probability, [101, K], interpolated linearly.

    No test, but the features from which Redyuk et al. 2019 predict the accuracy on a batch. The published
    code of Maggio et al. 2022 leaves out the last class (``convention="published"``: [101, K − 1]), which with
    two classes says nothing new.

    >>> prediction_percentiles([[0.2, 0.8], [0.4, 0.6]])[[0, 50, 100]].tolist()
    [[0.2, 0.6], [0.30000000000000004, 0.7], [0.4, 0.8]]
    """
    choice("convention", convention, ("paper", "published"))
    values = probabilities("probs", probs, 2).astype(np.float64)
    used = values[:, :-1] if convention == "published" else values
    return np.asarray(np.percentile(used, np.arange(101), axis=0))
