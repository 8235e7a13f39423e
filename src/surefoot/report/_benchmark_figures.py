"""The paper's figures out of results of the benchmark: errors by method and test set, intervals, drops, sensitivity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from surefoot.estimators.benchmark import SETS, Results
from surefoot.estimators.benchmark._tables import SET_WORDS, averaged, by_number, methods, numbers, sets
from surefoot.metrics import accuracy_interval
from surefoot.report import _style, _words
from surefoot.report._figure import Figure, short, thinned
from surefoot.scorecard import Table

SHOWN = ("ATC", "ExpertRF [3]", "ExpertRF [2]", "ErrorPredictorRF", "DoC", "Auto")
"""Methods of the figures; the tables have all."""

SET_INKS = dict(zip(SETS, (_style.INK, _style.SHIFTED, _style.AMBER, _style.WRONG, _style.IN), strict=True))

_ON_LINES = "split(replace(datum.label, 'subpopulation', 'subpop.'), ' ')"
"""Words of a label below each other, so that all labels fit beside each other on a phone."""

MOST_BATCHES = 120
"""Test batches in a figure of intervals."""

MOST_DATASETS = 20
"""Datasets with a figure of their own."""


def lines(results: Results, measure: Callable[[Results], float], name: str, of: str) -> Figure:
    """Figure 4: a measure by test set, a line a method, averaged over datasets and seeds."""
    shown = [method for method in SHOWN if method in results.there("method")]
    there = sets(results)
    found = {
        method: [averaged(results.where(method=method, set=one), measure) for one in there]
        for method in shown
    }
    rows = [
        {"method": method, "set": SET_WORDS[one], "value": short(value)}
        for method, values in found.items()
        for one, value in zip(there, values, strict=True)
    ]
    inks, dashes = _style.method_looks(shown)
    order = [SET_WORDS[one] for one in there]
    base = alt.Chart(_style.data(rows)).encode(
        x=alt.X("set:N", sort=order, title=None, axis=alt.Axis(labelAngle=0, labelExpr=_ON_LINES)),
        y=alt.Y("value:Q", title=f"{name} (lower is better)"),
        color=_style.coloured("method", inks),
    )
    tip = [alt.Tooltip("method:N"), alt.Tooltip("set:N"), alt.Tooltip("value:Q", title=name, format=".3f")]
    drawn = base.mark_line().encode(strokeDash=_style.dashed("method", dashes))
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(tooltip=tip)
    best = [min(shown, key=lambda method: found[method][i]) for i in range(len(there))]
    said = ", ".join(
        f"{method} on {SET_WORDS[one]} ({found[method][i]:.3f})"
        for i, (one, method) in enumerate(zip(there, best, strict=True))
    )
    numbers_ = Table(
        name,
        ("method", *order),
        tuple((method, *(f"{value:.3f}" for value in values)) for method, values in found.items()),
    )
    return Figure("lines", f"{name}, {of}", _style.layered(drawn, dots), f"The lowest: {said}.", numbers_)


def boxes(results: Results, title: str, shown: Sequence[str] = SHOWN) -> Figure:
    """Figures 3, 5 and 7: absolute errors by method and test set; half of the batches lie within a bar."""
    names = [method for method in shown if method in results.there("method")] or methods(results)
    there = sets(results)
    rows = []
    for (method, one), some in results.by("method", "set"):
        if method in names:
            ends = np.quantile(np.abs(some["error"]), (0.1, 0.25, 0.5, 0.75, 0.9))
            box = dict(zip(("p10", "p25", "p50", "p75", "p90"), map(short, ends), strict=True))
            rows.append({"method": method, "set": SET_WORDS[one], "n": len(some), **box})
    inks, _ = _style.method_looks(names)
    shapes = dict(zip(inks, _style.SHAPES * len(inks), strict=False))
    shape = alt.Shape("method:N", sort=None, legend=alt.Legend(symbolSize=70))
    shape = shape.scale(domain=list(shapes), range=list(shapes.values()))
    order = [SET_WORDS[one] for one in there]
    axis = alt.Axis(labelExpr=_ON_LINES, ticks=False, domain=False)
    y = alt.Y("set:N", sort=order, title=None, axis=axis)
    offset = alt.YOffset("method:N", sort=names)
    base = alt.Chart(_style.data(rows)).encode(y=y, yOffset=offset, color=_style.coloured("method", inks))
    tip = [alt.Tooltip("method:N"), alt.Tooltip("set:N"), alt.Tooltip("n:Q", title="batches")]
    tip += [alt.Tooltip(f"p{q}:Q", title=f"{q} % below", format=".3f") for q in (10, 25, 50, 75, 90)]
    x = alt.X("p10:Q", title="absolute error", scale=alt.Scale(zero=True))
    thin = base.mark_rule(strokeWidth=1.5).encode(x=x, x2="p90:Q")
    thick = base.mark_rule(strokeWidth=6, opacity=0.55).encode(x=alt.X("p25:Q"), x2="p75:Q")
    middle = base.mark_point(filled=True, size=55, opacity=1).encode(
        x=alt.X("p50:Q"), shape=shape, tooltip=tip
    )
    height = max(90, (11 * len(names) + 12) * len(there))
    said = (
        "A mark is the median over test batches; half of them lie within its thick bar and four fifths within the "
        f"thin one. {_lowest(results, names)}"
    )
    numbers_ = Table(
        "Median absolute error",
        ("method", *order),
        tuple((name, *(_cell(rows, method=name, set=one) for one in order)) for name in names),
    )
    return Figure("boxes", title, _style.layered(thin, thick, middle, height=height), said, numbers_)


def _cell(rows: Sequence[Mapping[str, Any]], **wanted: str) -> str:
    return next((f"{row['p50']:.3f}" for row in rows if wanted.items() <= row.items()), "–")


def _lowest(results: Results, names: Sequence[str]) -> str:
    means = {name: averaged(results.where(method=name), lambda some: some.mae) for name in names}
    best = min(means, key=lambda name: means[name])
    return f"The lowest mean error is that of {best}, {means[best]:.3f}."


def drops(results: Results, dataset: str) -> Figure:
    """Figure 2: how far the true accuracy fell, by kind of shift; the lines are where chance alone ends."""
    one = next(some for _, some in results.by("method"))
    rows = []
    for (name, kind), some in one.by("set", "kind"):
        ends = np.quantile(some["truth"] - some["reference"], (0.1, 0.25, 0.5, 0.75, 0.9))
        box = dict(zip(("p10", "p25", "p50", "p75", "p90"), map(short, ends), strict=True))
        rows.append(
            {"set": SET_WORDS[name], "kind": kind.replace("_", " "), "order": SETS.index(name), **box}
        )
    rows.sort(key=lambda row: (row["order"], row["kind"]))
    reference, n = float(one["reference"].mean()), int(np.median(one["n"]))
    low, high = accuracy_interval([reference], n)
    half = float(high[0] - low[0]) / 2
    inks = {SET_WORDS[name]: ink for name, ink in SET_INKS.items() if name in one.there("set")}
    kinds = [str(row["kind"]) for row in rows]
    base = alt.Chart(_style.data(rows)).encode(
        y=alt.Y("kind:N", sort=kinds, title=None, axis=alt.Axis(labelLimit=170)),
        color=_style.coloured("set", inks),
    )
    x = alt.X("p10:Q", title="change of the accuracy")
    tip = [alt.Tooltip("kind:N"), alt.Tooltip("set:N"), alt.Tooltip("p50:Q", title="median", format="+.3f")]
    chance = alt.Chart(_style.data([{"p10": short(-half)}, {"p10": short(half)}]))
    layers = (
        chance.mark_rule(strokeDash=[4, 3], strokeWidth=1.5, color=_style.RANDOM.light).encode(x=x),
        alt.Chart(_style.data([{"p10": 0}])).mark_rule(color=_style.INK.light).encode(x=x),
        base.mark_rule(strokeWidth=1.5).encode(x=x, x2="p90:Q"),
        base.mark_rule(strokeWidth=7, opacity=0.55).encode(x=alt.X("p25:Q"), x2="p75:Q"),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("p50:Q"), tooltip=tip),
    )
    worst = min(rows, key=lambda row: row["p50"])
    said = (
        f"On {dataset} the model is right in {_words.percent(reference)} of the labelled rows. The dashed lines hold "
        f"95\u202f% of batches of {n} rows in which nothing moved. The hardest is {worst['kind']}: "
        f"{worst['p50']:+.3f} in the median."
    )
    table = Table(
        "Median change of the accuracy",
        ("kind", "set", "median"),
        tuple((str(row["kind"]), str(row["set"]), f"{row['p50']:+.3f}") for row in rows),
    )
    chart = _style.layered(*layers, height=max(120, 19 * len(rows)))
    return Figure("drops", f"True changes of the accuracy, {dataset}", chart, said, table)


def intervals(results: Results, method: str, dataset: str) -> Figure:
    """Figure 1: true accuracies of test batches in order, and the estimates with their intervals."""
    mine = results.where(method=method)
    mine = mine.take(np.argsort(mine["truth"], kind="stable"))
    mine = mine.take(np.array(thinned(len(mine), MOST_BATCHES)))
    inside = (mine["low"] <= mine["truth"]) & (mine["truth"] <= mine["high"])
    said = {True: "holds the truth", False: "misses it"}
    rows = [
        {
            "place": i + 1,
            "truth": short(mine["truth"][i]),
            "estimate": short(mine["estimate"][i]),
            "low": short(mine["low"][i]),
            "high": short(mine["high"][i]),
            "interval": said[bool(inside[i])],
            "set": SET_WORDS[mine.names["set"][mine["set"][i]]],
        }
        for i in range(len(mine))
    ]
    looks = {said[True]: _style.IN, said[False]: _style.SHIFTED}
    base = alt.Chart(_style.data(rows)).encode(
        x=alt.X("place:Q", title="test batches, by their true accuracy", scale=alt.Scale(nice=False))
    )
    y = alt.Y("low:Q", title="accuracy", scale=alt.Scale(zero=False))
    tip = [
        alt.Tooltip("set:N"),
        alt.Tooltip("truth:Q", format=".3f"),
        alt.Tooltip("estimate:Q", format=".3f"),
    ]
    colour = _style.coloured("interval", looks)
    layers = (
        base.mark_rule(strokeWidth=2, opacity=0.6).encode(y=y, y2="high:Q", color=colour),
        base.mark_point(filled=True, size=22, opacity=1).encode(
            y=alt.Y("estimate:Q"), color=colour, tooltip=tip
        ),
        base.mark_line(color=_style.INK.light, strokeWidth=1.75).encode(y=alt.Y("truth:Q")),
    )
    words = (
        f"The line is the true accuracy. {_words.percent(float(inside.mean()), 0)} of the intervals hold it, at a mean "
        f"width of {mine.mpiw:.3f}; they are made to hold 95\u202f%."
    )
    return Figure("intervals", f"{method} on {dataset}", _style.layered(*layers), words)


def sensitivity(results: Results, what: str, title: str, axis: str) -> Figure:
    """Figure 6: the mean absolute error by number of training kinds, or of training domains of each kind."""
    counts = numbers(results, what)
    rows = []
    for name in sets(results):
        mine = results["set"] == results.names["set"].index(name)
        for count in np.unique(counts):
            value = averaged(results.take(mine & (counts == count)), lambda some: some.mae)
            rows.append({"set": SET_WORDS[name], what: int(count), "value": short(value)})
    there = list(dict.fromkeys(str(row["set"]) for row in rows))
    inks = {SET_WORDS[name]: ink for name, ink in SET_INKS.items() if SET_WORDS[name] in there}
    dashes = {name: _style.DASHES[i % len(_style.DASHES)] for i, name in enumerate(inks)}
    values = sorted({int(count) for count in counts})
    scale = alt.Scale(nice=False, padding=12, zero=False)
    if what == "domains":
        scale = alt.Scale(type="log", nice=False, padding=12)
    base = alt.Chart(_style.data(rows)).encode(
        x=alt.X(f"{what}:Q", title=axis, scale=scale, axis=alt.Axis(values=values, format="d")),
        y=alt.Y("value:Q", title="mean absolute error", scale=alt.Scale(zero=False)),
        color=_style.coloured("set", inks),
    )
    tip = [
        alt.Tooltip("set:N"),
        alt.Tooltip(f"{what}:Q"),
        alt.Tooltip("value:Q", title="error", format=".3f"),
    ]
    drawn = base.mark_line().encode(strokeDash=_style.dashed("set", dashes))
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(tooltip=tip)
    first, last = values[0], values[-1]
    ends = {
        name: [row["value"] for row in rows if row["set"] == name and row[what] in (first, last)]
        for name in there
    }
    said = "; ".join(f"{name} {pair[0]:.3f} → {pair[-1]:.3f}" for name, pair in ends.items())
    table = by_number(results, title, what)
    return Figure(what, title, _style.layered(drawn, dots), f"From {first} to {last}: {said}.", table)


def of_datasets(results: Results) -> Iterator[Figure]:
    """Figure 7: one figure of errors for every dataset, by name, as many as fit on a page of 2 MB."""
    for dataset in sorted(results.there("dataset"))[:MOST_DATASETS]:
        yield boxes(results.where(dataset=dataset), dataset)
