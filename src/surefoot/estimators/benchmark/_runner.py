"""A plain loop over trials. Each one's results are a file of their own, so that what is finished is never done again.

A trial's file is written whole or not at all, so a run may be stopped at any moment, even by force, and the next one
goes on. Whoever wants to run trials elsewhere needs `run` and `keep` alone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import connection, get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from surefoot._atomic import atomic
from surefoot.estimators.benchmark._results import SCHEMA
from surefoot.estimators.benchmark._trial import Trial, run

RESULTS = "results.parquet"
"""All finished trials of a run in one file."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Ended:
    """A trial that has come to its end: its seconds, and why it failed if it did."""

    trial: Trial
    seconds: float
    error: str | None = None


Tell = Callable[[Ended], None]


def file_of(trial: Trial, folder: Path) -> Path:
    """Where the results of a trial are kept."""
    return folder / "trials" / f"{trial.name}.parquet"


def outstanding(trials: Iterable[Trial], folder: Path) -> list[Trial]:
    """Trials without results."""
    return [trial for trial in trials if not file_of(trial, folder).is_file()]


def finished(trials: Iterable[Trial], folder: Path) -> list[Trial]:
    """Trials with results."""
    return [trial for trial in trials if file_of(trial, folder).is_file()]


def keep(trial: Trial, results: pa.Table, folder: Path) -> None:
    """Write the results of a trial."""
    path = file_of(trial, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as temporary:
        parquet.write_table(results, temporary)


def join(trials: Iterable[Trial], folder: Path) -> Path:
    """Write the results of all finished ones of these trials into one file."""
    path = folder / RESULTS
    with atomic(path) as temporary, parquet.ParquetWriter(temporary, SCHEMA) as writer:
        for trial in finished(trials, folder):
            writer.write_table(parquet.read_table(file_of(trial, folder)))
    return path


def run_all(
    trials: Sequence[Trial], folder: Path, *, workers: int = 1, tell: Tell = lambda _: None
) -> Mapping[Trial, str]:
    """Run the trials that have no results yet; a trial that fails stops no other, and comes back with the reason.

    With several workers there is a process for each, with one thread; a process that dies costs the trial it was at.
    """
    failures: dict[Trial, str] = {}
    ended = _here if workers == 1 else _apart
    for one in ended(_bundles(outstanding(trials, folder)), folder, workers):
        if one.error is not None:
            failures[one.trial] = one.error
        tell(one)
    return failures


def _bundles(trials: Sequence[Trial]) -> list[list[Trial]]:
    """Trials that share a setting go together, because it is computed once."""

    def place(trial: Trial) -> tuple[Any, ...]:
        return trial.dataset, trial.seed, trial.rows, trial.batches

    order = list(dict.fromkeys(place(trial) for trial in trials))
    together = sorted(trials, key=lambda trial: order.index(place(trial)))
    return [list(some) for _, some in groupby(together, place)]


def _here(bundles: list[list[Trial]], folder: Path, _: int) -> Iterator[Ended]:
    for bundle in bundles:
        for trial in bundle:
            yield _attempt(trial, folder)


def _attempt(trial: Trial, folder: Path) -> Ended:
    start = perf_counter()
    try:
        keep(trial, run(trial), folder)
    except Exception as error:  # noqa: BLE001 (one trial must not stop the others, whatever happens in it)
        return Ended(trial, perf_counter() - start, " ".join(str(error).split()) or type(error).__name__)
    return Ended(trial, perf_counter() - start)


class _Worker:
    """A process that is sent bundles through a pipe, and sends back how each trial ended."""

    def __init__(self, folder: Path) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
        with _one_thread_each(), _deaf():
            self.process.start()
        theirs.close()
        self.waiting: deque[Trial] = deque()

    def send(self, bundle: list[Trial]) -> None:
        """Give it something to do."""
        self.waiting.extend(bundle)
        self.pipe.send(bundle)

    def heard(self) -> Ended:
        """How the next trial ended; a process that has died has failed at it."""
        trial = self.waiting.popleft()
        try:
            ended: Ended = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return Ended(trial, 0.0, f"its process ended with code {self.process.exitcode}")
        return ended

    @property
    def alive(self) -> bool:
        """Whether it can be sent more."""
        return self.process.exitcode is None

    def stop(self) -> None:
        """End the process, whatever it is at."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _apart(bundles: list[list[Trial]], folder: Path, workers: int) -> Iterator[Ended]:
    left = deque(bundles)
    team: list[_Worker] = []
    try:
        while left or any(one.waiting for one in team):
            while left and len(team) < workers:
                team.append(_Worker(folder))
                team[-1].send(left.popleft())
            for pipe in connection.wait([one.pipe for one in team]):
                one = next(worker for worker in team if worker.pipe is pipe)
                yield one.heard()
                if not one.alive:
                    left.extendleft([list(one.waiting)] if one.waiting else [])
                    one.stop()
                    team.remove(one)
                elif not one.waiting and left:
                    one.send(left.popleft())
                elif not one.waiting:
                    one.stop()
                    team.remove(one)
    finally:
        for one in team:
            one.stop()


def _serve(pipe: Any, folder: Path) -> None:
    """Work through bundles until nobody sends any more: a parent that was killed has closed the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was not deaf from the beginning
    try:
        while True:
            for trial in pipe.recv():
                pipe.send(_attempt(trial, folder))
    except (EOFError, OSError):
        sys.exit()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start now do not hear Ctrl-C: it is for the parent, which ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals, and only there may they be set
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that start now use one thread each: two of them would get in each other's way with more."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
