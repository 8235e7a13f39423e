"""What all methods of a trial share: the deployed model, its labelled rows, and the test batches with its predictions.

It is computed once for a dataset and a seed, the predictions of all test batches in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot._columns import Columns, open_columns
from surefoot.estimators._model import CLASSIFICATION, Model
from surefoot.estimators._movement import Movement, reference_of
from surefoot.estimators._rehearsal import Batch
from surefoot.estimators._schema import Schema, schema_of
from surefoot.estimators.benchmark._scenarios import NATURAL, SETS, Scenario, scenarios
from surefoot.estimators.benchmark._worlds import World, world


@dataclass(frozen=True)
class Setting:
    """A world and its test batches; batch b is ``tests.take(slice(*bounds[b:b+2]))``, of which ``truth`` is right.

    ``labelled`` are the rows of the pool as methods see them, ``schema`` says how they see columns, ``movements`` how
    the test batches have moved from those.
    """

    world: World
    schema: Schema
    pool: Columns
    labelled: Batch
    scenarios: tuple[Scenario, ...]
    tests: Batch
    bounds: NDArray[np.int64]
    movements: tuple[Movement, ...]
    truth: Array

    @property
    def model(self) -> Model:
        """The deployed model as methods see it."""
        return model_of(self.world)

    @property
    def reference(self) -> float:
        """Accuracy on the labelled rows."""
        return float((self.labelled.outputs.argmax(axis=1) == self.world.pool.y).mean())

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows of each test batch."""
        return np.diff(self.bounds)

    def places(self) -> Iterator[slice]:
        """The rows of each test batch."""
        for start, end in zip(self.bounds[:-1], self.bounds[1:], strict=True):
            yield slice(int(start), int(end))


def model_of(one: World) -> Model:
    """A world's model, its classes the codes of its labels."""
    return Model(one.model, CLASSIFICATION, tuple(range(len(one.classes))))


@lru_cache(maxsize=1)
def setting(dataset: str, rows: int, batches: int, seed: int) -> Setting:
    """The setting of a dataset: ``batches`` test batches of each kind, one of each natural shift as in the paper."""
    count = {name: 1 if name == NATURAL else batches for name in SETS}
    return setting_of(world(dataset, rows, seed, download=False), count, seed)


def setting_of(one: World, count: Mapping[str, int], seed: int) -> Setting:
    """The setting of a world, with so many test batches of every kind of each set."""
    drawn = scenarios(one, count, seed)
    pool = open_columns(one.pool.X)
    schema = schema_of(pool)
    tests = looked_at(one, schema, (open_columns(scenario.rows.X) for scenario in drawn))
    bounds = np.concatenate([[0], np.cumsum([len(scenario) for scenario in drawn])])
    labelled = looked_at(one, schema, [pool])
    reference = reference_of(labelled, one.pool.y, schema.is_code)
    places = [slice(start, end) for start, end in pairwise(bounds)]
    right = tests.outputs.argmax(axis=1) == np.concatenate([scenario.rows.y for scenario in drawn])
    return Setting(
        world=one,
        schema=schema,
        pool=pool,
        labelled=labelled,
        scenarios=tuple(drawn),
        tests=tests,
        bounds=bounds,
        movements=tuple(reference.movement(tests.take(place)) for place in places),
        truth=np.add.reduceat(right, bounds[:-1], dtype=np.float64) / np.diff(bounds),
    )


def looked_at(one: World, schema: Schema, parts: Iterable[Columns]) -> Batch:
    """Tables below each other as methods see them: features, and what the model says, asked once."""
    given, seen = [], []
    for part in parts:
        given.append(one.model.schema.features(part))
        seen.append(schema.features(part))
    outputs = model_of(one).checked(one.model.of_features(np.concatenate(given)))
    return Batch(np.concatenate(seen), outputs)
