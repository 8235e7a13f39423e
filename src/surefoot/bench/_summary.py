"""Results as the papers print them: a table a task, methods down, mean ± standard deviation over seeds across."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.bench._results import TRIALS, read_results
from surefoot.errors import InputError
from surefoot.metrics import REGISTRY
from surefoot.scorecard import Table, number

METRICS = (
    "eval.in.mean_error",
    "eval.shifted.mean_error",
    "eval.all.r_auc",
    "eval.all.f1_auc",
    "eval.all.auroc",
)
"""Columns unless others are asked for: error, how well uncertainty finds it, and how well it finds the shift."""

_NO_RANKING = "* no ranking: not to be compared across models"

_Cells = dict[tuple[str, str, str], list[float]]


def summary(folder: Path, metrics: Sequence[str] = ()) -> list[Table]:
    """Tables of a run; measures are each trial's default uncertainty unless a path names another (`…@entropy`)."""
    wanted = tuple(metrics) or METRICS
    cells = _cells(folder, wanted)
    if not cells:
        asked = ", ".join(wanted)
        raise InputError(f"no finished trial in {folder} has a score of {asked}; export as csv what there is")
    return list(_tables(cells, wanted))


def _cells(folder: Path, wanted: Sequence[str]) -> _Cells:
    """Values over seeds by task, method and path."""
    trials = read_results(folder, TRIALS)
    usual = dict(zip(trials["trial"].to_pylist(), trials["uncertainty"].to_pylist(), strict=True))
    by_place = defaultdict(list)
    for path in wanted:
        place, _, measure = path.partition("@")
        by_place[_place(path, place)].append((path, measure))
    found: _Cells = defaultdict(list)
    for row in read_results(folder).to_pylist():
        if row["slice"] is not None or row["value"] is None:
            continue
        for path, measure in by_place.get((row["set"], row["side"], row["metric"]), ()):
            if row["measure"] in (None, measure or usual[row["trial"]]):
                found[row["task"], row["method"], path].append(row["value"])
    return found


def _place(path: str, place: str) -> tuple[Any, ...]:
    parts = tuple(place.split("."))
    if len(parts) != 3 or parts[2] not in REGISTRY:
        raise InputError(f"{path!r} is not of the form set.side.metric[@measure], such as {METRICS[0]}")
    return parts


def _tables(cells: _Cells, wanted: Sequence[str]) -> Iterator[Table]:
    for task in sorted({task for task, _, _ in cells}):
        methods = list(dict.fromkeys(method for one, method, _ in cells if one == task))
        paths = [path for path in wanted if any((task, method, path) in cells for method in methods)]
        rows = tuple(
            (method, *(_said(cells.get((task, method, path), [])) for path in paths)) for method in methods
        )
        heads = [_head(path) for path in paths]
        yield Table(task, ("method", *heads), rows, _NO_RANKING if any("*" in head for head in heads) else "")


def _head(path: str) -> str:
    metric = REGISTRY[path.partition("@")[0].rpartition(".")[2]]
    return f"{path.removeprefix('eval.')} {metric.direction}{'' if metric.comparable else '*'}".strip()


def _said(values: list[float]) -> str:
    """Mean ± sample standard deviation over seeds.

    >>> _said([0.1, 0.3]), _said([0.25]), _said([])
    ('0.2000 ± 0.1414', '0.2500', '')
    """
    if not values:
        return ""
    mean = number(float(np.mean(values)))
    return mean if len(values) == 1 else f"{mean} ± {number(float(np.std(values, ddof=1)))}"
