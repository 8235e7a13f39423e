"""Rows that others add: predictions with a manifest, checked against the task, scored here, and kept like a trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import surefoot
from surefoot.bench._kind import Outcome
from surefoot.bench._manifest import Manifest, read_manifest
from surefoot.bench._plan import Entry, Plan, keep_submitted, read_plan, runs_in
from surefoot.bench._store import ENVIRONMENT, SPECIFICATION, STATUS, Place
from surefoot.bench._trial import Trial
from surefoot.errors import InputError
from surefoot.predictions import load

if TYPE_CHECKING:
    from surefoot.predictions import Predictions
    from surefoot.tasks import TaskData

PATIENCE = 20.0


def submit(predictions: Path, manifest: Path, runs: Path) -> tuple[Path, Entry, Mapping[str, Any]]:
    """Keep predictions as a trial of the suite that their task is of: the suite's folder, the trial, its scorecard.

    Everything is computed from the predictions. Refused are rows, parts, targets or a split that are not the task's as
    the suite has it, with a sentence that says which differ. Predictions of the same method, task and seed replace
    those that were handed in before.
    """
    told = read_manifest(manifest)
    given = load(predictions)
    folder, plan = _run_of(told, runs)
    _own_name(told, plan)
    data, parts = _data(told, plan, folder, given)
    from surefoot.bench._same_rows import in_order

    whole = _as_kept(in_order(given, data, parts), told, data, parts)
    trial = Trial.of(
        {
            "kind": "submitted",
            **{name: getattr(told, name) for name in ("task", "method", "seed", "split_hash")},
            **{name: getattr(told, name) for name in ("training_data", "about", "link")},
            "predictions": sha256(predictions.read_bytes()).hexdigest(),
        }
    )
    entry = Entry(trial.id, trial.named, trial.to_dict())
    card = _keep(Place(folder / trial.id), trial, whole)
    keep_submitted(folder, entry)
    return folder, entry, card


def _run_of(told: Manifest, runs: Path) -> tuple[Path, Plan]:
    """The folder of the suite that the predictions are for."""
    if told.suite is not None:
        folder = runs / told.suite
        plan = read_plan(folder)
        if not _settings(told, plan):
            raise InputError(f"no trial in {folder} is of the task {told.task}; name a suite that has it")
        return folder, plan
    found = {name: plan for name, plan in runs_in(runs).items() if _settings(told, plan)}
    if len(found) != 1:
        which = f"several suites have it ({', '.join(found)}): say in the manifest which, as suite"
        none = f"no suite in {runs} has it; run one that does, or name its folder with --runs"
        raise InputError(f"The predictions are of the task {told.task}, and {which if found else none}")
    ((name, plan),) = found.items()
    return runs / name, plan


def _settings(told: Manifest, plan: Plan) -> list[Mapping[str, Any]]:
    """The task's trials in a plan, one for each number of rows that the suite takes of it."""
    mine = [
        one.given for one in plan.entries if one.given["kind"] == "predict" and one.named.task == told.task
    ]
    return list({repr(one.get("most")): one for one in mine}.values())


def _own_name(told: Manifest, plan: Plan) -> None:
    """Nobody adds to the rows of a method that the suite runs itself."""
    if told.method in {one.named.method for one in plan.entries if one.given["kind"] != "submitted"}:
        raise InputError(
            f"method: {told.method!r} is a method that the suite runs itself; choose another name"
        )


def _data(told: Manifest, plan: Plan, folder: Path, given: Predictions) -> tuple[TaskData, tuple[str, ...]]:
    """The task's rows as the suite has them, by the split hash of the manifest."""
    from surefoot.bench._same_rows import differences
    from surefoot.bench.kinds import predict

    several = []
    for setting in _settings(told, plan):
        trial = Trial.of(setting)
        if reason := trial.fetch(download=False):
            raise InputError(f"the data of {told.task} are needed to check the predictions: {reason}")
        data: TaskData = predict.KIND.load(trial.what)
        parts = tuple(part for part in data.parts if part in predict.JUDGED)
        if data.split_hash == told.split_hash:
            return data, parts
        several.append((data, parts, setting.get("most")))
    data, parts, most = several[0]
    found = " ".join(differences(given, data, parts)) or (
        "All rows that were predicted are right, so that it is the rows to train on that differ."
    )
    raise InputError(
        f"The split hash {told.split_hash[:16]}… of the manifest is not that of {told.task} in {folder.name}, "
        f"{data.split_hash}. {found} Take the rows from surefoot.tasks.task({told.task!r}).load(most={_said(most)}), "
        "train on its part train, and name its split_hash."
    )


def _said(most: Any) -> str:
    """The rows of each part that `Task.load` has to be asked for."""
    from surefoot.bench.kinds.predict import JUDGED

    return repr(dict.fromkeys(("train", *JUDGED), most) if isinstance(most, int) else most)


def _as_kept(given: Predictions, told: Manifest, data: TaskData, parts: tuple[str, ...]) -> Predictions:
    """The predictions with the task's own targets and annotations, and facts that do not come from the file."""
    from surefoot.predictions._arrow import plain_column

    rows = data.part(*parts)
    annotations = rows.annotations
    return replace(
        given,
        target=rows.y,
        id=rows.id,
        partition=rows.partition,
        metadata={name: plain_column(name, annotations[name]) for name in annotations.column_names},
        info={
            "task": told.task,
            "method": told.method,
            "seed": told.seed,
            "train_set": f"{told.training_data[:80]} ({told.task} {data.split_hash[:16]})",
            "submitted": True,
        },
    )


def _keep(place: Place, trial: Trial, whole: Predictions) -> Mapping[str, Any]:
    """Score the predictions and keep both; the scorecard."""
    from surefoot.bench.kinds.submitted import KIND

    assert KIND.rescore is not None
    now = datetime.now(UTC).isoformat(timespec="seconds")
    what = trial.what
    with place.claim(PATIENCE):
        place.clear()
        place.write(SPECIFICATION, {"id": trial.id, **trial.identity})
        place.write(ENVIRONMENT, {"surefoot": surefoot.__version__, "submitted": now})
        card = KIND.rescore(what, whole)
        files = place.keep(Outcome(whole, card))
        facts = {
            "submitted": True,
            "split_hash": what.split_hash,
            "training_data": what.training_data,
            "about": what.about,
            "link": what.link,
        }
        place.write(
            STATUS,
            {"state": "finished", "started": now, "ended": now, "taken": {}, "files": files, "facts": facts},
        )
    return card.to_dict()
