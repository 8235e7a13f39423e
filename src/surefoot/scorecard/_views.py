"""A view: some rows of a table (a set and side, later a slice), with the columns that metrics ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from surefoot._checks import EPSILON, NOVEL, Array
from surefoot.errors import InputError
from surefoot.metrics import _detection, _proper, _ranking, _retention, _temperature
from surefoot.metrics._bootstrap import poisson_bootstrap
from surefoot.metrics._intervals import Interval, interval
from surefoot.metrics._registry import Metric
from surefoot.scorecard._rows import RowTable
from surefoot.scorecard._sides import IN, SETS, SHIFTED

_SMALLEST_HALVES = 20
"""Fewer rows than this cannot be halved into two sets that fit a temperature worth the name."""

_SAMPLE_ROWS = 50_000
"""Intervals of more rows than this come from so many of them, drawn at random: a standard error needs no more."""

_SAMPLE_CELLS = 4_000_000
"""Wide columns are drawn more sparingly, down to a tenth of these rows."""

_FEWEST_OF_A_KIND = 100
"""A draw with fewer rows of the rarer of two kinds than this will not do; more are drawn."""

_RESAMPLED_ROWS = 5_000
"""The same for scores without an influence function, which are computed again and again."""


class View:
    """Columns of the chosen rows, each fetched or worked out once.

    A column belongs to a group of rows: "all" of the view, its "labelled" rows, those with a "known" class,
    or those with a "scored" error (labelled, and the error is not NaN). Groups that are the same rows share.
    """

    def __init__(self, table: RowTable, groups: dict[str, _Group], threshold: float | None) -> None:
        self._table = table
        self.threshold = threshold
        self._groups = groups
        self._cache: dict[tuple[str, str, str | None], Any] = {}

    @classmethod
    def of(cls, table: RowTable, chosen: Array, threshold: float | None) -> View:
        """The view of the rows in a mask."""
        return cls(table, _distinct_groups(table, chosen), threshold)

    def score(self, metric: Metric, measure: str | None) -> tuple[float, int] | None:
        """Value and number of rows, or None where the metric does not apply to this view."""
        group = group_of(metric)
        n = self.size(group)
        if n == 0 or metric.score is None or not all(self._has(name, group) for name in metric.needs):
            return None
        return self._value(metric, group, measure), n

    def interval(self, metric: Metric, measure: str | None, value: float) -> Interval | None:
        """The 95 % interval of a score, or None where nothing can be said.

        From a random part of the rows where there are many: the standard error of n rows is that of m of them
        times √(m/n).
        """
        n = self.size(group_of(metric))
        if metric.influence is None:
            drawn = self._resampled(metric, self._part(metric, _RESAMPLED_ROWS), measure)
        else:
            drawn = self.influence(metric, measure, self._part(metric, _SAMPLE_ROWS))
        return interval(value, drawn, n=n, bounds=metric.bounds)

    def influence(self, metric: Metric, measure: str | None, group: str | None = None) -> Array:
        """Influence of every row of a group (the metric's own by default) on a score, up to a constant."""
        if metric.influence is None:
            raise InputError(f"{metric.name} has no influence function; resample it with poisson_bootstrap")
        group = group or group_of(metric)
        return metric.influence(*[self.column(name, group, measure) for name in metric.reads])

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
                self._groups[group].of(self._table.columns[name])
                if derive is None
                else derive(self, group, measure or "")
            )
        return self._cache[key]

    def _value(self, metric: Metric, group: str, measure: str | None) -> float:
        if metric.score is None:
            raise InputError(f"{metric.name} is a curve, not a number")
        return float(metric.score(*[self.column(name, group, measure) for name in metric.needs]))

    def _part(self, metric: Metric, most: int) -> str:
        """The metric's group, or where it is large a random part of it, the same at every call."""
        whole = self._groups[group_of(metric)]
        if "probs" in metric.reads:
            width = self._table.columns["probs"].shape[1]
            most = min(most, max(_SAMPLE_CELLS // width, _SAMPLE_ROWS // 10))
        kinds = set(metric.reads) & _KNOWN_FROM.keys()
        while most < whole.size:
            part = f"{most} of {whole.name}"
            if part not in self._groups:
                self._groups[part] = whole.draw(most)
            if all(self._rarer(kind, part) >= _FEWEST_OF_A_KIND for kind in kinds):
                return part
            most *= 2
        return whole.name

    def _rarer(self, kind: str, group: str) -> int:
        """How many rows the rarer of two kinds has."""
        of_kind = int(np.count_nonzero(self.column(kind, group)))
        return min(of_kind, self.size(group) - of_kind)

    def _resampled(self, metric: Metric, group: str, measure: str | None) -> Array:
        """Numbers that vary as the influence of the rows would, from scores of resampled rows."""
        every = self._groups[group].of(np.arange(len(self._table)))

        def score(drawn: Array) -> float:
            name = group_of(metric)
            again = View(self._table, {name: _Group(name, drawn, len(drawn))}, self.threshold)
            return again._value(metric, name, measure)

        scores = poisson_bootstrap(score, every)
        return np.asarray(scores[~np.isnan(scores)] * np.sqrt(len(every)))

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
    """A mask, a plain slice where it is every row of the table (which copies nothing), or row numbers."""
    size: int

    def of(self, values: Array) -> Array:
        """The values of these rows."""
        if isinstance(self.rows, slice) or self.rows.dtype != np.bool_:
            return np.asarray(values[self.rows])
        return values.compress(self.rows, axis=0)  # several times as fast as indexing with the mask

    def draw(self, most: int) -> _Group:
        """So many of the rows, at random but always the same."""
        chosen = np.random.default_rng(0).choice(self.size, most, replace=False, shuffle=False)
        rows = chosen if isinstance(self.rows, slice) else np.flatnonzero(self.rows)[chosen]
        return _Group(f"{most} of {self.name}", np.sort(rows), most)


def group_of(metric: Metric) -> str:
    """The group of rows that a metric is over."""
    return "scored" if {"error", "retention"} & set(metric.needs) else metric.over


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
    for code, set_name in enumerate(SETS):
        in_set = table.columns["set"] == code
        if in_set.any():
            for side_name, view in side_views(table, in_set, threshold):
                yield set_name, side_name, view


def side_views(table: RowTable, chosen: Array, threshold: float | None) -> Iterator[tuple[str, View]]:
    """(side, view) of chosen rows: the two sides where they have them, and all of them."""
    for side_name, side_code in (("in", IN), ("shifted", SHIFTED)):
        of_side = chosen & (table.columns["side"] == side_code)
        if of_side.any():
            yield side_name, View.of(table, of_side, threshold)
    yield "all", View.of(table, chosen, threshold)
