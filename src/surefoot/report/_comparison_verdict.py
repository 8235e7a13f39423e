"""The verdict on a comparison in words: who is best at what, where that is settled, and what the shift does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surefoot.compare import Comparison, Ranks
from surefoot.report import _words
from surefoot.report._comparison_shift import shift_findings, unnoticed
from surefoot.report._dee import in_members
from surefoot.report._finding import CAUTION, GOOD, UNKNOWN, Finding
from surefoot.report._keys import Key, foremost


def comparison_verdict(result: Comparison) -> tuple[Finding, ...]:
    """What a comparison says, the most important first."""
    found = [_best(result, key) for key in foremost(result.beats)]
    others = (*shift_findings(result), *unnoticed(result), *_worth(result))
    return (*(finding for finding in found if finding is not None), *others)


def leaders(result: Comparison, key: str, row: int) -> list[str]:
    """Methods of a dataset that no other one beats significantly; all that have a score if none is beaten."""
    scored = ~np.isnan(result.scores[key][row])
    beaten = np.any(result.beats[key][row], axis=0)
    return [name for name, one, lost in zip(result.methods, scored, beaten, strict=True) if one and not lost]


def _best(result: Comparison, key: str) -> Finding | None:
    """Who is best at one metric."""
    what = Key.parse(key).words
    if key in result.ranks:
        return _ranked(result, key, what, result.ranks[key])
    if len(result.datasets) > 1:
        winners = [result.best(key, dataset) for dataset in result.datasets]
        return _by_dataset(result, key, what, winners)
    leading = leaders(result, key, 0)
    values = {m: v for m, v in zip(result.methods, result.scores[key][0], strict=True) if v == v}
    if not leading or len(values) < 2:
        return None
    best = result.best(key, result.datasets[0])
    if best is not None:
        return Finding(
            GOOD, f"{best} is best", "Settled",
            f"By {what}, {best} is best: {_words.number(values[best])}, significantly better than "
            f"{'every other method' if len(values) > 2 else _words.joined([m for m in values if m != best])}.",
            "", "See how large the differences are.", "differences", what,
        )  # fmt: skip
    top = (max if Key.parse(key).higher_is_better else min)(leading, key=lambda m: values[m])
    if len(leading) == len(values):
        claim = f"By {what}, these inputs do not tell the methods apart."
    elif len(leading) > 1:
        claim = f"By {what}, {_words.joined(leading)} lead; these inputs do not tell them apart."
    else:
        claim = (
            f"By {what}, no method is significantly better than {top}, nor is {top} than every other method."
        )
    return Finding(
        CAUTION, "there is no single best method", "Open", claim,
        f"The best number is that of {top}: {_words.number(values[top])}.",
        "Decide by something else, such as cost, or label more inputs.", "differences", what,
    )  # fmt: skip


def _ranked(result: Comparison, key: str, what: str, ranks: Ranks) -> Finding:
    first = int(np.argmin(ranks.mean_ranks))
    best, n = result.methods[first], len(result.datasets)
    with_it = {i for group in ranks.groups if first in group for i in group if i != first}
    claim = f"By {what}, {best} ranks first over {n} datasets (mean rank {ranks.mean_ranks[first]:.2f})"
    wins, draws, losses = result.wins[key].totals[first]
    detail = (
        f"Against each other method on each dataset it wins {wins} times, draws {draws} and loses {losses}; "
        f"Friedman's test: p {_words.chance(ranks.p_value)}."
    )
    if ranks.p_value > ranks.alpha:
        return Finding(
            CAUTION, "the datasets do not settle who is best", "Open",
            f"{claim}, but the datasets do not tell the methods' ranks apart.", detail,
            "Look at single datasets, or add more of them.", "ranks", what,
        )  # fmt: skip
    if with_it:
        others = _words.joined(
            [result.methods[i] for i in sorted(with_it, key=lambda i: ranks.mean_ranks[i])]
        )
        far = len(result.methods) - 1 - len(with_it)
        told = (
            f"; {_words.count(far, 'other method')} {'is' if far == 1 else 'are'} significantly behind"
            if far
            else ""
        )
        return Finding(
            CAUTION, f"{best} leads, though not alone,", "Leads, not alone",
            f"{claim}, not significantly ahead of {others}{told}.", detail,
            "See which differences are clear.", "ranks", what,
        )  # fmt: skip
    return Finding(
        GOOD, f"{best} is best", "Settled", f"{claim}, significantly ahead of all others.", detail,
        "See how large the differences are.", "ranks", what,
    )  # fmt: skip


def _by_dataset(result: Comparison, key: str, what: str, winners: list[str | None]) -> Finding:
    """Who is best where, if not every method has a score on every dataset."""
    where: dict[str, list[str]] = {}
    for dataset, winner in zip(result.datasets, winners, strict=True):
        if winner is not None:
            where.setdefault(winner, []).append(dataset)
    open_ = winners.count(None)
    told = [f"{winner} is significantly better than every other method on {_words.joined(datasets)}"
            for winner, datasets in where.items()]  # fmt: skip
    claim = (
        f"By {what}, {_words.joined(told)}."
        if told
        else f"By {what}, no single method is best on any dataset."
    )
    claim += f" On {_words.count(open_, 'dataset')} no single method is." if told and open_ else ""
    alone = next(iter(where)) if len(where) == 1 else ""
    short = {0: "there is no single best method", 1: f"{alone} is best{' on some datasets' if open_ else ''}"}
    return Finding(
        GOOD if alone and not open_ else CAUTION,
        short.get(len(where), "who is best depends on the dataset"),
        "Settled" if alone and not open_ else "By dataset" if told else "Open",
        claim,
        "Not every method has a score on every dataset, so they are not ranked over them.",
        "See which differences are clear.",
        "differences",
        what,
    )


def _worth(result: Comparison) -> Iterator[Finding]:
    """What the best method is worth in members of an ensemble, if that is the same one everywhere."""
    ensembles = {one.ensemble for one in result.equivalents}
    if len(ensembles) != 1:
        return
    (ensemble,) = ensembles
    largest = max(one.curve.sizes[-1] for one in result.ensembles if one.method == ensemble)
    last: dict[str, list[float]] = {}
    for one in result.equivalents:
        last.setdefault(one.method, []).append(float(np.atleast_1d(one.found.value)[-1]))
    middle = {name: sorted(values)[(len(values) - 1) // 2] for name, values in last.items()}
    best = max(middle, key=lambda name: middle[name])
    worth = f"{in_members(middle[best], largest)} of {ensemble}"
    usual = " (the median of the datasets)" if len(last[best]) > 1 else ""
    yield Finding(
        UNKNOWN, f"{best} is worth {worth}", "Worth",
        f"By calibrated log-likelihood {best} is worth {worth}{usual}.",
        "The more members it takes to match a method, the better the method.",
        "Weigh that against what the method costs.", "dee",
    )  # fmt: skip
