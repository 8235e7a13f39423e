"""How far a batch has moved from the labelled rows, by the means and spreads of its columns, and whether other shares
of the classes explain it.

Watched are the columns, their distances from their centres, their shares of missing values, and the model's outputs.
Rows count by their weights, as they do in a score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.estimators._class_profiles import ClassProfiles, class_profiles
from surefoot.estimators._rehearsal import UNMOVED, Batch, Rehearsal
from surefoot.estimators._scores import truth
from surefoot.estimators._worth import worth

HALVES = 100
"""Halvings of the labelled rows that tell how far batches are apart by chance."""


class Movement(NamedTuple):
    """How a batch has moved."""

    moved: float
    """0 for a batch as near as unmoved ones are, 1 from twice that distance on."""
    by_shares: float
    """From 0 to 1: how far other shares of the classes are all that has moved."""
    shares: Array
    """The shares of the classes; none of a regressor."""
    profile: Array = np.zeros(0)
    """Differences of the means of what is watched, in standard deviations."""

    @property
    def regimes(self) -> Array:
        """How much nothing has moved, only the shares of the classes have, and something else has; sums to 1."""
        rest = 1 - self.by_shares
        return np.array([rest * (1 - self.moved), self.by_shares, rest * self.moved])


STILL = Movement(0.0, 0.0, np.zeros(0))
"""Of rows that are the labelled ones."""


@dataclass(frozen=True)
class Reference:
    """Means and standard deviations of what is watched in the labelled rows, and how much is usual.

    ``n`` is how many rows they are worth; ``usual`` and ``usual_shares`` are the distance and the change of shares that
    19 of 20 unmoved batches stay under.
    """

    centre: Array
    mean: Array
    deviation: Array
    n: float
    usual: float = 1.0
    usual_shares: float = 1.0
    classes: ClassProfiles | None = field(default=None, repr=False)
    rehearsed: Array = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32), repr=False)
    """Directions in which the rehearsed domains moved, of length 1, [domains, watched]."""

    def movement(self, batch: Batch, weights: Array | None = None, size: float | None = None) -> Movement:
        """How much the batch has moved, and how much of it the shares of the classes are.

        ``size`` is how many different rows it is worth, if that is not what its weights say.
        """
        weights = np.ones(len(batch)) if weights is None else weights
        size = float(worth(weights)) if size is None else size
        profile = self.profile(batch, weights)
        moved = _beyond(self.distance(profile, size), self.usual)
        if self.classes is None:
            return Movement(moved, 0.0, np.zeros(0), profile)
        shares = self.classes.shares(profile)
        changed = np.abs(shares - self.classes.prior).sum() / self._error(size)
        by_shares = _beyond(changed, self.usual_shares) * self.classes.belief(profile, shares, size)
        return Movement(moved, by_shares, shares, profile)

    def likeness(self, profile: Array) -> float:
        """Cosine between the direction of a profile and that of the rehearsed domain most like it."""
        if not len(self.rehearsed):
            return 0.0
        return float((self.rehearsed @ _direction(profile)).max())

    def profile(self, batch: Batch, weights: Array) -> Array:
        """Differences of the means in standard deviations."""
        return np.asarray((_mean(_watched(batch, self.centre), weights) - self.mean) / self.deviation)

    def distance(self, profile: Array, size: float) -> float:
        """The largest difference in standard errors, of a batch that is worth so many rows."""
        return float(np.abs(profile).max() / self._error(size))

    def _error(self, size: float) -> float:
        """Standard error of a difference of means, in standard deviations."""
        return float(np.sqrt(1 / size + 1 / self.n))

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "centre": self.centre.tolist(),
            "mean": self.mean.tolist(),
            "deviation": self.deviation.tolist(),
            "n": self.n,
            "usual": self.usual,
            "usual_shares": self.usual_shares,
            "classes": None if self.classes is None else self.classes.to_dict(),
            "rehearsed": self.rehearsed.tolist(),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Reference:
        """The way back."""
        centre, mean, deviation = (
            np.asarray(content[name], dtype=np.float64) for name in ("centre", "mean", "deviation")
        )
        classes, rehearsed = content["classes"], content["rehearsed"]
        return cls(
            centre,
            mean,
            deviation,
            float(content["n"]),
            float(content["usual"]),
            float(content["usual_shares"]),
            None if classes is None else ClassProfiles.from_dict(classes),
            np.asarray(rehearsed, dtype=np.float32).reshape(len(rehearsed), len(mean)),
        )


def rehearsed_of(rehearsal: Rehearsal) -> Reference:
    """Look at all labelled rows, and at where the rehearsed domains went."""
    known = reference_of(rehearsal.rows, rehearsal.target, rehearsal.is_code, rehearsal.weights)
    places, weights = list(rehearsal), rehearsal.domain_weights
    went = [d for d, family in enumerate(rehearsal.family) if rehearsal.families[family] != UNMOVED]
    directions = [
        _direction(known.profile(rehearsal.domains.take(place), weights[place]))
        for place in (places[d] for d in went)
    ]
    found = np.asarray(directions, dtype=np.float32).reshape(len(went), len(known.mean))
    return replace(known, rehearsed=np.round(found, 4))


def reference_of(
    rows: Batch, target: Array, is_code: NDArray[np.bool_], weights: Array | None = None
) -> Reference:
    """Look at labelled rows, and at how far halves of them are apart; ``is_code`` tells categories from numbers."""
    weights = np.ones(len(rows)) if weights is None else weights
    if rows.features is not None:
        rows = Batch(_as_if_new(rows.features, is_code), rows.outputs)
    centre = (
        np.zeros(0) if rows.features is None else np.nan_to_num(rows.features).mean(axis=0, dtype=np.float64)
    )
    watched = _watched(rows, centre)
    mean = _mean(watched, weights)
    deviation = np.sqrt(_mean((watched - mean) ** 2, weights))
    # What never varies, whatever its unit and the rounding of float32, counts as varying by one row in n.
    constant = deviation <= 1e-6 * np.abs(mean)
    deviation = np.where(constant, 1 / np.sqrt(len(watched)), deviation)
    standard = (watched - mean) / deviation
    known = Reference(centre, mean, deviation, float(worth(weights)))
    if rows.outputs.ndim == 2:
        known = replace(known, classes=class_profiles(standard, truth(rows.outputs, target), weights))
    usual, usual_shares = _usual(known, standard, weights)
    return replace(known, usual=usual, usual_shares=usual_shares)


def _as_if_new(features: NDArray[np.float32], is_code: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Labelled rows as a batch's are seen, in which a category that no labelled row has is a gap.

    As large a share of a batch has such categories as of these rows have one that is theirs alone (Good 1953).
    """
    features = features.copy()
    for j in np.flatnonzero(is_code):
        _, place, count = np.unique(features[:, j], return_inverse=True, return_counts=True)
        features[count[place] == 1, j] = np.nan
    return features


def _usual(known: Reference, standard: Array, weights: Array) -> tuple[float, float]:
    """What 19 of 20 random halves of the labelled rows stay under against the other half."""
    rng = np.random.default_rng(0)
    n, distances, changes = len(standard), [], []
    for _ in range(HALVES):
        order = rng.permutation(n)
        one, other = order[: n // 2], order[n // 2 :]
        apart = _mean(standard[one], weights[one]) - _mean(standard[other], weights[other])
        error = np.sqrt(1 / worth(weights[one]) + 1 / worth(weights[other]))
        distances.append(np.abs(apart).max() / error)
        if known.classes is not None:
            changes.append(np.abs(known.classes.shares(apart) - known.classes.prior).sum() / error)
    return (
        float(np.quantile(distances, 0.95)),
        float(np.quantile(changes, 0.95)) + 1e-9 if changes else 1.0,
    )


def _beyond(value: float, usual: float) -> float:
    """0 up to what is usual, 1 from twice that on."""
    return float(np.clip(value / usual - 1, 0, 1))


def _mean(values: Array, weights: Array) -> Array:
    return np.asarray(weights @ values / weights.sum())


def _direction(profile: Array) -> Array:
    """The profile with a length of 1, no single entry outweighing all others."""
    squashed = np.arctan(profile)
    return np.asarray(squashed / max(np.linalg.norm(squashed), 1e-12))


def _watched(batch: Batch, centre: Array) -> Array:
    """What is watched of every row, as float64; gaps count as 0 and beside that as gaps."""
    outputs = batch.outputs.reshape(len(batch), -1).astype(np.float64)
    if batch.features is None:
        return outputs
    absent = np.isnan(batch.features)
    values = np.where(absent, 0, batch.features.astype(np.float64))
    return np.concatenate([values, np.abs(values - centre), absent, outputs], axis=1)
