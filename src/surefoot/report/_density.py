"""Densities of uncertainty: of right and of wrong predictions in-domain, and of shifted inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from surefoot.report import _style, _words
from surefoot.report._figure import Curve, Figure, column, short
from surefoot.scorecard import Table

_LOOKS = {
    "in_correct": (_style.IN, [1, 0]),
    "in_wrong": (_style.WRONG, [7, 3]),
    "shifted": (_style.SHIFTED, [2, 2]),
}
_QUARTILES = (0.25, 0.5, 0.75)


def density(curve: Curve, measure: str, kind: str = "classification") -> Figure:
    """Histograms of one measure for up to three groups of inputs, each with an area of 1."""
    edges, shown = column(curve, "edges"), _shown(curve)
    names = _names("shifted" in shown, kind)
    colour = _style.coloured("line", {names[key]: _LOOKS[key][0] for key in shown})
    dash = _style.dashed("line", {names[key]: _LOOKS[key][1] for key in shown})
    x = alt.X("x:Q", title=f"{_words.readable(measure)} (higher is less certain)")
    x = x.scale(domain=[float(edges[0]), float(edges[-1])], nice=False)
    axis = alt.Axis(labels=False, ticks=False, grid=False)
    y = alt.Y("y:Q", title="share of inputs (best: curves apart)", axis=axis)
    base = alt.Chart(_style.data(rows(curve, kind)))
    areas = base.mark_area(opacity=0.18, interpolate="step-after").encode(x=x, y=y.stack(False), color=colour)
    lines = base.mark_line(strokeWidth=2, interpolate="step-after").encode(
        x=x, y=y, color=colour, strokeDash=dash
    )
    chart = _style.layered(areas, lines)
    numbers = _table(_quartiles(edges, _parts(curve, kind)))
    return Figure("density", title(curve, measure, kind), chart, said(curve, kind), numbers)


def title(curve: Curve, measure: str, kind: str) -> str:
    """The title of such a figure."""
    return f"Where {_words.readable(measure)} lies for {_words.joined(list(_parts(curve, kind)))} inputs"


def rows(curve: Curve, kind: str) -> list[dict[str, Any]]:
    """The steps that such a figure draws."""
    edges = column(curve, "edges")
    return [row for name, values in _parts(curve, kind).items() for row in _steps(name, edges, values)]


def _parts(curve: Curve, kind: str) -> dict[str, Any]:
    """The groups that have inputs, by what they are called."""
    shown = _shown(curve)
    names = _names("shifted" in shown, kind)
    return {names[key]: values for key, values in shown.items()}


def _shown(curve: Curve) -> dict[str, Any]:
    return {key: column(curve, key) for key in _LOOKS if key in curve and np.nansum(column(curve, key)) > 0}


def _names(sides: bool, kind: str) -> dict[str, str]:
    """What the groups are called: without a shifted side nothing is "in-domain", and a number is never "right"."""
    right, wrong = ("acceptable", "unacceptable") if kind == "regression" else ("right", "wrong")
    place = "in-domain " if sides else ""
    return {"in_correct": f"{place}{right}", "in_wrong": f"{place}{wrong}", "shifted": "shifted"}


def _steps(name: str, edges: Any, values: Any) -> Iterator[dict[str, Any]]:
    """Heights so that the area is 1; the last step goes on to the last edge."""
    widths = np.diff(edges)
    heights = np.nan_to_num(values) / np.nansum(values * widths)
    for x, y in zip(edges, (*heights, heights[-1]), strict=True):
        yield {"line": name, "x": short(x), "y": short(y)}


def _quartiles(edges: Any, parts: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    out = {}
    for name, values in parts.items():
        mass = np.concatenate([[0], np.cumsum(np.nan_to_num(values) * np.diff(edges))])
        out[name] = tuple(float(np.interp(q * mass[-1], mass, edges)) for q in _QUARTILES)
    return out


def said(curve: Curve, kind: str) -> str:
    """What such a figure shows, in words."""
    quartiles = _quartiles(column(curve, "edges"), _parts(curve, kind))
    middles = [f"{_words.number(middle, 3)} for {name} inputs" for name, (_, middle, _) in quartiles.items()]
    return (
        f"The middle value is {_words.joined(middles)}. What a model should be less certain about lies further to the "
        "right; where the curves lie on each other it cannot tell."
    )


def _table(quartiles: dict[str, tuple[float, ...]]) -> Table:
    rows = tuple((name, *(_words.number(v, 3) for v in values)) for name, values in quartiles.items())
    return Table("Quartiles", ("inputs", "lowest quarter below", "half below", "highest quarter above"), rows)
