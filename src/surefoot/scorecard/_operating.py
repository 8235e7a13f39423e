"""Operating points: an uncertainty up to which predictions are accepted, chosen on one set, judged on another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, choice
from surefoot.errors import InputError
from surefoot.metrics._intervals import interval
from surefoot.metrics._ranking import rank
from surefoot.scorecard._errors import error_rule
from surefoot.scorecard._rows import RowTable, Source, default_uncertainty, refuse_other, tables
from surefoot.scorecard._sides import SETS, SIDES, Sides, one_or_more
from surefoot.scorecard._views import View, views


class Estimate(NamedTuple):
    """A number with its 95 % interval; the ends are None where nothing can be said, as under 20 rows."""

    value: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Acceptance:
    """How a model does on one side of a set if only predictions up to a threshold are accepted.

    Attributes:
        set: the set of rows.
        side: its side.
        coverage: share of all rows that is accepted.
        error: mean error of what is accepted.
        accuracy: share of it that is right; None where there is no right and wrong.
        f1: F1 of taking accepted predictions for acceptable ones; None without a threshold on the error.
    """

    set: str
    side: str
    coverage: Estimate
    error: Estimate | None
    accuracy: Estimate | None
    f1: Estimate | None


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A rule for accepting predictions: those whose uncertainty is at most a threshold.

    Attributes:
        threshold: the largest uncertainty that is accepted.
        measure: the uncertainty measure.
        goal: what was asked for: max_rejected, max_error or min_accuracy.
        wanted: its value.
        set: the set it was chosen on.
        side: the side of that set.
        expected: how the rule does there; on rows it was not chosen on it may do worse.
        settings: how errors were defined, which `apply` goes by.
    """

    threshold: float
    measure: str
    goal: str
    wanted: float
    set: str
    side: str
    expected: Acceptance
    settings: Settings

    def apply(self, predictions: Source, *, set: str | None = None) -> tuple[Acceptance, ...]:
        """Judge the rule on every side of a set (by default all sets) of these or other predictions.

        >>> from surefoot.predictions import Predictions
        >>> p = Predictions.regression([0.0] * 4, [1.0, 2.0, 3.0, 4.0], [0.5, 0.5, 3.0, 0.5])
        >>> point = choose_threshold(p, max_rejected=0.5)
        >>> point.threshold, point.apply(p)[0].error.value
        (2.0, 0.25)
        """
        refuse_other("apply", predictions)
        table, threshold = self.settings.table(predictions)
        choice("uncertainty", self.measure, table.measures)
        found = tuple(
            _operated(view, self.measure, self.threshold, name, side)
            for name, side, view in views(table, threshold)
            if set in (None, name)
        )
        if not found:
            raise InputError(f"there is no set {set!r}; there are {', '.join(_sets(table))}")
        return found


@dataclass(frozen=True, eq=False)
class Settings:
    """What an error is, and which partition is on which side."""

    error: str | ArrayLike | None
    acceptable: float | None
    in_: tuple[str, ...]
    shifted: tuple[str, ...]

    def table(self, predictions: Source, *, all_named: bool = False) -> tuple[RowTable, float | None]:
        """The rows of some predictions, and the largest acceptable error; `all_named`: every named side must occur."""
        rule = error_rule(
            self.error, self.acceptable, predictions.kind, len(predictions), len(predictions.classes)
        )
        sides = Sides.naming(self.in_, self.shifted)
        table = next(tables(predictions, rule, sides, members=False))
        if all_named:
            sides.refuse_absent(self.in_, self.shifted)
        return table, rule.threshold


def choose_threshold(
    predictions: Source,
    *,
    max_rejected: float | None = None,
    max_error: float | None = None,
    min_accuracy: float | None = None,
    uncertainty: str | None = None,
    set: str | None = None,
    side: str = "all",
    error: str | ArrayLike | None = None,
    threshold: float | None = None,
    in_: str | Sequence[str] = (),
    shifted: str | Sequence[str] = (),
) -> OperatingPoint:
    """Choose up to which uncertainty predictions are accepted, for one goal, on one set (dev, or the only one).

    - ``max_rejected``: reject the most uncertain rows, at most this share of all.
    - ``max_error``: accept as many as possible while the mean error of what is accepted is at most this.
    - ``min_accuracy``: accept as many as possible while at least this share of what is accepted is right.

    Rows of equal uncertainty are accepted or rejected together. A goal that no threshold reaches is refused,
    with the best value that one does. The point is chosen to look well on its set: judge it on another one,
    `OperatingPoint.apply`. ``threshold`` is the largest acceptable error, as for `evaluate`, as are ``error``,
    ``uncertainty``, ``in_`` and ``shifted``. Malinin et al. 2021 (Shifts), appendix A; Geifman & El-Yaniv 2017.

    >>> from surefoot.predictions import Predictions
    >>> p = Predictions.classification(
    ...     [[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0.55, 0.45]], [0, 0, 1, 1], partition=["dev_in"] * 4
    ... )
    >>> point = choose_threshold(p, min_accuracy=1.0)
    >>> point.measure, round(point.threshold, 3), point.expected.coverage.value
    ('entropy', 0.673, 0.75)
    """
    refuse_other("choose_threshold", predictions)
    given = {"max_rejected": max_rejected, "max_error": max_error, "min_accuracy": min_accuracy}
    goals = {name: value for name, value in given.items() if value is not None}
    if len(goals) != 1:
        raise InputError(f"give one goal, {', '.join(given)}; {len(goals)} were given")
    ((goal, wanted),) = goals.items()
    _refuse_nonsense(goal, wanted)
    choice("side", side, SIDES)
    settings = Settings(error, threshold, one_or_more(in_), one_or_more(shifted))
    table, acceptable = settings.table(predictions, all_named=True)
    measure = uncertainty or default_uncertainty(predictions.kind, predictions.samples)
    choice("uncertainty", measure, table.measures)
    chosen_on = set or _set_to_choose_on(table)
    view = _the_view(table, acceptable, chosen_on, side)
    chosen = _GOALS[goal](view, measure, wanted)
    expected = _operated(view, measure, chosen, chosen_on, side)
    return OperatingPoint(chosen, measure, goal, wanted, chosen_on, side, expected, settings)


def _refuse_nonsense(goal: str, wanted: float) -> None:
    if goal == "max_rejected" and not 0 <= wanted < 1:
        raise InputError(f"max_rejected must be a share of the rows, at least 0 and below 1, not {wanted}")
    if goal == "min_accuracy" and not 0 <= wanted <= 1:
        raise InputError(f"min_accuracy must be a share between 0 and 1, not {wanted}")
    if not np.isfinite(wanted):
        raise InputError(f"max_error must be a finite number on the scale of the errors, not {wanted}")


def _set_to_choose_on(table: RowTable) -> str:
    """The only set there is, else dev."""
    found = tuple(_sets(table))
    return found[0] if len(found) == 1 else "dev"


def _the_view(table: RowTable, acceptable: float | None, set_name: str, side: str) -> View:
    for name, of_side, view in views(table, acceptable):
        if (name, of_side) == (set_name, side):
            return view
    raise InputError(
        f"there are no rows of set {set_name!r}, side {side!r}, to choose a threshold on; sets here are "
        f"{', '.join(_sets(table))}: name one with set= (--on on the command line)"
    )


def _sets(table: RowTable) -> Iterator[str]:
    return (name for code, name in enumerate(SETS) if (table.columns["set"] == code).any())


def _rejecting_at_most(view: View, measure: str, share: float) -> float:
    """The smallest uncertainty that covers enough rows."""
    values = np.sort(view.column(measure, "all"))
    # A hair less, so that 0.05 of 100 rows are 5 in spite of rounding.
    needed = max(int(np.ceil((1 - share) * len(values) - 1e-9)), 1)
    return float(values[needed - 1])


def _erring_at_most(view: View, measure: str, most: float) -> float:
    if not view.size("scored"):
        raise InputError(
            "no row has an error, so max_error says nothing; label some rows, or use max_rejected"
        )
    found = _widest(view, "scored", measure, view.column("error", "scored"), most)
    if isinstance(found, _Unreachable):
        raise InputError(
            f"max_error={most:g} is not reachable: the lowest mean error is {found.value:.4g}, of the "
            f"{found.coverage:.1%} most certain rows; ask for {found.value:.4g} or more"
        )
    return found


def _right_at_least(view: View, measure: str, share: float) -> float:
    if not view.holds("correct"):
        raise InputError(
            "min_accuracy needs predictions that are right or wrong; for regression use max_error"
        )
    if not view.size("labelled"):
        raise InputError("no row is labelled, so min_accuracy says nothing; label some, or use max_rejected")
    wrong = ~view.column("correct", "labelled")
    found = _widest(view, "labelled", measure, wrong, 1 - share)
    if isinstance(found, _Unreachable):
        raise InputError(
            f"min_accuracy={share:g} is not reachable: the highest is {1 - found.value:.4g}, of the "
            f"{found.coverage:.1%} most certain rows; ask for {1 - found.value:.4g} or less"
        )
    return found


_GOALS = {"max_rejected": _rejecting_at_most, "max_error": _erring_at_most, "min_accuracy": _right_at_least}


class _Unreachable(NamedTuple):
    """The lowest mean that any threshold reaches, and the share of rows it covers."""

    value: float
    coverage: float


def _widest(view: View, group: str, measure: str, values: Array, most: float) -> float | _Unreachable:
    """The largest uncertainty up to which the mean of the values is at most so much."""
    ranking = rank(view.column(measure, group))
    ends = ranking.bounds[1:]
    means = ranking.running(ranking.arrange(values), spread=False).take(ends) / ends
    reached = np.flatnonzero(means <= most + 1e-12 * max(abs(most), 1))
    if not reached.size:
        best = int(means.argmin())
        return _Unreachable(float(means[best]), float(ends[best] / len(ranking)))
    last = ends[reached[-1]] - 1
    return float(ranking.uncertainty[ranking.order[last]])


def _operated(view: View, measure: str, threshold: float, set_name: str, side: str) -> Acceptance:
    """How accepting up to the threshold does on the rows of a view."""
    covered = _accepted(view, "all", measure, threshold)
    error = accuracy = f1 = None
    if view.size("scored"):
        accepted = _accepted(view, "scored", measure, threshold)
        errors = view.column("error", "scored")
        error = _mean(errors[accepted])
        if view.threshold is not None:
            f1 = _f1(accepted, errors <= view.threshold)
    if view.holds("correct") and view.size("labelled"):
        accepted = _accepted(view, "labelled", measure, threshold)
        accuracy = _mean(view.column("correct", "labelled")[accepted])
    coverage = _estimate(float(covered.mean()), covered)
    return Acceptance(set_name, side, coverage, error, accuracy, f1)


def _accepted(view: View, group: str, measure: str, threshold: float) -> Array:
    accepted: Array = view.column(measure, group).astype(np.float64) <= threshold
    return accepted


def _mean(values: Array) -> Estimate | None:
    """A mean with its interval, Wilson's where the values are right or wrong; None of nothing."""
    if not len(values):
        return None
    shares = bool(((values == 0) | (values == 1)).all())
    values = values.astype(np.bool_) if shares else values
    return _estimate(float(values.mean(dtype=np.float64)), values)


def _f1(accepted: Array, acceptable: Array) -> Estimate:
    """2 hits / (accepted + acceptable), and its interval from the rows' influence on this ratio."""
    hits, both = accepted & acceptable, accepted.astype(np.int64) + acceptable
    if not both.any():
        return Estimate(0.0, None, None, len(hits))
    value = 2 * hits.sum() / both.sum()
    found = _estimate(float(value), (2 * hits - value * both) / both.mean())
    clip = [None if end is None else float(np.clip(end, 0, 1)) for end in (found.low, found.high)]
    return Estimate(found.value, clip[0], clip[1], found.n)


def _estimate(value: float, influence: Array) -> Estimate:
    ends = interval(value, influence)
    low, high = ends or (None, None)
    return Estimate(value, low, high, len(influence))
