"""`surefoot shift list`: the kinds of shifts, what they move and what they need."""

from __future__ import annotations

import json

import click
from rich import box
from rich.table import Table

from surefoot._json import plain
from surefoot.cli._console import console
from surefoot.shifts import ShiftKind, find_kind, kinds


@click.command("list")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the kinds of shifts, or say everything about one."""
    chosen = kinds() if name is None else (find_kind(name),)
    if as_json:
        click.echo(json.dumps([_described(kind) for kind in chosen], indent=2, ensure_ascii=False))
    elif name is not None:
        _explain(chosen[0])
    else:
        _show(chosen)


def _show(chosen: tuple[ShiftKind, ...]) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True)
    for heading in ("moves", "needs", "what it does"):
        table.add_column(heading)
    for kind in chosen:
        table.add_row(kind.name, kind.sort, ", ".join(kind.needs) or "–", kind.summary)
    console().print(table)


def _explain(kind: ShiftKind) -> None:
    click.echo(f"{kind.name}: {kind.about}")
    click.echo()
    click.echo(f"moves: {kind.sort}")
    click.echo(f"needs: {', '.join(kind.needs) or 'nothing in particular'}")
    options = ", ".join(f"{option} = {value}" for option, value in kind.options.items())
    click.echo(f"options: {options or 'none'}")
    click.echo(f"class: surefoot.shifts.{kind.make.__name__}")


def _described(kind: ShiftKind) -> dict[str, object]:
    options: dict[str, object] = plain(kind.options)
    return {
        "name": kind.name,
        "moves": kind.sort,
        "needs": list(kind.needs),
        "summary": kind.summary,
        "options": options,
    }
