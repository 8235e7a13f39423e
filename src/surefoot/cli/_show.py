"""How commands print scorecards and other tables, through rich."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable

from surefoot.cli._console import console
from surefoot.scorecard import Scorecard, Table, headline, tables

_NARROW = 100


def show_card(card: Scorecard) -> None:
    """Print a scorecard."""
    out = console()
    out.print(headline(card), style="bold", markup=False)
    for table in tables(card, narrow=out.width < _NARROW):
        show_table(out, table)
    for note in card.notes:
        out.print(f"Note: {note}", markup=False)


def show_table(out: Console, table: Table) -> None:
    """Print one table; where its columns do not fit side by side, in parts, so that no number is cut."""
    waiting = list(range(1, len(table.header)))
    title = table.title
    while waiting:
        fitting = len(waiting)
        while fitting > 1 and _width(out, _drawn(table, waiting[:fitting], title)) > out.width:
            fitting -= 1
        out.print()
        out.print(_drawn(table, waiting[:fitting], title))
        waiting = waiting[fitting:]
        title = f"{table.title}, continued"
    if table.footnote:
        out.print(table.footnote, style="dim", markup=False)


def _drawn(table: Table, columns: list[int], title: str) -> RichTable:
    """The first column and some of the others."""
    drawn = RichTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    drawn.add_column(table.header[0], no_wrap=True)
    for i in columns:
        drawn.add_column(table.header[i], justify="right", no_wrap=True)
    for row in table.rows:
        drawn.add_row(row[0], *(row[i] for i in columns))
    return drawn


def _width(out: Console, drawn: RichTable) -> int:
    return Measurement.get(out, out.options.update(max_width=10_000), drawn).maximum
