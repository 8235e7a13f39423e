"""`surefoot figure`: one figure of a report, for a paper or slides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from surefoot import report
from surefoot._atomic import writable
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.compare import Comparison
    from surefoot.scorecard import Scorecard


@click.command("figure")
@click.argument("kind", type=click.Choice(report.KINDS))
@click.argument("files", metavar="FILES", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="Where to: .pdf, .svg or .png."
)
@click.option(
    "--metric", help="For slices, ranks and differences: [side.]metric[@measure] (default: accuracy)."
)
@click.option("--dataset", metavar="NAME", help="For differences and dee of several datasets.")
@click.option("--slice", "column", metavar="COLUMN", help="For slices of predictions: the column.")
@click.option("--uncertainty", help="Measure that stands for the model's uncertainty, e.g. entropy.")
@click.option(
    "--in", "in_names", multiple=True, metavar="NAME", help="A partition that is in-domain; may be repeated."
)
@click.option(
    "--shifted", multiple=True, metavar="NAME", help="A partition that is shifted; may be repeated."
)
def command(
    kind: str,
    files: tuple[Path, ...],
    out: Path,
    metric: str | None,
    dataset: str | None,
    column: str | None,
    uncertainty: str | None,
    in_names: tuple[str, ...],
    shifted: tuple[str, ...],
) -> None:
    """Draw a figure of KIND from FILES: predictions, or the JSON of a scorecard or comparison.

    Retention, f1 and reliability put several files beside each other.

    Example: surefoot figure retention forest.parquet boosting.parquet -o retention.pdf
    """
    report.require()
    report.figure_format(out)
    writable(out)
    stored = [file.suffix.lower() == ".json" for file in files]
    results: list[Scorecard | Comparison]
    if kind in report.OF_COMPARISONS and not any(stored):
        from surefoot.compare import compare

        if len(files) < 2:
            raise InputError(f"a figure of {kind} compares methods: give predictions of at least two")
        results = [compare(files, uncertainty=uncertainty, in_=in_names, shifted=shifted)]
    else:
        results = [
            report.read(file)
            if is_stored
            else _card(file, column, uncertainty, in_names, shifted, intervals=kind == "slices")
            for file, is_stored in zip(files, stored, strict=True)
        ]
    report.save_figure(report.figure(kind, results, metric=metric, dataset=dataset), out)
    click.echo(out)


def _card(
    file: Path,
    column: str | None,
    uncertainty: str | None,
    in_names: tuple[str, ...],
    shifted: tuple[str, ...],
    *,
    intervals: bool,
) -> Scorecard:
    """The scorecard of a file of predictions; a file without a method's name goes by its own."""
    from dataclasses import replace

    from surefoot.predictions import load, scan
    from surefoot.scorecard import evaluate

    slices = [column] if column else []
    source = scan(file, metadata=slices) if file.suffix.lower() == ".parquet" else load(file)
    card = evaluate(
        source, None, None, uncertainty, in_=in_names, shifted=shifted, slices=slices, intervals=intervals
    )
    return card if "method" in card.info else replace(card, info={**card.info, "method": file.stem})
