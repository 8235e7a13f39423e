"""`evaluate`: predictions → scorecard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array, choice, rows
from surefoot.errors import InputError
from surefoot.metrics._intervals import LEVEL
from surefoot.metrics._registry import REGISTRY
from surefoot.predictions import Predictions, Scan
from surefoot.scorecard._card import MemberScore, Score, Scorecard
from surefoot.scorecard._curves import view_curves
from surefoot.scorecard._errors import ErrorRule, error_rule
from surefoot.scorecard._rows import RowTable, default_uncertainty, refuse_other, tables
from surefoot.scorecard._sides import IN, SETS, SHIFTED, Sides, evaluation_set, one_or_more
from surefoot.scorecard._slices import SMALL, Slicer
from surefoot.scorecard._views import View, side_views, views


def evaluate(
    predictions: Predictions | Scan,
    error: str | ArrayLike | None = None,
    threshold: float | None = None,
    uncertainty: str | None = None,
    *,
    in_: str | Sequence[str] = (),
    shifted: str | Sequence[str] = (),
    slices: str | Sequence[str] = (),
    intervals: bool = True,
) -> Scorecard:
    """Score predictions and their uncertainty, for every set, side and measure.

    Args:
        predictions: `Predictions`, or a `Scan` of a file that is to be streamed.
        error: what an error is: "zero_one", "squared", "absolute", "hamming", a cost matrix [true, predicted],
            one number a row, or the name of a metadata column. Default: 0/1, squared, or Hamming error.
        threshold: error up to which a prediction is acceptable. Default: 0 for the 0/1 and Hamming error, 1.0
            for the squared error; other errors have none, and then no F1-retention.
        uncertainty: the measure that stands for the model's uncertainty. Default as in Malinin et al. 2021:
            entropy of a single classifier, negative confidence of an ensemble, total variance of a regressor.
        in_: further partition names that are in-domain.
        shifted: further partition names that are shifted.
        slices: metadata columns; the evaluation set is also scored for each of their values on its own (numbers
            of more than 50 values, or with fractions, in four parts cut at their quartiles).
        intervals: whether each score gets its 95 % interval, `low` and `high`. They come from the influence of
            every row on the score, which agrees with resampling and costs one pass; of more than 50,000 rows
            from that many, drawn at random with a fixed seed.

    >>> from surefoot.predictions import Predictions
    >>> p = Predictions.classification(
    ...     [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]],
    ...     [0, 1, 1, 1],
    ...     partition=["in", "in", "shifted", "shifted"],
    ... )
    >>> card = evaluate(p)
    >>> card["in.accuracy"], card["shifted.accuracy"], card["auroc@entropy"]
    (1.0, 0.0, 1.0)
    """
    refuse_other("evaluate", predictions)
    rule = error_rule(error, threshold, predictions.kind, len(predictions), len(predictions.classes))
    sides = Sides.naming(in_, shifted)
    slicer = Slicer(one_or_more(slices))
    found = tables(predictions, rule, sides, slicer.columns, uncertainty=uncertainty)
    default = uncertainty or default_uncertainty(predictions.kind, predictions.samples)
    whole = next(found)
    sides.refuse_absent(in_, shifted)
    choice("uncertainty", default, whole.measures)
    whole, unusable = _usable(whole, default)
    notes = (*_notes(whole, rule), *unusable)
    scores, curves = _whole_scores(whole, rule.threshold, default, intervals)
    if not scores:
        raise InputError(
            "there is nothing to score: no row has a target, and no set has an in-domain and a shifted side; "
            "give targets, or a partition"
        )
    sliced, small = _slice_scores(whole, rule.threshold, default, intervals, slicer)
    del whole  # the members' tables need the room
    members = tuple(_member_scores(found, rule.threshold))
    info = {
        **predictions.info,
        "kind": predictions.kind,
        "rows": len(predictions),
        "samples": predictions.samples,
        "members": len(np.unique(predictions.member)),
        "error": rule.name,
        "uncertainty": default,
    }
    if rule.threshold is not None:
        info["threshold"] = rule.threshold
    if intervals:
        info["interval"] = LEVEL
    return Scorecard(
        info=info, rows=scores + sliced, members=members, curves=curves, notes=notes + tuple(small)
    )


def _whole_scores(
    table: RowTable, threshold: float | None, default: str, intervals: bool
) -> tuple[tuple[Score, ...], dict[str, dict[str, Any]]]:
    """Scores of every view, and the curves of the default measure."""
    scores: list[Score] = []
    curves: dict[str, dict[str, Any]] = {}
    for set_name, side, view in views(table, threshold):
        score = partial(_scores, view, intervals, set=set_name, side=side)
        scores += score(None)
        for measure in (default, *(measure for measure in table.measures if measure != default)):
            scores += score(measure)
            if measure == default:
                curves |= {f"{set_name}/{side}/{name}": curve for name, curve in view_curves(view, measure)}
            view.forget(measure)
    return tuple(scores), curves


def _slice_scores(
    table: RowTable, threshold: float | None, default: str, intervals: bool, slicer: Slicer
) -> tuple[tuple[Score, ...], list[str]]:
    """Scores of every slice of the evaluation set, and a note that names the small ones."""
    sets = table.columns["set"]
    code = SETS.index(evaluation_set([name for code, name in enumerate(SETS) if (sets == code).any()]))
    scores: list[Score] = []
    small: list[str] = []
    for name, chosen in slicer.slices(table, sets == code):
        for side, view in side_views(table, chosen, threshold):
            for measure in (None, default):
                scores += _scores(view, intervals, measure, set=SETS[code], side=side, slice=name)
        labelled = int(np.count_nonzero(chosen & table.columns["labelled"]))
        if labelled < SMALL:
            small.append(f"{name} ({labelled})")
    return tuple(scores), [_small_slices(small)] if small else []


def _scores(view: View, intervals: bool, measure: str | None, **place: Any) -> Iterator[Score]:
    """Every applicable metric: those that judge the measure, or without one those that look at none."""
    for metric in (metric for metric in REGISTRY.values() if metric.per_measure == (measure is not None)):
        scored = view.score(metric, measure)
        if scored is not None:
            value, n = scored
            low, high = (view.interval(metric, measure, value) if intervals else None) or (None, None)
            yield Score(metric=metric.name, measure=measure, value=value, n=n, low=low, high=high, **place)


def _member_scores(found: Iterator[RowTable], threshold: float | None) -> Iterator[MemberScore]:
    """Mean and standard deviation of each score over the members, each by its own default measure."""
    values: dict[tuple[str, str, str, str | None], list[float]] = defaultdict(list)
    for table in found:
        for set_name, side, view in views(table, threshold):
            (measure,) = table.measures
            for judged in (None, measure):
                for score in _scores(view, False, judged, set=set_name, side=side):
                    values[set_name, side, score.metric, score.measure].append(score.value)
    for key, each in values.items():
        # A score can be missing for some members: one that makes no mistake has none to be detected.
        std = float(np.std(each, ddof=1)) if len(each) > 1 else float("nan")
        yield MemberScore(*key, mean=float(np.mean(each)), std=std, members=len(each))


def _usable(table: RowTable, default: str) -> tuple[RowTable, list[str]]:
    """The table without measures that are infinite somewhere, as knowledge is where a variance is 0."""
    infinite = [name for name in table.measures if not np.isfinite(table.columns[name]).all()]
    if default in infinite:
        raise InputError(
            f"uncertainty {default!r} is not finite in {rows(~np.isfinite(table.columns[default]))}; give these "
            "rows a variance above 0, or name another measure"
        )
    notes = [
        f"The measure {name} is infinite for some rows, where a variance is 0: left out." for name in infinite
    ]
    return replace(table, measures=tuple(name for name in table.measures if name not in infinite)), notes


def _small_slices(small: list[str]) -> str:
    named = ", ".join(small[:5]) + (f" and {len(small) - 5} more" if len(small) > 5 else "")
    return f"Slices with fewer than {SMALL} labelled rows, to be read with care: {named}."


def _notes(table: RowTable, rule: ErrorRule) -> Iterator[str]:
    """What was left out, and why."""
    columns: Any = table.columns
    labelled = int(np.count_nonzero(columns["labelled"]))
    if labelled < len(table):
        yield f"{len(table) - labelled} of {len(table)} rows are unlabelled: only detection of shift uses them."
    novel = int(np.count_nonzero(columns["target"] == -1)) if "predicted" in columns else 0
    if novel:
        yield f"{novel} rows are of a novel class: wrong by definition, left out of likelihood, F1 and calibration."
    yield from _notes_on_errors(columns, rule)
    if "labels" in columns and (columns["labels"].sum(axis=1) == 0).any():
        bare = int(np.count_nonzero(columns["labels"].sum(axis=1) == 0))
        yield (
            f"{bare} rows have no label at all. A prediction names at least one, the most probable, as in Van "
            "Landeghem et al. 2022: these rows count as wrong."
        )
    for set_name in (name for code, name in enumerate(SETS) if (columns["set"] == code).any()):
        side = columns["side"][columns["set"] == SETS.index(set_name)]
        if not ((side == IN).any() and (side == SHIFTED).any()):
            missing = "shifted" if (side == IN).any() else "in-domain" if (side == SHIFTED).any() else "named"
            yield f"Set {set_name} has no {missing} side: no detection of shift."
    if "nll_row" in columns and np.isinf(columns["nll_row"]).any():
        certain = int(np.count_nonzero(np.isinf(columns["nll_row"])))
        yield f"{certain} rows have a variance of 0, where a Gaussian has no density: gaussian_nll is infinite."
    if rule.threshold is None:
        yield f"The error {rule.name!r} has no threshold: no F1-retention. Give one to say what is acceptable."
    if "predicted" in columns and "probs" not in columns:
        yield "Averaged probabilities are too many to keep: no calibrated or classwise scores. Evaluate a sample."


_FEW = 0.02
"""A threshold that fewer than this share of the rows, or all but this share, keep says little."""


def _notes_on_errors(columns: Mapping[str, Array], rule: ErrorRule) -> Iterator[str]:
    """Rows without an error, and a threshold that is off the scale of the errors."""
    error = columns["error"][columns["labelled"]].astype(np.float64)
    missing = int(np.count_nonzero(np.isnan(error)))
    if missing:
        why = "a novel class has no cost" if rule.name == "cost_matrix" else "NaN"
        yield f"{missing} labelled rows have no error ({why}): left out of mean_error and retention."
    if rule.threshold and missing < len(error):
        share = float(np.mean(error[~np.isnan(error)] <= rule.threshold))
        if not _FEW <= share <= 1 - _FEW:
            yield (
                f"{share:.1%} of the errors are acceptable, up to {rule.threshold:g}: F1-retention says little. Give "
                "a threshold on the scale of the errors."
            )
