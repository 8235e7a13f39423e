"""The first page: what was run, a row a task, all results behind filters, downloads, and how to add a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from surefoot.bench.board._downloads import CSV, JSON
from surefoot.bench.board._read import SIDES, Board, Spot, direction
from surefoot.bench.board._tables import marked
from surefoot.bench.board._task_page import NOISE, primary, shown_metrics
from surefoot.bench.board._trial_pages import FOLDER, SCRIPT, STYLE
from surefoot.bench.board._values import best_of, standing
from surefoot.metrics import REGISTRY
from surefoot.report import _words
from surefoot.report._figure import short
from surefoot.report._html import inert_json, paragraph, table, tag, text
from surefoot.report._page import Section, page
from surefoot.report._pieces import about
from surefoot.report._style import SIDE_NAMES

MOST_ROWS = 60_000
"""More results than this would make the page slow: then only metrics that may rank are behind its filters."""


def index_page(board: Board, addresses: Mapping[str, str], further: Mapping[str, str]) -> str:
    """The whole page; `further` are the addresses of other pages by what they show."""
    plan = board.plan
    states = Counter(trial.state for trial in board.trials)
    said = ", ".join(f"{count:,} {state}" for state, count in states.items())
    facts = f"Suite {plan.suite}{f', profile {plan.profile}' if plan.profile else ''}: {said}."
    title = f"Leaderboard: {plan.suite}"
    return page(title, "bench", facts, _sections(board, addresses, further), SCRIPT, style=STYLE)


def _sections(board: Board, addresses: Mapping[str, str], further: Mapping[str, str]) -> Iterator[Section]:
    links = "".join(tag("li", tag("a", text(name), href=url)) for name, url in further.items())
    pages = tag("ul", links, class_="notes") if links else ""
    yield Section("tasks", "Tasks", _tasks(board, addresses) + pages, NOISE if _scored(board) else "")
    if _scored(board):
        yield Section(
            "results", "All results", _filters(board, addresses),
            "Mean ± standard deviation over trials, evaluation set; within a task the best comes first.",
        )  # fmt: skip
    yield Section("failures", "Trials without results", _failures(board), link="Failures")
    yield Section("downloads", "Downloads", _downloads() if _scored(board) else "")
    yield Section("add", "Add a row", _add() if _scored(board) else "")
    yield Section(
        "about", "Versions", about({"suite": board.plan.suite, "profile": board.plan.profile or None})
    )


def _scored(board: Board) -> bool:
    return any(board.spots(task) for task in board.tasks)


def _tasks(board: Board, addresses: Mapping[str, str]) -> str:
    rows = []
    for task in board.tasks:
        first = primary(board, task)
        trials = [trial for trial in board.trials if trial.task == task]
        cells = [
            tag("a", text(task), href=addresses[task]),
            text("–" if first is None else f"{_words.readable(first)} {REGISTRY[first].direction}"),
            text(f"{len(board.methods(task))}"),
            text(f"{len(trials)}"),
        ]
        for side in ("in", "shifted"):
            cells.append(_leader(board, task, first, side))
        rows.append(cells)
    header = ["task", "metric", "methods", "trials", "first in-domain", "first on shifted inputs"]
    return table("Tasks", header, rows, name="tasks-table", words=2)


def _leader(board: Board, task: str, metric: str | None, side: str) -> str:
    values = board.values(task, Spot("eval", side, metric)) if metric else {}
    if not values or metric is None:
        return "–"
    way = direction(metric) is True
    top = best_of(values, way)
    found = standing(values, way)
    near = sum(where == "near" for where in found.values())
    noise = tag("small", text(f"within noise: {_words.count(near, 'other')}")) if near else ""
    return f"{text(top)} {marked(values[top], found.get(top, ''))}{noise}"


def _filters(board: Board, addresses: Mapping[str, str]) -> str:
    metrics = shown_metrics(board)
    rows = list(_rows(board, metrics))
    if len(rows) > MOST_ROWS:
        metrics = [name for name in metrics if REGISTRY[name].comparable]
        rows = list(_rows(board, metrics))
    tasks, methods = board.tasks, board.methods()
    firsts = {first for task in tasks if (first := primary(board, task))}
    usual = firsts.pop() if len(firsts) == 1 else "mean_error"
    content = {
        "task": tasks,
        "method": methods,
        "side": list(SIDES),
        "metric": metrics,
        "pages": [addresses[task] for task in tasks],
        "rows": rows,
    }
    selects = (
        _select("task", "Task", {task: task for task in tasks}, "", "every task")
        + _select("method", "Method", {method: method for method in methods}, "", "every method")
        + _select("side", "Side", {side: SIDE_NAMES[side] for side in SIDES}, "shifted", "every side")
        + _select("metric", "Metric", {name: _metric(name) for name in metrics}, usual, "every metric")
    )
    reset = tag("button", "Reset", type="button", id="filter-reset")
    form = tag("form", selects + reset, id="filters", class_="filters", aria_label="Filters of the results")
    data = f'<script type="application/json" id="board">{inert_json(content)}</script>'
    note = tag("p", "", id="filter-note", class_="footnote", aria_live="polite")
    return form + note + tag("div", "", id="filtered") + data


def _metric(name: str) -> str:
    return f"{_words.readable(name)} {REGISTRY[name].direction}{'' if REGISTRY[name].comparable else ' * no ranking'}"


def _select(name: str, label: str, options: Mapping[str, str], usual: str, every: str) -> str:
    inside = tag("option", text(every), value="") + "".join(
        tag("option", text(words), value=value, selected="" if value == usual else None)
        for value, words in options.items()
    )
    drawn = tag("select", inside, name=name, id=f"filter-{name}", data_usual=usual)
    return tag("label", text(label) + drawn, for_=f"filter-{name}")


def _rows(board: Board, metrics: list[str]) -> Iterator[list[Any]]:
    """Places of task, method, side and metric in their lists; mean, deviation, trials, and its standing."""
    methods = {method: i for i, method in enumerate(board.methods())}
    for t, task in enumerate(board.tasks):
        for m, metric in enumerate(metrics):
            way = direction(metric)
            for s, side in enumerate(SIDES):
                values = board.values(task, Spot("eval", side, metric))
                found = standing(values, way if REGISTRY[metric].comparable else None)
                turn = -1 if way else 1
                for method in sorted(values, key=lambda name: turn * values[name].mean):
                    one = values[method]
                    std = None if one.std is None else short(one.std)
                    where = found.get(method, "")
                    yield [t, methods[method], s, m, short(one.mean), std, len(one.each), where]


def _failures(board: Board) -> str:
    rows = [
        [
            tag(
                "a",
                text(f"{trial.method} on {trial.task}, seed {trial.seed}"),
                href=f"{FOLDER}/{trial.id}.html",
            ),
            text(trial.state),
            text(trial.reason or "–"),
        ]
        for trial in board.trials
        if trial.state != "finished"
    ]
    return (
        table("Trials without results", ["trial", "state", "reason"], rows, name="failures-table", words=3)
        if rows
        else ""
    )


def _downloads() -> str:
    items = {
        CSV: "every trial: a row for each side of the evaluation set, a column for each metric",
        JSON: "mean, standard deviation and number of trials by task, method, side and metric",
    }
    listed = "".join(
        tag("li", tag("a", name, href=name, download="") + text(f": {words}"))
        for name, words in items.items()
    )
    return tag("ul", listed, class_="notes") + paragraph(
        "Everything else, single members and every measure among it: surefoot bench export."
    )


def _add() -> str:
    return paragraph(
        "Train any model on the rows of a task's train part, predict its other parts, and hand the predictions in with "
        "a manifest that says what was done: surefoot bench submit predictions.parquet manifest.json. Every score is "
        "then computed from the predictions, as for the other rows; the page of any trial tells the split hash that a "
        "manifest names."
    )
