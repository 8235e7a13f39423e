"""The page of a comparison: verdict, scores, ranks, differences, wins, equivalents, curves, and what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from surefoot.compare import Comparison
from surefoot.report import _dee, _differences, _ranks, _retention, _words
from surefoot.report._comparison_tables import scores_tables, wins_table
from surefoot.report._comparison_verdict import comparison_verdict
from surefoot.report._figure import Figure
from surefoot.report._html import figure, table, tag, text
from surefoot.report._keys import Key, foremost, primary
from surefoot.report._page import Section, page
from surefoot.report._pairs import differences_of
from surefoot.report._pieces import about, findings, in_short, notes
from surefoot.report._reader import Reader

_MOST_CURVES = 7
"""More methods than this are too many lines for one figure."""
_MOST_FIGURES = 8
"""More datasets than this are too many figures of one kind."""


def comparison_page(result: Comparison, script: str) -> str:
    """The whole page."""
    what = f"{_words.count(len(result.methods), 'method')} on {_words.count(len(result.datasets), 'dataset')}"
    title = " or ".join(result.methods) if len(result.methods) == 2 else what
    facts = f"Methods: {_words.joined(result.methods)}. Datasets: {_words.joined(result.datasets)}."
    return page(title, "comparison", facts, _sections(result), script)


def _sections(result: Comparison) -> Iterator[Section]:
    keys = foremost(result.beats or result.scores)
    found = comparison_verdict(result)
    parts = {
        "ranks": _grid("ranks", _rank_figures(result, keys)),
        "differences": _grid("differences", _difference_figures(result, keys)),
        "dee": _grid("dee", _dee_figures(result)),
    }
    shown = {name: f"#{name}" for name, inside in parts.items() if inside} | {"scores": "#scores"}
    yield Section("verdict", "Verdict", in_short(found) + findings(found, shown))
    yield Section(
        "scores", "Scores", scores_tables(result),
        "With 95\u202f% intervals. A tick marks a method that is significantly better, on the same inputs, than every "
        "other one; where none is marked, no one is.",
    )  # fmt: skip
    yield Section(
        "ranks", "Ranks over datasets", parts["ranks"],
        "Critical-difference diagrams: upright bars join methods whose ranks do not differ significantly.",
    )  # fmt: skip
    yield Section(
        "differences", "Differences on the same inputs", parts["differences"],
        "Each dot is a paired difference with its 95\u202f% interval; where that crosses the line, neither is better.",
    )  # fmt: skip
    yield Section(
        "wins", "Wins, draws and losses", _wins(result, keys),
        "On how many datasets the method of a row is significantly better than that of a column, neither is, "
        "and it is worse.",
        "Wins",
    )  # fmt: skip
    yield Section(
        "dee", "What each method is worth in ensemble members", parts["dee"],
        "Deep ensemble equivalent: how many members of one ensemble it takes to match another method, by calibrated "
        "log-likelihood, with bounds of one standard deviation.",
        "Equivalents",
    )  # fmt: skip
    yield Section(
        "retention", "When the least certain inputs are handed over", _grid("retention", _retention_figures(result)),
        "The error that is left, method by method; a lower line is a better method and a better uncertainty together.",
        "Retention",
    )  # fmt: skip
    yield Section("notes", "Notes", notes(result.notes))
    facts = tag("div", tag("div", _entrants(result)) + about(result.info), class_="stack")
    yield Section("about", "Data, settings and versions", facts, link="About")


def _grid(name: str, figures: Iterator[Figure]) -> str:
    drawn = [figure(one, f"figure-{name}-{i}") for i, one in enumerate(figures)]
    return tag("div", "".join(drawn), class_="grid") if drawn else ""


def _rank_figures(result: Comparison, keys: Sequence[str]) -> Iterator[Figure]:
    first = primary(result.ranks)
    wanted = [*keys, *([f"shifted.{first}"] if first else [])]
    for key in wanted:
        if key in result.ranks:
            yield _ranks.ranks(result.methods, result.ranks[key], Key.parse(key).words)


def _difference_figures(result: Comparison, keys: Sequence[str]) -> Iterator[Figure]:
    for key in keys:
        found = differences_of(result, key)
        if found:
            yield _differences.differences(found, Key.parse(key).words)


def _wins(result: Comparison, keys: Sequence[str]) -> str:
    if len(result.datasets) < 2:
        return ""
    drawn = "".join(tag("div", wins_table(result, key)) for key in keys if key in result.wins)
    return tag("div", drawn, class_="grid" if len(result.methods) < 4 else "stack") if drawn else ""


def _dee_figures(result: Comparison) -> Iterator[Figure]:
    for dataset in result.datasets[:_MOST_FIGURES]:
        if any(one.dataset == dataset for one in result.equivalents):
            yield dee_figure(result, dataset)


def dee_figure(result: Comparison, dataset: str) -> Figure:
    """What the methods are worth on one dataset."""
    mine = [one for one in result.equivalents if one.dataset == dataset]
    ensemble = mine[0].ensemble
    sizes = [int(e.curve.sizes[-1]) for e in result.ensembles if (e.dataset, e.method) == (dataset, ensemble)]
    drawn = _dee.dee(
        {one.method: one.sizes for one in mine},
        {one.method: one.found for one in mine},
        ensemble=ensemble,
        largest=max(sizes, default=1),
        methods=result.methods,
    )
    return replace(drawn, title=f"{drawn.title}, {dataset}") if len(result.datasets) > 1 else drawn


def _retention_figures(result: Comparison) -> Iterator[Figure]:
    for dataset in result.datasets[:_MOST_FIGURES]:
        curves = {}
        for one in result.entrants:
            if one.dataset == dataset:
                curve = Reader(one.card).curve("all", "error_retention")
                if curve is not None:
                    curves[one.method] = curve
        if 1 < len(curves) <= _MOST_CURVES:
            drawn = _retention.by_method(curves, "error", result.methods)
            yield replace(drawn, title=f"Error left, {dataset}") if len(result.datasets) > 1 else drawn


def _entrants(result: Comparison) -> str:
    rows = [
        [
            text(one.method),
            text(one.dataset),
            text(one.card.info.get("train_set", "–")),
            text(_words.readable(one.card.uncertainty)),
            text(one.card.info.get("temperature", "–")),
            f"{int(one.card.info['rows']):,}",
            text(one.card.info["samples"]),
            text(one.card.info["members"]),
        ]
        for one in result.entrants
    ]
    header = ["method", "dataset", "trained on", "uncertainty", "temperature", "rows", "samples", "members"]
    return table("What was compared", header, rows, name="entrants", words=5) if rows else ""
