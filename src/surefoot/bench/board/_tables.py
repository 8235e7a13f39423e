"""Tables of one task in the shapes of the papers: single models mean ± σ beside ensembles, in-domain and shifted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from surefoot.bench.board._read import SETS, SIDES, Board, Spot, direction
from surefoot.bench.board._values import Values, standing
from surefoot.metrics import REGISTRY
from surefoot.report import _words
from surefoot.report._html import paragraph, table, tag, text
from surefoot.report._pieces import arrow
from surefoot.report._style import SIDE_NAMES

PREDICTIVE = ("accuracy", "macro_f1", "rmse", "mae", "multilabel_macro_f1", "multilabel_micro_f1")
RETENTION = ("r_auc", "f1_auc", "f1_at_95")
PROBABILITIES = (
    "calibrated_log_likelihood",
    "calibrated_brier",
    "log_likelihood",
    "brier",
    "ece",
    "temperature",
    "gaussian_nll",
    "crps_gaussian",
    "interval_score",
    "picp",
    "multilabel_log_likelihood",
    "multilabel_brier",
    "multilabel_ece",
)
OF_MEASURES = ("f1_auc", "auroc")
"""Knowing errors, and noticing the shift: what Malinin et al. 2021 compare measures by in table 3."""

SINGLE, ENSEMBLE = "single", "ensemble"

_SET_NAMES = {"eval": "Evaluation set", "dev": "Development set"}

_Column = tuple[str, str]
"""A metric and a side."""


def predictive(board: Board, task: str) -> Iterator[str]:
    """One table a metric, as table 1 of Malinin et al. 2021: sides across."""
    for metric in PREDICTIVE:
        columns = [(metric, side) for side in SIDES]
        heads = [SIDE_NAMES[side] for side in SIDES]
        caption = f"{_words.capital(_words.readable(metric))} ({_words.better(metric)})"
        yield _several_sets(board, task, columns, heads, caption, f"scores-{metric}")


def retention(board: Board, task: str) -> str:
    """As table 2 there: how well errors are told by uncertainty, over all inputs."""
    columns = [(metric, "all") for metric in (*RETENTION, "auroc")]
    heads = [f"{text(_words.readable(metric))}{arrow(metric)}" for metric, _ in columns]
    caption = "Retention, and telling shifted from in-domain inputs (AUROC)"
    return _several_sets(board, task, columns, heads, caption, "retention-table")


def probabilities(board: Board, task: str) -> str:
    """Likelihoods and calibration, those that may rank first; as the tables of Van Landeghem et al. 2022."""
    there = {spot.metric for spot in board.spots(task)}
    metrics = [metric for metric in PROBABILITIES if metric in there]
    groups = {}
    for side in SIDES:
        columns = [(metric, side) for metric in metrics]
        rows = _rows(board, task, "eval", columns, split=False)
        if rows:
            groups[_words.capital(SIDE_NAMES[side])] = rows
    if not groups:
        return ""
    heads = [f"{text(_words.readable(m))}{arrow(m)}{raw_mark(m)}" for m in metrics]
    return table(
        "Probabilities, evaluation set",
        ["method", *heads],
        groups,
        footnote=_why(metrics),
        name="probabilities-table",
    )


def measures(board: Board, task: str) -> str:
    """As table 3 there: uncertainty measures across."""
    spots = [spot for spot in board.spots(task) if spot.measure is not None]
    names = list(dict.fromkeys(spot.measure for spot in spots if spot.measure))
    methods = [m for m in board.methods(task) if (task, m) in board.ensembles] or board.methods(task)
    if len(names) < 2:
        return ""
    groups = {}
    for set_name in SETS:
        for metric in OF_MEASURES:
            found = {name: board.values(task, Spot(set_name, "all", metric, name)) for name in names}
            rows = [
                [text(method), *(_number(found[name].get(method)) for name in names)]
                for method in methods
                if any(method in found[name] for name in names)
            ]
            if rows:
                words = f"{_SET_NAMES[set_name]}: {_words.readable(metric)} {REGISTRY[metric].direction}"
                groups[words] = rows
    heads = [text(_words.readable(name)) for name in names]
    return table("Uncertainty measures, all inputs", ["method", *heads], groups, name="measures-table")


def _several_sets(
    board: Board, task: str, columns: Sequence[_Column], heads: Sequence[str], caption: str, name: str
) -> str:
    """Methods down by set; single models and ensembles beside each other where the task has both."""
    split = any(one == task for one, _ in board.ensembles)
    groups = {
        _SET_NAMES[set_name]: rows
        for set_name in SETS
        if (rows := _rows(board, task, set_name, columns, split=split))
    }
    if not groups:
        return ""
    parts = (SINGLE, ENSEMBLE) if split else ("",)
    header = [
        "method",
        *(f"{head}<small>{part}</small>" if part else head for head in heads for part in parts),
    ]
    return table(caption, header, groups, name=name)


def _rows(
    board: Board, task: str, set_name: str, columns: Sequence[_Column], *, split: bool
) -> list[list[str]]:
    spots = [Spot(set_name, side, metric) for metric, side in columns]
    found = {spot: board.values(task, spot) for spot in spots}
    stands = {
        spot: standing(values, direction(spot.metric) if REGISTRY[spot.metric].comparable else None)
        for spot, values in found.items()
    }
    rows = []
    for method in board.methods(task):
        if any(method in values for values in found.values()):
            cells = []
            for spot in spots:
                whole = marked(found[spot].get(method), stands[spot].get(method, ""))
                if not split:
                    cells.append(whole)
                elif (task, method) in board.ensembles:
                    cells += [_spread(board.members(task, spot).get(method)), whole]
                else:
                    cells += [whole, ""]
            handed_in = tag("small", "submitted") if (task, method) in board.submitted else ""
            rows.append([text(method) + handed_in, *cells])
    return rows


def marked(values: Values | None, stands: str) -> str:
    """A mean ± σ, with a tick if it is clearly the best, or the sign of being within noise of the first."""
    inside = _number(values)
    if stands in ("best", "first"):
        ticked = tag("span", "✓", class_="mark-best", role="img", aria_label="clearly best:") + " "
        return (ticked if stands == "best" else "") + tag("span", inside, class_="best")
    if stands == "near":
        return tag("span", "≈", class_="near") + f" {inside}"
    return inside


def _number(values: Values | None) -> str:
    if values is None:
        return ""
    return _spread((values.mean, values.std))


def _spread(found: tuple[float, float | None] | None) -> str:
    """A mean and a standard deviation below.

    >>> _spread((0.5, None)), _spread((0.5, 0.01))
    ('0.5000', '0.5000<small>± 0.0100</small>')
    """
    if found is None:
        return ""
    mean, std = found
    return text(_words.number(mean)) + ("" if std is None else tag("small", f"± {_words.number(std)}"))


def raw_mark(metric: str) -> str:
    """The mark of a metric that is shown but may not rank."""
    why = REGISTRY[metric].not_comparable
    if not why:
        return ""
    return " " + tag("span", "*", class_="raw", role="img", aria_label=f"no ranking: {why}", title=why)


def _why(metrics: Sequence[str]) -> str:
    """Why some are no rankings, each reason once."""
    reasons: dict[str, list[str]] = {}
    for metric in metrics:
        if REGISTRY[metric].not_comparable:
            reasons.setdefault(REGISTRY[metric].not_comparable, []).append(_words.readable(metric))
    return "".join(
        paragraph(f"* Shown as papers print it, and no ranking: {_words.joined(names)}: {why}.")
        for why, names in reasons.items()
    )
