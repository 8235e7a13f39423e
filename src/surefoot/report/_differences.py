"""Paired differences between two methods on the same inputs, a dot with its interval for every dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt

from surefoot.compare import Difference
from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short
from surefoot.report._keys import Key
from surefoot.scorecard import Table

_BETTER = {"first": "first is better", "second": "second is better", "neither": "not clear"}
_LOOKS = dict(zip(_BETTER.values(), (_style.OPTIMAL, _style.WRONG, _style.RANDOM), strict=True))
_SHAPES = dict(zip(_BETTER.values(), ("circle", "square", "diamond"), strict=True))
_LABEL = "slice(datum.label, indexof(datum.label, '|') + 1)"
_WEIGHT = alt.condition("slice(datum.value, 0, 1) == 'h'", alt.value("bold"), alt.value("normal"))


def differences(found: Sequence[Difference], metric: str, counted: str = "inputs") -> Figure:
    """First minus second with its interval; where that holds 0, neither is better. ``counted``: what n is of."""
    several = len({d.dataset for d in found}) > 1
    pairs = list(dict.fromkeys((d.first, d.second) for d in found))
    firsts = {first for first, _ in pairs}
    ordered = sorted(found, key=lambda d: pairs.index((d.first, d.second)))
    rows = list(_rows(ordered, several, len(firsts) == 1))
    way = Key.parse(found[0].metric).higher_is_better
    told = {True: "above 0: first is better", False: "below 0: first is better", None: "0 is no difference"}[
        way
    ]
    x = alt.X("low:Q", title=f"difference ({told})", axis=alt.Axis(titleAnchor="end"))
    axis = alt.Axis(labelExpr=_LABEL, labelLimit=170, labelFontWeight=_WEIGHT, ticks=False, domain=False)
    y = alt.Y("row:N", title=None, sort=[str(row["row"]) for row in rows], axis=axis)
    colour = _style.coloured("better", _LOOKS)
    shape = alt.Shape("better:N", sort=None).scale(domain=list(_SHAPES), range=list(_SHAPES.values()))
    lines = alt.Chart(_style.data(rows)).mark_rule(opacity=0).encode(y=y)
    base = alt.Chart(_style.data([row for row in rows if "value" in row]))
    zero = alt.Chart(_style.data([{"low": 0}])).mark_rule(color=_style.INK.light).encode(x=x)
    bars = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", y=y, color=colour)
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=alt.X("value:Q"),
        y=y,
        color=colour,
        shape=shape,
        tooltip=[
            alt.Tooltip("pair:N", title="first − second"),
            alt.Tooltip("dataset:N"),
            alt.Tooltip("value:Q", title="difference", format=".4f"),
            alt.Tooltip("low:Q", format=".4f"),
            alt.Tooltip("high:Q", format=".4f"),
            alt.Tooltip("better:N", title="so"),
        ],
    )
    chart = _style.layered(lines, zero, bars, dots, height=max(70, 21 * len(rows)))
    title = f"{_words.capital(metric)}: {found[0].first} minus " + (
        "each other method" if len(pairs) > 1 else found[0].second
    )
    if len(firsts) > 1:
        title = f"{_words.capital(metric)}: first minus second"
    return Figure("differences", title, chart, _said(ordered, metric, several), _table(ordered, counted))


def _rows(found: Sequence[Difference], several: bool, one_first: bool) -> Iterator[dict[str, Any]]:
    """A line for each difference; above those of a pair, or of a first method, one that names it."""
    above = ""
    for i, d in enumerate(found):
        pair = f"vs {d.second}" if one_first else f"{d.first} − {d.second}"
        heading = pair if several else "" if one_first else f"{d.first} minus"
        if heading != above:
            yield {"row": f"h{i}|{heading}"}
        above = heading
        yield {
            "row": f"r{i}|{d.dataset if several else pair if one_first else d.second}",
            "pair": f"{d.first} − {d.second}",
            "dataset": d.dataset,
            "value": short(d.value),
            "low": short(d.low),
            "high": short(d.high),
            "better": _BETTER[d.better],
        }


def _said(found: Sequence[Difference], metric: str, several: bool) -> str:
    clear = [d for d in found if d.better != "neither"]
    start = (
        f"{len(clear)} of {_words.count(len(found), 'difference')} in {metric} "
        f"{'has an' if len(clear) == 1 else 'have an'} interval that leaves out 0."
    )
    if not clear:
        return f"{start} Nothing can be said about which method is better."
    top = max(clear, key=lambda d: abs(d.value))
    winner, loser = (top.first, top.second) if top.better == "first" else (top.second, top.first)
    where = f" on {top.dataset}" if several else ""
    ends = sorted((abs(top.low), abs(top.high)))
    return (
        f"{start} The largest{where}: {winner} is better than {loser} by {_words.number(abs(top.value))} "
        f"(95\u202f% interval {_words.number(ends[0])} to {_words.number(ends[1])})."
    )


def _table(found: Sequence[Difference], counted: str) -> Table:
    rows = []
    for d in found:
        digits = _words.decimals(d.low, d.high)
        value, low, high = (_words.number(v, digits) for v in (d.value, d.low, d.high))
        better = {"first": d.first, "second": d.second, "neither": "–"}[d.better]
        rows.append(
            (
                f"{d.first} − {d.second}",
                d.dataset,
                value,
                f"{low} to {high}",
                _words.chance(d.p_value).removeprefix("= "),
                f"{d.n:,}",
                better,
            )
        )
    header = ("first − second", "dataset", "difference", "95 % interval", "p", counted, "better")
    return Table("Differences", header, tuple(rows), "p-values are not adjusted for there being several.")
