"""`surefoot bench validate`: read a suite and say what is wrong with it."""

from __future__ import annotations

import click

from surefoot import bench


@click.command("validate")
@click.argument("names", metavar="SUITE...", nargs=-1, required=True)
def command(names: tuple[str, ...]) -> None:
    """Check every trial of every profile of SUITE (a name, or a YAML file); exits with 2 at the first mistake."""
    for name in names:
        one = bench.suite(name)
        for profile, count in one.check().items():
            click.echo(f"{one.name}{f', {profile}' if profile else ''}: {count:,} trials, all valid")
