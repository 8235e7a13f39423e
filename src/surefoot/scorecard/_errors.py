"""What counts as an error: a number per row, and the threshold up to which a prediction is acceptable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, array, as_array, rows
from surefoot.errors import InputError
from surefoot.predictions import Predictions

DEFAULT_ERROR = {"classification": "zero_one", "multilabel": "hamming", "regression": "squared"}
THRESHOLDS = {"zero_one": 0.0, "hamming": 0.0, "squared": 1.0}
"""Published thresholds where there is one: 0 on the 0/1 error, 1.0 on the squared error (one degree)."""

_KINDS = {
    "zero_one": "classification",
    "hamming": "multilabel",
    "squared": "regression",
    "absolute": "regression",
}


@dataclass(frozen=True)
class ErrorRule:
    """How to get the error of every row of a batch.

    NaN where nobody has labelled; booleans, which have no NaN, say nothing there.
    """

    name: str
    threshold: float | None
    of: Callable[[Mapping[str, Array], Predictions, int], Array]
    """(columns of the batch, the batch, number of its first row) → one error a row."""

    def rows(self, columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
        """The errors of a batch, none of them infinite."""
        errors = self.of(columns, batch, start)
        if errors.dtype != np.bool_ and np.isinf(errors).any():
            raise InputError(
                f"error {self.name!r} is infinite in {rows(np.isinf(errors), first=start)}; give finite errors, or "
                "NaN where there is none"
            )
        return errors


def error_columns(error: str | ArrayLike | None) -> list[str]:
    """The metadata columns that an `error` argument reads.

    >>> error_columns("squared"), error_columns("harm")
    ([], ['harm'])
    """
    return [error] if isinstance(error, str) and error not in _KINDS else []


def error_rule(
    error: str | ArrayLike | None, threshold: float | None, kind: str, n: int, classes: int
) -> ErrorRule:
    """Read the `error` argument: a name, a cost matrix [K, K], an array [N], or a metadata column's name."""
    if threshold is not None and not np.isfinite(threshold):
        raise InputError(f"threshold must be a finite number, not {threshold}")
    if error is None:
        error = DEFAULT_ERROR[kind]
    if isinstance(error, str):
        if error not in _KINDS:
            return ErrorRule(error, threshold, _from_metadata(error))
        if _KINDS[error] != kind:
            fitting = ", ".join(name for name, for_kind in _KINDS.items() if for_kind == kind)
            raise InputError(f"error {error!r} is for {_KINDS[error]}; for {kind} use {fitting} or an array")
        return ErrorRule(error, THRESHOLDS.get(error) if threshold is None else threshold, _NAMED[error])
    given = as_array("error", error)
    if given.ndim == 2 and kind == "classification":
        return ErrorRule("cost_matrix", threshold, _from_costs(given, classes))
    given = array("error", given, 1).astype(np.float64)
    if len(given) != n:
        raise InputError(
            f"error has {len(given)} entries, but the predictions have {n} rows; give one per row"
        )
    return ErrorRule("given", threshold, lambda columns, batch, start: given[start : start + len(batch)])


def _zero_one(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
    wrong: Array = ~columns["correct"]
    return wrong


def _hamming(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
    wrong = columns["predicted_labels"] != batch.target
    return np.where(np.isnan(batch.target).any(axis=1), np.nan, wrong.mean(axis=1))


def _squared(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
    squared: Array = np.square(columns["prediction"] - batch.target)
    return squared


def _absolute(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
    distance: Array = np.abs(columns["prediction"] - batch.target)
    return distance


_NAMED = {"zero_one": _zero_one, "hamming": _hamming, "squared": _squared, "absolute": _absolute}


def _from_costs(given: Array, k: int) -> Callable[[Mapping[str, Array], Predictions, int], Array]:
    costs = array("error", given, 2).astype(np.float64)
    if costs.shape != (k, k):
        raise InputError(
            f"the cost matrix has shape {costs.shape}, but there are {k} classes; give [{k}, {k}]"
        )
    usable = np.isfinite(costs) & (costs >= 0)
    if not usable.all():
        bad = rows(np.logical_not(usable.all(axis=1)))
        raise InputError(f"the cost matrix is negative or not finite in {bad} (true class); costs are ≥ 0")

    def of(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
        # A novel class has no row in the matrix, so its cost is not known.
        known = batch.target >= 0
        return np.where(known, costs[np.where(known, batch.target, 0), columns["predicted"]], np.nan)

    return of


def _from_metadata(name: str) -> Callable[[Mapping[str, Array], Predictions, int], Array]:
    def of(columns: Mapping[str, Array], batch: Predictions, start: int) -> Array:
        if name not in batch.metadata:
            named = ", ".join(_KINDS)
            raise InputError(
                f"error {name!r} is neither one of {named} nor a metadata column "
                f"({', '.join(batch.metadata) or 'there are none'})"
            )
        values = batch.metadata[name]
        if values.dtype.kind not in "biuf":
            raise InputError(f"error column {name!r} has dtype {values.dtype}; numbers are needed")
        return values

    return of
