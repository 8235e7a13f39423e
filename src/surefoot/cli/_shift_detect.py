"""`surefoot shift detect`: has a batch moved away from the reference, and which columns most?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from surefoot._atomic import writable
from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.cli._tables import read_table
from surefoot.scorecard import Table
from surefoot.shifts.detectors import ColumnMove, Detection, detect

if TYPE_CHECKING:
    import pyarrow as pa

_SHOWN = 20
_TESTS_OF_TABLES = ("columns", "domain_classifier", "mmd")


@click.command("detect")
@click.argument("reference", type=click.Path(path_type=Path))
@click.argument("batch", type=click.Path(path_type=Path))
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="False-alarm rate: how often to see drift where there is none.",
)
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=click.Choice(_TESTS_OF_TABLES),
    help="Run this test only; may be repeated (default: all).",
)
@click.option("--target", metavar="COLUMN", help="Column of labels: tested apart where both files have it.")
@click.option("--ignore", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated.")
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write what was found to a JSON file."
)
@click.option("--fail-on-drift", is_flag=True, help="Exit with 1 if the batch has moved.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    reference: Path,
    batch: Path,
    alpha: float,
    tests: tuple[str, ...],
    target: str | None,
    ignore: tuple[str, ...],
    json_path: Path | None,
    fail_on_drift: bool,
    seed: int,
) -> None:
    """Has BATCH moved away from REFERENCE? Both are Parquet or CSV files with the same columns.

    Example: surefoot shift detect reference.parquet batch.parquet --fail-on-drift
    """
    if json_path is not None:
        writable(json_path)
    screen = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    with screen.status("Comparing …"):
        first = read_table(reference)
        second = read_table(batch, types=_text_columns(first))
        found = detect(
            first, second, target=target, ignore=ignore, alpha=alpha, tests=tests or None, seed=seed
        )
    if json_path is not None:
        found.to_json(json_path)
    show_detection(found)
    if found.drifted and fail_on_drift:
        ctx.exit(1)


def show_detection(found: Detection) -> None:
    """Print the verdict, the tests and the columns that moved most."""
    out = console()
    out.print(f"{found.verdict}.", style="bold", markup=False)
    tests = Table(
        "Tests",
        ("test", "statistic", "", "p-value", "adjusted", "drift"),
        tuple(
            (
                one.name,
                f"{one.statistic:.4f}",
                one.unit,
                _p(one.p_value),
                _p(one.adjusted),
                "yes" if one.drifted else "no",
            )
            for one in found.tests
        ),
        f"adjusted: for {len(found.tests)} tests; drift: adjusted ≤ {found.alpha:g}",
    )
    show_table(out, tests)
    shown = found.columns[:_SHOWN]
    title = "Columns by how much they moved"
    if len(shown) < len(found.columns):
        title += f" (the first {len(shown)} of {len(found.columns)})"
    header: tuple[str, ...] = ("column", "moved", "by", "p-value", "what")
    with_importance = any(column.importance is not None for column in shown)
    if with_importance:
        header += ("importance",)
    columns = Table(
        title,
        header,
        tuple(_row(column, with_importance) for column in shown),
        "by: largest gap between distribution functions (numbers), share of rows that changed category, or "
        "change in the share of missing values; p-value adjusted for all columns and tests"
        + (
            "; importance: AUROC that the domain classifier loses without the column"
            if with_importance
            else ""
        ),
    )
    show_table(out, columns)
    for note in found.notes:
        out.print(f"Note: {note}", markup=False)


def _row(column: ColumnMove, with_importance: bool) -> tuple[str, ...]:
    row = (
        column.name,
        "yes" if column.moved else "no",
        f"{column.moved_by:.4f}",
        _p(column.p_value),
        column.change,
    )
    importance = "–" if column.importance is None else f"{column.importance:.4f}"
    return (*row, importance) if with_importance else row


def _p(value: float) -> str:
    return "< 1e-300" if value < 1e-300 else f"{value:.4f}" if value >= 1e-4 else f"{value:.1e}"


def _text_columns(table: pa.Table) -> dict[str, pa.DataType]:
    """Columns of text, which stay text in the other file, whatever they look like there."""
    import pyarrow as pa

    return {
        one.name: pa.string()
        for one in table.schema
        if pa.types.is_string(one.type) or pa.types.is_dictionary(one.type)
    }
