"""One trial, run in this process and kept in its folder."""

from __future__ import annotations

import os
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from surefoot._lock import Held
from surefoot.bench._environment import environment
from surefoot.bench._job import Ended, Job
from surefoot.bench._kind import kind_named
from surefoot.bench._measured import measured
from surefoot.bench._store import ENVIRONMENT, LOG, SPECIFICATION, STATUS, Place

PATIENCE = 20.0
"""Seconds to wait for a claim, as a process whose node was lost may hold it a little longer."""

BRIEF = 0.5
"""Seconds to wait for it where no node is lost: somebody may only be looking."""

DIED = "its process died (out of memory, or a crash in a library?)"

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def attempt(job: Job, data: Callable[[], Any], *, node: str = "", patience: float = BRIEF) -> Ended:
    """Run a trial, unless it is finished or another process is at it; its status tells what became of it.

    ``node`` names the machine as the cluster does. A cluster calls again for a job whose process has died: if that was
    on this node, which is still there, the trial has failed; another time it would fare no better.
    """
    start = monotonic()
    place = Place(job.folder)
    try:
        with place.claim(patience):
            before = place.status
            if place.finished:
                return Ended(job, "finished", monotonic() - start)
            if (before.get("state"), before.get("token"), before.get("node")) == ("running", job.token, node):
                _failed(place, DIED)
                return Ended(job, "failed", monotonic() - start, DIED)
            return _run(job, data, place, node, start)
    except Held:
        return Ended(job, "elsewhere", monotonic() - start)
    except OSError as error:
        return Ended(job, "not stored", monotonic() - start, _sentence(error))


def note(job: Job, reason: str, start: float) -> Ended:
    """Write down that a job has failed whose process is gone; ``start`` is when it began, by the monotonic clock."""
    place = Place(job.folder)
    try:
        with place.claim(PATIENCE):
            _failed(place, reason)
    except (Held, OSError):
        pass  # without a claim, a status of "running" means that it was stopped
    return Ended(job, "failed", monotonic() - start, reason)


def _failed(place: Place, reason: str) -> None:
    place.write(STATUS, {**place.status, "state": "failed", "reason": reason, "ended": _now()})


def _run(job: Job, data: Callable[[], Any], place: Place, node: str, start: float) -> Ended:
    """Do the work; what it raises is the trial's failure, what the store raises is not."""
    place.clear()
    place.write(SPECIFICATION, {"id": job.folder.name, **job.trial.identity})
    place.write(ENVIRONMENT, {**environment(), "data": job.trial.identity["data"]})
    status = {"state": "running", "token": job.token, "node": node, "pid": os.getpid(), "started": _now()}
    place.write(STATUS, status)
    _one_thread()
    _seed(job.trial.named.seed)
    work = kind_named(job.trial.kind).work
    outcome, reason = None, ""
    taken: dict[str, float | None] = {}
    with _logged(place.folder / LOG):
        try:
            loaded = data()
            with measured() as taken:
                outcome = work(job.trial.what, loaded, place.folder)
        except Exception as error:  # noqa: BLE001 (whatever happens in one trial must not stop the others)
            traceback.print_exc()
            reason = _sentence(error)
    status |= {"ended": _now(), "taken": taken}
    if outcome is None:
        place.write(STATUS, {**status, "state": "failed", "reason": reason})
        return Ended(job, "failed", monotonic() - start, reason)
    files = place.keep(outcome)
    place.write(STATUS, {**status, "state": "finished", "files": files, "facts": outcome.facts})
    return Ended(job, "finished", monotonic() - start)


def _sentence(error: BaseException) -> str:
    """What an exception says, in one line."""
    text = " ".join(str(error).split())
    return text or type(error).__name__


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _seed(seed: int) -> None:
    """Seed what libraries draw from without being asked: the trial's own seed, whoever ran before in this process."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002 (others use it)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


@cache
def _one_thread() -> None:
    """Trials run side by side, so that each has one thread; for libraries that are loaded already and those to come."""
    from threadpoolctl import threadpool_limits

    os.environ.update(dict.fromkeys(THREADS, "1"))
    threadpool_limits(1)


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Everything that is printed in the meantime goes into a file, by libraries in C as well."""
    flush = (sys.stdout.flush, sys.stderr.flush)
    for one in flush:
        one()
    kept = [os.dup(number) for number in (1, 2)]
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
    stdout, stderr = sys.stdout, sys.stderr
    try:
        for number in (1, 2):
            os.dup2(log, number)
        with (
            open(1, "w", buffering=1, encoding="utf-8", closefd=False) as out,
            open(2, "w", buffering=1, encoding="utf-8", closefd=False) as err,
            warnings.catch_warnings(),
        ):
            sys.stdout, sys.stderr = out, err
            yield
    finally:
        sys.stdout, sys.stderr = stdout, stderr
        for number, old in zip((1, 2), kept, strict=True):
            os.dup2(old, number)
            os.close(old)
        os.close(log)
