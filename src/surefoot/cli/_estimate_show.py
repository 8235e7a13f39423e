"""How `surefoot estimate run` prints what it found: the number first, then when to distrust it, then the details."""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.estimators import Estimate
from surefoot.estimators._moved import moved_most
from surefoot.scorecard import Table

_SHOWN = 8
"""Columns that moved most."""


def show_estimates(found: Mapping[str, Estimate]) -> None:
    """Print the estimates of batches by name."""
    out = console()
    for name, one in found.items():
        line, *warnings = str(one).splitlines()
        out.print(f"{name}: {line}" if len(found) > 1 else line, style="bold", markup=False)
        for warning in warnings:
            out.print(warning, style="yellow", markup=False)
    if len(found) > 1:
        show_table(out, batches_table(found))
    if any(one.members for one in found.values()):
        show_table(out, members_table(found))
    if any(one.moved for one in found.values()):
        show_table(out, columns_table(found))


def batches_table(found: Mapping[str, Estimate]) -> Table:
    """One line a batch."""
    metric = next(iter(found.values())).metric
    rows = tuple(
        (name, f"{one.value:.3f}", f"{one.low:.3f}", f"{one.high:.3f}", f"{one.drop:+.3f}", f"{one.n:,}")
        for name, one in found.items()
    )
    header = ("batch", metric, "low", "high", "change", "rows")
    return Table("Batches", header, rows, "change: against the labelled rows")


def members_table(found: Mapping[str, Estimate]) -> Table:
    """What each of the combined estimators said of each batch."""
    names = list(dict.fromkeys(name for one in found.values() for name in one.members))
    rows = tuple(
        (name, *(f"{one.members[name]:.3f}" if name in one.members else "–" for one in found.values()))
        for name in names
    )
    said = tuple(found) if len(found) > 1 else (next(iter(found.values())).metric,)
    return Table("What each estimator says", ("estimator", *said), rows, "")


def columns_table(found: Mapping[str, Estimate]) -> Table:
    """The columns that moved most, each where it moved most."""
    moved = moved_most(found)
    shown = moved[:_SHOWN]
    title = "Columns that moved" if len(shown) == len(moved) else f"Columns that moved most, of {len(moved)}"
    note = "by: share of rows by which the values differ from those labelled, or change in the share of gaps"
    if len(found) == 1:
        lines = ((one.column.name, f"{one.column.moved_by:.3f}", one.column.change) for one in shown)
        return Table(title, ("column", "by", "what"), tuple(lines), note)
    rows = tuple(
        (
            one.column.name,
            f"{one.batches} of {len(found)}",
            one.batch,
            f"{one.column.moved_by:.3f}",
            one.column.change,
        )
        for one in shown
    )
    return Table(title, ("column", "batches", "most in", "by", "what"), rows, note)
