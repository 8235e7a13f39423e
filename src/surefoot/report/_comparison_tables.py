"""Tables of a comparison: scores by dataset and method, and who wins against whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from surefoot.compare import Comparison, WinsDrawsLosses
from surefoot.metrics import REGISTRY
from surefoot.report import _words
from surefoot.report._html import fold, paragraph, table, tag, text
from surefoot.report._keys import Key, foremost, primary
from surefoot.report._pieces import arrow, cell, digits_for, star
from surefoot.report._style import SIDE_NAMES
from surefoot.scorecard import Score
from surefoot.scorecard._sides import evaluation_set

_SIDES = ("all", "in", "shifted")

Held = Mapping[tuple[str, str, str, str], Score]
"""Scores by dataset, method, side and metric (with its measure)."""


def scores_tables(result: Comparison) -> str:
    """The metrics that matter most, and the others folded away."""
    names = list(dict.fromkeys(Key.parse(key).name for key in result.scores))
    first = foremost(result.beats or result.scores)
    held = _held(result)
    if len(result.datasets) == 1:
        return _one_dataset(result, [*first, *(name for name in names if name not in first)], held)
    main = primary(result.scores)
    shown = [_by_dataset(result, name, held, _SIDES if name == main else _SIDES[:1]) for name in first]
    rest = [
        _by_dataset(result, name, held, _SIDES[1:] if name in first else _SIDES)
        for name in names
        if name != main
    ]
    return _stack(shown) + (fold("Every other metric and side", _stack(rest)) if any(rest) else "")


def _stack(tables: Sequence[str]) -> str:
    return tag("div", "".join(tag("div", one) for one in tables if one), class_="stack")


def _held(result: Comparison) -> Held:
    """Scores with their intervals."""
    out = {}
    for one in result.entrants:
        wanted = evaluation_set(one.card.sets)
        for s in one.card.rows:
            if s.set == wanted and s.slice is None:
                if s.measure in (None, one.card.uncertainty):
                    out[one.dataset, one.method, s.side, s.metric] = s
                if s.measure is not None:
                    out[one.dataset, one.method, s.side, f"{s.metric}@{s.measure}"] = s
    return out


def _by_dataset(result: Comparison, name: str, held: Held, sides: Sequence[str]) -> str:
    """One metric: datasets down by side, methods across."""
    rows: dict[str, list[list[str]]] = {}
    digits = digits_for(s for place, s in held.items() if place[3] == name)
    for side in sides:
        key = str(Key(side, *_split(name)))
        if key in result.scores:
            rows[SIDE_NAMES[side]] = [
                [text(dataset), *_cells(result, key, i, held, digits)]
                for i, dataset in enumerate(result.datasets)
            ]
    if not rows:
        return ""
    metric = Key.parse(name)
    raw = _why(name, result)
    caption = f"{_words.capital(metric.words)} ({_words.better(metric.metric)}){', raw' if raw else ''}"
    return table(
        caption,
        ["dataset", *(text(method) for method in result.methods)],
        rows,
        footnote=raw,
        name=f"scores-{_slug(name)}-{len(sides)}",
    )


def _one_dataset(result: Comparison, names: list[str], held: Held) -> str:
    """All metrics: metrics down by side, methods across."""
    rows: dict[str, list[list[str]]] = {}
    raw = []
    for side in _SIDES:
        for name in names:
            key = str(Key(side, *_split(name)))
            if key in result.scores:
                metric = Key.parse(name)
                head = f"{text(metric.words)}{arrow(metric.metric)}{star(metric.metric, 'raw')}"
                digits = digits_for(s for place, s in held.items() if place[2:] == (side, name))
                rows.setdefault(SIDE_NAMES[side], []).append([head, *_cells(result, key, 0, held, digits)])
                if key not in result.beats and name not in raw:
                    raw.append(name)
    foot = "".join(_why(name, result) for name in raw)
    mark = paragraph("* Marked raw, not for ranking:", id="raw-star") if raw else ""
    header = ["metric", *(text(method) for method in result.methods)]
    return table(f"Scores on {result.datasets[0]}", header, rows, footnote=mark + foot, name="scores-all")


def _cells(result: Comparison, key: str, row: int, held: Held, digits: int) -> Iterator[str]:
    dataset, where = result.datasets[row], Key.parse(key)
    best = result.best(key, dataset) if key in result.beats else None
    for j, method in enumerate(result.methods):
        score = held.get((dataset, method, where.side, where.name))
        value = float(result.scores[key][row, j])
        inside = (
            cell(score, digits) if score is not None else text(_words.number(value)) if value == value else ""
        )
        if method == best:
            tick = tag("span", "✓", class_="mark-best", role="img", aria_label="best:")
            inside = f"{tick} " + tag("span", inside, class_="best")
        yield inside


def _why(name: str, result: Comparison) -> str:
    """Why a metric is shown but not ranked by."""
    metric = REGISTRY.get(Key.parse(name).metric)
    if metric is None or name in result.beats or metric.comparable:
        return ""
    return paragraph(f"{_words.readable(metric.name)} is shown raw and not ranked: {metric.not_comparable}.")


def wins_table(result: Comparison, key: str) -> str:
    """Wins, draws and losses by a key of a comparison."""
    title = f"{_words.capital(Key.parse(key).words)}: wins – draws – losses"
    return wins(result.methods, result.wins[key], title, f"wins-{_slug(key)}")


def wins(methods: Sequence[str], counts: WinsDrawsLosses, title: str, name: str) -> str:
    """Wins – draws – losses of each row's method against each column's, and in total."""
    order = np.argsort(counts.wins.sum(axis=0) - counts.wins.sum(axis=1), kind="stable")
    rows = []
    for i in order:
        cells = [text(methods[i])]
        for j in order:
            if i == j:
                cells.append('<span aria-label="itself">·</span>')
            else:
                cells.append(_counts(counts.wins[i, j], counts.draws[i, j], counts.wins[j, i]))
        total = counts.totals[i]
        rows.append([*cells, tag("strong", _counts(*total))])
    header = ["method", *(text(methods[j]) for j in order), "in total"]
    return table(title, header, rows, name=name)


def _counts(wins: int, draws: int, losses: int) -> str:
    tone = "good" if wins > losses else "bad" if losses > wins else "unknown"
    said = f"{wins} won, {draws} drawn, {losses} lost"
    return tag("span", f"{wins} – {draws} – {losses}", class_=f"count {tone}", title=said)


def _split(name: str) -> tuple[str, str | None]:
    metric, _, measure = name.partition("@")
    return metric, measure or None


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
