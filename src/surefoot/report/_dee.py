"""Deep ensemble equivalent: how many independently trained networks every method is worth.

Ashukha et al. 2020 (Pitfalls), figures 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
from numpy.typing import ArrayLike

from surefoot.compare import DeepEnsembleEquivalent
from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short
from surefoot.scorecard import Table

_LANE = 1.14
"""Ratio of the heights at which methods stand that no ensemble reaches."""


def dee(
    sizes: Mapping[str, ArrayLike],
    found: Mapping[str, DeepEnsembleEquivalent],
    *,
    ensemble: str,
    largest: float,
    methods: Sequence[str] = (),
) -> Figure:
    """Equivalent size by number of samples, a line and its band for every method; beyond the axis if not reached.

    `sizes` are the numbers of samples of each method, `found` their equivalents in members of
    `ensemble`; `largest` is its largest number of members measured, beyond which nothing is known.
    Colours go by place in `methods`; shapes tell methods apart as well.
    """
    inks, _ = _style.method_looks(list(found), methods)
    rows, beyond = _rows(sizes, found, largest)
    x, y, low = _axes(rows, beyond, largest)
    colour = _style.coloured("method", inks)
    shapes = {name: _style.SHAPES[i % len(_style.SHAPES)] for i, name in enumerate(inks)}
    shape = alt.Shape("method:N", sort=None).scale(domain=list(shapes), range=list(shapes.values()))
    tip = [
        alt.Tooltip("method:N"),
        alt.Tooltip("samples:Q"),
        alt.Tooltip("dee:Q", title="worth members", format=".2f"),
        alt.Tooltip("low:Q", title="at least", format=".2f"),
        alt.Tooltip("high:Q", title="at most", format=".2f"),
    ]
    base, more = alt.Chart(_style.data(rows)), alt.Chart(_style.data(beyond))
    bands = base.mark_area(opacity=0.14).encode(x=x, y=low, y2="high:Q", color=colour)
    bars = base.mark_rule(strokeWidth=1.5).encode(x=x, y=low, y2="high:Q", color=colour)
    lines = base.mark_line().encode(x=x, y=y, color=colour)
    dots = base.mark_point(filled=True, size=70, opacity=1)
    dots = dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tip)
    ends: _style.Rows = [{"samples": 1, "dee": 1}, {"samples": max(2, largest), "dee": max(2, largest)}]
    alike = alt.Chart(_style.data(ends)).mark_line(strokeDash=[2, 2], strokeWidth=1.5)
    layers = [alike.encode(x=x, y=y, color=alt.value(_style.RANDOM.light)), bands, bars, lines, dots]
    if beyond:
        tip = [alt.Tooltip("method:N"), alt.Tooltip("samples:Q"), alt.Tooltip("said:N", title="worth")]
        open_dots = more.mark_point(filled=False, size=70, opacity=1)
        layers.append(open_dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tip))
    return Figure(
        "dee",
        f"Worth in members of {ensemble}",
        _style.layered(*layers),
        _said(sizes, found, ensemble, largest),
        _table(sizes, found),
    )


def _rows(
    sizes: Mapping[str, ArrayLike], found: Mapping[str, DeepEnsembleEquivalent], largest: float
) -> tuple[_style.Rows, _style.Rows]:
    """Equivalents with their bounds; and apart, a height for each method, those that no ensemble reaches."""
    rows: _style.Rows = []
    beyond: _style.Rows = []
    height = largest * _LANE
    for name, result in found.items():
        samples = np.atleast_1d(np.asarray(sizes[name], dtype=np.float64))
        value, lower, upper = (np.atleast_1d(v) for v in (result.value, result.lower, result.upper))
        for i in np.argsort(samples):
            row = {"method": name, "samples": short(samples[i])}
            if np.isfinite(value[i]):
                ends = {"low": short(min(lower[i], largest)), "high": short(min(upper[i], largest))}
                rows.append({**row, "dee": short(value[i]), **ends})
            else:
                beyond.append({**row, "dee": short(height), "said": f"more than {largest:g}"})
        if not np.isfinite(value).all():
            height *= _LANE
    return rows, beyond


def _axes(rows: _style.Rows, beyond: _style.Rows, largest: float) -> tuple[alt.X, alt.Y, alt.Y]:
    """Logarithmic axes; above the largest ensemble there is room for what it does not reach."""
    most = max(2, largest, *(row["samples"] for row in (*rows, *beyond)))
    top = max([most, *(row["dee"] * _LANE**0.6 for row in beyond)])
    ticks = sorted({2**i for i in range(12) if 2**i <= most} | {int(largest)})
    heights = [tick for tick in ticks if tick <= largest]
    if beyond:
        heights.append((largest * top) ** 0.5)
    across = alt.Scale(type="log", base=2, domain=[0.9, most], nice=False)
    up = alt.Scale(type="log", base=2, domain=[0.9, top], nice=False)
    axis = alt.Axis(
        values=heights, labelExpr=f"datum.value > {largest:g} ? 'more' : format(datum.value, 'd')"
    )
    y, low = (
        alt.Y(f"{name}:Q", title="worth members (higher is better)", scale=up, axis=axis)
        for name in ("dee", "low")
    )
    x_axis = alt.Axis(values=ticks, format="d")
    return (
        alt.X("samples:Q", title="samples of the method (fewer cost less)", scale=across, axis=x_axis),
        y,
        low,
    )


def _said(
    sizes: Mapping[str, ArrayLike],
    found: Mapping[str, DeepEnsembleEquivalent],
    ensemble: str,
    largest: float,
) -> str:
    parts: dict[str, list[str]] = {}
    for name, result in found.items():
        samples = np.atleast_1d(np.asarray(sizes[name]))
        last = int(np.argmax(samples))
        worth = in_members(float(np.atleast_1d(result.value)[last]), largest)
        parts.setdefault(worth, []).append(f"{name} ({_words.count(int(samples[last]), 'sample')})")
    told = [
        f"{_words.joined(names)} {'is' if len(names) == 1 else 'are each'} worth {worth}"
        for worth, names in parts.items()
    ]
    return (
        f"{'; '.join(told)}. The dotted line is {ensemble} itself, bands are one standard deviation of "
        "its score, and open marks stand for more members than were measured."
    )


def in_members(value: float, largest: float) -> str:
    """An equivalent in words.

    >>> in_members(1.0, 5), in_members(2.34, 5), in_members(float("inf"), 5)
    ('no more than 1 member', '2.3 members', 'more than 5 members')
    """
    if value <= 1:
        return "no more than 1 member"
    return f"{_words.number(value, 1)} members" if np.isfinite(value) else f"more than {largest:g} members"


def _table(sizes: Mapping[str, ArrayLike], found: Mapping[str, DeepEnsembleEquivalent]) -> Table:
    rows = tuple(
        (name, f"{samples:g}", *(_words.number(float(v), 2) for v in (value, low, high)))
        for name, result in found.items()
        for samples, value, low, high in zip(
            np.atleast_1d(np.asarray(sizes[name], dtype=np.float64)),
            np.atleast_1d(result.value),
            np.atleast_1d(result.lower),
            np.atleast_1d(result.upper),
            strict=True,
        )
    )
    header = ("method", "samples", "worth members", "at least", "at most")
    return Table("Deep ensemble equivalents (∞: not reached)", header, rows)
