"""`surefoot bench status`: how far runs are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from surefoot import bench
from surefoot.bench import STATES, Place, Plan
from surefoot.cli._bench_do import runs_option
from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.scorecard import Table


@click.command("status")
@click.argument("suite", required=False)
@runs_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(suite: str | None, runs: Path, as_json: bool) -> None:
    """Show how many trials of SUITE (default: of all suites that were run) are finished, and why some failed."""
    found = (
        {runs / name: plan for name, plan in bench.runs_in(runs).items()}
        if suite is None
        else {runs / suite: bench.read_plan(runs / suite)}
    )
    if as_json:
        content = [
            {"suite": plan.suite, "profile": plan.profile, "folder": str(folder), **plan.counted(folder)}
            for folder, plan in found.items()
        ]
        click.echo(json.dumps(content, indent=2))
        return
    show_runs(found)
    for folder, plan in found.items():
        states = plan.states(folder)
        for entry in plan.entries:
            if states[entry.id] == "failed":
                reason = Place(folder / entry.id).status.get("reason")
                click.echo(f"Failed: {entry.named}: {reason} ({folder / entry.id})")


def show_runs(found: Mapping[Path, Plan]) -> None:
    """Print a row a run."""
    rows = tuple(
        (
            plan.suite,
            plan.profile or "-",
            *(f"{count:,}" for count in plan.counted(folder).values()),
            str(folder),
        )
        for folder, plan in found.items()
    )
    show_table(console(), Table("Runs", ("suite", "profile", *STATES, "folder"), rows))
