"""Single figures by their kind, out of scorecards and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from surefoot.compare import Comparison
from surefoot.errors import InputError
from surefoot.report import (
    OF_SCORECARDS,
    _comparison_page,
    _density,
    _ranks,
    _reliability,
    _retention,
    _slices,
)
from surefoot.report._differences import differences
from surefoot.report._figure import Figure
from surefoot.report._keys import Key, primary
from surefoot.report._pairs import differences_of
from surefoot.report._reader import Reader
from surefoot.scorecard import Scorecard


def chosen(
    kind: str, results: Sequence[Scorecard | Comparison], metric: str | None, dataset: str | None
) -> Figure:
    """The figure of a kind; scorecards beside each other where the kind allows it."""
    if not results:
        raise InputError("there is nothing to draw: give at least one scorecard or comparison")
    if kind in OF_SCORECARDS:
        cards = [result for result in results if isinstance(result, Scorecard)]
        if len(cards) < len(results):
            raise InputError(
                f"a figure of {kind} is drawn from scorecards or predictions, not from a comparison"
            )
        return _of_cards(kind, cards, metric)
    if len(results) > 1 or not isinstance(results[0], Comparison):
        raise InputError(
            f"a figure of {kind} is drawn from one comparison, or from the predictions of several methods, not from "
            "scorecards"
        )
    return _OF_COMPARISON[kind](results[0], metric, dataset)


def _of_cards(kind: str, cards: Sequence[Scorecard], metric: str | None) -> Figure:
    if kind in ("retention", "f1"):
        return _curve(cards, "error" if kind == "retention" else "f1")
    if kind == "reliability":
        return _honest(cards)
    if len(cards) > 1:
        raise InputError(f"a figure of {kind} is of one model; give one file, not {len(cards)}")
    return _densities(cards[0]) if kind == "density" else _parts(cards[0], metric)


def _curve(cards: Sequence[Scorecard], what: str) -> Figure:
    name = f"{what}_retention"
    if len(cards) > 1:
        return _retention.by_method(_of_each(cards, name), what)
    reader = Reader(cards[0])
    sides = {side: curve for side in ("all", "in", "shifted") if (curve := reader.curve(side, name))}
    if "all" not in sides:
        raise InputError(_without(name))
    return _retention.by_side(sides, what, cards[0].uncertainty)


def _honest(cards: Sequence[Scorecard]) -> Figure:
    if len(cards) > 1:
        return _reliability.reliability(_of_each(cards, "reliability"))
    reader = Reader(cards[0])
    sides = {side: curve for side in ("in", "shifted") if (curve := reader.curve(side, "reliability"))}
    sides = sides or {side: curve for side in ("all",) if (curve := reader.curve(side, "reliability"))}
    if not sides:
        raise InputError(_without("reliability"))
    return _reliability.reliability(sides)


def _densities(card: Scorecard) -> Figure:
    reader = Reader(card)
    curve = reader.curve("all", "density")
    if curve is None:
        raise InputError(_without("density"))
    return _density.density(curve, card.uncertainty, reader.kind)


def _parts(card: Scorecard, metric: str | None) -> Figure:
    """Slices of the first column that there is."""
    reader = Reader(card)
    wanted = metric or reader.primary
    whole = card.find(wanted)
    mine = [
        s
        for s in card.rows
        if s.slice
        and (s.set, s.side, s.metric, s.measure) == (whole.set, whole.side, whole.metric, whole.measure)
    ]
    columns = list(dict.fromkeys(str(score.slice).partition("=")[0] for score in mine))
    if len(columns) != 1:
        have = f"of {', '.join(columns)}" if columns else "none"
        raise InputError(
            f"a figure of slices shows one column and there are {have}; name one with --slice COLUMN"
        )
    return _slices.slices(mine, whole, columns[0])


def _of_each(cards: Sequence[Scorecard], name: str) -> dict[str, Any]:
    """A curve of all inputs of every card, by the method's name."""
    curves: dict[str, Any] = {}
    for i, card in enumerate(cards):
        method = str(card.info.get("method", f"model {i + 1}"))
        if method in curves:
            method = f"{method} ({i + 1})"
        found = Reader(card).curve("all", name)
        if found is None:
            raise InputError(f"{method}: {_without(name)}")
        curves[method] = found
    return curves


def _without(name: str) -> str:
    return (
        f"there is no curve {name!r}: it takes labelled rows, and for F1 a threshold, for reliability probabilities, "
        "for densities an uncertainty that differs between rows"
    )


def _key(result: Comparison, metric: str | None, among: Mapping[str, Any]) -> str:
    wanted = metric or primary(among) or next(iter(among), "")
    if wanted not in among:
        raise InputError(
            f"there is no {metric or 'metric'} to draw here; there is: {', '.join(among) or 'none'}"
        )
    return wanted


def _rank_figure(result: Comparison, metric: str | None, dataset: str | None) -> Figure:
    if not result.ranks:
        raise InputError(
            "there are no ranks: they take at least two datasets on which every method has a score; name each file's "
            'dataset in its info, info={"dataset": …}'
        )
    key = _key(result, metric, result.ranks)
    return _ranks.ranks(result.methods, result.ranks[key], Key.parse(key).words)


def _difference_figure(result: Comparison, metric: str | None, dataset: str | None) -> Figure:
    key = _key(result, metric, result.scores)
    found = differences_of(result, key)
    found = [d for d in found if dataset in (None, d.dataset)]
    if not found:
        raise InputError(
            f"there are no differences in {key} with an interval{f' on {dataset}' if dataset else ''}"
        )
    return differences(found, Key.parse(key).words)


def _dee_figure(result: Comparison, metric: str | None, dataset: str | None) -> Figure:
    measured = list(dict.fromkeys(one.dataset for one in result.equivalents))
    if not measured:
        raise InputError(
            "there are no deep ensemble equivalents: one method must be an ensemble of at least four members, and "
            "predict classes"
        )
    if dataset is None and len(measured) == 1:
        dataset = measured[0]
    if dataset not in measured:
        raise InputError(f"a figure of dee is of one dataset; name one with --dataset: {', '.join(measured)}")
    return _comparison_page.dee_figure(result, dataset)


_OF_COMPARISON: Mapping[str, Callable[[Comparison, str | None, str | None], Figure]] = {
    "ranks": _rank_figure,
    "differences": _difference_figure,
    "dee": _dee_figure,
}
