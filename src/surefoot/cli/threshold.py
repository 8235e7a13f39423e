"""`surefoot threshold`: up to which uncertainty to accept predictions, and how well that goes on other rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from surefoot._atomic import writable
from surefoot._json import to_json
from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.predictions import Predictions, Scan, source_of
from surefoot.scorecard import (
    Acceptance,
    Estimate,
    OperatingPoint,
    Table,
    choose_threshold,
    error_columns,
)
from surefoot.scorecard._sides import evaluation_set

FORMAT = 1


@click.command("threshold")
@click.argument("predictions", type=click.Path(path_type=Path))
@click.option("--max-rejected", type=float, metavar="SHARE", help="Reject at most this share of the rows.")
@click.option(
    "--max-error",
    type=float,
    metavar="ERROR",
    help="Accept what has at most this mean error, and as much as possible.",
)
@click.option(
    "--min-accuracy",
    type=float,
    metavar="SHARE",
    help="Accept what is right this often, and as much as possible.",
)
@click.option(
    "--on", "chosen_on", metavar="SET", help="Set to choose on (default: dev, or the only one there is)."
)
@click.option(
    "--side",
    type=click.Choice(["in", "shifted", "all"]),
    default="all",
    show_default=True,
    help="Side of that set to choose on.",
)
@click.option(
    "--report-on", metavar="SET", help="Set to judge the choice on (default: eval, or what there is)."
)
@click.option(
    "--apply",
    "other",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Judge the choice on another file.",
)
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the result to a JSON file.")
@click.option("--error", help="Error of a row: zero_one, squared, absolute, hamming, or a column's name.")
@click.option(
    "--threshold", type=float, help="Largest acceptable error (default: 1.0 for squared, 0 for 0/1)."
)
@click.option("--uncertainty", help="Measure that decides, e.g. entropy (default: that of evaluate).")
@click.option(
    "--in", "in_names", multiple=True, metavar="NAME", help="A partition that is in-domain; may be repeated."
)
@click.option(
    "--shifted", multiple=True, metavar="NAME", help="A partition that is shifted; may be repeated."
)
def command(
    predictions: Path,
    max_rejected: float | None,
    max_error: float | None,
    min_accuracy: float | None,
    chosen_on: str | None,
    side: str,
    report_on: str | None,
    other: Path | None,
    json_path: Path | None,
    error: str | None,
    threshold: float | None,
    uncertainty: str | None,
    in_names: tuple[str, ...],
    shifted: tuple[str, ...],
) -> None:
    """Choose the uncertainty up to which PREDICTIONS are accepted, on one set, and judge it on another.

    Example: surefoot threshold predictions.parquet --max-rejected 0.05
    """
    if json_path is not None:
        writable(json_path)
    source = _opened(predictions, error)
    point = choose_threshold(
        source,
        max_rejected=max_rejected,
        max_error=max_error,
        min_accuracy=min_accuracy,
        uncertainty=uncertainty,
        set=chosen_on,
        side=side,
        error=error,
        threshold=threshold,
        in_=in_names,
        shifted=shifted,
    )
    found = point.apply(source if other is None else _opened(other, error), set=report_on)
    if report_on is None:
        judged = evaluation_set([one.set for one in found])
        found = tuple(one for one in found if one.set == judged)
    if json_path is not None:
        to_json(_to_dict(point, found), json_path)
    _show(point, found, other)


def _opened(path: Path, error: str | None) -> Predictions | Scan:
    return source_of(path, metadata=error_columns(error))


def _to_dict(point: OperatingPoint, found: Sequence[Acceptance]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "threshold": point.threshold,
        "measure": point.measure,
        "goal": point.goal,
        "wanted": point.wanted,
        "chosen_on": _plain(point.expected),
        "judged_on": [_plain(one) for one in found],
    }


def _plain(one: Acceptance) -> dict[str, Any]:
    """Named numbers instead of tuples."""
    values = {field.name: getattr(one, field.name) for field in fields(one)}
    return {name: value._asdict() if isinstance(value, Estimate) else value for name, value in values.items()}


def _show(point: OperatingPoint, found: Sequence[Acceptance], other: Path | None) -> None:
    out = console()
    goal = point.goal.replace("_", " ")
    out.print(
        f"Accept predictions with {point.measure} up to {point.threshold:.6g} ({goal} {point.wanted:g})",
        style="bold",
        markup=False,
    )
    show_table(out, _table(f"Chosen on {point.set}, {point.side}", [point.expected]))
    where = found[0].set + (f" of {other}" if other is not None else "")
    show_table(out, _table(f"Judged on {where}", found))
    if other is None and found[0].set == point.set:
        out.print(
            "Note: judged on the rows it was chosen on, which flatters it; give another set or file "
            "(--report-on, --apply).",
            markup=False,
        )


def _table(title: str, found: Sequence[Acceptance]) -> Table:
    header = (
        "side",
        "rows",
        "coverage",
        "error of accepted ↓",
        "accuracy of accepted ↑",
        "F1 of accepting ↑",
    )
    rows = tuple(
        (one.side, f"{one.coverage.n:,}", *map(_number, (one.coverage, one.error, one.accuracy, one.f1)))
        for one in found
    )
    return Table(title, header, rows, "in brackets: 95 % interval")


def _number(one: Estimate | None) -> str:
    if one is None:
        return "–"
    if one.low is None or one.high is None:
        return f"{one.value:.4f}"
    return f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]"
