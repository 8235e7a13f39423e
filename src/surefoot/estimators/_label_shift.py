"""Label shift: the classes have other shares in the batch, and each of them looks as it did.

    q_ik ∝ p_ik^β · exp(b_k)      probabilities calibrated on the labelled rows
    r_ik ∝ q_ik · π_k / π⁰_k      beliefs of the labels at the shares π of the batch

π⁰ are the shares among the labelled rows; those of a batch are read from how it has moved (see `_class_profiles.py`).
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
        prior = np.bincount(target, minlength=outputs.shape[1]) / len(target)
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
        belief = _calibrated(seen.outputs, self.beta, self.bias)
        belief *= seen.movement.shares / np.maximum(self.prior, EPSILON)
        belief /= np.maximum(belief.sum(axis=1, keepdims=True), EPSILON)
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
    logits = beta * np.log(outputs.astype(np.float64) + EPSILON) + bias
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


def _calibration(outputs: Array, target: Array, weights: Array) -> tuple[float, Array]:
    """β and the biases that make the labels likeliest, held back a little where they are few."""
    from scipy.optimize import minimize

    logs = np.log(outputs.astype(np.float64) + EPSILON)
    actual = truth(outputs, target)
    total = weights.sum()

    def loss(parameters: Array) -> tuple[float, Array]:
        beta, bias = parameters[0], parameters[1:]
        believed = _calibrated(outputs, beta, bias)
        off = weights[:, None] * (believed - actual)
        likelihood = -(weights * np.log((believed * actual).sum(axis=1) + EPSILON)).sum()
        gradient = np.concatenate([[(off * logs).sum()], off.sum(axis=0)])
        held = np.concatenate([[beta - 1], bias])
        return float((likelihood + (held**2).sum() / 2) / total), (gradient + held) / total

    k = outputs.shape[1]
    found = minimize(
        loss,
        np.concatenate([[1.0], np.zeros(k)]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.05, 20.0), *[(None, None)] * k],
    )
    return float(found.x[0]), np.asarray(found.x[1:])
