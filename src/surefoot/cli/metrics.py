"""`surefoot metrics`: every metric, which way is better, and whether models may be ranked by it."""

from __future__ import annotations

import click

from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.metrics import REGISTRY, Metric, describe
from surefoot.scorecard import Table


@click.command("metrics")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List all metrics, or say everything about one."""
    if name is not None:
        _explain(describe(name))
        return
    rows = tuple(
        (metric.name, metric.direction or "–", "yes" if metric.comparable else "no", metric.meaning)
        for metric in REGISTRY.values()
    )
    show_table(console(), Table("Metrics", ("name", "better", "ranks models", "meaning"), rows))


def _explain(metric: Metric) -> None:
    low, high = metric.bounds
    click.echo(f"{metric.name}: {metric.meaning}")
    click.echo(f"better: {metric.direction or 'neither way'}, between {low:g} and {high:g}")
    click.echo(f"needs: {', '.join(metric.needs)} (over {metric.over} rows)")
    click.echo(f"function: surefoot.metrics.{metric.function}")
    click.echo(f"comparable across models: {'yes' if metric.comparable else 'no: ' + metric.not_comparable}")
