"""Finished trials as runs of MLflow, one each: parameters, metrics, times and the small files.

The experiment has the suite's name, and the tag `surefoot.trial` tells which trial a run is. A run whose tag
`surefoot.scorecard` is that of the stored scorecard is complete and left alone; one without it (logging was stopped)
or with another (the trial was scored anew) is deleted and logged again: of two values of a metric with one time MLflow
shows the higher, and never forgets one that is no more. MLflow is no dependency: it wants other versions of some
packages, and whoever tracks with it has it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import urlopen

from surefoot._lock import locked
from surefoot.bench._plan import Entry, read_plan
from surefoot.bench._store import ENVIRONMENT, LOG, SCORECARD, SPECIFICATION, Place
from surefoot.errors import InputError

if TYPE_CHECKING:
    from mlflow.entities import Run
    from mlflow.tracking import MlflowClient

TRIAL, COMPLETE = "surefoot.trial", "surefoot.scorecard"
"""Tags of runs."""

_FILES = (SPECIFICATION, ENVIRONMENT, SCORECARD, LOG)
_METRICS, _PARAMETERS = 1000, 100
"""How many MLflow takes in one request."""

_PATIENCE = 10.0
"""Seconds in which a server has to answer at all."""


def client_of(uri: str) -> MlflowClient:
    """A client, or a sentence on why there is none: before hours of work, not after."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # nothing is sent to anybody but this server
    try:
        from mlflow.tracking import MlflowClient
    except ImportError:
        raise InputError(
            "--mlflow needs MLflow, which is not installed here; pip install mlflow (best in an environment of its "
            "own, as it may want older packages: stored trials can be logged from there with surefoot bench resume)"
        ) from None
    if uri.startswith(("http://", "https://")):
        _knock(uri)
    return MlflowClient(tracking_uri=uri)


def _knock(uri: str) -> None:
    """See whether a server answers: MLflow itself would try for minutes."""
    try:
        with urlopen(f"{uri.rstrip('/')}/health", timeout=_PATIENCE):
            pass
    except HTTPError:
        pass  # somebody is there
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise InputError(f"no MLflow server answers at {uri} ({reason})") from None


def log(folder: Path, client: MlflowClient) -> Iterator[tuple[Entry, bool]]:
    """Log the finished trials of a suite's folder; of each, whether there was anything to log."""
    from mlflow.exceptions import MlflowException

    plan = read_plan(folder)
    with locked(folder / ".mlflow"):
        try:
            experiment = _experiment(client, plan.suite)
            known = _known(client, experiment)
            for entry in plan.entries:
                place = Place(folder / entry.id)
                if place.finished:
                    yield entry, _log(client, experiment, entry, place, known.get(entry.id))
        except MlflowException as error:
            reason = " ".join(str(error).split())
            raise InputError(
                f"MLflow did not take the trials of {folder} ({reason}); they are kept there, and "
                f"surefoot bench resume {plan.suite} --mlflow goes on logging"
            ) from None


def _log(client: MlflowClient, experiment: str, entry: Entry, place: Place, run: Run | None) -> bool:
    """Log one trial, unless its run is complete."""
    from mlflow.entities import Metric, Param

    complete = _digest(place)
    if run is not None and run.data.tags.get(COMPLETE) == complete:
        return False
    if run is not None:
        client.delete_run(run.info.run_id)
    status = place.status
    started, ended = (_milliseconds(status[name]) for name in ("started", "ended"))
    tags = {TRIAL: entry.id, "surefoot.kind": str(entry.given["kind"])}
    id = client.create_run(experiment, started, tags, run_name=str(entry.named)).info.run_id
    for several in _batches(parameters(entry, place).items(), _PARAMETERS):
        client.log_batch(id, params=[Param(name, value) for name, value in several])
    for some in _batches(metrics(place).items(), _METRICS):
        client.log_batch(id, metrics=[Metric(name, value, ended, 0) for name, value in some])
    for name in _FILES:
        if (place.folder / name).is_file():
            client.log_artifact(id, str(place.folder / name))
    client.set_terminated(id, "FINISHED", ended)
    client.set_tag(id, COMPLETE, complete)  # last: without it the run counts as logged in part
    return True


def _batches(values: Iterable[tuple[str, Any]], size: int) -> Iterator[list[tuple[str, Any]]]:
    left = iter(values)
    while several := list(islice(left, size)):
        yield several


def _experiment(client: MlflowClient, name: str) -> str:
    found = client.get_experiment_by_name(name)
    id: str = client.create_experiment(name) if found is None else found.experiment_id
    return id


def _known(client: MlflowClient, experiment: str) -> dict[str, Run]:
    """Runs of trials that are there."""
    found: dict[str, Run] = {}
    token = None
    while True:
        page = client.search_runs([experiment], page_token=token)
        found |= {run.data.tags[TRIAL]: run for run in page if TRIAL in run.data.tags}
        token = page.token
        if not token:
            return found


def parameters(entry: Entry, place: Place) -> dict[str, str]:
    """The words of the tables, and the specification with a name for each of its leaves."""
    told = {
        **vars(entry.named),
        "trial": entry.given,
        "recipe": place.status.get("facts", {}).get("recipe", {}),
    }
    told |= {name: place.specification[name] for name in ("data", "code")}
    return dict(_leaves("", told))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Mappings opened, with dots.

    >>> dict(_leaves("", {"trial": {"seed": 0, "most": None}, "tune": [1, 2]}))
    {'trial.seed': '0', 'trial.most': 'None', 'tune': '[1, 2]'}
    """
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(f"{path}.{name}" if path else str(name), inner)
    else:
        yield path, str(value)


def metrics(place: Place) -> dict[str, float]:
    """Every score of a whole side as set/side/metric, or set/side/metric/measure; what the trial took as trial/….

    Slices are in the scorecard's file: their names may hold signs that MLflow does not take.
    """
    found = {}
    for row in place.scorecard().get("rows", ()):
        if row["slice"] is None and row["value"] is not None:
            parts = (row["set"], row["side"], row["metric"], row["measure"])
            found["/".join(part for part in parts if part is not None)] = float(row["value"])
    status = place.status
    taken = {**status.get("taken", {}), **status.get("facts", {})}
    return found | {
        f"trial/{name}": float(value)
        for name, value in taken.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _digest(place: Place) -> str:
    """Of the scorecard, which may change; trials without one have nothing that does."""
    path = place.folder / SCORECARD
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def _milliseconds(moment: str) -> int:
    return round(1000 * datetime.fromisoformat(moment).timestamp())
