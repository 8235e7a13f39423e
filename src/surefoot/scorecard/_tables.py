"""A scorecard as tables of text, for terminals and notebooks alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from surefoot import measures
from surefoot.metrics._registry import REGISTRY
from surefoot.scorecard._card import Score, Scorecard
from surefoot.scorecard._sides import SIDES, evaluation_set

_OF_SLICES = ("accuracy", "rmse", "r_auc", "f1_auc", "auroc")
_OF_MEASURES = ("f1_auc", "r_auc", "auroc", "aupr", "fpr_at_95", "novelty_auroc", "misclassification_auroc")


@dataclass(frozen=True)
class Table:
    """A title, a header and rows of text; the first column is left-aligned, the others right-aligned."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footnote: str = ""


def headline(card: Scorecard) -> str:
    """One line on what was scored and how.

    The verdict on a model is for the report; this only says what the numbers below are about.
    """
    info = card.info
    model = f"{info['members']} members" if int(info["members"]) > 1 else "a single model"
    if int(info["samples"]) > int(info["members"]):
        model += f", {info['samples']} samples"
    acceptable = f" (acceptable up to {info['threshold']:g})" if "threshold" in info else ""
    return (
        f"{info['kind']}, {int(info['rows']):,} rows, {model}; error {info['error']}{acceptable}, "
        f"uncertainty {info['uncertainty']}"
    )


def tables(card: Scorecard, *, narrow: bool = False) -> Iterator[Table]:
    """For every set: its scores by side, single members, measures side by side; slices of the evaluation set.

    A `narrow` page has no room for intervals.
    """
    if narrow:
        bare = tuple(replace(score, low=None, high=None) for score in card.rows)
        card = replace(card, rows=bare, info={k: v for k, v in card.info.items() if k != "interval"})
    for set_name in card.sets:
        yield _scores(card, set_name)
        for table in (_members(card, set_name), _measures(card, set_name)):
            if table.rows:
                yield table
    slices = _slices(card)
    if slices.rows:
        yield slices


def _scores(card: Scorecard, set_name: str) -> Table:
    """Metrics down, sides across."""
    mine = [s for s in _whole(card, set_name) if s.measure in (None, card.uncertainty)]
    sides = [side for side in SIDES if any(score.side == side for score in mine)]
    found = {(score.metric, score.side): score for score in mine}
    rows = tuple(
        (
            _label(name),
            *(_with_interval(found[name, side]) if (name, side) in found else "" for side in sides),
        )
        for name in dict.fromkeys(score.metric for score in mine)
    )
    counted = ", ".join(f"{side} {n:,}" for side, n in labelled_rows(mine).items())
    notes = []
    if "interval" in card.info:
        notes.append(f"[low, high]: {float(card.info['interval']):.0%} interval")
    if any(not REGISTRY[score.metric].comparable for score in mine):
        notes.append("* not to be compared across models: `surefoot metrics NAME` says why")
    return Table(f"{set_name}: scores (labelled rows: {counted})", ("metric", *sides), rows, "; ".join(notes))


def labelled_rows(scores: Sequence[Score]) -> dict[str, int]:
    """How many rows of every side are labelled, from the scores of a set; all rows where none is."""
    sides = [side for side in SIDES if any(score.side == side for score in scores)]
    labelled = [score for score in scores if score.metric in ("accuracy", "rmse")] or scores
    return {side: max((score.n for score in labelled if score.side == side), default=0) for side in sides}


def _members(card: Scorecard, set_name: str) -> Table:
    """Metrics down, sides across: mean ± σ of single members, each judged by its own measure."""
    mine = [score for score in card.members if score.set == set_name]
    sides = [side for side in SIDES if any(score.side == side for score in mine)]
    found = {(s.metric, s.side): f"{number(s.mean, 3)}±{number(s.std, 3)}" for s in mine}
    rows = tuple(
        (_label(name), *(found.get((name, side), "") for side in sides))
        for name in dict.fromkeys(score.metric for score in mine)
    )
    own = sorted({score.measure for score in mine if score.measure} - {card.uncertainty})
    note = f"each judged by its own {', '.join(own)}" if own else ""
    return Table(f"{set_name}: single members, mean ± σ", ("metric", *sides), rows, note)


def _measures(card: Scorecard, set_name: str) -> Table:
    """Uncertainty measures down, what they are good for across, over all rows of the set; if several."""
    mine = [score for score in _whole(card, set_name) if score.side == "all" and score.measure]
    values = {(score.measure, score.metric): score.value for score in mine}
    names = [name for name in _OF_MEASURES if any(score.metric == name for score in mine)]
    header = ("measure", "speaks of", *(f"{name} {REGISTRY[name].direction}" for name in names))
    rows = tuple(
        (
            measure,
            measures.describe(measure, str(card.info["kind"])).speaks_of,
            *(number(values[measure, name]) if (measure, name) in values else "" for name in names),
        )
        for measure in dict.fromkeys(str(score.measure) for score in mine)
    )
    return Table(f"{set_name}: uncertainty measures, all rows", header, rows if len(rows) > 1 else ())


def _slices(card: Scorecard) -> Table:
    """Slices down, a few scores across, over all rows of the slice."""
    set_name = evaluation_set(card.sets)
    mine = [s for s in card.rows if s.slice and s.side == "all" and s.metric in _OF_SLICES]
    names = [name for name in _OF_SLICES if any(score.metric == name for score in mine)]
    found = {(score.slice, score.metric): score for score in mine}
    rows = tuple(
        (
            str(part),
            f"{max(score.n for score in mine if score.slice == part):,}",
            *(_with_interval(found[part, name]) if (part, name) in found else "" for name in names),
        )
        for part in dict.fromkeys(score.slice for score in mine)
    )
    return Table(f"{set_name}: slices, all rows", ("slice", "rows", *map(_label, names)), rows)


def _whole(card: Scorecard, set_name: str) -> list[Score]:
    """Scores of a set that are not of a slice."""
    return [score for score in card.rows if score.set == set_name and score.slice is None]


def _label(name: str) -> str:
    metric = REGISTRY[name]
    return f"{name} {metric.direction}{'' if metric.comparable else ' *'}"


def _with_interval(score: Score) -> str:
    """A value with its interval, if it has one.

    >>> _with_interval(Score("test", "all", "accuracy", None, 0.8358, 1000, low=0.8122, high=0.8574))
    '0.836 [0.812, 0.857]'
    """
    if score.low is None or score.high is None:
        return number(score.value)
    digits = 3 if score.high - score.low > 0.002 else 4
    value, low, high = (number(one, digits) for one in (score.value, score.low, score.high))
    return f"{value} [{low}, {high}]"


def number(value: float, digits: int = 4) -> str:
    """Four decimals, or four digits for large numbers.

    >>> number(0.84321), number(0.84321, 3), number(1234567.8)
    ('0.8432', '0.843', '1.235e+06')
    """
    return f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:.4g}"


def html(card: Scorecard) -> str:
    """The tables as HTML, in the notebook's own style."""
    parts = [f"<p><strong>Surefoot scorecard</strong>: {escape(headline(card))}</p>"]
    parts += [table_html(table) for table in tables(card)]
    parts += [f"<p>{escape(note)}</p>" for note in card.notes]
    return "\n".join(parts)


def table_html(table: Table) -> str:
    """One table as HTML."""
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in table.header)
    body = "".join(
        f"<tr><th scope='row' style='text-align:left'>{escape(row[0])}</th>"
        + "".join(f"<td style='text-align:right'>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    foot = f"<p>{escape(table.footnote)}</p>" if table.footnote else ""
    return (
        f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{foot}"
    )
