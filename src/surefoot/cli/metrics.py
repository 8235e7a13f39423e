"""`surefoot metrics`: every metric, which way is better, and whether models may be ranked by it."""

from __future__ import annotations

import click
from rich import box
from rich.table import Table

from surefoot.cli._console import console
from surefoot.metrics import REGISTRY, Metric, describe


@click.command("metrics")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List all metrics, or say everything about one."""
    if name is not None:
        _explain(describe(name))
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True)
    table.add_column("better", justify="center")
    table.add_column("ranks models")
    table.add_column("meaning")
    for metric in REGISTRY.values():
        table.add_row(metric.name, metric.direction or "–", _ranks(metric), metric.meaning)
    console().print(table)


def _ranks(metric: Metric) -> str:
    """Whether models may be ranked by it, which takes a better and a worse."""
    return "yes" if metric.comparable and metric.direction else "no"


def _explain(metric: Metric) -> None:
    low, high = metric.bounds
    click.echo(f"{metric.name}: {metric.meaning}")
    click.echo(f"better: {metric.direction or 'neither way'}, between {low:g} and {high:g}")
    click.echo(f"needs: {', '.join(metric.needs)} (over {metric.over} rows)")
    click.echo(f"function: surefoot.metrics.{metric.function}")
    click.echo(f"comparable across models: {'yes' if metric.comparable else 'no: ' + metric.not_comparable}")
