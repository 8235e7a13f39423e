"""`surefoot bench export`: results as a table for papers and other programs."""

from __future__ import annotations

from pathlib import Path

import click

from surefoot import bench
from surefoot._atomic import atomic, writable
from surefoot.cli._bench_do import runs_option
from surefoot.cli._latex import latex
from surefoot.cli._tables import write_table
from surefoot.errors import InputError
from surefoot.estimators.benchmark._markdown import document


@click.command("export")
@click.argument("suite")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "md", "latex"]),
    required=True,
    help="csv: every row; md and latex: mean ± standard deviation over seeds, a table a task.",
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write."
)
@click.option("--table", "name", default=bench.RESULTS, show_default=True, help="Table of a CSV export.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="PATH",
    help="Column of md and latex, as set.side.metric; may be repeated (default: error, retention, detection).",
)
@runs_option
def command(suite: str, form: str, out: Path, name: str, metrics: tuple[str, ...], runs: Path) -> None:
    """Write the results of SUITE.

    Example: surefoot bench export tabular --format latex --metric eval.shifted.accuracy -o table.tex
    """
    writable(out)
    folder = runs / suite
    if form == "csv":
        if out.suffix.lower() != ".csv":
            raise InputError(f"{out.name} must end in .csv")
        write_table(bench.read_results(folder, name), out)
        return
    found = bench.summary(folder, metrics)
    text = document(found) if form == "md" else "\n".join(map(latex, found))
    with atomic(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
