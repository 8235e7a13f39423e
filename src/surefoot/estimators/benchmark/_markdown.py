"""Tables as Markdown, and a file of which only what stands between two marks is made anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from surefoot._atomic import atomic
from surefoot.scorecard import Table

START, END = "<!-- results -->", "<!-- end of results -->"


def markdown(table: Table) -> str:
    """One table.

    >>> print(markdown(Table("Sizes", ("what", "n"), (("a|b", "1"),), "in rows")))
    **Sizes**
    <BLANKLINE>
    | what | n |
    |---|--:|
    | a\\|b | 1 |
    <BLANKLINE>
    in rows
    """
    lines = [table.header, *table.rows]
    words = all(not cell[:1].isdigit() for row in table.rows for cell in row[1:])
    rule = ["---", *("---" if words else "--:" for _ in table.header[1:])]
    written = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    body = "\n".join([written[0], f"|{'|'.join(rule)}|", *written[1:]])
    return "\n\n".join(part for part in (f"**{table.title}**", body, table.footnote) if part)


def document(tables: Iterable[Table]) -> str:
    """Tables below each other."""
    return "\n\n".join(markdown(table) for table in tables) + "\n"


def write(text: str, path: Path) -> None:
    """Write the text: between the marks of a file that has them, else as the whole file."""
    whole = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, start, rest = whole.partition(START)
    _, end, after = rest.partition(END)
    if start and end:
        text = f"{before}{START}\n\n{text}\n{END}{after}"
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
