"""`surefoot bench list`: the suites that come with the package."""

from __future__ import annotations

import json

import click
from rich import box
from rich.table import Table

from surefoot import bench
from surefoot.cli._console import console


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the suites of the package, with the trials of each profile."""
    found = [(one, one.check()) for one in map(bench.suite, bench.suites())]
    if as_json:
        content = [{"name": one.name, "about": one.about, "profiles": sizes} for one, sizes in found]
        click.echo(json.dumps(content, indent=2, ensure_ascii=False))
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("suite", no_wrap=True)
    table.add_column("what")
    table.add_column("trials")
    for one, sizes in found:
        table.add_row(one.name, one.about, ", ".join(f"{name} {count:,}" for name, count in sizes.items()))
    console().print(table)
