"""`surefoot bench resume`: go on with what was run before."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from surefoot import bench
from surefoot.bench import Plan
from surefoot.cli._bench_do import SOME_FAILED, do, engine_option, limit_option, runs_option, workers_option
from surefoot.cli._bench_status import show_runs
from surefoot.cli._bench_track import mlflow_option, tracker


@click.command("resume")
@click.argument("suite")
@engine_option
@workers_option
@limit_option
@runs_option
@mlflow_option
def command(
    suite: str, engine: str, workers: int | None, limit: int | None, runs: Path, tracking: str | None
) -> None:
    """Run what is missing of SUITE at the size of its last run: trials that were stopped, failed or never begun.

    The suite's file is not needed. Exits with 3 if some trials failed.
    """
    folder = runs / suite
    before = bench.read_plan(folder)
    trials = before.trials()
    plan = Plan.of(before.suite, before.profile, trials, before.limits)
    if {one.id for one in plan.entries} != {one.id for one in before.entries}:
        click.echo("Code or data have changed since then: trials that this concerns are run anew.", err=True)
    track = tracker(tracking, folder)
    done = do(plan, trials, folder, engine=engine, workers=workers, limit=limit)
    done.tell()
    track()
    show_runs({folder: plan})
    if done.failed:
        sys.exit(SOME_FAILED)
