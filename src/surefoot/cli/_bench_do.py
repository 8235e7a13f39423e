"""What `run` and `resume` share: fetch the data, run what is missing, join the results, say what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from surefoot import bench
from surefoot.bench import Executor, Plan, Trial
from surefoot.cli._progress import progress

SOME_FAILED = 3

runs_option = click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs"),
    show_default=True,
    help="Folder that results are kept in, one folder a suite.",
)
profile_option = click.option(
    "--profile", help="Size of the suite: smoke, small, paper, … (default: small, or the suite's first)."
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Processes on this machine, or tasks of Ray (on the cluster of RAY_ADDRESS, if set).",
)
workers_option = click.option(
    "--workers", type=click.IntRange(1), help="Trials at a time (default: 2; ray: as many as fit)."
)
limit_option = click.option("--limit", type=click.IntRange(1), help="Run at most so many trials.")


@dataclass(frozen=True)
class Done:
    """What became of a run: reasons by the trial's words, and how many another run is at."""

    failed: tuple[tuple[str, str], ...]
    elsewhere: int

    def tell(self) -> None:
        """Say so on stderr."""
        for name, reason in self.failed:
            click.echo(f"Failed: {name}: {reason}", err=True)
        if self.elsewhere:
            click.echo(f"{self.elsewhere} trials are left to another run that is at them", err=True)


def engine_of(name: str, workers: int | None) -> Executor:
    """The executor of a name."""
    return bench.Ray(workers) if name == "ray" else bench.Local(workers or 2)


def do(
    plan: Plan,
    trials: Sequence[Trial],
    folder: Path,
    *,
    engine: str = "local",
    workers: int | None = None,
    limit: int | None = None,
    offline: bool = False,
) -> Done:
    """Run the trials of a plan that are not finished; the plan is kept for whoever goes on."""
    plan.write(folder)
    left = bench.outstanding(trials, folder)[:limit]
    lacking = _lacking(left, offline)
    can = [trial for trial in left if trial.named.task not in lacking]
    failed = list(lacking.items())
    elsewhere = 0
    if can:
        executor = engine_of(engine, workers)
        try:
            with progress(can, executor.workers) as tell:
                for one in bench.run(can, folder, executor, limits=plan.limits, tell=tell):
                    if one.state == "failed":
                        failed.append((str(one.job.trial), one.reason))
                    elsewhere += one.state == "elsewhere"
        except KeyboardInterrupt:
            done = len(trials) - len(bench.outstanding(trials, folder))
            click.echo(f"{done} of {len(trials)} trials are finished; the same command goes on.", err=True)
            bench.compact(folder)
            raise
        finally:
            executor.close()
    bench.compact(folder)
    return Done(tuple(failed), elsewhere)


def _lacking(trials: Sequence[Trial], offline: bool) -> dict[str, str]:
    """Fetch data that are not at hand; tasks whose data cannot be had, with the reason."""
    found = {}
    for trial in {trial.named.task: trial for trial in trials}.values():
        reason = trial.fetch(download=False)
        if reason and not offline:
            click.echo(f"Fetching {trial.named.task} …", err=True)
            reason = trial.fetch(download=True)
        if reason:
            found[trial.named.task] = reason
    return found
