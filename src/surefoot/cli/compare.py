"""`surefoot compare`: which method is better on the same inputs, and does the difference mean anything?"""

from __future__ import annotations

import warnings
from pathlib import Path

import click

from surefoot import report
from surefoot._atomic import writable
from surefoot.cli._console import busy, console
from surefoot.cli._show import show_table
from surefoot.compare import Comparison, NotComparableWarning, compare
from surefoot.compare._tables import headline, tables


@click.command("compare")
@click.argument("predictions", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write the comparison to a JSON file."
)
@click.option(
    "--report", "report_path", type=click.Path(path_type=Path), help="Write what was found as a page (HTML)."
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Compare by metric[@measure] only; may be repeated (default: all that may be compared).",
)
@click.option("--name", "names", multiple=True, metavar="NAME", help="Method of each file, in their order.")
@click.option("--reference", metavar="NAME", help="Compare every method with this one only.")
@click.option(
    "--yardstick", metavar="NAME", help="Ensemble whose members equivalents count (default: the largest)."
)
@click.option("--force", is_flag=True, help="Compare what may not be compared; say why not as a warning.")
@click.option("--error", help="Error of a row: zero_one, squared, absolute, hamming, or a column's name.")
@click.option(
    "--threshold", type=float, help="Largest acceptable error (default: 1.0 for squared, 0 for 0/1)."
)
@click.option("--uncertainty", help="Measure that stands for the models' uncertainty, e.g. entropy.")
@click.option(
    "--in", "in_names", multiple=True, metavar="NAME", help="A partition that is in-domain; may be repeated."
)
@click.option(
    "--shifted", multiple=True, metavar="NAME", help="A partition that is shifted; may be repeated."
)
@click.option("--seed", type=int, default=0, show_default=True)
def command(
    predictions: tuple[Path, ...],
    json_path: Path | None,
    report_path: Path | None,
    metrics: tuple[str, ...],
    names: tuple[str, ...],
    reference: str | None,
    yardstick: str | None,
    force: bool,
    error: str | None,
    threshold: float | None,
    uncertainty: str | None,
    in_names: tuple[str, ...],
    shifted: tuple[str, ...],
    seed: int,
) -> None:
    """Compare PREDICTIONS of several methods on the same inputs, of one dataset or of several.

    A file says of which method and dataset it is in its info; else the method is the file's name.

    Example: surefoot compare forest.parquet boosting.parquet
    """
    if report_path is not None:
        report.require()
    for path in (json_path, report_path):
        if path is not None:
            writable(path)
    with busy(f"Comparing {len(predictions)} files …"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NotComparableWarning)
        found = compare(
            predictions,
            names=names or None,
            error=error,
            threshold=threshold,
            uncertainty=uncertainty,
            in_=in_names,
            shifted=shifted,
            reference=reference,
            yardstick=yardstick,
            metrics=metrics or None,
            force=force,
            seed=seed,
        )
    for warning in caught:
        click.echo(f"Warning: {warning.message}", err=True)
    if json_path is not None:
        found.to_json(json_path)
    if report_path is not None:
        report.save(found, report_path)
    show_comparison(found)


def show_comparison(found: Comparison) -> None:
    """Print a comparison."""
    out = console()
    out.print(headline(found), style="bold", markup=False)
    for table in tables(found):
        show_table(out, table)
    for note in found.notes:
        out.print(f"Note: {note}", markup=False)
