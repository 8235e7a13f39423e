"""The last step: one temperature for all samples, from the likelihood of dev_in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import EPSILON
from surefoot.metrics import apply_temperature, fit_temperature, log_likelihood

RANGE = (0.05, 20.0)
"""The temperatures among which that of several samples is looked for."""


def scaled(arrays: Mapping[str, NDArray[Any]], temperature: float) -> dict[str, NDArray[Any]]:
    """Every sample's probabilities at a temperature."""
    if temperature == 1:
        return dict(arrays)
    probs = arrays["probs"]
    logits = np.log(probs + EPSILON)
    flat = apply_temperature(logits.reshape(-1, probs.shape[-1]), temperature)
    return {**arrays, "probs": flat.reshape(probs.shape)}


def best_temperature(probs: NDArray[Any], target: NDArray[np.int64]) -> float:
    """The temperature of all samples at which their average is likeliest, on rows of known classes.

    Scaling the samples and then averaging keeps a distribution over models, where scaling the average would leave
    one prediction.
    """
    known = target >= 0
    probs, target = probs[:, known], target[known]
    if len(probs) == 1:
        return fit_temperature(np.log(probs[0] + EPSILON), target)
    from scipy.optimize import minimize_scalar

    def loss(log_temperature: float) -> float:
        average = scaled({"probs": probs}, float(np.exp(log_temperature)))["probs"].mean(axis=0)
        return -log_likelihood(average, target)

    found = minimize_scalar(loss, bounds=tuple(np.log(RANGE)), method="bounded", options={"xatol": 1e-4})
    return float(np.exp(found.x))
