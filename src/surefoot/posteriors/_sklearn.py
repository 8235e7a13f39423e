"""scikit-learn models on tables as they are: the pipelines, and members made of them."""

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

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class SklearnMember:
    """A fitted model, the form of its columns, and how its outputs are read."""

    schema: Schema
    model: Any
    outputs: Callable[[Any, NDArray[np.float32]], dict[str, NDArray[Any]]]
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


def opened(rows: Rows) -> tuple[Schema, NDArray[np.float32]]:
    """The form of the columns, and the rows as numbers and codes."""
    columns = open_columns(rows.X)
    schema = schema_of(columns)
    return schema, schema.features(columns)


def all_classes(probs: NDArray[Any], seen: NDArray[Any], classes: int) -> NDArray[np.float64]:
    """Probabilities [1, N, K] of all classes, 0 for those that the model has not seen."""
    full = np.zeros((1, len(probs), classes))
    full[0][:, np.asarray(seen, dtype=np.int64)] = probs
    return full
