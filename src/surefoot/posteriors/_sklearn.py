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
class Form:
    """The form of the columns, and those in which no training row has a value: models see a constant there."""

    schema: Schema
    empty: NDArray[np.bool_]

    @property
    def is_code(self) -> NDArray[np.bool_]:
        """Which features are codes of categories."""
        return self.schema.is_code

    def features(self, table: pa.Table) -> NDArray[np.float32]:
        """The rows as numbers and codes, NaN where missing."""
        return np.where(self.empty, np.float32(0), self.schema.features(self.schema.open(table)))


@dataclass(frozen=True)
class Seen:
    """The rows that a member learns from, as numbers and codes, and their targets."""

    form: Form
    features: NDArray[np.float32]
    y: NDArray[Any]


def opened(rows: Rows, share: Any, seed: int) -> Seen:
    """The share of the rows that a member sees; the categories are those of all rows."""
    columns = open_columns(rows.X)
    schema = schema_of(columns)
    features, y = schema.features(columns), rows.y
    if share < 1:
        n = len(y)
        drawn = np.sort(np.random.default_rng(seed).permutation(n)[: max(1, round(share * n))])
        features, y = features[drawn], y[drawn]
    empty = np.asarray(np.isnan(features).all(axis=0))
    return Seen(Form(schema, empty), np.where(empty, np.float32(0), features), y)


@dataclass(frozen=True)
class SklearnMember:
    """A fitted model, the form of its columns, and how its outputs are read."""

    form: Form
    model: Any
    outputs: Outputs
    count: Callable[[Any], int]

    def predict(self, table: pa.Table) -> dict[str, NDArray[Any]]:
        """One sample."""
        return self.outputs(self.model, self.form.features(table))

    @property
    def parameters(self) -> int:
        """Numbers that were learnt."""
        return self.count(self.model)

    @cached_property
    def stored_bytes(self) -> int:
        """Bytes of the model and its columns' form."""
        return len(pickle.dumps((self.form, self.model), protocol=5))


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
