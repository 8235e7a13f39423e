"""Trials of methods: fit a recipe on a task with a seed, keep what it predicts, and score that."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot import posteriors, tasks
from surefoot.bench._kind import Kind, Named, Outcome
from surefoot.bench.kinds import _dataset
from surefoot.errors import InputError
from surefoot.posteriors import Posterior, Recipe
from surefoot.predictions import Predictions, Scan
from surefoot.predictions._arrow import plain_column
from surefoot.predictions._table import build
from surefoot.scorecard import Scorecard, evaluate
from surefoot.tasks import TaskData
from surefoot.tasks._task import MOST

VERSION = "1"
"""Of the code here; another one makes all such trials new."""

JUDGED = ("dev_in", "dev_out", "eval_in", "eval_out")
"""Parts that are predicted: all but the one that was learnt from."""


@dataclass(frozen=True)
class Fields:
    """A task by its name, a method as a preset's name or a recipe, and a seed.

    A recipe may have a ``name`` for the tables. ``most`` limits the rows of every part, or of some by their names; an
    empty mapping takes them all, None as many as the task does.
    """

    task: str
    method: str | Mapping[str, Any]
    seed: int = 0
    most: int | Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        several = self.most.values() if isinstance(self.most, Mapping) else [self.most]
        if any(one is not None and (not isinstance(one, int) or one < 1) for one in several):
            raise InputError(f"most must be numbers of rows above 0, not {self.most!r}")
        if self.seed < 0:
            raise InputError(f"seed must be 0 or more, not {self.seed}")


def recipe_of(what: Fields) -> Recipe:
    """The recipe that a trial names or spells out."""
    if isinstance(what.method, str):
        return posteriors.preset(what.method)
    return Recipe.from_dict({name: value for name, value in what.method.items() if name != "name"})


def _named(what: Fields) -> Named:
    method = what.method if isinstance(what.method, str) else what.method.get("name")
    if method is None:
        recipe = recipe_of(what)
        method = f"{recipe.family}-{sha256(str(recipe).encode()).hexdigest()[:6]}"
    return Named(what.task, str(method), what.seed)


def _check(what: Fields) -> None:
    task, recipe = tasks.task(what.task), recipe_of(what)
    if task.kind not in posteriors.family(recipe.family).kinds:
        raise InputError(f"method: {recipe.family} cannot do {task.name}, which is a {task.kind}")


def _most(what: Fields) -> Mapping[str, int] | None:
    return dict.fromkeys(("train", *JUDGED), what.most) if isinstance(what.most, int) else what.most


def _load(what: Fields) -> TaskData:
    return tasks.task(what.task).load(most=_most(what))


def _size(what: Fields) -> float:
    """Rows, as far as they are known without the data."""
    task, most = tasks.task(what.task), _most(what)
    limits = (task.plan.most or MOST) if most is None else most
    return float(min(sum(limits.get(part, task.card.rows) for part in task.parts), task.card.rows))


def _together(what: Fields) -> Hashable:
    return what.task, json.dumps(what.most, sort_keys=True)


def _work(what: Fields, data: TaskData, folder: Path) -> Outcome:
    start = perf_counter()
    posterior = posteriors.fit(recipe_of(what), data.fitting(), what.seed)
    fitted = perf_counter()
    predictions = _predictions(what, data, posterior)
    facts = {
        "fit_seconds": fitted - start,
        "predict_seconds": perf_counter() - fitted,
        "parameters": posterior.parameters,
        "stored_bytes": posterior.stored_bytes,
        "cost": str(posterior.cost),
        "recipe": posterior.recipe.to_dict(),
        "split_hash": data.split_hash,
    }
    return Outcome(predictions, _score(what, predictions), facts=facts)


def _predictions(what: Fields, data: TaskData, posterior: Posterior) -> Predictions:
    """What the posterior says of all parts but the one that it learnt from, with what annotates their rows."""
    parts = [part for part in data.parts if part in JUDGED]
    rows = data.part(*parts)
    draws = posterior.predict(rows.X)
    info = {
        "task": what.task,
        "method": _named(what).method,
        "seed": what.seed,
        "train_set": f"{what.task} {data.split_hash[:16]}",
        "temperature": posterior.temperature,
        "passes": len(draws.member) // len(posterior.members),
    }
    columns: dict[str, Any] = {
        **{name: _as_stored(values) for name, values in draws.arrays.items()},
        "target": rows.y,
        "member": draws.member,
        "id": rows.id,
        "partition": data.partition[np.isin(data.partition, parts)],
        "metadata": {
            name: plain_column(name, rows.annotations[name]) for name in rows.annotations.column_names
        },
        "info": info,
    }
    if data.kind == "classification":
        columns["classes"] = data.classes
    return build(data.kind, columns)


def _as_stored(values: NDArray[Any]) -> NDArray[Any]:
    """Probabilities as the file holds them, so that scoring that anew gives the same to the last digit."""
    return values.astype(np.float32) if values.ndim == 3 else values


def _score(what: Fields, predictions: Predictions | Scan) -> Scorecard:
    """The task's own error and threshold, and its uncertainty for one sample or for several."""
    task = tasks.task(what.task)
    uncertainty = task.ensemble_uncertainty if predictions.samples > 1 else task.uncertainty
    return evaluate(predictions, task.error, task.threshold, uncertainty)


def _version(what: Fields) -> str:
    """A preset that changes makes its trials new, and so does a family."""
    recipe = recipe_of(what)
    return f"{VERSION} {posteriors.family(recipe.family).version} {recipe}"


def _checksum(what: Fields) -> str:
    task = tasks.task(what.task)
    return f"{_dataset.checksum(task.dataset)} {task.version}"


KIND = Kind(
    name="predict",
    fields=Fields,
    work=_work,
    named=_named,
    version=_version,
    checksum=_checksum,
    together=_together,
    load=_load,
    rescore=_score,
    cost=lambda what: str(posteriors.cost(recipe_of(what))),
    size=_size,
    fetch=lambda what, download: _dataset.fetch(tasks.task(what.task).dataset, download),
    check=_check,
)
