"""Everything that the pages show, out of the folders of the trials: each is read once, and let go."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from surefoot.bench._plan import Entry, Plan, read_plan
from surefoot.bench._store import ENVIRONMENT, LOG, SCORECARD, Place, State, read_json
from surefoot.bench.board._values import Values
from surefoot.metrics import REGISTRY
from surefoot.report._figure import column
from surefoot.scorecard._sides import evaluation_set

SETS = ("eval", "dev")
SIDES = ("in", "shifted", "all")
GRID = np.linspace(0, 1, 65)
"""Shares kept at which retention curves of several seeds are averaged."""

OF_MEASURES = ("f1_auc", "r_auc", "auroc")
"""Metrics that are kept for every uncertainty measure, as in table 3 of Malinin et al. 2021."""


class Spot(NamedTuple):
    """Where a score is; without a measure it is that of the default uncertainty, if it judges one."""

    set: str
    side: str
    metric: str
    measure: str | None = None


@dataclass(frozen=True)
class Run:
    """A trial as the pages show it."""

    entry: Entry
    state: State
    status: Mapping[str, Any]
    environment: Mapping[str, Any]
    card: Mapping[str, Any]
    log: str

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the trial told of itself."""
        found: Mapping[str, Any] = self.status.get("facts") or {}
        return found

    @property
    def submitted(self) -> bool:
        """Whether somebody handed its predictions in."""
        return self.entry.submitted

    @cached_property
    def judged(self) -> str:
        """The evaluation set."""
        return evaluation_set(list({row["set"] for row in self.card.get("rows", ())}))

    @property
    def info(self) -> Mapping[str, Any]:
        """Facts of its scorecard."""
        found: Mapping[str, Any] = self.card.get("info", {})
        return found


@dataclass(frozen=True)
class Brief:
    """What is kept of a trial when its scorecard is let go."""

    id: str
    task: str
    method: str
    seed: int
    state: State
    reason: str
    submitted: bool
    cost: str
    costs: Mapping[str, float]
    """What it took: seconds of training, of 1,000 predictions and in all; bytes stored and at the peak; parameters."""


@dataclass(frozen=True)
class Board:
    """The results of a run, by task, place and method."""

    plan: Plan
    trials: list[Brief] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    ensembles: set[tuple[str, str]] = field(default_factory=set)
    """(task, method) of several members."""
    _values: dict[str, dict[Spot, dict[str, list[Any]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    )
    _members: dict[str, dict[Spot, dict[str, list[Any]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    )
    _curves: dict[tuple[str, str, str], list[Any]] = field(default_factory=lambda: defaultdict(list))

    _made: dict[tuple[str, Spot], dict[str, Values]] = field(default_factory=dict)
    """What `values` has put together, once all trials are in."""

    @property
    def tasks(self) -> list[str]:
        """Tasks with any trial, in the order of the plan."""
        return list(dict.fromkeys(trial.task for trial in self.trials))

    @cached_property
    def submitted(self) -> set[tuple[str, str]]:
        """(task, method) whose predictions were handed in; asked for once all trials are in."""
        return {(trial.task, trial.method) for trial in self.trials if trial.submitted}

    def methods(self, task: str | None = None) -> list[str]:
        """Methods with any trial (on a task), in the order of the plan."""
        return list(dict.fromkeys(trial.method for trial in self.trials if task in (None, trial.task)))

    def spots(self, task: str) -> Mapping[Spot, Any]:
        """Where a task has scores."""
        return self._values.get(task, {})

    def values(self, task: str, spot: Spot) -> dict[str, Values]:
        """A score of every method that has it."""
        if (task, spot) not in self._made:
            found = self._values.get(task, {}).get(spot, {})
            self._made[task, spot] = {
                method: Values(tuple(value for value, _, _ in each), *each[0][1:])
                for method, each in found.items()
            }
        return self._made[task, spot]

    def members(self, task: str, spot: Spot) -> dict[str, tuple[float, float]]:
        """Mean and standard deviation of single members, those of all trials together."""
        found = self._members.get(task, {}).get(spot, {})
        return {method: _pooled(each) for method, each in found.items()}

    def curves(self, task: str, what: str) -> dict[str, Mapping[str, Any]]:
        """Retention curves of all inputs of the evaluation set, the mean over trials, by method."""
        return {
            method: {"fraction": GRID, "value": np.mean(each, axis=0)}
            for (one, method, name), each in self._curves.items()
            if (one, name) == (task, what)
        }

    def costs(self, task: str, name: str) -> dict[str, float]:
        """What a method takes on a task, the mean over its trials."""
        found = defaultdict(list)
        for trial in self.trials:
            if trial.task == task and name in trial.costs:
                found[trial.method].append(trial.costs[name])
        return {method: float(np.mean(each)) for method, each in found.items()}

    def add(self, run: Run) -> None:
        """Take in what a trial has left."""
        named, status = run.entry.named, run.status
        self.trials.append(
            Brief(
                run.entry.id, named.task, named.method, named.seed, run.state, str(status.get("reason") or ""),
                run.submitted, str(run.facts.get("cost") or ""), _costs(run),
            )
        )  # fmt: skip
        if not run.card:
            return
        usual, sets = run.info.get("uncertainty"), {"dev": "dev", run.judged: "eval"}
        self.kinds[named.task] = str(run.info.get("kind", ""))
        if int(run.info.get("members", 1)) > 1:
            self.ensembles.add((named.task, named.method))
        for row in run.card["rows"]:
            if row["slice"] is None and row["value"] is not None and row["set"] in sets:
                for measure in _kept(row, usual):
                    spot = Spot(sets[row["set"]], row["side"], row["metric"], measure)
                    self._values[named.task][spot][named.method].append(
                        (row["value"], row["low"], row["high"])
                    )
        for row in run.card["members"]:
            if row["measure"] in (None, usual) and row["mean"] is not None and row["set"] in sets:
                spot = Spot(sets[row["set"]], row["side"], row["metric"])
                told = row["mean"], row["std"] or 0.0, row["members"]
                self._members[named.task][spot][named.method].append(told)
        for what in ("error", "f1"):
            curve = run.card["curves"].get(f"{run.judged}/all/{what}_retention")
            if curve:
                value = np.interp(GRID, column(curve, "fraction"), column(curve, "value"))
                self._curves[named.task, named.method, what].append(value)


def runs_of(folder: Path) -> tuple[Plan, Iterator[Run]]:
    """The plan of a run and its trials, one after the other."""
    plan = read_plan(folder)
    return plan, (_run(entry, Place(folder / entry.id)) for entry in plan.entries)


def _run(entry: Entry, place: Place) -> Run:
    state = place.state()
    failed = state == "failed"
    return Run(
        entry=entry,
        state=state,
        status=place.status,
        environment=read_json(place.folder / ENVIRONMENT),
        card=_card(place) if state == "finished" else {},
        log=_end_of(place.folder / LOG) if failed else "",
    )


def _card(place: Place) -> Mapping[str, Any]:
    """The scorecard without the curves of the development set, which no page shows and would take half the time."""
    try:
        text = (place.folder / SCORECARD).read_text(encoding="utf-8")
        found: Mapping[str, Any] = json.loads(_without_dev(text))
    except (OSError, ValueError):
        found = place.scorecard()
    return found


def _without_dev(text: str) -> str:
    """A scorecard's JSON less the curves that come before those of the evaluation set.

    >>> _without_dev('{"curves": {"dev/in/density": {}, "eval/in/density": {}}}')
    '{"curves": {"eval/in/density": {}}}'
    """
    curves = text.find('"curves": {')
    dev, judged = text.find('"dev/', curves), text.find('"eval/', curves)
    return text[:dev] + text[judged:] if 0 < curves < dev < judged else text


def _end_of(log: Path) -> str:
    """The last of what a trial said, without the folders of the machine that it ran on."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-1:])


def _kept(row: Mapping[str, Any], usual: str | None) -> list[str | None]:
    """Under which measures a score is looked up."""
    measure = row["measure"]
    if measure is None:
        return [None]
    named = [measure] if row["metric"] in OF_MEASURES and row["side"] == "all" else []
    return [None, *named] if measure == usual else named


def _pooled(each: list[tuple[float, float, int]]) -> tuple[float, float]:
    """Mean and standard deviation over the members of several ensembles, each with its own mean, deviation and size.

    >>> _pooled([(1.0, 0.0, 2), (3.0, 0.0, 2)])
    (2.0, 1.1547005383792515)
    """
    mean, std, n = (np.array(column, dtype=np.float64) for column in zip(*each, strict=True))
    whole = float((n * mean).sum() / n.sum())
    squares = ((n - 1) * std**2 + n * (mean - whole) ** 2).sum()
    return whole, float(np.sqrt(squares / max(n.sum() - 1, 1)))


def _costs(run: Run) -> dict[str, float]:
    taken, facts = run.status.get("taken") or {}, run.facts
    rows = run.info.get("rows")
    predict = facts.get("predict_seconds")
    found = {
        "train_seconds": facts.get("fit_seconds"),
        "predict_seconds": 1000 * predict / rows if predict is not None and rows else None,
        "wall_seconds": taken.get("wall_seconds"),
        "stored_bytes": facts.get("stored_bytes"),
        "parameters": facts.get("parameters"),
        "peak_bytes": taken.get("peak_bytes"),
    }
    return {name: float(value) for name, value in found.items() if value is not None}


def specification(run: Run) -> str:
    """What the trial was, as JSON that `surefoot bench` reads."""
    return json.dumps(run.entry.given, indent=1, ensure_ascii=False)


def direction(metric: str) -> bool | None:
    """Whether higher is better."""
    return REGISTRY[metric].higher_is_better if metric in REGISTRY else None
