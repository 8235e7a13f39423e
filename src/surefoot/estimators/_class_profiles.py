"""Whether other shares of the classes explain how a batch has moved, and which.

The *profile* of a batch is the difference of its means from those of the labelled rows, in standard deviations, of
all that is watched. Where only the shares π of the classes have moved, the profile is Σ_k π_k B_k with B_k the profile
of the labelled rows of class k; the shares of a batch are those nearest to it,

    π = arg min ‖profile − Σ_k π_k B_k‖² + ρ ‖π − π⁰‖²,   π_k ≥ 0, Σ_k π_k = 1

(moments as in Lipton et al. 2018, of all that is watched instead of the predicted labels alone; held back towards the
shares π⁰ of the labelled rows where the classes hardly differ). A class that no labelled row has keeps a share of 0:
nobody knows how it looks. The shares are believed where they explain most of the profile and leave no more of it than
chance does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.estimators._worth import worth

FARTHEST = 3.0
"""Standard deviations that one entry of a profile counts at most, so that none outweighs all others."""

EXPLAINED = (0.3, 0.6)
"""Share of a profile's square that the shares must explain: not believed below the first, wholly above the second."""

LEFT = (1.6, 2.2)
"""Standard errors that nine of ten entries may be off after that: wholly believed below the first (of chance alone it
is 1.64), not above the second."""

HELD = 0.02
"""ρ: what a share of the classes must explain before it is believed to have moved."""

STEADY = 10.0
"""Rows as spread as all labelled ones, that each class is given: few rows of a class show too little spread."""


@dataclass(frozen=True)
class ClassProfiles:
    """The labelled rows of every class: their share of all, how many they are worth, their profile, and the variance
    around it, [classes, watched]."""

    prior: Array
    count: Array
    profile: Array
    variance: Array

    def shares(self, profile: Array) -> Array:
        """Shares of the classes that explain a profile best."""
        from scipy.optimize import nnls

        known = self.prior > 0
        prior = self.prior[known]
        k, sure = len(prior), 1e3  # a row of great weight makes the shares sum to 1
        held = np.sqrt(HELD) * np.eye(k)
        equations = np.concatenate([_bounded(self.profile[known]).T, held, np.full((1, k), sure)])
        wanted = np.concatenate([_bounded(profile), np.sqrt(HELD) * prior, [sure]])
        shares = np.zeros(len(known))
        shares[known] = nnls(equations, wanted)[0]
        return np.asarray(shares / shares.sum())

    def belief(self, profile: Array, shares: Array, size: float) -> float:
        """From 0 to 1 how far these shares, and nothing else, are what has moved in a batch of so many rows."""
        whole = _bounded(profile)
        off = whole - shares @ _bounded(self.profile)
        explained = 1 - (off**2).sum() / max((whole**2).sum(), 1e-12)
        left = np.quantile(np.abs(profile - shares @ self.profile) / self._error(shares, size), 0.9)
        return _between(explained, *EXPLAINED) * (1 - _between(left, *LEFT))

    def _error(self, shares: Array, size: float) -> Array:
        """Standard error of what is left of a profile: rows of the batch are drawn, and so were those of a class."""
        count = np.maximum(self.count, 1)
        mean = shares @ self.profile
        spread = shares @ (self.variance + self.profile**2) - mean**2
        return np.asarray(np.sqrt(spread / size + (shares**2 / count) @ self.variance))

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "prior": self.prior.tolist(),
            "count": self.count.tolist(),
            "profile": self.profile.tolist(),
            "variance": self.variance.tolist(),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> ClassProfiles:
        """The way back."""
        names = ("prior", "count", "profile", "variance")
        return cls(*(np.asarray(content[name], dtype=np.float64) for name in names))


def class_profiles(standard: Array, of_class: Array, weights: Array) -> ClassProfiles:
    """Look at rows whose columns have a mean of 0 and a variance of 1; ``of_class`` [rows, classes] is 1 or 0."""
    weight = of_class * weights[:, None].astype(np.float64)
    total, count = weight.sum(axis=0), worth(weight)
    some = np.where(total > 0, total, 1)[:, None]
    profile = weight.T @ standard / some
    within = weight.T @ standard**2 / some - profile**2
    variance = (count[:, None] * within + STEADY) / (count[:, None] + STEADY)
    return ClassProfiles(total / total.sum(), count, profile, variance)


def _bounded(profile: Array) -> Array:
    return np.clip(profile, -FARTHEST, FARTHEST)


def _between(value: float, low: float, high: float) -> float:
    """0 up to the first bound, 1 from the second on."""
    return float(np.clip((value - low) / (high - low), 0, 1))
