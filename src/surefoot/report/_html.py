"""Pieces of a page: text, tables, figures and folds. Whatever comes from outside goes through `text`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby

from surefoot.report import _style
from surefoot.report._figure import Figure
from surefoot.scorecard import Table


def text(value: object) -> str:
    """Text that cannot become markup.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(str(value), quote=True)


def tag(name: str, inside: str, /, **attributes: str | None) -> str:
    """An element; `inside` is markup, attribute values are text, None leaves an attribute out.

    >>> tag("td", "1", class_="number", colspan=None)
    '<td class="number">1</td>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{inside}</{name}>"


def paragraph(value: str, **attributes: str | None) -> str:
    """A paragraph of plain text."""
    return tag("p", text(value), **attributes)


def table(
    caption: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]] | Mapping[str, Iterable[Sequence[str]]],
    *,
    footnote: str = "",
    name: str,
    words: int = 1,
) -> str:
    """A table in a box that scrolls by itself; cells are markup, the first one heads its row.

    The first `words` columns are words and aligned left, the others numbers. Rows may go by group.
    """
    look = ["word" if i < words else None for i in range(len(header))]
    head = "".join(tag("th", cell, scope="col", class_=look[i]) for i, cell in enumerate(header))
    bodies = ""
    for group, own in (rows if isinstance(rows, Mapping) else {"": rows}).items():
        lines = "".join(
            tag(
                "tr",
                tag("th", row[0], scope="row", class_="word")
                + "".join(tag("td", cell, class_=look[i]) for i, cell in enumerate(row[1:], 1)),
            )
            for row in own
        )
        over = tag("th", text(group), scope="rowgroup", colspan=str(len(header)), class_="word")
        bodies += tag("tbody", (tag("tr", over, class_="group") if group else "") + lines)
    drawn = tag(
        "table",
        tag("caption", text(caption), id=f"{name}-caption") + tag("thead", tag("tr", head)) + bodies,
    )
    box = tag(
        "div", drawn, class_="scroll", role="region", tabindex="0", aria_labelledby=f"{name}-caption", id=name
    )
    return box + (tag("div", footnote, class_="footnote") if footnote else "")


def plain_table(drawn: Table, name: str) -> str:
    """A table of text."""
    return table(
        drawn.title,
        [text(cell) for cell in drawn.header],
        [[text(cell) for cell in row] for row in drawn.rows],
        footnote=paragraph(drawn.footnote) if drawn.footnote else "",
        name=name,
    )


def fold(summary: str, inside: str) -> str:
    """Something to be opened."""
    return tag("details", tag("summary", text(summary)) + inside)


def figure(drawn: Figure, name: str, *, light: bool = False) -> str:
    """A figure: a picture that needs no script, the specification that makes it live, words, and numbers.

    A light one, for sites of many pages, has no such picture, its rows are packed, and nothing is checked.
    """
    from surefoot.report._draw import page_spec, page_svg

    spec = page_spec(drawn.chart, check=not light)
    if light:
        spec = spec | {"datasets": {key: packed(rows) for key, rows in spec["datasets"].items()}}
    picture = tag(
        "div",
        "" if light else prefixed(page_svg(spec), name),
        class_="chart",
        role="img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-words",
    )
    numbers = "" if drawn.numbers is None else fold("Numbers", plain_table(drawn.numbers, f"{name}-numbers"))
    return tag(
        "figure",
        tag("h3", text(drawn.title), id=f"{name}-title")
        + picture
        + tag("script", inert_json(spec), type="application/json")
        + tag("figcaption", paragraph(drawn.description, id=f"{name}-words") + numbers),
        id=name,
        class_="card",
    )


def packed(rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Rows by columns, with four digits, and what repeats written once: what the script of pages unpacks.

    >>> packed([{"line": "a", "x": 1}, {"line": "a", "x": 2}, {"line": "b", "x": 1}, {"line": "b", "x": 2}])
    {'columns': {'line': {'runs': [['a', 2], ['b', 2]]}, 'x': {'times': 2, 'of': [1, 2]}}}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {"columns": {name: _packed([row.get(name) for row in rows]) for name in names}}


def _packed(values: list[object]) -> object:
    if any(isinstance(value, str) for value in values):
        return {"runs": [[word, len(list(run))] for word, run in groupby(values)]}
    brief = [float(f"{value:.4g}") if isinstance(value, float) else value for value in values]
    for times in range(_MOST_TIMES, 1, -1):
        part = brief[: len(brief) // times]
        if len(part) > 1 and part * times == brief:
            return {"times": times, "of": part}
    return brief


_MOST_TIMES = 9
"""Lines of a figure that may share their places."""


def inert_json(value: object) -> str:
    """JSON that cannot end the element it stands in.

    >>> inert_json("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    written = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return written


def prefixed(svg: str, name: str) -> str:
    """Names inside a picture made its own, so that several fit on a page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def inks() -> str:
    """Colours as variables, by day and by night."""
    day = "".join(f"--{ink.name}:{ink.light};" for ink in _style.INKS)
    night = "".join(f"--{ink.name}:{ink.dark};" for ink in _style.INKS)
    return f":root{{{day}}}@media (prefers-color-scheme:dark){{:root{{{night}}}}}"
