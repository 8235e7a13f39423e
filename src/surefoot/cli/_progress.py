"""How far a run of trials is and how long it takes: a bar on a terminal, elsewhere a line for each trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from surefoot.bench import Clock, Ended, Tell, Trial, spoken

_ELSEWHERE = "another run is at it"


@contextmanager
def progress(trials: Sequence[Trial], workers: int) -> Iterator[Tell]:
    """Something that hears of every trial that has ended."""
    clock = Clock(trials, workers)
    screen = Console(stderr=True, highlight=False)
    if not screen.is_terminal:

        def line(ended: Ended) -> None:
            clock.heard(ended)
            click.echo(
                f"[{clock.done}/{clock.total}] {ended.job.trial}: {_state(ended)}, {spoken(clock.left)} left",
                err=True,
            )

        yield line
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("starting", total=clock.total)

        def move(ended: Ended) -> None:
            clock.heard(ended)
            bar.update(task, advance=1, description=f"{spoken(clock.left)} left, last: {ended.job.trial}")

        yield move


def _state(ended: Ended) -> str:
    if ended.state == "finished":
        return f"{ended.seconds:.0f} s"
    return _ELSEWHERE if ended.state == "elsewhere" else f"failed: {ended.reason}"
