"""scikit-learn models on tables as they are: what goes into them, and members made of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import open_columns
from surefoot.estimators._schema import Schema, schema_of
from surefoot.posteriors._family import Rows
from surefoot.posteriors._setting import Setting

if TYPE_CHECKING:
    import pyarrow as pa

Outputs = Callable[[Any, NDArray[np.float32]], dict[str, NDArray[Any]]]


def share(default: float) -> Setting:
    """The setting by which every member sees rows of its own."""
    return Setting(
        default, 0.01, 1.0, about="share of the training rows that a member sees, drawn by its seed"
    )


@dataclass(frozen=True)
class Opened:
    """Rows as numbers and codes, their targets, and the form of the columns."""

    schema: Schema
    features: NDArray[np.float32]
    y: NDArray[Any]


def opened(rows: Rows, share: Any, seed: int) -> Opened:
    """The share of the rows that a member sees; the form of the columns is that of all."""
    columns = open_columns(rows.X)
    schema = schema_of(columns)
    features = schema.features(columns)
    n = len(rows.y)
    if share == 1:
        return Opened(schema, features, rows.y)
    seen = np.sort(np.random.default_rng(seed).permutation(n)[: max(1, round(share * n))])
    return Opened(schema, features[seen], rows.y[seen])


@dataclass(frozen=True)
class SklearnMember:
    """A fitted model, the form of its columns, and how its outputs are read."""

    schema: Schema
    model: Any
    outputs: Outputs
    count: Callable[[Any], int]

    def predict(self, table: pa.Table) -> dict[str, NDArray[Any]]:
        """One sample."""
        return self.outputs(self.model, self.schema.features(self.schema.open(table)))

    @property
    def parameters(self) -> int:
        """Numbers that were learnt."""
        return self.count(self.model)

    @cached_property
    def stored_bytes(self) -> int:
        """Bytes of the model and its columns' form."""
        return len(pickle.dumps((self.schema, self.model), protocol=5))


def probabilities_of(classes: int) -> Outputs:
    """A classifier's probabilities of all classes, 0 for those that none of its rows had."""

    def outputs(model: Any, features: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        probs = np.zeros((1, len(features), classes))
        probs[0][:, np.asarray(model.classes_, dtype=np.int64)] = model.predict_proba(features)
        return {"probs": probs}

    return outputs


def can_stop_early(y: NDArray[Any], kind: str, held_back: float = 0.1) -> bool:
    """Whether a tenth of the rows can be held back with every class on both sides, as scikit-learn wants it."""
    if kind == "regression":
        return len(y) >= 2 / held_back
    counts = np.bincount(y)
    counts = counts[counts > 0]
    return bool(counts.min() >= 2) and len(y) * held_back >= len(counts)
