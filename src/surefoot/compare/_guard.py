"""The guard: a comparison that would mean nothing is refused, with the reason and what to do instead.

Ashukha et al. 2020 (Pitfalls), section 3, found most published comparisons of uncertainty to be of this kind.
What speaks against a metric is in its registry entry (`surefoot.metrics.describe(name).not_comparable`); here
is when it applies, and what speaks against putting two runs or two files side by side at all.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.errors import NotComparable, NotComparableWarning
from surefoot.metrics import _registry
from surefoot.metrics._registry import Metric, describe

Facts = Mapping[str, Any]
"""What is known about a run: the `info` of its predictions."""


def require_comparable(metric: str | Metric, infos: Sequence[Facts], *, force: bool = False) -> None:
    """Refuse to compare runs by a metric where the result would mean nothing.

    ``infos`` are the runs' facts, `Predictions.info`: the guard reads ``temperature``, ``shift``, ``train_set``,
    ``passes``, ``members`` and ``method``, and takes what is not declared for unknown. Raises `NotComparable`;
    with ``force`` it gives a `NotComparableWarning` and goes on. A single run is always comparable with itself.

    Refused are (Ashukha et al. 2020, Pitfalls, in brackets): AUCs of misclassification detection [3.2],
    log-likelihood, Brier score and AURC at unequal or undeclared temperatures [3.1], accuracy-confidence curves
    [3.3], ECE and its kin [3.4], detection of adversarial shift [3.2]; and whatever the metric, models trained
    on different data [3.5] or given different test-time budgets, members × passes [4, 4.1].

    >>> require_comparable("accuracy", [{"method": "a"}, {"method": "b"}])
    >>> require_comparable("brier", [{"method": "a", "temperature": 1.0}, {"method": "b"}])
    Traceback (most recent call last):
    surefoot.errors.NotComparable: brier may not be compared across models: it depends on the temperature, and ...
    """
    refuse((*metric_reasons(metric, infos), *run_reasons(infos)), force=force, stacklevel=3)


def refuse(reasons: Iterable[str], *, force: bool, stacklevel: int = 2) -> None:
    """Raise the reasons, or warn of each if the comparison is forced; without any, nothing happens."""
    found = tuple(reasons)
    if not force and found:
        raise NotComparable(" ".join(found))
    for reason in found:
        warnings.warn(reason, NotComparableWarning, stacklevel=stacklevel)


def metric_reasons(metric: str | Metric, infos: Sequence[Facts]) -> Iterator[str]:
    """What speaks against comparing these runs by a metric."""
    entry = describe(metric) if isinstance(metric, str) else metric
    if len(infos) < 2:
        return
    if entry.not_comparable and not (depends_on_temperature(entry) and _equal(infos, "temperature")):
        given = f" (declared: {_listed(infos, 'temperature')})" if depends_on_temperature(entry) else ""
        yield f"{entry.name} may not be compared across models: {entry.not_comparable}{given}."
    elif is_adversarial(entry, infos):
        yield (
            f"{entry.name} may not be compared across models where the shift is adversarial: an attack makes other "
            "inputs for every model, so each has a detection problem of its own; report it model by model, or "
            "attack one model and hand the same inputs to all."
        )


def depends_on_temperature(metric: Metric) -> bool:
    """Whether equal temperatures are all that a comparison lacks."""
    return metric.not_comparable == _registry._TEMPERATURE


def is_adversarial(metric: Metric, infos: Sequence[Facts]) -> bool:
    """Whether a metric tells apart shifted inputs that an attack made, which differ from model to model."""
    return "detection" in metric.needs and any(info.get("shift") == "adversarial" for info in infos)


def run_reasons(infos: Sequence[Facts]) -> Iterator[str]:
    """What speaks against comparing these runs at all, as far as they declare it."""
    trained = [info for info in infos if "train_set" in info]
    if len({info["train_set"] for info in trained}) > 1:
        yield (
            f"The models were trained on different training sets ({_listed(trained, 'train_set')}): their "
            "difference may be that of the data, not of the methods; train all on the same data."
        )
    budgets = [{**info, "budget": budget} for info in infos if (budget := _budget(info)) is not None]
    if len({info["budget"] for info in budgets}) > 1:
        yield (
            f"The test-time budgets differ (members × passes: {_listed(budgets, 'budget')}): more passes alone "
            "improve a score; compare at equal budgets, or ask for the deep ensemble equivalent."
        )


def _budget(info: Facts) -> float | None:
    """Passes through a network for one prediction, if the run declares its passes (of each member)."""
    passes, members = info.get("passes"), info.get("members", 1)
    if isinstance(passes, int | float) and isinstance(members, int | float):
        return float(passes * members)
    return None


def _equal(infos: Sequence[Facts], fact: str) -> bool:
    """Whether all runs declare the same."""
    return all(fact in info for info in infos) and len({info[fact] for info in infos}) == 1


def _listed(infos: Sequence[Facts], fact: str) -> str:
    """What each run declares, with its method where that is known.

    >>> _listed([{"method": "a", "temperature": 1.5}, {"method": "b"}], "temperature")
    'a 1.5, b none'
    """
    shown = (_shown(info.get(fact, "none")) for info in infos)
    named = (f"{info['method']} " if "method" in info else "" for info in infos)
    return ", ".join(name + value for name, value in zip(named, shown, strict=True))


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def row_reasons(first: str, second: str, ids: tuple[Array, Array]) -> Iterator[str]:
    """What speaks against comparing two files by the ids of their rows."""
    only = [np.setdiff1d(mine, other) for mine, other in (ids, ids[::-1])]
    if only[0].size or only[1].size:
        shared = len(ids[0]) - only[0].size
        sides = "; ".join(
            f"{name} has {len(alone):,} ids that the other has not{_examples(alone)}"
            for name, alone in zip((first, second), only, strict=True)
        )
        yield (
            f"{first} and {second} were not scored on the same inputs ({sides}; {shared:,} are shared): a difference "
            "may be that of the inputs; predict the same rows with both, or select the shared ids of both."
        )


def column_reasons(
    first: str, second: str, what: str, ids: Array, differs: Array, remedy: str
) -> Iterator[str]:
    """What speaks against comparing two files whose shared ids disagree in a column."""
    if differs.any():
        yield (
            f"{first} and {second} have different {what} for {int(differs.sum()):,} of {len(ids):,} shared ids"
            f"{_examples(ids[differs])}: they were scored on different test sets; {remedy}."
        )


def _examples(ids: Array) -> str:
    if not len(ids):
        return ""
    more = ", …" if len(ids) > 3 else ""
    return f" ({', '.join(str(value) for value in ids[:3].tolist())}{more})"
