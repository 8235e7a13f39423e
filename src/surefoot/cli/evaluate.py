"""`surefoot evaluate`: how good are these predictions, and does the model know when it is wrong?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from surefoot import report
from surefoot._atomic import writable
from surefoot.cli._console import busy
from surefoot.cli._show import show_card
from surefoot.predictions import source_of
from surefoot.scorecard import Gate, error_columns, evaluate


@click.command("evaluate")
@click.argument("predictions", type=click.Path(path_type=Path))
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write the scorecard to a JSON file."
)
@click.option(
    "--report", "report_path", type=click.Path(path_type=Path), help="Write what was found as a page (HTML)."
)
@click.option("--error", help="Error of a row: zero_one, squared, absolute, hamming, or a column's name.")
@click.option(
    "--threshold", type=float, help="Largest acceptable error (default: 1.0 for squared, 0 for 0/1)."
)
@click.option("--uncertainty", help="Measure that stands for the model's uncertainty, e.g. entropy.")
@click.option(
    "--fail-on",
    "gates",
    multiple=True,
    metavar="GATE",
    help="Exit with 1 if '[set.][side.]metric[@measure] OP number' holds; may be repeated.",
)
@click.option(
    "--in", "in_names", multiple=True, metavar="NAME", help="A partition that is in-domain; may be repeated."
)
@click.option(
    "--shifted", multiple=True, metavar="NAME", help="A partition that is shifted; may be repeated."
)
@click.option(
    "--slice",
    "slices",
    multiple=True,
    metavar="COLUMN",
    help="Score every value of a metadata column on its own; may be repeated.",
)
@click.option("--intervals/--no-intervals", default=True, help="Give 95 % intervals (default) or not.")
def command(
    predictions: Path,
    json_path: Path | None,
    report_path: Path | None,
    error: str | None,
    threshold: float | None,
    uncertainty: str | None,
    gates: tuple[str, ...],
    in_names: tuple[str, ...],
    shifted: tuple[str, ...],
    slices: tuple[str, ...],
    intervals: bool,
) -> None:
    """Score PREDICTIONS (.parquet, .npz or .csv) in-domain, shifted and together.

    Example: surefoot evaluate predictions.parquet --fail-on 'shifted.accuracy<0.8'
    """
    if report_path is not None:
        report.require()
    parsed = [Gate.parse(gate) for gate in gates]
    for path in (json_path, report_path):
        if path is not None:
            writable(path)
    source = source_of(predictions, metadata=[*error_columns(error), *slices])
    with busy(f"Scoring {len(source):,} rows …"):
        card = evaluate(
            source,
            error,
            threshold,
            uncertainty,
            in_=in_names,
            shifted=shifted,
            slices=slices,
            intervals=intervals,
        )
    if json_path is not None:
        card.to_json(json_path)
    if report_path is not None:
        report.save(card, report_path)
    show_card(card)
    failed = [gate for gate in parsed if gate.holds(card)]
    for gate in failed:
        click.echo(f"Gate failed: {gate} (it is {card[gate.path]:.6g})", err=True)
    if failed:
        sys.exit(1)
