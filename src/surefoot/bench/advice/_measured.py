"""What somebody's own runs say of a set-up: trials of the bench whose recipes are made of the same parts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.bench._plan import runs_in
from surefoot.bench._results import RESULTS, TRIALS, read_results
from surefoot.bench._summary import METRICS
from surefoot.bench.advice._setups import Setup
from surefoot.bench.kinds import predict
from surefoot.errors import InputError
from surefoot.posteriors import Recipe


@dataclass(frozen=True)
class Measured:
    """A score of a method on a task: mean and standard deviation (of the sample) over seeds."""

    suite: str
    task: str
    method: str
    metric: str
    mean: float
    std: float | None
    seeds: int


def measured(runs: Path, setup: Setup) -> tuple[Measured, ...]:
    """Scores of all stored trials whose recipe is made of the set-up's parts, with any family and number of members."""
    return tuple(one for suite in runs_in(runs) for one in _suite(runs / suite, suite, setup))


def _suite(folder: Path, suite: str, setup: Setup) -> Iterator[Measured]:
    usual = {}
    for trial in read_results(folder, TRIALS).to_pylist():
        recipe = _recipe(json.loads(trial["specification"]))
        if trial["state"] == "finished" and recipe is not None and setup.is_made_by(recipe):
            usual[trial["trial"]] = trial["uncertainty"]
    values: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in read_results(folder, RESULTS).to_pylist():
        metric = f"{row['set']}.{row['side']}.{row['metric']}"
        asked = row["trial"] in usual and metric in METRICS and row["slice"] is None
        if asked and row["measure"] in (None, usual[row["trial"]]):
            values[row["task"], row["method"], metric].append(row["value"])
    for (task, method, metric), found in sorted(values.items()):
        std = float(np.std(found, ddof=1)) if len(found) > 1 else None
        yield Measured(suite, task, method, metric, float(np.mean(found)), std, len(found))


def _recipe(given: Mapping[str, Any]) -> Recipe | None:
    """The recipe of a trial; None for other kinds, and for a preset that is no more."""
    if given["kind"] != predict.KIND.name:
        return None
    try:
        return predict.recipe_of(
            predict.Fields(**{name: value for name, value in given.items() if name != "kind"})
        )
    except InputError:
        return None
