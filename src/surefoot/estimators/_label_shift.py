"""Label shift: the classes have other shares in the batch, and each of them looks as it did.

    q_ik ∝ p_ik^β · exp(b_k)      probabilities calibrated on the labelled rows
    r_ik ∝ q_ik · π_k / π⁰_k      beliefs of the labels at the shares π of the batch

π⁰ are the shares among the labelled rows; those of a batch are read from how it has moved (see `_class_profiles.py`).
What no labelled row tells of a class is left as it is: where π⁰_k = 0, r_ik ∝ q_ik.
The beliefs are Bayes' rule (Saerens, Latinne & Decaestecker 2002), the calibration is by one temperature and a bias
for every class (Alexandari, Kundaje & Shrikumar 2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from surefoot._checks import EPSILON, Array
from surefoot.estimators._confidence import CLASSIFICATION_SCORES
from surefoot.estimators._method import Fold, Learned, Method, Seen
from surefoot.estimators._rehearsal import Rehearsal
from surefoot.estimators._scores import SCORES, Score, truth

RAREST = 1e-6
"""Share that every class has at least: the area under the ROC curve of one that is not there is not defined."""


@dataclass(frozen=True)
class LabelShift(Method):
    """The score if only the shares of the classes have moved; see the file for the formulas."""

    name: ClassVar[str] = "label-shift"
    scores: ClassVar[tuple[str, ...]] = CLASSIFICATION_SCORES

    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Reshared:
        """Look at each class, calibrate the probabilities, and keep by how much they misjudge the labelled rows."""
        outputs, target = rehearsal.rows.outputs[fold.rows], rehearsal.target[fold.rows]
        weights = rehearsal.weights[fold.rows]
        beta, bias = _calibration(outputs, target, weights)
        believed, actual = _calibrated(outputs, beta, bias), truth(outputs, target)
        known = [SCORES[name] for name in self.scores]
        offsets = {
            one.name: one.of(outputs, actual, weights) - one.of(outputs, believed, weights) for one in known
        }
        prior = np.bincount(target, weights, outputs.shape[1]) / weights.sum()
        return Reshared(beta, bias, prior, offsets)


@dataclass(frozen=True)
class Reshared(Learned):
    """The calibration, the shares of the classes among the labelled rows, and an offset for each score."""

    beta: float
    bias: Array
    prior: Array
    offsets: Mapping[str, float]

    def guess(self, seen: Seen, score: Score) -> float:
        """The score under the beliefs at the shares of this batch."""
        known = self.prior > 0
        shares = np.maximum(seen.movement.shares, RAREST)
        belief = _calibrated(seen.outputs, self.beta, self.bias)
        belief *= np.where(known, shares / np.where(known, self.prior, 1), 1)
        belief /= belief.sum(axis=1, keepdims=True)
        return score.of(seen.outputs, belief, seen.weights) + self.offsets.get(score.name, 0.0)

    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Plain numbers."""
        values = {"beta": self.beta, "bias": self.bias, "prior": self.prior, "offsets": dict(self.offsets)}
        return values, {}

    @classmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Reshared:
        """The way back."""
        bias, prior = np.asarray(values["bias"]), np.asarray(values["prior"])
        return cls(values["beta"], bias, prior, dict(values["offsets"]))


def _calibrated(outputs: Array, beta: float, bias: Array) -> Array:
    """Probabilities at a temperature 1 / β, with a bias for every class."""
    from scipy.special import softmax

    return np.asarray(softmax(beta * _logs(outputs) + bias, axis=1))


def _calibration(outputs: Array, target: Array, weights: Array) -> tuple[float, Array]:
    """β and the biases that make the labels likeliest, held back a little where they are few."""
    from scipy.optimize import minimize

    k = outputs.shape[1]
    found = minimize(
        calibration_loss,
        np.concatenate([[1.0], np.zeros(k)]),
        args=(_logs(outputs), truth(outputs, target), weights),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.05, 20.0), *[(None, None)] * k],
    )
    return float(found.x[0]), np.asarray(found.x[1:])


def calibration_loss(parameters: Array, logs: Array, actual: Array, weights: Array) -> tuple[float, Array]:
    """What the labels lack in likelihood at β and the biases, a penalty on both, and the gradient of it all."""
    from scipy.special import log_softmax

    beta, bias = parameters[0], parameters[1:]
    believed = log_softmax(beta * logs + bias, axis=1)
    held = np.concatenate([[beta - 1], bias])
    loss = -(weights * (believed * actual).sum(axis=1)).sum() + (held**2).sum() / 2
    off = weights[:, None] * (np.exp(believed) - actual)
    gradient = np.concatenate([[(off * logs).sum()], off.sum(axis=0)]) + held
    return float(loss / weights.sum()), gradient / weights.sum()


def _logs(outputs: Array) -> Array:
    return np.asarray(np.log(outputs.astype(np.float64) + EPSILON))
