"""Columns that moved: how far in one batch, and in which of several."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from surefoot.estimators import Estimate
from surefoot.estimators._moved import Moved, moved_most
from surefoot.report import _style, _words
from surefoot.report._batches import Batches
from surefoot.report._estimate_figures import MOST_NAMES, batch_axis, place_of
from surefoot.report._figure import Figure, short
from surefoot.shifts.detectors import ColumnMove

MOST_COLUMNS = 15
"""Columns that a figure has room for."""

_VALUES, _GAPS = "values", "missing values"
_LOOKS = {_VALUES: _style.SHIFTED, _GAPS: _style.IN}
_SHAPES = {_VALUES: "circle", _GAPS: "triangle-up"}
_BY = "moved by (lower is better)"
_UNIT = (
    "How far: the share of rows by which the values differ from those labelled, or the change in the share of missing "
    "values, whichever is larger."
)


def moved_in(name: str, one: Estimate) -> Figure:
    """How far the columns of one batch moved, the furthest on top."""
    shown = one.moved[:MOST_COLUMNS]
    rows = [
        {
            "column": column.name,
            "by": short(column.moved_by),
            "zero": 0,
            "what": of_what(column),
            "change": column.change,
        }
        for column in shown
    ]
    axis = alt.Axis(labelLimit=165)
    y = alt.Y("column:N", title=None, sort=[column.name for column in shown], axis=axis)
    x = alt.X("by:Q", title=_BY, axis=alt.Axis(format="%"), scale=alt.Scale(domainMin=0))
    kinds = [what for what in _LOOKS if any(row["what"] == what for row in rows)]
    colour = _style.coloured("what", {what: _LOOKS[what] for what in kinds})
    shape = alt.Shape("what:N", sort=None, legend=alt.Legend()).scale(
        domain=kinds, range=[_SHAPES[what] for what in kinds]
    )
    base = alt.Chart(_style.data(rows))
    bars = base.mark_rule(strokeWidth=2).encode(x=x, x2="zero:Q", y=y, color=colour)
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=shape,
        tooltip=[
            alt.Tooltip("column:N"),
            alt.Tooltip("by:Q", title="moved by", format=".1%"),
            alt.Tooltip("what:N", title="in its"),
            alt.Tooltip("change:N", title="what"),
        ],
    )
    chart = _style.layered(bars, dots, height=max(90, 24 * len(rows) + 20))
    return Figure("moved", f"How far columns moved in {name}", chart, _said_of_one(one, shown))


def moved_over(batches: Batches, shown: Sequence[str]) -> Figure:
    """In which batches the columns moved that moved furthest; the larger the mark, the further."""
    moved = moved_most({name: batches.found[name] for name in shown})
    names = [one.column.name for one in moved[:MOST_COLUMNS]]
    rows = [
        {
            "batch": name,
            "place": place_of(batches, name),
            "column": column.name,
            "by": short(column.moved_by),
            "change": column.change,
        }
        for name in shown
        for column in batches.found[name].moved
        if column.name in names
    ]
    places = [
        {"batch": name, "place": place_of(batches, name), "column": column}
        for name, column in zip(shown, (names * len(shown))[: len(shown)], strict=True)
    ]
    x = batch_axis(batches, shown)
    y = alt.Y("column:N", title=None, sort=names, axis=alt.Axis(labelLimit=165, grid=True))
    size = alt.Size(
        "by:Q",
        scale=alt.Scale(domain=[0, 1], range=[12, 320 if len(shown) <= MOST_NAMES else 120]),
        legend=alt.Legend(
            title=_BY,
            titleFontWeight="normal",
            titleLimit=250,
            values=[0.1, 0.4, 1],
            format=".0%",
            symbolType="circle",
        ),
    )
    every = alt.Chart(_style.data(places)).mark_point(opacity=0).encode(x=x, y=y)
    marks = (
        alt.Chart(_style.data(rows))
        .mark_point(filled=True, opacity=1, color=_style.SHIFTED.light)
        .encode(
            x=x,
            y=y,
            size=size,
            tooltip=[
                alt.Tooltip("column:N"),
                alt.Tooltip("batch:N"),
                alt.Tooltip("by:Q", title="moved by", format=".1%"),
                alt.Tooltip("change:N", title="what"),
            ],
        )
    )
    chart = _style.layered(every, marks, height=max(90, 24 * len(names) + 20))
    return Figure("moves", "Columns that moved, batch by batch", chart, _said_of_all(batches, moved, shown))


def of_what(column: ColumnMove) -> str:
    """Whether more of the move is in the values or in the gaps."""
    return _GAPS if abs(column.missing_batch - column.missing_reference) > column.effect else _VALUES


def most_moved(batches: Batches) -> str | None:
    """The batch whose columns moved furthest, all together; None where no column did."""
    far = {name: sum(column.moved_by for column in one.moved) for name, one in batches}
    return max(far, key=lambda name: far[name]) if any(far.values()) else None


def _said_of_one(one: Estimate, shown: Sequence[ColumnMove]) -> str:
    first = shown[0]
    how = f" ({first.change})" if first.change else ""
    rest = f" The {len(shown)} that moved furthest are shown." if len(shown) < len(one.moved) else ""
    return (
        f"{len(one.moved)} of {_words.count(len(one.columns), 'column')} moved, {first.name} furthest: by "
        f"{_words.percent(first.moved_by)}{how}.{rest} {_UNIT}"
    )


def _said_of_all(batches: Batches, moved: Sequence[Moved], shown: Sequence[str]) -> str:
    first = moved[0]
    rest = f" The {MOST_COLUMNS} that moved furthest are shown." if len(moved) > MOST_COLUMNS else ""
    return (
        f"{_words.count(len(moved), 'column')} moved in {len(shown)} batches, {first.column.name} furthest: by "
        f"{_words.percent(first.column.moved_by)} in {first.batch}, and it moved in {first.batches} of them.{rest} "
        "No mark: not moved beyond chance."
    )
