"""Reliability: how often a model is right among the inputs where it claims a given confidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np

from surefoot.report import _style, _words
from surefoot.report._figure import Curve, Figure, column, short
from surefoot.scorecard import Table

TITLE = "How often the model is right, by how sure it is"


def mean_confidence(curve: Curve) -> tuple[float, float, int]:
    """Mean confidence, accuracy and number of the rows behind a reliability curve.

    >>> mean_confidence({"confidence": [0.6, 0.9], "accuracy": [0.5, 1.0], "count": [2, 2]})
    (0.75, 0.75, 4)
    """
    count = column(curve, "count")
    used = count > 0
    weight = count[used] / count[used].sum()
    return (
        float(weight @ column(curve, "confidence")[used]),
        float(weight @ column(curve, "accuracy")[used]),
        int(count.sum()),
    )


def reliability(curves: Mapping[str, Curve]) -> Figure:
    """Accuracy against confidence, a line for each name (a side or a method); the diagonal is honest."""
    if set(curves) <= set(_style.SIDE_NAMES):
        inks = {_style.SIDE_NAMES[side]: _style.SIDE_INKS[side] for side in curves}
    else:
        inks, _ = _style.method_looks(list(curves))
    named = dict(zip(inks, curves.values(), strict=True))
    shapes = dict(zip(named, _style.SHAPES * len(named), strict=False))
    drawn = rows(named)
    x = alt.X("confidence:Q", title="confidence of the model", axis=alt.Axis(format="%"))
    y = alt.Y("accuracy:Q", title="share right (best on the diagonal)", axis=alt.Axis(format="%"))
    x, y = x.scale(domain=[0, 1]), y.scale(domain=[0, 1])
    ends = [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]
    diagonal = (
        alt.Chart(_style.data(ends)).mark_line(strokeDash=[2, 2], color=_style.OPTIMAL.light).encode(x=x, y=y)
    )
    corner = alt.Chart(_style.data([{"confidence": 0.04, "accuracy": 0.93, "text": "says too little"}]))
    little = corner.mark_text(align="left", color=_style.MUTED.light).encode(x=x, y=y, text="text:N")
    corner = alt.Chart(_style.data([{"confidence": 0.96, "accuracy": 0.05, "text": "says too much"}]))
    much = corner.mark_text(align="right", color=_style.MUTED.light).encode(x=x, y=y, text="text:N")
    colour = _style.coloured("line", inks)
    lines = alt.Chart(_style.data(drawn)).mark_line(strokeWidth=1.5).encode(x=x, y=y, color=colour)
    shape = alt.Shape("line:N", sort=None, legend=alt.Legend())
    dots = (
        alt.Chart(_style.data(drawn))
        .mark_point(filled=True, opacity=1)
        .encode(
            x=x,
            y=y,
            color=colour,
            shape=shape.scale(domain=list(shapes), range=list(shapes.values())),
            size=alt.Size("share:Q", scale=alt.Scale(range=[25, 320]), legend=None),
            tooltip=[
                alt.Tooltip("line:N", title="inputs"),
                alt.Tooltip("confidence:Q", title="confidence", format=".1%"),
                alt.Tooltip("accuracy:Q", title="right", format=".1%"),
                alt.Tooltip("count:Q", title="number", format=","),
            ],
        )
    )
    chart = _style.layered(diagonal, little, much, lines, dots)
    return Figure("reliability", TITLE, chart, said(named), _table(named))


def rows(curves: Mapping[str, Curve]) -> list[dict[str, Any]]:
    """The points that such a figure draws, of curves by the names of their lines."""
    return [row for name, curve in curves.items() for row in _rows(name, curve)]


def _rows(name: str, curve: Curve) -> list[dict[str, Any]]:
    confidence, accuracy, count = (column(curve, key) for key in ("confidence", "accuracy", "count"))
    return [
        {
            "line": name,
            "confidence": short(confidence[i]),
            "accuracy": short(accuracy[i]),
            "count": int(count[i]),
            "share": short(count[i] / count.sum()),
        }
        for i in np.flatnonzero(count > 0)
    ]


def said(curves: Mapping[str, Curve]) -> str:
    """What such a figure shows, in words."""
    parts = []
    for name, curve in curves.items():
        confidence, accuracy, n = mean_confidence(curve)
        parts.append(
            f"{name}: {_words.percent(confidence)} sure on average, right {_words.percent(accuracy)} of the time "
            f"(n = {n:,})"
        )
    return (
        "Points below the diagonal claim more than they keep, points above it less; a larger point stands for more "
        f"inputs. {'. '.join(map(_words.capital, parts))}."
    )


def _table(curves: Mapping[str, Curve]) -> Table:
    lower, upper = (column(next(iter(curves.values())), key) for key in ("lower", "upper"))
    rows = []
    for i in range(len(lower)):
        cells = [
            f"{_words.percent(column(curve, 'accuracy')[i])} of {int(column(curve, 'count')[i]):,}"
            if column(curve, "count")[i] > 0
            else "–"
            for curve in curves.values()
        ]
        if set(cells) != {"–"}:
            rows.append((f"{_words.percent(lower[i], 0)} to {_words.percent(upper[i], 0)}", *cells))
    return Table("Share right by confidence", ("confidence", *curves), tuple(rows))
