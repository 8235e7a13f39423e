"""`surefoot bench rescore`: new scorecards out of the predictions that trials have kept."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from surefoot import bench
from surefoot.cli._bench_do import SOME_FAILED, runs_option
from surefoot.errors import InputError


@click.command("rescore")
@click.argument("suite")
@runs_option
def command(suite: str, runs: Path) -> None:
    """Score the finished trials of SUITE anew: metrics that were added since need no retraining.

    Exits with 3 if some could not be scored.
    """
    folder = runs / suite
    plan = bench.read_plan(folder)
    entries = bench.rescorable(plan, folder)
    if not entries:
        raise InputError(f"no finished trial in {folder} has kept predictions, so there is nothing to score")
    failed = 0
    for i, (entry, reason) in enumerate(bench.rescore(entries, folder), 1):
        failed += bool(reason)
        click.echo(f"[{i}/{len(entries)}] {entry.named}{f': failed: {reason}' if reason else ''}", err=True)
    bench.compact(folder)
    if failed:
        sys.exit(SOME_FAILED)
