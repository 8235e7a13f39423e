"""Slices: one score for every part of the inputs, with its interval, beside that of all."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from surefoot.metrics import REGISTRY
from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short
from surefoot.scorecard import Score, Table
from surefoot.scorecard._slices import SMALL


def slices(scores: Sequence[Score], whole: Score, by: str = "slice") -> Figure:
    """Dots with intervals, the worst slice on top; the line is the score of all inputs together."""
    better_is_higher = REGISTRY[whole.metric].higher_is_better is not False
    ordered = sorted(scores, key=lambda score: score.value if better_is_higher else -score.value)
    rows = [
        {
            "slice": f"{_value(score)} (n = {score.n:,})",
            "value": short(score.value),
            "low": short(score.value if score.low is None else score.low),
            "high": short(score.value if score.high is None else score.high),
            "size": "small" if score.n < SMALL else "enough",
            "n": score.n,
        }
        for score in ordered
    ]
    name = _words.readable(whole.metric)
    x = alt.X("value:Q", title=f"{name} ({_words.better(whole.metric)})", scale=alt.Scale(zero=False))
    y = alt.Y("slice:N", title=None, sort=[str(row["slice"]) for row in rows], axis=alt.Axis(labelLimit=190))
    pale = alt.condition(alt.FieldEqualPredicate(field="size", equal="small"), alt.value(0.45), alt.value(1))
    base = alt.Chart(_style.data(rows))
    tip = [
        alt.Tooltip("slice:N"),
        alt.Tooltip("value:Q", title=name, format=".4f"),
        alt.Tooltip("low:Q", format=".4f"),
        alt.Tooltip("high:Q", format=".4f"),
    ]
    bars = base.mark_rule(strokeWidth=2, color=_style.INK.light).encode(
        x=alt.X("low:Q"), x2="high:Q", y=y, opacity=pale
    )
    dots = base.mark_point(filled=True, size=80, color=_style.INK.light).encode(
        x=x, y=y, opacity=pale, tooltip=tip
    )
    line = alt.Chart(_style.data([{"value": short(whole.value)}]))
    all_of_it = line.mark_rule(strokeDash=[4, 3], color=_style.INK.light).encode(x=x)
    chart = _style.layered(all_of_it, bars, dots, height=max(90, 26 * len(rows) + 20))
    return Figure(
        "slices",
        f"{_words.capital(name)} by {by}",
        chart,
        _said(ordered, whole, name),
        _table(ordered, whole, name, by),
    )


def _said(ordered: list[Score], whole: Score, name: str) -> str:
    worst, best = ordered[0], ordered[-1]
    small = sum(score.n < SMALL for score in ordered)
    pale = (
        f" {_words.count(small, 'slice')} with fewer than {SMALL} inputs: drawn pale, do not build on them."
        if small
        else ""
    )
    return (
        f"Over all inputs {name} is {_words.number(whole.value)} (dashed line). It is worst for {_value(worst)}: "
        f"{_words.number(worst.value)}{_words.between(worst)}, and best for {_value(best)}: "
        f"{_words.number(best.value)}{_words.between(best)}.{pale}"
    )


def _value(score: Score) -> str:
    """What the slice has in its column.

    >>> _value(Score("eval", "all", "accuracy", None, 0.9, 10, slice="city=york"))
    'york'
    """
    return str(score.slice).partition("=")[2] or str(score.slice)


def _table(ordered: list[Score], whole: Score, name: str, by: str) -> Table:
    rows = tuple(
        (
            label,
            _words.number(score.value),
            "–" if (ends := _words.bounds(score)) is None else " to ".join(map(_words.number, ends)),
            f"{score.n:,}",
        )
        for label, score in [*((_value(score), score) for score in ordered), ("all inputs", whole)]
    )
    return Table(f"{_words.capital(name)} by {by}", (by, name, "95 % interval", "inputs"), rows)
