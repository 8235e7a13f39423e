"""Every metric of all methods on one dataset, and the differences of each pair of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from surefoot._checks import choice
from surefoot.compare import _guard as guard
from surefoot.compare._comparison import Difference
from surefoot.compare._entrants import Rows
from surefoot.compare._paired import Pulled, better_of, paired_interval, pulled
from surefoot.compare._yardstick import Ensemble, Equivalent, equivalents
from surefoot.errors import InputError
from surefoot.metrics._registry import REGISTRY, Metric, describe
from surefoot.scorecard._sides import SETS, evaluation_set
from surefoot.scorecard._views import views

_RAW_BESIDE = ("log_likelihood", "brier", "multilabel_log_likelihood", "multilabel_brier")
"""May not be compared, but are shown beside their calibrated twins, or because they have none."""

_BETTER = {1: "first", -1: "second", 0: "neither"}


class Asked(NamedTuple):
    """A metric, of a measure that was named or of each model's default one."""

    metric: Metric
    measure: str | None = None

    @property
    def label(self) -> str:
        """What it is called: `metric[@measure]`."""
        return self.metric.name + (f"@{self.measure}" if self.measure else "")


def wanted_metrics(names: Sequence[str] | None) -> tuple[Asked, ...]:
    """What was asked for, or every metric that has a better and may be compared, and the raw ones beside."""
    if names is None:
        return tuple(
            Asked(metric)
            for metric in REGISTRY.values()
            if metric.higher_is_better is not None and (metric.comparable or metric.name in _RAW_BESIDE)
        )
    if isinstance(names, str) or not names:
        raise InputError(
            f"metrics must list names of metrics, such as ['accuracy', 'r_auc@entropy'], not {names!r}"
        )
    return tuple(dict.fromkeys(_asked(name) for name in names))


def _asked(name: str) -> Asked:
    metric, _, measure = name.partition("@")
    asked = Asked(describe(metric.strip()), measure.strip() or None)
    if asked.measure and not asked.metric.per_measure:
        raise InputError(
            f"{asked.metric.name} judges no uncertainty measure; ask for it without @{asked.measure}"
        )
    return asked


@dataclass(frozen=True)
class Found:
    """What there is to say about one dataset.

    Attributes:
        dataset: its name.
        rows: number of rows of its evaluation set.
        pairs: the differences of all pairs, the method that was given earlier first.
        scores: by key, each method's score over the evaluation set.
        beats: by key, the pairs of methods of which the first is significantly better.
        raw: keys that are not for ranking.
        ensembles: ensembles by number of members.
        equivalents: what other methods are worth in members of the largest one.
    """

    dataset: str
    rows: int
    pairs: list[Difference]
    scores: dict[str, dict[str, float]]
    beats: dict[str, set[tuple[str, str]]]
    raw: set[str]
    ensembles: list[Ensemble]
    equivalents: list[Equivalent]

    def against(self, reference: str | None) -> Iterator[Difference]:
        """All pairs, or only those with a reference, which then comes first."""
        for pair in self.pairs:
            if reference in (None, pair.first):
                yield pair
            elif reference == pair.second:
                yield _turned(pair)


def on_one_dataset(rows: Sequence[Rows], asked: Sequence[Asked], seed: int, yardstick: str | None) -> Found:
    """Score all methods on the same rows, and compare each pair of them."""
    for one in rows:
        for measure in {one.uncertainty, *(each.measure for each in asked if each.measure)}:
            choice("uncertainty", measure, one.table.measures)
    sets = rows[0].table.columns["set"]
    present = [name for code, name in enumerate(SETS) if (sets == code).any()]
    judged = evaluation_set(present)
    dataset = rows[0].candidate.dataset
    infos = [one.candidate.facts for one in rows]
    found = Found(
        dataset,
        int(np.count_nonzero(sets == SETS.index(judged))),
        [],
        {},
        {},
        set(),
        *equivalents(rows, seed, yardstick),
    )
    for places in zip(*(views(one.table, one.rule.threshold) for one in rows), strict=True):
        set_name, side, _ = places[0]
        if set_name == "train" and judged != "train":
            continue
        for each in asked:
            key = each.label if side == "all" else f"{side}.{each.label}"
            measures = [
                (each.measure or one.uncertainty) if each.metric.per_measure else None for one in rows
            ]
            scored = [
                pulled(view, each.metric, measure)
                for (_, _, view), measure in zip(places, measures, strict=True)
            ]
            raw = not each.metric.comparable or guard.is_adversarial(each.metric, infos)
            pairs = list(_pairs(rows, scored, measures, each.metric, raw, set_name, side))
            found.pairs.extend(pairs)
            if set_name == judged and any(scored):
                found.scores[key] = {
                    one.candidate.method: result.value
                    for one, result in zip(rows, scored, strict=True)
                    if result is not None
                }
                found.beats[key] = {
                    (pair.first, pair.second) if pair.better == "first" else (pair.second, pair.first)
                    for pair in pairs
                    if pair.better != "neither"
                }
                if raw:
                    found.raw.add(key)
    return found


def _pairs(
    rows: Sequence[Rows],
    scored: Sequence[Pulled | None],
    measures: Sequence[str | None],
    metric: Metric,
    raw: bool,
    set_name: str,
    side: str,
) -> Iterator[Difference]:
    for (one, first, judged), (another, second, also_judged) in combinations(
        zip(rows, scored, measures, strict=True), 2
    ):
        if first is None or second is None:
            continue
        interval = paired_interval(first, second)
        yield Difference(
            dataset=one.candidate.dataset,
            set=set_name,
            side=side,
            metric=metric.name,
            measure=judged if judged == also_judged else f"{judged} / {also_judged}",
            first=one.candidate.method,
            second=another.candidate.method,
            **interval._asdict(),
            n=min(len(first.pull), len(second.pull)),
            calibrated="recalibrated" in metric.needs,
            raw=raw,
            better=_BETTER[better_of(interval, metric.higher_is_better)],
        )


def _turned(pair: Difference) -> Difference:
    """The same difference seen from the second method."""
    measure = " / ".join(reversed(pair.measure.split(" / "))) if pair.measure else None
    better = {"first": "second", "second": "first", "neither": "neither"}[pair.better]
    return replace(
        pair, first=pair.second, second=pair.first, measure=measure, better=better,
        value=-pair.value, low=-pair.high, high=-pair.low,
    )  # fmt: skip
