"""What a method costs against how good it is: a point a method, cheap and good in one corner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import altair as alt

from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short
from surefoot.scorecard import Table


def cost(
    costs: Mapping[str, float],
    quality: Mapping[str, float],
    *,
    name: str,
    axis: str,
    metric: str,
    higher_is_better: bool,
    said: Callable[[float], str],
) -> Figure:
    """Methods by cost (a logarithmic axis) and quality; those that no other beats in both are joined by a line.

    Args:
        costs: above 0, by method.
        quality: of the same methods.
        name: of the figure's kind of cost, as in "training".
        axis: what costs are, with their unit.
        metric: what quality is, in words.
        higher_is_better: of the quality.
        said: a cost in words.
    """
    methods = [method for method in costs if method in quality and costs[method] > 0]
    front = undominated({m: costs[m] for m in methods}, {m: quality[m] for m in methods}, higher_is_better)
    rows: list[dict[str, Any]] = [
        {
            "method": method,
            "cost": short(costs[method]),
            "quality": short(quality[method]),
            "choice": _CHOICE[method in front],
        }
        for method in methods
    ]
    x = alt.X("cost:Q", title=axis, scale=alt.Scale(type="log", nice=False, padding=24))
    x = x.axis(alt.Axis(format="~s", tickCount=5))
    way = "higher" if higher_is_better else "lower"
    y = alt.Y("quality:Q", title=f"{metric} ({way} is better)", scale=alt.Scale(zero=False, padding=16))
    looks = {_CHOICE[True]: _style.OPTIMAL, _CHOICE[False]: _style.RANDOM}
    shapes = alt.Scale(domain=list(looks), range=["circle", "diamond"])
    base = alt.Chart(_style.data(rows))
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x,
        y=y,
        color=_style.coloured("choice", looks),
        shape=alt.Shape("choice:N", scale=shapes, sort=None, legend=alt.Legend()),
        tooltip=[
            alt.Tooltip("method:N"),
            alt.Tooltip("cost:Q", title=axis, format=".4~s"),
            alt.Tooltip("quality:Q", title=metric, format=".4f"),
        ],
    )
    joined = alt.Chart(_style.data([row for row in rows if row["method"] in front]))
    line = joined.mark_line(strokeWidth=1.5, strokeDash=[4, 3], color=_style.OPTIMAL.light)
    labels = base.mark_text(dy=-11, fontSize=11.5, color=_style.INK.light).encode(x=x, y=y, text="method:N")
    chart = _style.layered(line.encode(x=x, y=y), dots, labels, height=300)
    listed = [f"{method} ({said(costs[method])}, {_words.number(quality[method])})" for method in front]
    words = f"No other method is both cheaper and better than {_words.joined(listed)}."
    table = Table(
        f"{name} and {metric}".capitalize(),
        ("method", name, metric),
        tuple((m, said(costs[m]), _words.number(quality[m])) for m in sorted(methods, key=costs.__getitem__)),
    )
    return Figure(f"cost-{name}", f"{_words.capital(name)} against {metric}", chart, words, table)


_CHOICE = {True: "no other is cheaper and better", False: "another is cheaper and better"}


def undominated(
    costs: Mapping[str, float], quality: Mapping[str, float], higher_is_better: bool
) -> list[str]:
    """Methods than which no other is cheaper and at least as good, the cheapest first.

    >>> undominated({"a": 1, "b": 2, "c": 3}, {"a": 0.5, "b": 0.4, "c": 0.9}, True)
    ['a', 'c']
    """
    turn = 1 if higher_is_better else -1
    found: list[str] = []
    for method in sorted(costs, key=lambda m: (costs[m], -turn * quality[m])):
        if not found or turn * quality[method] > turn * quality[found[-1]]:
            found.append(method)
    return found
