"""Critical-difference diagram: mean ranks of methods over datasets, and which of them do not differ.

Demšar 2006, figure 1; Van Landeghem et al. 2022 (text classification), figures 3, 18 and 19. Turned by a quarter,
so that names of methods can be read on any screen: the bars that join methods which do not differ stand upright.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from surefoot.compare import Ranks
from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short
from surefoot.scorecard import Table

_MARGIN = 0.15
"""Of the axis beyond rank 1, and of bands beyond the last rank."""


def ranks(methods: Sequence[str], result: Ranks, metric: str) -> Figure:
    """Methods by mean rank, the best on top; upright bars join those that do not differ significantly."""
    order = [int(i) for i in result.mean_ranks.argsort(kind="stable")]
    names = [methods[i] for i in order]
    k = len(order)
    lane = max(0.2, 0.045 * k)
    right = k + lane * (len(result.groups) + 1.5)
    shown = [{"method": methods[i], "rank": short(result.mean_ranks[i])} for i in order]
    axis = alt.Axis(orient="top", values=list(range(1, k + 1)), format="d", grid=True, titleAnchor="end")
    title = f"mean rank over {len(result.ranks)} datasets (1 is best)"
    scale = alt.Scale(domain=[1 - _MARGIN, right], nice=False, zero=False)
    x = alt.X("rank:Q", title=title, scale=scale, axis=axis)
    y = alt.Y("method:N", title=None, sort=names)
    tip = [alt.Tooltip("method:N"), alt.Tooltip("rank:Q", title="mean rank", format=".2f")]
    base = alt.Chart(_style.data(shown))
    dots = base.mark_point(filled=True, size=110, color=_style.INK.light, opacity=1)
    layers = [dots.encode(x=x, y=y, tooltip=tip)]
    if result.critical_difference is not None:
        half = result.critical_difference / 2
        reach = [
            {
                "method": methods[i],
                "low": short(max(1 - _MARGIN, result.mean_ranks[i] - half)),
                "high": short(min(k + _MARGIN, result.mean_ranks[i] + half)),
            }
            for i in order
        ]
        band = alt.Chart(_style.data(reach)).mark_rule(strokeWidth=8, opacity=0.18, color=_style.INK.light)
        layers.insert(0, band.encode(x=alt.X("low:Q", scale=scale, axis=axis, title=title), x2="high:Q", y=y))
    bars = [
        {"group": g, "lane": short(k + lane * (g + 1)), "method": methods[i]}
        for g, group in enumerate(result.groups)
        for i in group
    ]
    if bars:
        across = alt.X("lane:Q", scale=scale, axis=axis, title=title)
        joined = alt.Chart(_style.data(bars)).encode(x=across, y=y)
        layers.append(joined.mark_line(strokeWidth=5, color=_style.RANDOM.light).encode(detail="group:N"))
        layers.append(joined.mark_point(filled=True, size=50, opacity=1, color=_style.RANDOM.light))
    chart = _style.layered(*layers, height=max(90, 30 * k))
    said = _said(methods, result, order)
    return Figure("ranks", f"Ranks by {metric}", chart, said, _table(methods, result, order))


def _said(methods: Sequence[str], result: Ranks, order: list[int]) -> str:
    listed = [f"{methods[i]} ({result.mean_ranks[i]:.2f})" for i in order]
    parts = [f"Mean ranks over {len(result.ranks)} datasets, from the best: {_words.joined(listed)}."]
    if result.p_value <= result.alpha:  # else the notes say so
        parts.append(f"Friedman's test: p {_words.chance(result.p_value)}.")
    if result.critical_difference is not None:
        parts.append(
            f"Methods differ significantly if their mean ranks are more than {result.critical_difference:.2f} apart "
            "(Nemenyi's critical difference): pale bands that do not overlap."
        )
    groups = ["; ".join(_words.joined([methods[i] for i in group]) for group in result.groups)]
    parts += [f"Not significantly different (upright bars): {listed}." for listed in groups if listed]
    return " ".join([*parts, *result.notes])


def _table(methods: Sequence[str], result: Ranks, order: list[int]) -> Table:
    letters = dict.fromkeys(order, "")
    for g, group in enumerate(result.groups):
        for i in group:
            letters[i] += chr(ord("a") + g % 26)
    rows = tuple((methods[i], f"{result.mean_ranks[i]:.2f}", letters[i] or "–") for i in order)
    foot = "Methods that share a letter do not differ significantly."
    return Table("Mean ranks", ("method", "mean rank", "group"), rows, foot)
