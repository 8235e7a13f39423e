"""A comparison as tables of text, for terminals and notebooks alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from surefoot.compare._comparison import Comparison, Difference
from surefoot.metrics._registry import REGISTRY
from surefoot.scorecard import Table, number, table_html
from surefoot.scorecard._sides import SIDES, evaluation_set

_FEW_PAIRS = 3
"""Up to so many pairs of methods each get a table of their own."""

_FEW_KEYS = 12
"""Up to so many scores are all shown."""

_HEADLINE = ("accuracy", "rmse", "calibrated_log_likelihood", "crps_gaussian", "f1_auc", "r_auc", "auroc")
"""What is shown of many pairs at once, and of each side."""

_MARKS = {"first": " ◀", "second": " ▶", "neither": ""}

_BEST = "✓ significantly better than every other method"
_RAW = "* not to be compared across models: `surefoot metrics NAME` says why"
_ENDS = "95 % interval; ◀ the first is better, ▶ the second is, unmarked: the interval contains 0, or there is none"


def headline(found: Comparison) -> str:
    """One line on what was compared."""
    places = f"{len(found.datasets)} datasets" if len(found.datasets) > 1 else found.datasets[0]
    return f"{len(found.methods)} methods ({', '.join(found.methods)}) on {places}"


def tables(found: Comparison) -> Iterator[Table]:
    """Scores and differences of every dataset; then ranks and wins over them, and equivalents."""
    for dataset in found.datasets:
        yield _scores(found, dataset)
        yield from _differences(found, dataset)
    if found.ranks:
        yield _ranks(found)
        yield _wins(found)
    if found.equivalents:
        yield _equivalents(found)


def _scores(found: Comparison, dataset: str) -> Table:
    """Scores down, methods across."""
    row = found.datasets.index(dataset)
    rows, raw = [], False
    for key, values in found.scores.items():
        if np.isnan(values[row]).all() or not _is_shown(key, found, dataset):
            continue
        best, ranked = found.best(key, dataset), key in found.beats
        raw = raw or not ranked
        cells = (
            "" if np.isnan(value) else number(value) + (" ✓" if method == best else "")
            for method, value in zip(found.methods, values[row], strict=True)
        )
        rows.append((_label(key) + ("" if ranked else " *"), *cells))
    title = f"{dataset}: scores ({_judged(found, dataset)} set)"
    return Table(title, ("metric", *found.methods), tuple(rows), _BEST + (f"; {_RAW}" if raw else ""))


def _differences(found: Comparison, dataset: str) -> Iterator[Table]:
    judged = _judged(found, dataset)
    mine = [
        d
        for d in found.differences
        if (d.dataset, d.set) == (dataset, judged) and not _says_it_twice(d.metric, found, dataset)
    ]
    pairs = list(dict.fromkeys((d.first, d.second) for d in mine))
    if len(pairs) > _FEW_PAIRS:
        yield _many_pairs(dataset, [d for d in mine if d.side == "all"], pairs)
        return
    for first, second in pairs:
        yield _one_pair(dataset, [d for d in mine if (d.first, d.second) == (first, second)])


def _one_pair(dataset: str, mine: Sequence[Difference]) -> Table:
    """Metrics down, sides across."""
    sides = [side for side in SIDES if any(d.side == side for d in mine)]
    cells = {(_key(d), d.side): _difference(d) for d in mine}
    names = dict.fromkeys(_key(d) + (" *" if d.raw else "") for d in mine)
    rows = tuple(
        (_label(name), *(cells.get((name.removesuffix(" *"), side), "") for side in sides)) for name in names
    )
    title = f"{dataset}: {mine[0].first} − {mine[0].second}"
    return Table(title, ("metric", *sides), rows, _ENDS)


def _many_pairs(dataset: str, mine: Sequence[Difference], pairs: Sequence[tuple[str, str]]) -> Table:
    """Pairs down, a few metrics across."""
    there = dict.fromkeys(d.metric for d in mine if not d.raw)
    names = [name for name in _HEADLINE if name in there] or list(there)[:4]
    cells = {(d.first, d.second, d.metric): _difference(d) for d in mine}
    rows = tuple(
        (f"{first} − {second}", *(cells.get((first, second, name), "") for name in names))
        for first, second in pairs
    )
    return Table(f"{dataset}: differences, all rows", ("pair", *map(_label, names)), rows, _ENDS)


def _ranks(found: Comparison) -> Table:
    """Mean ranks, metrics down, methods across."""
    rows = tuple(
        (
            _label(key),
            *(f"{rank:.2f}" for rank in ranked.mean_ranks),
            f"{ranked.p_value:.3g}",
            "" if ranked.critical_difference is None else f"{ranked.critical_difference:.2f}",
        )
        for key, ranked in found.ranks.items()
        if _is_shown(key, found)
    )
    header = ("metric", *found.methods, "Friedman p", "critical difference")
    foot = (
        "mean ranks further apart than the critical difference differ (Nemenyi), if Friedman's test rejects"
    )
    return Table(f"Mean ranks over {len(found.datasets)} datasets ↓", header, rows, foot)


def _wins(found: Comparison) -> Table:
    """Wins, draws and losses against all others over all datasets."""
    rows = tuple(
        (_label(key), *("–".join(map(str, counts)) for counts in found.wins[key].totals.tolist()))
        for key in found.ranks
        if _is_shown(key, found)
    )
    foot = "a draw where the paired 95 % interval contains 0"
    return Table("Wins–draws–losses", ("metric", *found.methods), rows, foot)


def _equivalents(found: Comparison) -> Table:
    """What each method with all its samples is worth."""
    rows = []
    for one in found.equivalents:
        value, lower, upper = (
            np.atleast_1d(v)[-1] for v in (one.found.value, one.found.lower, one.found.upper)
        )
        ends = f"{lower:.1f} to {upper:.1f}" if np.isfinite(upper) else f"at least {lower:.1f}"
        if not np.isfinite(lower):
            ends = ""
        worth = "at most 1" if value <= 1 else f"{value:.1f}" if np.isfinite(value) else "more than all"
        rows.append((one.dataset, one.method, str(one.sizes[-1]), one.ensemble, worth, ends))
    header = ("dataset", "method", "samples", "ensemble", "members worth ↑", "within one σ")
    return Table("Equivalent ensembles, by calibrated log-likelihood", header, tuple(rows))


def _judged(found: Comparison, dataset: str) -> str:
    """The evaluation set of a dataset."""
    return evaluation_set(next(one.card.sets for one in found.entrants if one.dataset == dataset))


def _is_shown(key: str, found: Comparison, dataset: str | None = None) -> bool:
    """Whether a terminal has room for a key: of the sides, only the main metrics."""
    side, _, name = key.partition("@")[0].rpartition(".")
    asked_for = len(found.scores) <= _FEW_KEYS
    return not _says_it_twice(name, found, dataset) and (not side or name in _HEADLINE or asked_for)


def _says_it_twice(metric: str, found: Comparison, dataset: str | None) -> bool:
    """Whether a mean error is one minus the accuracy that is shown, too."""
    errors = {one.card.info["error"] for one in found.entrants if dataset in (None, one.dataset)}
    return metric == "mean_error" and "accuracy" in found.scores and errors == {"zero_one"}


def _key(one: Difference) -> str:
    """A metric, with its measure where one was asked for by name and so differs between entries."""
    return one.metric if one.measure is None else f"{one.metric}@{one.measure}"


def _label(key: str) -> str:
    """A key with the arrow that points to better.

    >>> _label("shifted.r_auc"), _label("auroc@entropy")
    ('shifted.r_auc ↓', 'auroc@entropy ↑')
    """
    plain = key.removesuffix(" *")
    metric = REGISTRY[plain.partition("@")[0].rpartition(".")[2]]
    return f"{plain} {metric.direction}{key[len(plain) :]}".rstrip()


def _difference(one: Difference) -> str:
    if np.isnan(one.low):
        return f"{one.value:+.4f}"
    return f"{one.value:+.4f} [{one.low:+.4f}, {one.high:+.4f}]{_MARKS[one.better]}"


def html(found: Comparison) -> str:
    """The tables as HTML, in the notebook's own style."""
    parts = [f"<p><strong>Surefoot comparison</strong>: {escape(headline(found))}</p>"]
    parts += [table_html(table) for table in tables(found)]
    parts += [f"<p>{escape(note)}</p>" for note in found.notes]
    return "\n".join(parts)
