"""What fitting gives: a distribution over models, from which predictions are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot.posteriors._calibration import scaled
from surefoot.posteriors._cost import Cost, cost
from surefoot.posteriors._family import Member
from surefoot.posteriors._recipe import Recipe

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Draws:
    """Predictions of S samples, samples axis first, and which member each sample came from.

    ``arrays`` holds ``probs[S, N, K]``, or ``mean[S, N]`` and ``variance[S, N]``: what `surefoot.Predictions` takes.
    """

    arrays: Mapping[str, NDArray[Any]]
    member: NDArray[np.int64]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.arrays[name]


@dataclass(frozen=True, eq=False)
class Posterior:
    """A distribution over models.

    Attributes:
        recipe: what was asked for; settings that were tuned have the values that were chosen.
        kind: ``"classification"`` or ``"regression"``.
        classes: names of the columns of probabilities.
        members: the fitted members.
        temperature: what probabilities are divided by in the logarithm; 1 leaves them.
        seed: of the fit.
    """

    recipe: Recipe
    kind: str
    classes: tuple[str, ...]
    members: tuple[Member, ...]
    temperature: float
    seed: int

    def predict(self, table: pa.Table) -> Draws:
        """Draw predictions for the rows of a table with the features."""
        draws = drawn(self.members, table)
        return Draws(scaled(draws.arrays, self.temperature), draws.member)

    @property
    def parameters(self) -> int:
        """Numbers that were learnt, of all members."""
        return sum(member.parameters for member in self.members)

    @property
    def stored_bytes(self) -> int:
        """Bytes of all members as they are stored."""
        return sum(member.stored_bytes for member in self.members)

    @property
    def cost(self) -> Cost:
        """The symbolic cost, in multiples of a single model."""
        return cost(self.recipe)


def drawn(members: tuple[Member, ...], table: pa.Table) -> Draws:
    """The samples of all members, one after the other."""
    found = [member.predict(table) for member in members]
    samples = [len(next(iter(one.values()))) for one in found]
    arrays = {name: np.concatenate([one[name] for one in found]) for name in found[0]}
    return Draws(arrays, np.repeat(np.arange(len(members)), samples))
