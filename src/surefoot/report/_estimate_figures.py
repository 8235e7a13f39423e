"""Estimates as figures: batch by batch in their order, and what each of the combined estimators says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import altair as alt

from surefoot.report import _style, _words
from surefoot.report._batches import STANDINGS, Batches
from surefoot.report._estimate_verdict import spread_of
from surefoot.report._figure import Figure, short
from surefoot.scorecard import Table

MOST_NAMES = 12
"""Batches up to which an axis has room for their names; more are numbered."""

_LETTERS = 44
"""So many fit side by side below a figure on a phone."""

COMBINED = "combined"
_LINES = {"labelled rows": [4, 3], "gate": [1, 0]}


def history(batches: Batches, shown: Sequence[str]) -> Figure:
    """Each batch with its interval, in the order given, between the labelled rows and the gate."""
    rows = [_row(batches, name) for name in shown]
    y = alt.Y("value:Q", title=batches.axis, scale=alt.Scale(zero=False), axis=_axis(batches))
    x = batch_axis(batches, shown)
    base = alt.Chart(_style.data(rows))
    looks = {one.said: one for one in STANDINGS if any(row["standing"] == one.said for row in rows)}
    colour = _style.coloured("standing", {said: one.ink for said, one in looks.items()})
    shape = alt.Shape("standing:N", sort=None, legend=alt.Legend())
    path = base.mark_line(strokeWidth=1, color=_style.RANDOM.light).encode(x=x, y=y)
    bars = base.mark_rule(strokeWidth=2).encode(
        x=x, y=alt.Y("low:Q", title=batches.axis), y2="high:Q", color=colour
    )
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=shape.scale(domain=list(looks), range=[one.shape for one in looks.values()]),
        tooltip=[alt.Tooltip("batch:N"), *_tips(batches), alt.Tooltip("standing:N", title="so")],
    )
    chart = _style.layered(path, _marks(batches, y), bars, dots)
    return Figure(
        "history", f"{_words.capital(batches.spoken)}, batch by batch", chart, _said(batches, shown)
    )


def agreement(batches: Batches, shown: Sequence[str]) -> Figure:
    """What each member says beside the combined estimate and its interval; of one batch a line a member."""
    members = list(dict.fromkeys(member for name in shown for member in batches.found[name].members))
    whole = COMBINED if members else "estimate"
    rows = [_row(batches, name) | {"who": whole} for name in shown]
    points = [
        *rows,
        *(
            {"batch": name, "who": member, "value": short(value)}
            for name in shown
            for member, value in batches.found[name].members.items()
        ),
    ]
    alone = len(shown) == 1
    x = alt.X("value:Q", title=batches.axis, scale=alt.Scale(zero=False), axis=_axis(batches))
    lines = [whole, *members] if alone else list(shown)
    y = alt.Y(
        f"{'who' if alone else 'batch'}:N", title=None, sort=lines, axis=alt.Axis(labelLimit=165, grid=True)
    )
    inks, _ = _style.method_looks([whole, *members])
    colour = _style.coloured("who", inks)
    shapes = dict(zip(inks, _style.SHAPES * len(inks), strict=False))
    shape = alt.Shape("who:N", sort=None, legend=alt.Legend())
    shape = shape.scale(domain=list(shapes), range=list(shapes.values()))
    if alone:
        colour, shape = colour.legend(None), shape.legend(None)
    bars = (
        alt.Chart(_style.data(rows))
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=colour)
    )
    dots = (
        alt.Chart(_style.data(points))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=colour,
            shape=shape,
            tooltip=[
                alt.Tooltip("batch:N"),
                alt.Tooltip("who:N", title="estimator"),
                alt.Tooltip("value:Q", title=batches.spoken, format=batches.format),
            ],
        )
    )
    chart = _style.layered(_marks(batches, x), bars, dots, height=max(90, 26 * len(lines) + 30))
    title = "What each estimator says" if members else f"{_words.capital(batches.spoken)} with its interval"
    return Figure(
        "agreement", title, chart, _told(batches, shown, members), _numbers(batches, shown, members, whole)
    )


def batch_axis(batches: Batches, shown: Sequence[str]) -> alt.X:
    """Batches from left to right, by name where there is room, else numbered as in the table."""
    if len(shown) <= MOST_NAMES:
        fits = sum(len(name) + 2 for name in shown) <= _LETTERS
        axis = alt.Axis(labelAngle=0 if fits else -40, labelLimit=110)
        return alt.X("batch:N", title=None, sort=list(shown), axis=axis)
    places = [place_of(batches, name) for name in (shown[0], shown[-1])]
    axis = alt.Axis(format="d", tickMinStep=1, grid=False)
    scale = alt.Scale(domain=[places[0] - 0.7, places[1] + 0.7], nice=False)
    return alt.X("place:Q", title="batch, in the order given", axis=axis, scale=scale)


def place_of(batches: Batches, name: str) -> int:
    """The number of a batch, from 1."""
    return batches.names.index(name) + 1


def _row(batches: Batches, name: str) -> dict[str, Any]:
    one = batches.found[name]
    return {
        "batch": name,
        "place": place_of(batches, name),
        "value": short(one.value),
        "low": short(one.low),
        "high": short(one.high),
        "n": one.n,
        "standing": batches.standing(one).said,
    }


def _axis(batches: Batches) -> alt.Axis:
    return alt.Axis(format="%") if batches.is_share else alt.Axis()


def _tips(batches: Batches) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("value:Q", title=batches.spoken, format=batches.format),
        alt.Tooltip("low:Q", format=batches.format),
        alt.Tooltip("high:Q", format=batches.format),
        alt.Tooltip("n:Q", title="rows", format=","),
    ]


def _marks(batches: Batches, along: alt.X | alt.Y) -> alt.Chart:
    """Lines for the score on the labelled rows and for the gate, at their place along an axis."""
    at = {"labelled rows": batches.reference, "gate": batches.gate}
    known = {line: short(value) for line, value in at.items() if value is not None}
    rows: _style.Rows = [{"line": line, "value": value} for line, value in known.items()]
    dash = _style.dashed("line", {line: _LINES[line] for line in known}).legend(orient="bottom")
    lines = alt.Chart(_style.data(rows)).mark_rule(strokeWidth=1.5, color=_style.MUTED.light)
    return cast(alt.Chart, lines.encode(along, dash))


def _beside(batches: Batches) -> str:
    """The lines of a figure in words."""
    dashed = (
        ""
        if batches.reference is None
        else f"On the labelled rows it is {batches.number(batches.reference)} (dashed line)."
    )
    solid = "" if batches.gate is None else f" The gate is at {batches.number(batches.gate)} (solid line)."
    return f"{dashed}{solid}".strip()


def _said(batches: Batches, shown: Sequence[str]) -> str:
    last, worst = (batches.found[name] for name in (shown[-1], batches.worst))
    counts = [
        f"{one.said}: {n}"
        for one in STANDINGS
        if (n := sum(batches.standing(batches.found[name]) == one for name in shown))
    ]
    return (
        f"On the last batch, {shown[-1]}, {batches.spoken} is an estimated {batches.told(last)}; the worst is "
        f"{batches.worst} with {batches.told(worst)}. {_beside(batches)} "
        f"{_words.capital('; '.join(counts))}."
    )


def _told(batches: Batches, shown: Sequence[str], members: Sequence[str]) -> str:
    most = max(shown, key=lambda name: spread_of(batches.found[name]))
    one = batches.found[most]
    where = f"On {most} " if len(shown) > 1 else ""
    start = f"{where}{batches.spoken} is an estimated {batches.told(one)}."
    if members:
        said = _words.joined([f"{member} {batches.number(value)}" for member, value in one.members.items()])
        start += f" By each estimator: {said}, {batches.amount(spread_of(one))} apart"
        start += ", the furthest of the batches shown." if len(shown) > 1 else "."
    return f"{_words.capital(start)} {_beside(batches)}".strip()


def _numbers(batches: Batches, shown: Sequence[str], members: Sequence[str], whole: str) -> Table:
    rows = tuple(
        (
            name,
            batches.number(one.value),
            batches.bounds(one),
            *(batches.number(one.members[m]) if m in one.members else "–" for m in members),
        )
        for name in shown
        for one in (batches.found[name],)
    )
    return Table("What each estimator says", ("batch", whole, batches.level, *members), rows)
