"""A view: some rows of a table (a set and side, later a slice), with the columns that metrics ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from surefoot._checks import EPSILON, NOVEL, Array
from surefoot.metrics import _detection, _proper, _ranking, _retention, _temperature
from surefoot.metrics._registry import Metric
from surefoot.scorecard._rows import RowTable
from surefoot.scorecard._sides import IN, SETS, SHIFTED

_SMALLEST_HALVES = 20
"""Fewer rows than this cannot be halved into two sets that fit a temperature worth the name."""


class View:
    """Columns of the chosen rows, each fetched or worked out once.

    A column belongs to a group of rows: "all" of the view, its "labelled" rows, those with a "known" class,
    or those with a "scored" error (labelled, and the error is not NaN). Groups that are the same rows share.
    """

    def __init__(self, table: RowTable, chosen: Array, threshold: float | None) -> None:
        self._table = table
        self.threshold = threshold
        self._groups = _distinct_groups(table, chosen)
        self._cache: dict[tuple[str, str, str | None], Any] = {}

    def score(self, metric: Metric, measure: str | None) -> tuple[float, int] | None:
        """Value and number of rows, or None where the metric does not apply to this view."""
        group = "scored" if {"error", "retention"} & set(metric.needs) else metric.over
        n = self.size(group)
        if n == 0 or metric.score is None or not all(self._has(name, group) for name in metric.needs):
            return None
        return float(metric.score(*[self.column(name, group, measure) for name in metric.needs])), n

    def size(self, group: str) -> int:
        """Number of rows in a group."""
        return self._groups[group].size

    def holds(self, name: str) -> bool:
        """Whether the table has a column."""
        return name in self._table.columns

    def column(self, name: str, group: str, measure: str | None = None) -> Any:
        """A column over a group of rows; `measure` says which one `uncertainty` is."""
        key = (name, self._groups[group].name, measure if name in _PER_MEASURE else None)
        if key not in self._cache:
            derive = _DERIVED.get(name)
            self._cache[key] = (
                self._table.columns[name][self._groups[group].rows]
                if derive is None
                else derive(self, group, measure or "")
            )
        return self._cache[key]

    def forget(self, measure: str) -> None:
        """Let go of what was worked out for a measure."""
        self._cache = {key: value for key, value in self._cache.items() if measure not in (key[0], key[2])}

    def _has(self, name: str, group: str) -> bool:
        """Whether a column can be had; telling two kinds of rows apart takes rows of both."""
        if name == "threshold":
            return self.threshold is not None
        if name == "recalibrated":
            return self.holds("probs") and self.holds("predicted") and self.size(group) >= _SMALLEST_HALVES
        if name in _TELLS_APART:
            return self._tells_apart(_TELLS_APART[name], group)
        return name in _DERIVED or self.holds(name)

    def _tells_apart(self, name: str, group: str) -> bool:
        key = (f"both kinds of {name}", self._groups[group].name, None)
        if key not in self._cache:
            present = self.holds(_KNOWN_FROM[name])
            values = self.column(name, group) if present else np.zeros(1, dtype=np.bool_)
            self._cache[key] = bool(values.any()) and not bool(values.all())
        return bool(self._cache[key])


class _Group(NamedTuple):
    name: str
    """Of the widest group that is the same rows."""
    rows: Array | slice
    """A mask, or a plain slice where it is every row of the table, which copies nothing."""
    size: int


def _distinct_groups(table: RowTable, chosen: Array) -> dict[str, _Group]:
    """The groups of a view, from wide to narrow."""
    columns = table.columns
    labelled = chosen & columns["labelled"]
    error = columns["error"]
    masks = {
        "all": chosen,
        "labelled": labelled,
        "known": labelled & (columns["target"] >= 0) if "predicted" in columns else labelled,
        "scored": labelled if error.dtype == np.bool_ else labelled & ~np.isnan(error),
    }
    groups: dict[str, _Group] = {}
    for name, mask in masks.items():
        size = int(np.count_nonzero(mask))
        # Every group lies inside "labelled" and that inside "all", so there equal sizes mean equal rows.
        wider = (groups[wide] for wide in ("all", "labelled") if wide in groups)
        same = next((group for group in wider if group.size == size), None)
        groups[name] = same or _Group(name, slice(None) if mask.all() else mask, size)
    return groups


def _uncertainty(view: View, group: str, measure: str) -> Array:
    values: Array = view.column(measure, group)
    return values


def _ranked(view: View, group: str, measure: str) -> _ranking.Ranking:
    return _ranking.rank(_uncertainty(view, group, measure))


class _Retained(NamedTuple):
    """The numbers of both retention curves; the curves themselves are as long as the data."""

    r_auc: float
    rejection_ratio: float
    f1_auc: float
    f1_at_95: float


def _retained(view: View, group: str, measure: str) -> _Retained:
    curves = retention_curves(view, group, measure)
    return _Retained(curves.error.area, curves.error.rejection_ratio, curves.f1.area, curves.f1.at(0.95))


def retention_curves(view: View, group: str, measure: str) -> _retention.Retention:
    """Both retention curves of a measure."""
    # Without a threshold no F1 is reported, so that any number serves.
    threshold = 0.0 if view.threshold is None else view.threshold
    return _retention.retention(
        view.column("error", group), view.column("uncertainty", group, measure), threshold=threshold
    )


def _detected(positives: str) -> Callable[[View, str, str], _detection.Detection]:
    def derive(view: View, group: str, measure: str) -> _detection.Detection:
        return _detection.detection(view.column("uncertainty", group, measure), view.column(positives, group))

    return derive


def _recalibrated(view: View, group: str, measure: str) -> dict[str, _temperature.Calibrated]:
    probs = view.column("probs", group)
    log_probs = np.log(probs + probs.dtype.type(EPSILON))
    scores: dict[str, Callable[[Array, Array], float]] = {
        "log_likelihood": _proper.log_likelihood,
        "brier": _proper.brier,
    }
    return _temperature.calibrated(scores, log_probs, view.column("target", group))


_DERIVED: dict[str, Callable[[View, str, str], Any]] = {
    "uncertainty": _ranked,
    "retention": _retained,
    "detection": _detected("is_shifted"),
    "novelty": _detected("is_novel"),
    "mistakes": _detected("is_wrong"),
    "recalibrated": _recalibrated,
    "threshold": lambda view, group, measure: view.threshold,
    "is_shifted": lambda view, group, measure: view.column("side", group) == SHIFTED,
    "is_novel": lambda view, group, measure: view.column("target", group) == NOVEL,
    "is_wrong": lambda view, group, measure: ~view.column("correct", group),
}
_PER_MEASURE = {"uncertainty", "retention", "detection", "novelty", "mistakes"}
_KNOWN_FROM = {"is_shifted": "side", "is_novel": "predicted", "is_wrong": "correct"}
_TELLS_APART = {"detection": "is_shifted", "novelty": "is_novel", "mistakes": "is_wrong"}


def views(table: RowTable, threshold: float | None) -> Iterator[tuple[str, str, View]]:
    """(set, side, view) for every set that occurs: its two sides where it has them, and all of it."""
    sets, side = table.columns["set"], table.columns["side"]
    for code, set_name in enumerate(SETS):
        in_set = sets == code
        if not in_set.any():
            continue
        for side_name, side_code in (("in", IN), ("shifted", SHIFTED)):
            chosen = in_set & (side == side_code)
            if chosen.any():
                yield set_name, side_name, View(table, chosen, threshold)
        yield set_name, "all", View(table, in_set, threshold)
