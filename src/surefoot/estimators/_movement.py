"""How far a batch has moved from the labelled rows, by the means and spreads of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._rehearsal import Batch, Rehearsal


@dataclass(frozen=True)
class Reference:
    """Means and standard deviations of what is watched in the labelled rows, and how much is usual.

    Watched are the columns, their distances from their centres, their shares of missing values, and the model's
    outputs. ``usual`` is the distance that 19 of 20 unmoved domains stay under.
    """

    centre: Array
    mean: Array
    deviation: Array
    n: int
    usual: float = 1.0
    rehearsed: Array = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32), repr=False)
    """Directions in which the rehearsed domains moved, of length 1, [domains, watched]."""

    def distance(self, batch: Batch) -> float:
        """The largest standardised difference of a mean."""
        return float(np.abs(self._profile(batch)).max() / np.sqrt(1 / len(batch) + 1 / self.n))

    def moved(self, batch: Batch) -> float:
        """0 for a batch as near as unmoved ones are, 1 from twice that distance on."""
        return float(np.clip(self.distance(batch) / self.usual - 1, 0, 1))

    def likeness(self, batch: Batch) -> float:
        """Cosine between the direction in which the batch moved and that of the rehearsed domain most like it."""
        if not len(self.rehearsed):
            return 0.0
        return float((self.rehearsed @ _direction(self._profile(batch))).max())

    def _profile(self, batch: Batch) -> Array:
        """Differences of the means in standard deviations."""
        return np.asarray((_watched(batch, self.centre).mean(axis=0) - self.mean) / self.deviation)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "centre": self.centre.tolist(),
            "mean": self.mean.tolist(),
            "deviation": self.deviation.tolist(),
            "n": self.n,
            "usual": self.usual,
            "rehearsed": self.rehearsed.round(4).tolist(),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Reference:
        """The way back."""
        centre, mean, deviation = (np.asarray(content[name]) for name in ("centre", "mean", "deviation"))
        return cls(centre, mean, deviation, content["n"], content["usual"], _matrix(content["rehearsed"]))


def reference_of(rehearsal: Rehearsal, unmoved: Array) -> Reference:
    """Look at the labelled rows, and at how far domains of them are that were not moved."""
    features = rehearsal.rows.features
    centre = np.zeros(0) if features is None else np.nan_to_num(features).mean(axis=0, dtype=np.float64)
    watched = _watched(rehearsal.rows, centre)
    mean, deviation = watched.mean(axis=0), watched.std(axis=0)
    # What never varies, whatever its unit and the rounding of float32, counts as varying by one row in n.
    constant = deviation <= 1e-6 * np.abs(mean)
    known = Reference(centre, mean, np.where(constant, 1 / np.sqrt(len(watched)), deviation), len(watched))
    places = list(rehearsal)
    usual = [known.distance(rehearsal.domains.take(places[d])) for d in unmoved]
    moved = np.setdiff1d(np.arange(len(places)), unmoved)
    directions = [_direction(known._profile(rehearsal.domains.take(places[d]))) for d in moved]
    return replace(known, usual=float(np.quantile(usual, 0.95)), rehearsed=_matrix(directions))


def _direction(profile: Array) -> Array:
    """The profile with a length of 1, no single entry outweighing all others."""
    squashed = np.arctan(profile)
    return np.asarray(squashed / max(np.linalg.norm(squashed), 1e-12))


def _matrix(rows: Any) -> Array:
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), -1)


def _watched(batch: Batch, centre: Array) -> Array:
    """What is watched of every row, as float64; gaps count as 0 and beside that as gaps."""
    outputs = batch.outputs.reshape(len(batch), -1).astype(np.float64)
    if batch.features is None:
        return outputs
    absent = np.isnan(batch.features)
    values = np.where(absent, 0, batch.features.astype(np.float64))
    return np.concatenate([values, np.abs(values - centre), absent, outputs], axis=1)
