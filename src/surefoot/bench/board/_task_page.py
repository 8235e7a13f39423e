"""The page of a task: the papers' tables, what is within noise, retention curves, cost against quality, trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from surefoot.bench.board import _tables
from surefoot.bench.board._read import SETS, Board, Spot, direction
from surefoot.bench.board._trial_pages import FOLDER, SCRIPT, STYLE, said
from surefoot.bench.board._values import Values, apart, best_of, better, standing
from surefoot.compare import Difference
from surefoot.metrics import REGISTRY
from surefoot.report import _cost, _differences, _retention, _words
from surefoot.report._figure import Figure
from surefoot.report._html import figure, paragraph, table, tag, text
from surefoot.report._keys import PRIMARY
from surefoot.report._page import Section, page
from surefoot.report._style import SIDE_NAMES

MOST_LINES = 7
"""More methods than this are too many lines for one figure."""

COSTS = {
    "train_seconds": ("training", "seconds of training", "s"),
    "predict_seconds": ("inference", "seconds for 1,000 inputs", "s"),
    "stored_bytes": ("storage", "bytes stored", "B"),
}

NOISE = (
    "✓ is clearly better than every other method, bold has the best mean, ≈ is within noise of that. Where methods "
    "were trained with several seeds, noise is that of training anew (Welch's 95\u202f% interval over seeds, on the "
    "same inputs); where there is one trial, or all seeds give the same, it is that of the inputs (from the intervals "
    "of both scores, unpaired: cautious)."
)

_BETTER = {1: "first", -1: "second", 0: "neither"}


def task_page(board: Board, task: str, suite: str) -> str:
    """The whole page."""
    methods = board.methods(task)
    mine = [trial for trial in board.trials if trial.task == task]
    facts = (
        f"{_words.count(len(methods), 'method')}, {_words.count(len(mine), 'trial')}. {_about(task)}".strip()
    )
    return page(
        task, "task", facts, _sections(board, task), f"../{SCRIPT}", style=f"../{STYLE}", above={suite: "../index.html"}
    )  # fmt: skip


def primary(board: Board, task: str) -> str | None:
    """The metric that says how good predictions are."""
    there = {spot.metric for spot in board.spots(task)}
    return next((name for name in PRIMARY if name in there), None)


def foremost(board: Board, task: str) -> list[Spot]:
    """The few scores that differences are drawn of: predictions on shifted inputs, probabilities, retention."""
    wanted = [(primary(board, task), "shifted"), *((metric, "all") for metric in _FOREMOST)]
    spots = [Spot("eval", side, metric) for metric, side in wanted if metric]
    return [spot for spot in spots if len(board.values(task, spot)) > 1]


_FOREMOST = ("calibrated_log_likelihood", "crps_gaussian", "r_auc")


def _about(task: str) -> str:
    """What shifts, if it is a task of the package."""
    from surefoot import tasks

    if task not in tasks.names():
        return ""
    found = tasks.task(task)
    return f"{found.title}: {found.about} Data: {found.licence}."


def _sections(board: Board, task: str) -> Iterator[Section]:
    yield Section("verdict", "In short", _in_short(board, task))
    several = [one for one in (*_tables.predictive(board, task),) if one]
    yield Section("scores", "Predictive performance", _stack(several), NOISE, "Scores")
    others = [one for one in (_tables.retention(board, task), _tables.measures(board, task)) if one]
    yield Section(
        "retention", "Uncertainty and robustness", _stack(others),
        "By the task's default uncertainty, for single models or for ensembles; below, by each measure.",
        "Retention",
    )  # fmt: skip
    yield Section(
        "probabilities", "Probabilities", _tables.probabilities(board, task),
        "Calibrated scores, which may rank methods, first; beside them what papers print.",
    )  # fmt: skip
    yield Section(
        "curves", "When the least certain inputs are handed over", _grid("curves", _curves(board, task)),
        "Means over trials, all inputs of the evaluation set.",
        "Curves",
    )  # fmt: skip
    yield Section(
        "differences", "Which differences are noise", _grid("differences", _difference_figures(board, task)),
        "The method of the best mean less each other one, with 95\u202f% intervals over seeds (over inputs where there "
        "is one seed); where one crosses the line, neither is better.",
        "Differences",
    )  # fmt: skip
    costs = [one for one in (_grid("costs", _cost_figures(board, task)), _cost_table(board, task)) if one]
    yield Section(
        "costs", "What it costs", _stack(costs),
        "Measured on the machine that ran the trials, one thread each; the mean over trials.",
        "Costs",
    )  # fmt: skip
    yield Section("trials", "Trials", _trials(board, task))


def _stack(parts: list[str]) -> str:
    return tag("div", "".join(tag("div", part) for part in parts), class_="stack") if parts else ""


def _grid(name: str, figures: Iterable[Figure]) -> str:
    drawn = "".join(figure(one, f"figure-{name}-{i}", light=True) for i, one in enumerate(figures))
    return tag("div", drawn, class_="grid") if drawn else ""


def _in_short(board: Board, task: str) -> str:
    first = primary(board, task)
    if first is None:
        done = any(trial.state == "finished" for trial in board.trials if trial.task == task)
        return paragraph("Its trials leave no scorecards." if done else "No trial has scores yet.")
    parts = []
    for side in ("shifted", "all"):
        spot = Spot("eval", side, first)
        values = board.values(task, spot)
        if values:
            parts.append(_leader(values, spot))
            top = best_of(values, direction(first) is True)
            before = board.values(task, Spot("eval", "in", first)).get(top)
            if side == "shifted" and before is not None:
                parts.append(_drop(before, values[top], first))
            break
    return paragraph(" ".join(parts), class_="short")


def _leader(values: dict[str, Values], spot: Spot) -> str:
    """Who is first, and whether that means anything."""
    words = f"By {_words.readable(spot.metric)}, {SIDE_NAMES[spot.side]},"
    higher = direction(spot.metric) is True
    top = best_of(values, higher)
    found = standing(values, higher)
    near = [method for method, where in found.items() if where == "near"]
    score = _words.number(values[top].mean)
    if len(values) < 2:
        return f"{words} {top} has {score}."
    if found[top] == "best":
        return f"{words} {top} is clearly best ({score})."
    if len(near) == len(values) - 1:
        return f"{words} {top} comes first ({score}), within noise of every other method."
    return f"{words} {top} comes first ({score}), within noise of {_words.joined(near)}."


def _drop(before: Values, after: Values, metric: str) -> str:
    """What the shift costs the method that is first there."""
    had = _words.number(before.mean)
    if (after.mean < before.mean) is (direction(metric) is True):
        return f"In-domain that method has {had}: the shift costs the difference."
    return f"In-domain that method has {had}: its shifted inputs are easier."


def _curves(board: Board, task: str) -> Iterator[Figure]:
    methods = board.methods(task)
    for what, metric in (("error", "r_auc"), ("f1", "f1_auc")):
        curves = board.curves(task, what)
        areas = board.values(task, Spot("eval", "all", metric))
        turn = -1 if direction(metric) else 1
        best = sorted((m for m in curves if m in areas), key=lambda m: turn * areas[m].mean)[:MOST_LINES]
        if best:
            yield _retention.by_method({m: curves[m] for m in methods if m in best}, what, methods, points=33)


def _difference_figures(board: Board, task: str) -> Iterator[Figure]:
    for spot in foremost(board, task):
        values = board.values(task, spot)
        way = direction(spot.metric)
        top = best_of(values, way is True)
        found = []
        for method, one in values.items():
            away = apart(values[top], one)
            if method != top and away.low == away.low:
                found.append(
                    Difference(
                        task, spot.set, spot.side, spot.metric, None, top, method, *away[:4],
                        n=min(len(values[top].each), len(one.each)), calibrated="calibrated" in spot.metric, raw=False,
                        better=_BETTER[better(away, way)],
                    )
                )  # fmt: skip
        if found:
            words = f"{_words.readable(spot.metric)}, {SIDE_NAMES[spot.side]}"
            yield _differences.differences(found, words, "trials")


def _cost_figures(board: Board, task: str) -> Iterator[Figure]:
    first = primary(board, task)
    if first is None:
        return
    quality = {
        method: values.mean for method, values in board.values(task, Spot("eval", "all", first)).items()
    }
    for name, (words, axis, unit) in COSTS.items():
        costs = {method: value for method, value in board.costs(task, name).items() if method in quality}
        if len(costs) > 1:
            yield _cost.cost(
                costs, quality, name=words, axis=axis, metric=_words.readable(first),
                higher_is_better=direction(first) is True,
                said=lambda value, unit=unit: said(value, unit),  # type: ignore[misc]
            )  # fmt: skip


def _cost_table(board: Board, task: str) -> str:
    heads = {
        "train_seconds": ("training", "s"),
        "predict_seconds": ("1,000 predictions", "s"),
        "wall_seconds": ("a trial, scoring included", "s"),
        "stored_bytes": ("stored", "B"),
        "peak_bytes": ("peak memory", "B"),
    }
    found = {name: board.costs(task, name) for name in (*heads, "parameters")}
    symbolic = {trial.method: trial.cost for trial in board.trials if trial.task == task and trial.cost}
    rows = []
    for method in board.methods(task):
        if any(method in one for one in found.values()) or method in symbolic:
            cells = [
                text(said(found[name][method], unit)) if method in found[name] else "–"
                for name, (_, unit) in heads.items()
            ]
            count = found["parameters"].get(method)
            rows.append(
                [
                    text(method),
                    text(symbolic.get(method, "–")),
                    *cells,
                    "–" if count is None else f"{count:,.0f}",
                ]
            )
    if not rows:
        return ""
    header = [
        "method",
        "in multiples of a single model",
        *(words for words, _ in heads.values()),
        "parameters",
    ]
    return table("Costs", header, rows, name="costs-table", words=2)


def _trials(board: Board, task: str) -> str:
    rows = []
    for trial in board.trials:
        if trial.task == task:
            link = tag("a", text(f"{trial.method}, seed {trial.seed}"), href=f"../{FOLDER}/{trial.id}.html")
            badge = tag("span", "submitted", class_="chip unknown") if trial.submitted else ""
            state = text(trial.state) + (tag("small", text(trial.reason)) if trial.reason else "")
            took = trial.costs.get("wall_seconds")
            rows.append([f"{link} {badge}", state, "–" if took is None else text(said(took, "s"))])
    return paragraph("Each has a page with its scores, its curves and its specification.") + table(
        "Trials", ["trial", "state", "took"], rows, name="trials-table", words=2
    )


def shown_metrics(board: Board) -> list[str]:
    """Metrics that the filter knows, in the order of the registry."""
    there = {spot.metric for task in board.tasks for spot in board.spots(task) if spot.set == SETS[0]}
    return [name for name in REGISTRY if name in there]
