"""`surefoot convert`: predictions from one file format to another."""

from __future__ import annotations

from pathlib import Path

import click

from surefoot.predictions import load


@click.command("convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("destination", metavar="OUT", type=click.Path(path_type=Path))
def command(source: Path, destination: Path) -> None:
    """Check the predictions in IN and write them to OUT (.parquet, .npz or .csv, by suffix)."""
    predictions = load(source)
    predictions.save(destination)
    click.echo(f"{destination}: {predictions!r}")
