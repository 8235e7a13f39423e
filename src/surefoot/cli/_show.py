"""How commands print scorecards and other tables, through rich."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from surefoot.cli._console import console
from surefoot.scorecard import Scorecard, Table, headline, tables


def show_card(card: Scorecard) -> None:
    """Print a scorecard."""
    out = console()
    out.print(headline(card), style="bold", markup=False)
    for table in tables(card):
        show_table(out, table)
    for note in card.notes:
        out.print(f"Note: {note}", markup=False)


def show_table(out: Console, table: Table) -> None:
    """Print one table."""
    drawn = RichTable(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for i, name in enumerate(table.header):
        drawn.add_column(name, justify="left" if i == 0 else "right", no_wrap=i == 0)
    for row in table.rows:
        drawn.add_row(*row)
    out.print()
    out.print(drawn)
    if table.footnote:
        out.print(table.footnote, style="dim", markup=False)
