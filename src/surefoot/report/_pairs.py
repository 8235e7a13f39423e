"""Which of a comparison's paired differences are shown, and which way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.compare import Comparison, Difference
from surefoot.report._keys import Key

_ALL_PAIRS = 3
"""Up to so many pairs of methods all are shown; beyond that those with the best method."""

_MOST_ROWS = 48
"""More differences than this are too many for one figure; the best methods stay."""


def differences_of(result: Comparison, key: str) -> list[Difference]:
    """Differences of a key over the evaluation set that have an interval.

    With many methods, each is set against the reference or the best one, as many of the best as can be seen.
    """
    found = _of_key(result, key)
    if len({frozenset((d.first, d.second)) for d in found}) <= _ALL_PAIRS:
        return found
    order = _by_merit(result, key)
    against = result.info.get("reference") or order[0]
    turned = [d if d.first == against else flipped(d) for d in found if against in (d.first, d.second)]
    others = [method for method in order if method != against]
    fit = max(1, _MOST_ROWS // len({d.dataset for d in turned})) if turned else 0
    return [d for method in others[:fit] for d in turned if d.second == method]


def flipped(d: Difference) -> Difference:
    """Second minus first."""
    better = {"first": "second", "second": "first"}.get(d.better, d.better)
    return replace(d, first=d.second, second=d.first, value=-d.value, low=-d.high, high=-d.low, better=better)


def _of_key(result: Comparison, key: str) -> list[Difference]:
    wanted = Key.parse(key)
    last: dict[tuple[str, str, str], Difference] = {}
    for d in result.differences:  # their sets come in the order train, dev, eval
        if (d.side, d.metric) == (wanted.side, wanted.metric) and wanted.measure in (None, d.measure):
            last[d.dataset, d.first, d.second] = d
    return [d for d in last.values() if d.low == d.low]


def _by_merit(result: Comparison, key: str) -> list[str]:
    """Methods by mean rank over datasets, or where there are no ranks by their mean score; the best first."""
    if key in result.ranks:
        merit = result.ranks[key].mean_ranks
    else:
        scores = result.scores[key] * (-1 if Key.parse(key).higher_is_better else 1)
        known = ~np.isnan(scores)
        merit = np.where(known, scores, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        merit = np.where(known.any(axis=0), merit, np.inf)
    return [result.methods[i] for i in np.argsort(merit, kind="stable")]
