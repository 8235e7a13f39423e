"""What to know before reading a comparison, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from surefoot.compare._change import Change
from surefoot.compare._entrants import Candidate
from surefoot.compare._ranks import Ranks
from surefoot.compare._scores import Floats
from surefoot.compare._yardstick import MOST_ROWS, Equivalent

_FEW_ROWS = 200


def about_rows(dataset: str, n: int) -> Iterator[str]:
    """Few rows leave most differences open."""
    if n < _FEW_ROWS:
        yield f"{dataset} has {n} rows to judge by: only large differences can show."


def about_costs(groups: Mapping[str, Sequence[Candidate]]) -> Iterator[str]:
    """Different numbers of samples that nobody declared to be different budgets."""
    told: dict[str, list[str]] = {}
    for dataset, group in groups.items():
        samples = {one.method: one.source.samples for one in group}
        if len(set(samples.values())) > 1 and not all("passes" in one.source.info for one in group):
            listed = ", ".join(f"{method} {count}" for method, count in samples.items())
            told.setdefault(listed, []).append(dataset)
    for listed, datasets in told.items():
        yield (
            f"On {', '.join(datasets)} methods differ in their number of samples ({listed}), and so perhaps in "
            "their cost."
        )


def about_easier_shift(changes: Sequence[Change]) -> Iterator[str]:
    """Shifted sides on which models certainly do better, which say nothing about robustness."""
    metrics = {change.metric for change in changes}
    metric, word = ("accuracy", "rises") if "accuracy" in metrics else ("mean_error", "falls")
    for dataset in dict.fromkeys(change.dataset for change in changes):
        mine = [change for change in changes if (change.dataset, change.metric) == (dataset, metric)]
        easier = [change for change in mine if change.better == "shifted"]
        if not easier:
            continue
        who = "every method" if len(easier) == len(mine) else f"{len(easier)} of {len(mine)} methods"
        listed = ", ".join(f"{c.method} {c.inside:.3g} → {c.shifted:.3g}" for c in easier[:6])
        yield (
            f"On {dataset} the {metric.replace('_', ' ')} of {who} {word} on the shifted side ({listed}): "
            "its inputs are easier for them, so it says nothing about robustness."
        )


def about_ranks(ranked: Mapping[str, Ranks]) -> Iterator[str]:
    """What holds for the ranks by every metric, such as too few datasets for any difference."""
    each = [set(ranks.notes) for ranks in ranked.values()]
    yield from sorted(set.intersection(*each)) if each else ()


def about_equivalents(found: Sequence[Equivalent]) -> Iterator[str]:
    """What deep ensemble equivalents were measured by."""
    told: dict[str, dict[str, None]] = {}
    for one in found:
        told.setdefault(one.ensemble, {})[one.dataset] = None
    for ensemble, datasets in told.items():
        yield (
            f"On {', '.join(datasets)} equivalents count members of {ensemble}, by calibrated log-likelihood over "
            f"at most {MOST_ROWS:,} rows."
        )


def about_missing(
    methods: Sequence[str], datasets: Sequence[str], scores: Mapping[str, Floats]
) -> Iterator[str]:
    """Cells without any score, which keep methods from being ranked."""
    present = np.any([np.isfinite(values) for values in scores.values()], axis=0)
    cells = [f"{methods[j]} on {datasets[i]}" for i, j in np.argwhere(~present)]
    if cells:
        more = f" and {len(cells) - 5} more" if len(cells) > 5 else ""
        yield f"Not ranked over datasets, since there is no {', '.join(cells[:5])}{more}."
