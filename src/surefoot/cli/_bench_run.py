"""`surefoot bench run`: run what is missing of a suite."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from surefoot import bench
from surefoot.bench import Plan
from surefoot.cli._bench_do import (
    SOME_FAILED,
    do,
    engine_option,
    limit_option,
    profile_option,
    runs_option,
    workers_option,
)
from surefoot.cli._bench_status import show_runs
from surefoot.cli._bench_track import mlflow_option, tracker
from surefoot.cli._console import console
from surefoot.cli._show import show_table


@click.command("run")
@click.argument("name", metavar="SUITE")
@profile_option
@engine_option
@workers_option
@limit_option
@runs_option
@mlflow_option
@click.option("--dry-run", is_flag=True, help="Run nothing; print the trials and what they may cost.")
def command(
    name: str,
    profile: str | None,
    engine: str,
    workers: int | None,
    limit: int | None,
    runs: Path,
    tracking: str | None,
    dry_run: bool,
) -> None:
    """Run the trials of SUITE (a name, or a YAML file) that have no results yet.

    It may be stopped at any time; the same command goes on where it was. Exits with 3 if some trials failed.

    Example: surefoot bench run tabular --profile smoke
    """
    suite = bench.suite(name)
    chosen = suite.usual if profile is None else profile
    trials = suite.trials(chosen)
    plan = Plan.of(suite.name, chosen, trials, suite.limits(chosen))
    folder = runs / suite.name
    if dry_run:
        show_table(console(), bench.expected(bench.outstanding(trials, folder)[:limit], runs, workers or 2))
        return
    track = tracker(tracking, folder)
    done = do(plan, trials, folder, engine=engine, workers=workers, limit=limit)
    done.tell()
    track()
    show_runs({folder: plan})
    if done.failed:
        sys.exit(SOME_FAILED)
