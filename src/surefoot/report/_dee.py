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


def dee(
    sizes: Mapping[str, ArrayLike],
    found: Mapping[str, DeepEnsembleEquivalent],
    *,
    ensemble: str,
    largest: float,
    methods: Sequence[str] = (),
) -> Figure:
    """Equivalent size by number of samples, a line and its band for every method; not reached ends the line.

    `sizes` are the numbers of samples of each method, `found` their equivalents in members of
    `ensemble`; `largest` is its largest number of members measured, beyond which nothing is known.
    Colours go by place in `methods`.
    """
    inks, dashes = _style.method_looks(list(found), methods)
    rows: _style.Rows = []
    beyond: _style.Rows = []
    for name, result in found.items():
        samples = np.atleast_1d(np.asarray(sizes[name], dtype=np.float64))
        value, lower, upper = (np.atleast_1d(v) for v in (result.value, result.lower, result.upper))
        for i in np.argsort(samples):
            row = {"method": name, "samples": short(samples[i]), "low": short(min(lower[i], largest))}
            if np.isfinite(value[i]):
                rows.append({**row, "dee": short(value[i]), "high": short(min(upper[i], largest))})
            else:
                beyond.append({**row, "dee": short(largest), "said": "not reached"})
    most = max((row["samples"] or 1 for row in (*rows, *beyond)), default=1)
    scale = alt.Scale(type="log", base=2, domain=[0.9, max(2, most, largest)], nice=False)
    ticks = [2**i for i in range(12) if 2**i <= max(2, most, largest)]
    axis = alt.Axis(values=ticks, format="d")
    x = alt.X("samples:Q", title="samples of the method (fewer cost less)", scale=scale, axis=axis)
    title = "worth members (higher is better)"
    y = alt.Y("dee:Q", title=title, scale=scale, axis=axis)
    low = alt.Y("low:Q", title=title, scale=scale, axis=axis)
    colour, dash = _style.coloured("method", inks), _style.dashed("method", dashes)
    base = alt.Chart(_style.data(rows))
    tip = [
        alt.Tooltip("method:N"),
        alt.Tooltip("samples:Q"),
        alt.Tooltip("dee:Q", title="worth members", format=".2f"),
        alt.Tooltip("low:Q", title="at least", format=".2f"),
        alt.Tooltip("high:Q", title="at most", format=".2f"),
    ]
    bands = base.mark_area(opacity=0.14).encode(x=x, y=low, y2="high:Q", color=colour)
    lines = base.mark_line().encode(x=x, y=y, color=colour, strokeDash=dash)
    shapes = {name: _style.SHAPES[i % len(_style.SHAPES)] for i, name in enumerate(inks)}
    shape = alt.Shape("method:N", sort=None).scale(domain=list(shapes), range=list(shapes.values()))
    dots = base.mark_point(filled=True, size=70, opacity=1)
    dots = dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tip)
    bars = base.mark_rule(strokeWidth=1.5).encode(x=x, y=low, y2="high:Q", color=colour)
    more = alt.Chart(_style.data(beyond)).mark_point(shape="triangle-up", filled=False, size=90)
    tip_beyond = [alt.Tooltip("method:N"), alt.Tooltip("samples:Q"), alt.Tooltip("said:N", title="worth")]
    layers = [bands, bars, lines, dots]
    if beyond:
        layers.append(more.encode(x=x, y=y, color=colour, tooltip=tip_beyond))
    ends: _style.Rows = [{"samples": 1, "dee": 1}, {"samples": max(2, largest), "dee": max(2, largest)}]
    alike = alt.Chart(_style.data(ends)).mark_line(strokeDash=[2, 2], strokeWidth=1.5)
    layers.insert(0, alike.encode(x=x, y=y, color=alt.value(_style.RANDOM.light)))
    chart = _style.layered(*layers)
    return Figure(
        "dee",
        f"Worth in members of {ensemble}",
        chart,
        _said(sizes, found, ensemble, largest),
        _table(sizes, found),
    )


def _said(
    sizes: Mapping[str, ArrayLike],
    found: Mapping[str, DeepEnsembleEquivalent],
    ensemble: str,
    largest: float,
) -> str:
    parts = []
    for name, result in found.items():
        samples, value = np.atleast_1d(np.asarray(sizes[name])), np.atleast_1d(result.value)
        last = int(np.argmax(samples))
        worth = (
            f"{_words.number(float(value[last]), 1)} members"
            if np.isfinite(value[last])
            else f"more than the {largest:g} that were measured"
        )
        parts.append(f"{name} with {_words.count(int(samples[last]), 'sample')} is worth {worth}")
    return (
        f"{_words.joined(parts)}. The dotted line is {ensemble} itself, bands are one standard deviation of its score, "
        "and an open triangle says: not reached by any ensemble measured."
    )


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
