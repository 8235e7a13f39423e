"""`surefoot bench submit`: add a row to a leaderboard by handing in predictions."""

from __future__ import annotations

from pathlib import Path

import click

from surefoot import bench
from surefoot.cli._bench_do import runs_option


@click.command("submit")
@click.argument("predictions", type=click.Path(path_type=Path))
@click.argument("manifest", type=click.Path(path_type=Path))
@runs_option
def command(predictions: Path, manifest: Path, runs: Path) -> None:
    """Check PREDICTIONS of a task against MANIFEST (JSON), score them, and keep them like a trial, marked as submitted.

    Every score is computed from the predictions; those that a manifest may have are not read. Wrong rows, targets or
    parts are refused.

    Example: surefoot bench submit predictions.parquet manifest.json
    """
    folder, entry, card = bench.submit(predictions, manifest, runs)
    bench.compact(folder)
    for score in card["rows"]:
        if (score["set"], score["metric"]) == ("eval", "mean_error"):
            click.echo(
                f"{entry.named}, {score['side']}: mean error {score['value']:.4f} (n = {score['n']:,})"
            )
    click.echo(f"Kept in {folder / entry.id}")
