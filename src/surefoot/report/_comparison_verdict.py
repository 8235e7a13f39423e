"""The verdict on a comparison in words: who is best at what, where that is settled, and what the shift does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from surefoot.compare import Comparison, Ranks
from surefoot.report import _words
from surefoot.report._finding import BAD, CAUTION, GOOD, UNKNOWN, Finding
from surefoot.report._keys import Key, foremost, primary


def comparison_verdict(result: Comparison) -> tuple[Finding, ...]:
    """What a comparison says, the most important first."""
    found = [_best(result, key) for key in foremost(result.beats)]
    return tuple(finding for finding in (*found, *_shift(result), *_worth(result)) if finding is not None)


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
    if not leading:
        return None
    values = dict(zip(result.methods, result.scores[key][0], strict=True))
    best = result.best(key, result.datasets[0])
    if best is not None:
        return Finding(
            GOOD, f"{best} is best", "Settled",
            f"By {what}, {best} is best: {_words.number(values[best])}, significantly better than "
            f"{'every other method' if len(result.methods) > 2 else _words.joined([m for m in values if m != best])}.",
            "", "See how large the differences are.", "differences", what,
        )  # fmt: skip
    top = (max if Key.parse(key).higher_is_better else min)(leading, key=lambda m: values[m])
    if len(leading) == len([v for v in values.values() if v == v]):
        claim = f"By {what}, these inputs do not tell the methods apart."
    else:
        claim = f"By {what}, {_words.joined(leading)} lead; these inputs do not tell them apart."
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
    settled = [(dataset, winner) for dataset, winner in zip(result.datasets, winners, strict=True) if winner]
    listed = _words.joined([f"{winner} on {dataset}" for dataset, winner in settled])
    open_ = len(winners) - len(settled)
    claim = f"By {what}, {listed} is significantly better than every other method." if settled else ""
    claim += f" On {_words.count(open_, 'dataset')} no single method is." if open_ and settled else ""
    return Finding(
        CAUTION if open_ else GOOD,
        "who is best depends on the dataset",
        "By dataset",
        claim or f"By {what}, no single method is best on any dataset.",
        "Not every method has a score on every dataset, so they are not ranked over them.",
        "See which differences are clear.",
        "differences",
        what,
    )


def _shift(result: Comparison) -> Iterator[Finding]:
    """What the shift does to all methods."""
    key = primary(result.scores)
    if key is None or f"in.{key}" not in result.scores or f"shifted.{key}" not in result.scores:
        return
    way = Key.parse(key)
    turn = 1 if way.higher_is_better else -1
    inside, outside = result.scores[f"in.{key}"], result.scores[f"shifted.{key}"]
    gain = turn * (outside - inside)
    rows = [i for i in range(len(result.datasets)) if not np.isnan(gain[i]).all()]
    if not rows:
        return
    middle = {i: float(np.nanmedian(gain[i])) for i in rows}
    worse, easier = [i for i in rows if middle[i] < 0], [i for i in rows if middle[i] > 0]
    hardest = min(rows, key=lambda i: middle[i])
    if not worse:
        yield Finding(
            UNKNOWN, "the shifted data are no harder", "Easier there",
            f"On the shifted side no method's {way.words} is worse in the middle: the shifted inputs are not harder.",
            "So nothing here speaks of robustness.", "Compare on a shift that costs something.", "scores",
        )  # fmt: skip
        return
    loss = np.where(np.isnan(gain[hardest]), np.inf, -gain[hardest])
    least = int(np.argmin(loss))
    several = len(rows) > 1
    within = f" on {len(worse)} of {len(rows)} datasets" if several else ""
    where = f" on {result.datasets[hardest]}" if several else ""
    count = f"on {len(worse)} of {len(rows)} datasets, most{where}" if several else "on the shifted side"
    ends = (
        _words.number(float(np.nanmedian(inside[hardest])), 3),
        _words.number(float(np.nanmedian(outside[hardest])), 3),
    )
    claim = (
        f"{_words.capital(way.words)} is worse {count}: from {ends[0]} to {ends[1]} for the middle method."
    )
    detail = f"There {result.methods[least]} loses least, {_words.number(float(loss[least]), 3)}."
    if easier:
        names = _words.joined([result.datasets[i] for i in easier])
        detail += f" On {names} the shifted inputs are easier, which says nothing about robustness."
    yield Finding(
        BAD if -middle[hardest] >= 0.05 else CAUTION,
        f"the shift costs {'all' if _all_lose(gain[np.array(worse)]) else 'most'} methods{within}",
        "The shift costs",
        claim,
        detail,
        "Compare the scores in-domain and shifted.",
        "scores",
    )


def _all_lose(gain: NDArray[np.float64]) -> bool:
    return bool((gain[~np.isnan(gain)] < 0).all())


def _worth(result: Comparison) -> Iterator[Finding]:
    """What methods are worth in members of the largest ensemble, where that is the same one everywhere."""
    if not result.equivalents:
        return
    ensembles = {one.ensemble for one in result.equivalents}
    last: dict[str, list[float]] = {}
    for one in result.equivalents:
        last.setdefault(one.method, []).append(float(np.atleast_1d(one.found.value)[-1]))
    best = max(last, key=lambda name: float(np.median(last[name])))
    middle = float(np.median(last[best]))
    ensemble = _words.joined(sorted(ensembles), "or")
    usual = " in the middle of the datasets" if len(last[best]) > 1 else ""
    if np.isfinite(middle):
        worth = f"about {_words.number(middle, 1)} members of {ensemble}"
    else:
        worth = f"more than all members of {ensemble} together"
    yield Finding(
        UNKNOWN, f"{best} is worth {worth}", "Worth",
        f"By calibrated log-likelihood {best} is worth {worth}{usual}.",
        "The more members it takes to match a method, the better the method.",
        "Weigh that against what the method costs.", "dee",
    )  # fmt: skip
