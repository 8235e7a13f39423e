"""The option `--mlflow` of `run` and `resume`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from surefoot.bench import _mlflow

mlflow_option = click.option(
    "--mlflow",
    "tracking",
    metavar="URI",
    help="Log all finished trials to this MLflow server (or store) afterwards; those that are there are left alone.",
)


def tracker(uri: str | None, folder: Path) -> Callable[[], None]:
    """What logs the trials of a folder when called; a server that cannot be had is told now."""
    if uri is None:
        return lambda: None
    client = _mlflow.client_of(uri)

    def track() -> None:
        done = [new for _, new in _mlflow.log(folder, client)]
        click.echo(f"MLflow: {sum(done)} trials logged, {len(done) - sum(done)} were there", err=True)

    return track
