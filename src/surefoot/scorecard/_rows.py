"""Reduce predictions, a batch at a time, to a small table: a few columns a row, whatever S and K.

Everything else (metrics, sides, slices, intervals) reads only these tables: one for the predictions as a
whole, and a narrower one for each ensemble member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from surefoot import measures
from surefoot._checks import UNLABELLED, Array
from surefoot.errors import InputError
from surefoot.metrics import _proper, _regression
from surefoot.predictions import Predictions, Scan
from surefoot.predictions._validate import Info
from surefoot.scorecard._errors import ErrorRule
from surefoot.scorecard._sides import Sides

Columns = dict[str, Array]

WIDE_CELLS = 64_000_000
"""Averaged probabilities [N, K] are kept up to this many numbers; metrics that need them are left out beyond."""

MEMBER_BYTES = 192_000_000
"""Tables of members held at one time; further members take another pass over the predictions."""

_MEMBER_BYTES_A_ROW = 16

_SHARED = ("set", "side", "target", "labelled")
"""Columns that are the same for the whole and for every member."""


class Source(Protocol):
    """What can be reduced: `Predictions` in memory, or a `Scan` of a file."""

    @property
    def kind(self) -> str: ...
    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def member(self) -> Array: ...
    @property
    def samples(self) -> int: ...
    @property
    def info(self) -> Info: ...
    def __len__(self) -> int: ...
    def batches(self) -> Iterator[Predictions]: ...


@dataclass(frozen=True)
class RowTable:
    """The columns of N rows, and which of them are uncertainty measures."""

    columns: Mapping[str, Array]
    measures: tuple[str, ...]

    def __len__(self) -> int:
        """Number of rows N."""
        return len(self.columns["set"])


def refuse_other(function: str, predictions: object) -> None:
    """A function that takes predictions says so when it is given a file's name or a data frame."""
    if not isinstance(predictions, Predictions | Scan):
        raise InputError(
            f"{function} takes Predictions or a Scan, not {type(predictions).__name__}; read a file with "
            "surefoot.load(path), or make them with surefoot.Predictions.classification(probs, target, …)"
        )


def default_uncertainty(kind: str, samples: int) -> str:
    """The papers' default: entropy of a single classifier, confidence of an ensemble, total variance.

    >>> default_uncertainty("classification", 1), default_uncertainty("classification", 10)
    ('entropy', 'negative_confidence')
    """
    if kind == "regression":
        return "total_variance"
    return "negative_confidence" if samples > 1 else "entropy"


def tables(
    source: Source,
    rule: ErrorRule,
    sides: Sides,
    further: Callable[[Predictions], Columns] = lambda batch: {},
    *,
    uncertainty: str | None = None,
    members: bool = True,
) -> Iterator[RowTable]:
    """The table of the whole, then one for each member (none if there is only one member).

    The whole also gets the `further` columns of every batch. A member is judged by `uncertainty` if a single
    model can tell it, else by its own default. All in one pass over the source if the members fit into memory
    beside the whole, else in several.
    """
    numbers = np.unique(source.member)
    several = members and len(numbers) > 1
    if uncertainty not in _OF_ONE:
        most = max(int(np.count_nonzero(source.member == m)) for m in numbers)
        uncertainty = default_uncertainty(source.kind, most)  # one for all members, whatever their samples
    waiting = [_view_of(np.flatnonzero(source.member == m)) for m in numbers] if several else []
    fit = max(1, MEMBER_BYTES // (_MEMBER_BYTES_A_ROW * len(source)))
    along = waiting if len(waiting) <= fit else []
    wide = len(source) * max(len(source.classes), 1) <= WIDE_CELLS
    yield from _pass(source, rule, sides, [lambda batch: batch, *along], further, wide, uncertainty)
    fit += 1  # in the room of the whole, which the caller has let go of by now
    for start in range(len(along), len(waiting), fit):
        yield from _pass(source, rule, sides, waiting[start : start + fit], None, wide, uncertainty)


def _view_of(samples: Array) -> Callable[[Predictions], Predictions]:
    return lambda batch: batch.take(samples=samples)


def _pass(
    source: Source,
    rule: ErrorRule,
    sides: Sides,
    views: list[Callable[[Predictions], Predictions]],
    further: Callable[[Predictions], Columns] | None,
    wide: bool,
    uncertainty: str,
) -> Iterator[RowTable]:
    """Read the source once and fill one table for every view of it; with `further` the first is the whole."""
    n = len(source)
    filled: list[Columns] = [{} for _ in views]
    names: list[tuple[str, ...]] = [() for _ in views]
    start = 0
    for batch in source.batches():
        sets, side = sides.codes(batch.partition, len(batch), start)
        for i, view in enumerate(views):
            seen = view(batch)
            if further is not None and i == 0:
                columns, names[i] = _REDUCE[batch.kind](seen, rule, start, None, wide)
                columns |= further(batch)
            else:
                columns, names[i] = _REDUCE[batch.kind](seen, rule, start, uncertainty, wide)
            columns |= {"set": sets, "side": side}
            for name, values in columns.items():
                if name not in filled[i]:
                    room = np.empty((n, *values.shape[1:]), values.dtype)
                    filled[i][name] = filled[0].setdefault(name, room) if name in _SHARED else room
                wider = np.result_type(filled[i][name], values)
                if wider != filled[i][name].dtype:  # e.g. a column of errors whose first NaN comes late
                    filled[i][name] = filled[i][name].astype(wider)
                filled[i][name][start : start + len(batch)] = values
        start += len(batch)
        del batch, seen, view, columns, values  # big, and this generator outlives the loop
    while filled:  # hand each table over and let go of it
        yield RowTable(filled.pop(0), names.pop(0))


def _reduce_classification(
    batch: Predictions, rule: ErrorRule, start: int, only: str | None, wide: bool
) -> tuple[Columns, tuple[str, ...]]:
    """Class codes, the target's probability, the error, and the measures."""
    probs = _average(batch.probs)
    known = batch.target >= 0
    target = np.where(known, batch.target, 0)
    predicted = probs.argmax(axis=1)
    rows = np.arange(len(batch))
    columns: Columns = {
        "target": batch.target.astype(_code_type(len(batch.classes))),
        "predicted": predicted.astype(_code_type(len(batch.classes))),
        "correct": np.equal(predicted, batch.target),
        "labelled": np.not_equal(batch.target, UNLABELLED),
        "p_target": np.where(known, probs[rows, target], np.nan).astype(probs.dtype),
    }
    columns["error"] = rule.rows(columns, batch, start)
    if only is None:
        columns["brier_row"] = np.where(known, _proper.brier_rows(probs, target), np.nan).astype(np.float32)
        columns["confidence"] = probs[rows, predicted]
        if wide:
            columns["probs"] = probs
    uncertainties = _classification_measures(batch, only)
    return columns | uncertainties, tuple(uncertainties)


def _classification_measures(batch: Predictions, only: str | None) -> Columns:
    """Every measure for the whole, one for a member."""
    if only is not None:
        return {only: measures.classification(_mean_first(batch.probs), validate=False)[only]}
    several_passes = 1 < len(np.unique(batch.member)) < batch.samples
    found = measures.classification(batch.probs, batch.member if several_passes else None, validate=False)
    return _informative(found, batch)


def _reduce_multilabel(
    batch: Predictions, rule: ErrorRule, start: int, only: str | None, wide: bool
) -> tuple[Columns, tuple[str, ...]]:
    """Decisions about labels, the error, and the measures averaged over labels."""
    probs = _average(batch.probs)
    decided = measures.predicted_labels(probs)
    labelled = ~np.isnan(batch.target.sum(axis=1))
    error = rule.rows({"predicted_labels": decided}, batch, start)
    columns: Columns = {
        "correct": np.count_nonzero(decided != batch.target, axis=1) == 0,
        "labelled": labelled,
        "error": error,
    }
    if wide:
        columns |= {"probs": probs, "labels": batch.target}
    found = measures.multilabel(batch.probs, validate=False)
    uncertainties = _informative(found, batch) if only is None else {only: found[only]}
    return columns | uncertainties, tuple(uncertainties)


def _reduce_regression(
    batch: Predictions, rule: ErrorRule, start: int, only: str | None, wide: bool
) -> tuple[Columns, tuple[str, ...]]:
    """The moment-matched Gaussian, the error, and the measures."""
    found = measures.regression(batch.mean, batch.variance, validate=False)
    prediction, variance = _average(batch.mean), found["total_variance"]
    columns: Columns = {
        "target": batch.target,
        "prediction": prediction,
        "labelled": ~np.isnan(batch.target),
    }
    columns["error"] = rule.rows(columns, batch, start)
    if only is None:
        columns["variance"] = variance
        columns["nll_row"] = _gaussian_nll(prediction, variance, batch.target)
        columns["crps_row"] = _where_labelled(
            _regression.crps_gaussian_rows, prediction, variance, batch.target
        )
    uncertainties = _informative(found, batch) if only is None else {"total_variance": variance}
    return columns | uncertainties, tuple(uncertainties)


def _gaussian_nll(prediction: Array, variance: Array, target: Array) -> Array:
    """Negative log-likelihoods; where the variance is 0 there is no density, and infinity stands for it."""
    spread = np.where(variance > 0, target, np.nan)
    rows = _where_labelled(_regression.gaussian_nll_rows, prediction, variance, spread)
    return np.where((variance > 0) | np.isnan(target), rows, np.inf)


def _where_labelled(score: Callable[[Array, Array, Array], Array], *columns: Array) -> Array:
    """A score of the rows whose target (the last column) is there, NaN for the others."""
    labelled = ~np.isnan(columns[-1])
    out = np.full(len(labelled), np.nan)
    if labelled.any():
        out[labelled] = score(*[column[labelled] for column in columns])
    return out


_REDUCE: Mapping[
    str, Callable[[Predictions, ErrorRule, int, str | None, bool], tuple[Columns, tuple[str, ...]]]
] = {
    "classification": _reduce_classification,
    "multilabel": _reduce_multilabel,
    "regression": _reduce_regression,
}

_OF_ONE = ("entropy", "negative_confidence", "total_variance")
"""Measures that a single prediction can tell, so that members and ensemble can be judged alike."""

_SPREAD = (
    "expected_entropy", "mutual_information", "epkl", "reverse_mutual_information", "model_variance",
    "expected_variance", "variance_of_means",
)  # fmt: skip


def _informative(found: Columns, batch: Predictions) -> Columns:
    """Leave out what a single sample cannot tell, and add the predicted data variance where there is one."""
    if batch.samples == 1:
        found = {
            name: values for name, values in found.items() if name.removesuffix("_predicted") not in _SPREAD
        }
    if "data_variance" in batch.arrays:
        found = found | {"data_variance": _average(batch.data_variance)}
    return found


def _average(values: Array) -> Array:
    """Mean over the samples; a single sample is itself."""
    average: Array = values[0] if len(values) == 1 else values.mean(axis=0)
    return average


def _mean_first(values: Array) -> Array:
    """The average with its samples axis kept."""
    return values if len(values) == 1 else values.mean(axis=0, keepdims=True)


def _code_type(k: int) -> np.dtype[Any]:
    """Narrow integers that hold k class codes and the two negative ones."""
    return np.dtype(np.int8 if k <= 127 else np.int32)
