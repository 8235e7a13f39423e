"""The baseline that looks at no feature: shares of the classes, or mean and variance of the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot.posteriors._family import Family, Fitting
from surefoot.posteriors._recipe import Recipe

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Always:
    """The same prediction for every row."""

    outputs: dict[str, NDArray[np.float64]]

    def predict(self, table: pa.Table) -> dict[str, NDArray[Any]]:
        """One sample."""
        return {
            name: np.repeat(value[None, None], table.num_rows, axis=1) for name, value in self.outputs.items()
        }

    @property
    def parameters(self) -> int:
        """Numbers that were learnt."""
        return sum(value.size for value in self.outputs.values())

    @property
    def stored_bytes(self) -> int:
        """Their bytes."""
        return sum(value.nbytes for value in self.outputs.values())


def fit(rows: Fitting, recipe: Recipe, seed: int) -> Always:
    """Count."""
    y = rows.train.y
    if rows.kind == "classification":
        return Always({"probs": np.bincount(y, minlength=len(rows.classes)) / len(y)})
    return Always({"mean": np.asarray(y.mean()), "variance": np.asarray(y.var())})


family = Family(
    name="majority",
    title="shares of the classes, or mean and variance, whatever the features",
    kinds=("classification", "regression"),
    settings={},
    fit=fit,
)
