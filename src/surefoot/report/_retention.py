"""Retention curves: how much error is left, and how well good predictions are told, by the share kept.

Malinin et al. 2021 (Shifts), figures 1, 4 and 5: a ranking by the model's uncertainty between a random and a
perfect one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from surefoot.report import _style, _words
from surefoot.report._figure import POINTS, Curve, Figure, at, column, short, thinned
from surefoot.report._style import Ink
from surefoot.scorecard import Table

_FRACTION = "share of inputs kept, most certain first"
_SAID = tuple(round(0.05 * i, 2) for i in range(21))
"""Shares that can be pointed at."""

TEXT = {
    "error": ("Error left when the least certain inputs are handed over", "error left", "lower is better"),
    "f1": ("Acceptable predictions among those kept", "F1 of what is kept", "higher is better"),
}
_NAMES = {"error": "retention", "f1": "f1"}
Line = tuple[Curve, str, Ink, Sequence[int]]
"""A curve, which of its columns to draw, and how."""

_BASELINES = {
    "random order": ("random", _style.RANDOM, [6, 4]),
    "perfect order": ("optimal", _style.OPTIMAL, [2, 2]),
}


def by_side(curves: Mapping[str, Curve], what: str, measure: str, area: float | None = None) -> Figure:
    """One model on all inputs between its two baselines, and on each side alone.

    `curves` go by side, "all" among them; `what` is "error" or "f1"; `area` is that under the curve of all.
    """
    lines = _sides(curves)
    chart = _lines(lines, what, bold=next(iter(lines)))
    return Figure(
        _NAMES[what], TEXT[what][0], chart, said_by_side(curves, what, measure, area), _table(lines, what)
    )


def said_by_side(curves: Mapping[str, Curve], what: str, measure: str, area: float | None = None) -> str:
    """What such a figure shows, in words."""
    sides = " Random and perfect order are those of all inputs." if len(curves) > 1 else ""
    return _said(curves["all"], what, measure, area) + sides


def rows_by_side(curves: Mapping[str, Curve]) -> list[dict[str, Any]]:
    """The rows of such a figure at the shares that can be pointed at."""
    return _pointed_at(_sides(curves))


def _sides(curves: Mapping[str, Curve]) -> dict[str, Line]:
    whole = curves["all"]
    lines: dict[str, Line] = {
        (_style.SIDE_NAMES["all"] if len(curves) > 1 else "model"): (whole, "value", _style.INK, [1, 0])
    }
    for side in ("in", "shifted"):
        if side in curves:
            dash = [1, 0] if side == "in" else [10, 3]
            lines[_style.SIDE_NAMES[side]] = (curves[side], "value", _style.SIDE_INKS[side], dash)
    for name, (field, ink, dashes) in _BASELINES.items():
        lines[name] = (whole, field, ink, dashes)
    return lines


def by_method(
    curves: Mapping[str, Curve], what: str, methods: Sequence[str] = (), points: int = 65
) -> Figure:
    """Several models on the same inputs, a line each (Malinin et al. 2021, figure 1); colours go by `methods`."""
    inks, dashes = _style.method_looks(list(curves), methods)
    lines = {name: (curve, "value", inks[name], dashes[name]) for name, curve in curves.items()}
    chart = _lines(lines, what, bold="", points=points)
    half = {name: at(curve, "value", 0.5) for name, curve in curves.items()}
    best = (min if what == "error" else max)(half, key=lambda name: half[name])
    said = f"With the surer half kept, {TEXT[what][1]} is " + _words.joined(
        [f"{_words.number(value)} for {name}" for name, value in half.items()]
    )
    return Figure(
        _NAMES[what],
        TEXT[what][0],
        chart,
        f"{said}; the {'lowest' if what == 'error' else 'highest'} line there is that of {best}.",
        _table(lines, what),
    )


def _lines(lines: Mapping[str, Line], what: str, bold: str, points: int = POINTS) -> _style.Chart:
    rows = [row for name, (curve, field, *_) in lines.items() for row in _rows(name, curve, field, points)]
    said = _pointed_at(lines)
    x = alt.X("x:Q", title=_FRACTION, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("y:Q", title=f"{TEXT[what][1]} ({TEXT[what][2]})")
    colour = _style.coloured("line", {name: ink for name, (_, _, ink, _) in lines.items()})
    dash = _style.dashed("line", {name: dashes for name, (_, _, _, dashes) in lines.items()})
    thick = alt.condition(alt.FieldEqualPredicate(field="line", equal=bold), alt.value(3), alt.value(1.75))
    drawn = alt.Chart(_style.data(rows)).mark_line().encode(x, y, colour, dash, strokeWidth=thick)
    touched = (
        alt.Chart(_style.data(said), name=_style.POINTED_AT)
        .mark_point(filled=True, size=160, opacity=0)
        .encode(
            x,
            y,
            tooltip=[
                alt.Tooltip("line:N", title="line"),
                alt.Tooltip("x:Q", title="share kept", format=".0%"),
                alt.Tooltip("y:Q", title=TEXT[what][1], format=".4f"),
            ],
        )
    )
    return _style.layered(drawn, touched)


def _pointed_at(lines: Mapping[str, Line]) -> list[dict[str, Any]]:
    return [
        {"x": x, "y": short(y), "line": name}
        for name, (curve, field, *_) in lines.items()
        for x, y in zip(_SAID, np.interp(_SAID, column(curve, "fraction"), column(curve, field)), strict=True)
    ]


def _rows(name: str, curve: Curve, field: str, points: int) -> Iterator[dict[str, Any]]:
    fraction, value = column(curve, "fraction"), column(curve, field)
    for i in thinned(len(fraction), points):
        yield {"x": short(fraction[i]), "y": short(value[i]), "line": name}


def _said(curve: Curve, what: str, measure: str, area: float | None) -> str:
    full, kept, chance, best = (
        at(curve, name, share)
        for name, share in (("value", 1), ("value", 0.8), ("random", 0.8), ("optimal", 0.8))
    )
    measured = _words.readable(measure)
    under = "" if area is None else f" The area under the line is {_words.number(area)} ({TEXT[what][2]})."
    if what == "error":
        return (
            f"With all inputs kept the error is {_words.number(full)}. With the fifth of highest {measured} handed "
            f"to someone who gets them right, {_words.number(kept)} is left; a random fifth would leave "
            f"{_words.number(chance)}, the best choice {_words.number(best)}.{under}"
        )
    values, fraction = column(curve, "value"), column(curve, "fraction")
    top = int(np.nanargmax(values))
    return (
        f"With all inputs kept F1 is {_words.number(full)}. Ranked by {measured} it is highest, "
        f"{_words.number(float(values[top]))}, with {_words.percent(float(fraction[top]), 0)} kept.{under}"
    )


def _table(lines: Mapping[str, Line], what: str) -> Table:
    rows = tuple(
        (
            _words.percent(share, 0),
            *(_words.number(at(curve, field, share)) for curve, field, *_ in lines.values()),
        )
        for share in _SAID[::2]
    )
    return Table(f"{TEXT[what][1].capitalize()} by share kept", ("share kept", *lines), rows)
