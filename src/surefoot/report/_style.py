"""One visual language for all figures: what each colour means, how a line looks, how an axis is set.

Colours are those of Okabe and Ito, made for all kinds of colour vision, some of them a little darker so that
they stand out from white paper by at least 3 : 1. A colour is never alone in telling things apart: lines differ
in dashes as well, points in shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import altair as alt

Rows = list[dict[str, Any]]
Chart = alt.LayerChart

PAGE_FONT = "system-ui, -apple-system, Segoe UI, Roboto, Liberation Sans, sans-serif"
"""As in the style sheet of pages, so that a browser measures labels with the font that it draws."""

WIDTH, HEIGHT = 520, 280
"""Of a figure in a file; on a page figures take the width that there is."""

TITLE_LETTERS = 64
"""So many fit on one line above a figure in a file."""


@dataclass(frozen=True)
class Ink:
    """A colour by day and by night; `name` is its variable on a page."""

    name: str
    light: str
    dark: str

    @property
    def variable(self) -> str:
        """What a page writes in place of the colour, so that it follows the reader's scheme."""
        return f"var(--{self.name})"


INK = Ink("ink", "#1a1a1a", "#ececec")
MUTED = Ink("muted", "#595959", "#b0b0b0")
LINES = Ink("lines", "#d9d9d9", "#404040")
IN = Ink("in", "#0072b2", "#56b4e9")
SHIFTED = Ink("shifted", "#d55e00", "#ff8c42")
OPTIMAL = Ink("optimal", "#00875f", "#2cc79a")
WRONG = Ink("wrong", "#b0568f", "#e39ac4")
RANDOM = Ink("random", "#767676", "#9a9a9a")
PAPER = Ink("paper", "#ffffff", "#151515")
SKY = Ink("sky", "#2a85bd", "#8ccbf2")
AMBER = Ink("amber", "#a36f00", "#f0b429")

POINTED_AT = "pointed-at"
"""Name of a layer that cannot be seen and only tells numbers when pointed at."""

INKS = (INK, MUTED, LINES, IN, SHIFTED, OPTIMAL, WRONG, RANDOM, PAPER, SKY, AMBER)

METHODS = (INK, OPTIMAL, WRONG, AMBER, SKY, SHIFTED, IN)
"""Colours of methods beside each other, in this order, each with other dashes."""
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 1])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")

SIDE_NAMES = {"in": "in-domain", "shifted": "shifted", "all": "all inputs"}
SIDE_INKS = {"in": IN, "shifted": SHIFTED, "all": INK}


def config() -> dict[str, Any]:
    """Look of axes, legends and titles."""
    text = {"labelColor": MUTED.light, "titleColor": INK.light, "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": "transparent",
        "font": "Liberation Sans, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": {
            **text,
            "titleFontWeight": "normal",
            "gridColor": LINES.light,
            "domainColor": MUTED.light,
            "tickColor": MUTED.light,
            "gridOpacity": 0.7,
            "labelLimit": 150,
            "titlePadding": 8,
        },
        "axisX": {"grid": False, "tickCount": 6},
        "legend": {
            **text,
            "title": None,
            "orient": "top",
            "direction": "horizontal",
            "columns": 4,
            "columnPadding": 14,
            "symbolType": "stroke",
            "symbolSize": 110,
            "symbolStrokeWidth": 2.5,
            "symbolOpacity": 1,
            "labelLimit": 200,
            "offset": 6,
        },
        "title": {"color": INK.light, "fontSize": 14, "anchor": "start", "frame": "bounds", "offset": 10},
        "text": {"color": INK.light, "fontSize": 12},
        "line": {"strokeWidth": 2.25},
        "rule": {"color": MUTED.light},
        "aria": False,
    }


def layered(*layers: alt.Chart, height: int = HEIGHT) -> Chart:
    """Layers as one chart, with its size and the common look."""
    return cast(Chart, alt.LayerChart(layer=list(layers), width=WIDTH, height=height).configure(**config()))


def data(rows: Rows) -> dict[str, Any]:
    """Rows inside the specification, never a dataframe."""
    return {"values": tuple(rows)}  # which Altair does not copy again and again


def coloured(field: str, looks: Mapping[str, Ink]) -> alt.Color:
    """Colours of the names in `looks`, in that order."""
    scale = alt.Scale(domain=list(looks), range=[ink.light for ink in looks.values()])
    return alt.Color(f"{field}:N", scale=scale, sort=None, legend=alt.Legend())


def dashed(field: str, dashes: Mapping[str, Sequence[int]]) -> alt.StrokeDash:
    """Dashes of the names in `dashes`; the legend joins that of the colours."""
    scale = alt.Scale(domain=list(dashes), range=[list(dash) for dash in dashes.values()])
    return alt.StrokeDash(f"{field}:N", scale=scale, sort=None, legend=alt.Legend())


def method_looks(
    shown: Iterable[str], methods: Sequence[str] = ()
) -> tuple[dict[str, Ink], dict[str, Sequence[int]]]:
    """A colour and a dash for the methods shown, each the same wherever `methods` are the same."""
    names = list(dict.fromkeys([*methods, *shown]))
    inks = {name: METHODS[i % len(METHODS)] for i, name in enumerate(names)}
    dashes: dict[str, Sequence[int]] = {name: DASHES[i % len(DASHES)] for i, name in enumerate(names)}
    kept = [name for name in names if name in set(shown)]
    return {name: inks[name] for name in kept}, {name: dashes[name] for name in kept}


def themed(spec: Any) -> Any:
    """The specification with every colour replaced by its variable on a page; data are left alone."""
    if isinstance(spec, dict):
        return {key: value if key == "datasets" else themed(value) for key, value in spec.items()}
    if isinstance(spec, list):
        return [themed(value) for value in spec]
    return _VARIABLES.get(spec, spec) if isinstance(spec, str) else spec


_VARIABLES = {ink.light: ink.variable for ink in INKS}
