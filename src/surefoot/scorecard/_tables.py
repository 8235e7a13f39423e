"""A scorecard as tables of text, for terminals and notebooks alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from surefoot import measures
from surefoot.metrics._registry import REGISTRY
from surefoot.scorecard._card import Scorecard
from surefoot.scorecard._sides import SIDES

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


def tables(card: Scorecard) -> Iterator[Table]:
    """For every set: its scores by side, and its measures side by side."""
    for set_name in card.sets:
        yield _scores(card, set_name)
        by_measure = _measures(card, set_name)
        if len(by_measure.rows) > 1:
            yield by_measure


def _scores(card: Scorecard, set_name: str) -> Table:
    """Metrics down, sides across; single members' mean ± σ beside the ensemble."""
    mine = [s for s in card.rows if s.set == set_name and s.measure in (None, card.uncertainty)]
    sides = [side for side in SIDES if any(score.side == side for score in mine)]
    values = {(score.metric, score.side): score.value for score in mine}
    sizes = {(score.metric, score.side): score.n for score in mine}
    single = {
        (s.metric, s.side): f"{_number(s.mean)} ± {_number(s.std)}" for s in card.members if s.set == set_name
    }
    header = ["metric", *sides]
    if single:
        header += [f"single, {side}" for side in sides]
    rows = []
    for name in dict.fromkeys(score.metric for score in mine):
        metric = REGISTRY[name]
        cells = [_number(values[name, side]) if (name, side) in values else "" for side in sides]
        if single:
            cells += [single.get((name, side), "") for side in sides]
        rows.append((f"{name} {metric.direction}{'' if metric.comparable else ' *'}", *cells))
    most = {side: max(n for (_, of), n in sizes.items() if of == side) for side in sides}
    counted = ", ".join(f"{side} {n:,}" for side, n in most.items())
    notes = []
    if any(not REGISTRY[score.metric].comparable for score in mine):
        notes.append("* not to be compared across models: `surefoot metrics NAME` says why")
    own = {s.measure for s in card.members if s.measure} - {card.uncertainty}
    if own:
        notes.append(f"single members: mean ± σ, each judged by its own {', '.join(sorted(own))}")
    return Table(f"{set_name}: scores (rows: {counted})", tuple(header), tuple(rows), "; ".join(notes))


def _measures(card: Scorecard, set_name: str) -> Table:
    """Uncertainty measures down, what they are good for across, over all rows of the set."""
    mine = [s for s in card.rows if s.set == set_name and s.side == "all" and s.measure]
    values = {(score.measure, score.metric): score.value for score in mine}
    names = [name for name in _OF_MEASURES if any(score.metric == name for score in mine)]
    header = ("measure", "speaks of", *(f"{name} {REGISTRY[name].direction}" for name in names))
    rows = tuple(
        (
            measure,
            measures.describe(measure, str(card.info["kind"])).speaks_of,
            *(_number(values[measure, name]) if (measure, name) in values else "" for name in names),
        )
        for measure in dict.fromkeys(str(score.measure) for score in mine)
    )
    return Table(f"{set_name}: uncertainty measures, all rows", header, rows)


def _number(value: float) -> str:
    """Four decimals, or four digits for large numbers.

    >>> _number(0.84321), _number(1234567.8)
    ('0.8432', '1.235e+06')
    """
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:.4g}"


def html(card: Scorecard) -> str:
    """The tables as HTML, in the notebook's own style."""
    parts = [f"<p><strong>Surefoot scorecard</strong>: {escape(headline(card))}</p>"]
    for table in tables(card):
        head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in table.header)
        body = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escape(row[0])}</th>"
            + "".join(f"<td style='text-align:right'>{escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in table.rows
        )
        foot = f"<p>{escape(table.footnote)}</p>" if table.footnote else ""
        parts.append(
            f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{foot}"
        )
    parts += [f"<p>{escape(note)}</p>" for note in card.notes]
    return "\n".join(parts)
