"""The page over tasks: ranks with critical differences, and wins, draws and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from surefoot.bench.board._read import Board, Spot, direction
from surefoot.bench.board._trial_pages import SCRIPT, STYLE
from surefoot.bench.board._values import Values, wins_over
from surefoot.compare import WinsDrawsLosses, ranks, wins_draws_losses
from surefoot.metrics import REGISTRY
from surefoot.report import _ranks, _words
from surefoot.report._comparison_tables import wins
from surefoot.report._html import figure, paragraph, tag, text
from surefoot.report._page import Section, page
from surefoot.report._style import SIDE_NAMES

FEWEST_TASKS = 2

GROUPS: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "predictions": (
        "The predictions",
        (("mean_error", "in"), ("mean_error", "shifted"), ("mean_error", "all")),
    ),
    "probabilities": (
        "The probabilities",
        (
            ("calibrated_log_likelihood", "all"), ("log_likelihood", "all"),
            ("calibrated_brier", "all"), ("brier", "all"), ("ece", "all"),
            ("gaussian_nll", "all"), ("crps_gaussian", "all"),
        ),
    ),
    "knowing": ("Knowing when it is wrong", (("r_auc", "all"), ("f1_auc", "all"))),
    "noticing": ("Noticing the shift", (("auroc", "all"),)),
}  # fmt: skip
"""What is ranked by: metric and side. Those that may not rank stand beside those that may, and are marked."""


@dataclass(frozen=True)
class Complete:
    """Tasks and methods with a score for each pair of them."""

    tasks: list[str]
    methods: list[str]
    scores: list[dict[str, Values]]
    left_out: list[str]


def ranks_page(board: Board, suite: str) -> str:
    """The whole page; nothing if there are too few tasks."""
    sections = [one for one in _sections(board) if one.inside]
    if not sections:
        return ""
    tasks = board.tasks
    facts = f"{_words.count(len(board.methods()), 'method')} on {_words.count(len(tasks), 'task')}."
    return page(
        "Methods over tasks", "ranks", facts, sections, SCRIPT, style=STYLE, above={suite: "index.html"}
    )


def _sections(board: Board) -> Iterator[Section]:
    for name, (heading, wanted) in GROUPS.items():
        parts = [_ranked(board, metric, side) for metric, side in wanted]
        inside = "".join(tag("div", part, class_="stack") for part in parts if part)
        lead = (
            "Critical-difference diagrams: upright bars join methods whose mean ranks do not differ significantly. "
            "Below each, on how many tasks the method of a row is clearly better than that of a column, neither is, "
            "and it is worse."
            if name == "predictions"
            else ""
        )
        yield Section(name, heading, tag("div", inside, class_="grid ranks") if inside else "", lead)


def complete(board: Board, spot: Spot) -> Complete | None:
    """The tasks and methods that have this score of each other; what lacks most is left out first."""
    found = {task: values for task in board.tasks if (values := board.values(task, spot))}
    tasks = list(found)
    methods = [method for method in board.methods() if any(method in found[task] for task in tasks)]
    left_out: list[str] = []
    while tasks and methods:
        by_task = {
            task: sum(method not in found[task] for method in methods) / len(methods) for task in tasks
        }
        by_method = {m: sum(m not in found[task] for task in tasks) / len(tasks) for m in methods}
        worst = max(by_task, key=by_task.__getitem__), max(by_method, key=by_method.__getitem__)
        if not by_task[worst[0]]:
            break
        if by_task[worst[0]] > by_method[worst[1]]:
            tasks.remove(worst[0])
            left_out.append(worst[0])
        else:
            methods.remove(worst[1])
            left_out.append(worst[1])
    if len(tasks) < FEWEST_TASKS or len(methods) < 2:
        return None
    return Complete(tasks, methods, [found[task] for task in tasks], left_out)


def _ranked(board: Board, metric: str, side: str) -> str:
    spot = Spot("eval", side, metric)
    found = complete(board, spot)
    way = direction(metric)
    if found is None or way is None:
        return ""
    table = np.array([[values[method].mean for method in found.methods] for values in found.scores])
    words = f"{_words.readable(metric)}, {SIDE_NAMES[side]}"
    drawn = _ranks.ranks(found.methods, ranks(table, way), words)
    counts, how = _wins(found, metric, table, higher_is_better=way)
    name = f"{metric}-{side}".replace("_", "-")
    raw = REGISTRY[metric].not_comparable
    if raw:
        drawn = replace(drawn, title=f"{drawn.title} (as papers print it)")
    marked = (
        tag(
            "p",
            tag("span", "no ranking", class_="badge") + text(f"{_words.capital(raw)}."),
            class_="footnote",
        )
        if raw
        else ""
    )
    below = f"Left out, as scores are missing: {_words.joined(found.left_out)}." if found.left_out else ""
    return (
        figure(drawn, f"figure-{name}", light=True)
        + marked
        + wins(found.methods, counts, f"{_words.capital(words)}: wins – draws – losses", f"wins-{name}")
        + paragraph(" ".join(filter(None, [how, below])), class_="footnote")
    )


def _wins(
    found: Complete, metric: str, table: np.ndarray, *, higher_is_better: bool
) -> tuple[WinsDrawsLosses, str]:
    """Clear differences count; by a metric that may not rank, scores that print otherwise, as published."""
    if REGISTRY[metric].comparable:
        how = "A win is a difference beyond noise on that task."
        return wins_over(found.scores, found.methods, higher_is_better), how
    how = "As in Van Landeghem et al. 2022, table 3: scores that are the same to three digits draw."
    return wins_draws_losses(np.round(table, 3), higher_is_better), how
