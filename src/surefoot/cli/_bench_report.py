"""`surefoot bench report`: the leaderboard of a suite as a folder of pages."""

from __future__ import annotations

from pathlib import Path

import click

from surefoot.cli._bench_do import runs_option


@click.command("report")
@click.argument("suite")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write."
)
@runs_option
def command(suite: str, out: Path, runs: Path) -> None:
    """Write the leaderboard of SUITE out of its stored trials: open index.html in it with any browser.

    Example: surefoot bench report tabular -o board
    """
    from surefoot.bench.board import write_site

    click.echo(write_site(runs / suite, out))
