"""What somebody's own runs say of set-ups: trials of the bench whose recipes are made of the same parts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.bench._plan import runs_in
from surefoot.bench._results import RESULTS, TRIALS, read_results
from surefoot.bench._summary import METRICS
from surefoot.bench.advice._setups import SETUPS
from surefoot.bench.kinds import predict
from surefoot.errors import InputError
from surefoot.posteriors import Recipe


@dataclass(frozen=True)
class Measured:
    """A score of a method on a task: mean and standard deviation (of the sample) over seeds.

    ``setup`` names the parts that the method is made of, whatever its family and number of members.
    """

    setup: str
    suite: str
    task: str
    method: str
    metric: str
    mean: float
    std: float | None
    seeds: int


def measured(runs: Path, names: Iterable[str]) -> tuple[Measured, ...]:
    """What the finished trials under a folder of runs scored, if their recipe is one of these set-ups.

    The metrics are those that `surefoot bench export` takes by default.
    """
    found = runs_in(runs)
    if not found:
        raise InputError(f"there are no runs in {runs}; give the folder that surefoot bench run wrote")
    wanted = set(names)
    return tuple(one for suite in found for one in _suite(runs / suite, suite) if one.setup in wanted)


def _suite(folder: Path, suite: str) -> Iterator[Measured]:
    trials = {}
    for trial in read_results(folder, TRIALS).to_pylist():
        setup = _setup(json.loads(trial["specification"])) if trial["state"] == "finished" else None
        if setup is not None:
            trials[trial["trial"]] = setup, trial["uncertainty"]
    values: defaultdict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for row in read_results(folder, RESULTS).to_pylist():
        metric = f"{row['set']}.{row['side']}.{row['metric']}"
        if row["trial"] not in trials or metric not in METRICS or row["slice"] is not None:
            continue
        if row["value"] is None:
            continue
        setup, usual = trials[row["trial"]]
        if row["measure"] in (None, usual):
            values[setup, row["task"], row["method"], metric].append(row["value"])
    for (setup, task, method, metric), scores in values.items():
        std = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
        yield Measured(setup, suite, task, method, metric, float(np.mean(scores)), std, len(scores))


def _setup(given: Mapping[str, Any]) -> str | None:
    """The set-up that a trial is of, if it is a trial of a method and one of these."""
    recipe = _recipe(given)
    return next((one.name for one in SETUPS if recipe is not None and one.is_made_by(recipe)), None)


def _recipe(given: Mapping[str, Any]) -> Recipe | None:
    """The recipe of a trial; None for other kinds, and for a preset that is no more."""
    if given["kind"] != predict.KIND.name:
        return None
    fields = {name: value for name, value in given.items() if name != "kind"}
    try:
        return predict.recipe_of(predict.Fields(**fields))
    except InputError:
        return None
