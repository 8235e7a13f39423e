"""Run what is missing of some trials, whatever happened before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from surefoot.bench._job import Ended, Executor, Job
from surefoot.bench._limits import Limits
from surefoot.bench._store import STATUS, Place
from surefoot.bench._trial import Trial
from surefoot.errors import SurefootError

Tell = Callable[[Ended], None]


class StoreFull(SurefootError):
    """There is no room for results, so that going on would be work for nothing."""


def place_of(trial: Trial, folder: Path) -> Place:
    """Where a trial of this run is kept."""
    return Place(folder / trial.id)


def forget(trial: Trial, folder: Path) -> None:
    """Have a trial done anew."""
    (place_of(trial, folder).folder / STATUS).unlink(missing_ok=True)


def outstanding(trials: Iterable[Trial], folder: Path) -> list[Trial]:
    """Trials that are not finished."""
    return [trial for trial in trials if not place_of(trial, folder).finished]


def run(
    trials: Sequence[Trial],
    folder: Path,
    executor: Executor,
    *,
    limits: Limits | Callable[[Trial], Limits] = Limits(),  # noqa: B008 (it is frozen)
    tell: Tell = lambda _: None,
) -> list[Ended]:
    """Run the trials that are not finished yet, and say how each of those has ended.

    Whatever a trial does stops no other. The run ends early only if results cannot be written: what could not is
    missing, and `StoreFull` says why.
    """
    of = limits if callable(limits) else lambda _: limits
    jobs = [Job(trial, folder / trial.id, of(trial)) for trial in outstanding(trials, folder)]
    ended = []
    running = executor.run(jobs)
    try:
        for one in running:
            ended.append(one)
            tell(one)
            if one.state == "not stored":
                raise StoreFull(
                    f"the results of {one.job.trial} could not be written ({one.reason}); make room, then resume"
                )
    finally:
        close = getattr(running, "close", None)
        if close is not None:
            close()
    return ended
