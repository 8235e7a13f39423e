"""`evaluate`: predictions → scorecard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import choice
from surefoot.errors import InputError
from surefoot.metrics._registry import REGISTRY
from surefoot.scorecard._card import MemberScore, Score, Scorecard
from surefoot.scorecard._curves import view_curves
from surefoot.scorecard._errors import ErrorRule, error_rule
from surefoot.scorecard._rows import RowTable, Source, default_uncertainty, tables
from surefoot.scorecard._sides import IN, SETS, SHIFTED, Sides
from surefoot.scorecard._views import View, views


def evaluate(
    predictions: Source,
    error: str | ArrayLike | None = None,
    threshold: float | None = None,
    uncertainty: str | None = None,
    *,
    in_: Sequence[str] = (),
    shifted: Sequence[str] = (),
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
    rule = error_rule(error, threshold, predictions.kind, len(predictions), len(predictions.classes))
    sides = Sides.naming(in_, shifted)
    found = tables(predictions, rule, sides)
    default = uncertainty or default_uncertainty(predictions.kind, predictions.samples)
    whole = next(found)
    _refuse_absent_sides(whole, in_, shifted)
    choice("uncertainty", default, whole.measures)
    notes = tuple(_notes(whole, rule))
    scores, curves = _whole_scores(whole, rule.threshold, default)
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
    return Scorecard(info=info, rows=scores, members=members, curves=curves, notes=notes)


def _whole_scores(
    table: RowTable, threshold: float | None, default: str
) -> tuple[tuple[Score, ...], dict[str, dict[str, Any]]]:
    """Scores of every view, and the curves of the default measure."""
    scores: list[Score] = []
    curves: dict[str, dict[str, Any]] = {}
    for set_name, side, view in views(table, threshold):
        scores += _plain_scores(set_name, side, view)
        for measure in (default, *(measure for measure in table.measures if measure != default)):
            scores += _measure_scores(set_name, side, view, measure)
            if measure == default:
                curves |= {f"{set_name}/{side}/{name}": curve for name, curve in view_curves(view, measure)}
            view.forget(measure)
    return tuple(scores), curves


def _plain_scores(set_name: str, side: str, view: View) -> Iterator[Score]:
    """Every applicable metric that looks at no uncertainty measure."""
    for metric in (metric for metric in REGISTRY.values() if not metric.per_measure):
        scored = view.score(metric, None)
        if scored is not None:
            yield Score(set_name, side, metric.name, None, *scored)


def _measure_scores(set_name: str, side: str, view: View, measure: str) -> Iterator[Score]:
    """Every applicable metric that judges a measure."""
    for metric in (metric for metric in REGISTRY.values() if metric.per_measure):
        scored = view.score(metric, measure)
        if scored is not None:
            yield Score(set_name, side, metric.name, measure, *scored)


def _member_scores(found: Iterator[RowTable], threshold: float | None) -> Iterator[MemberScore]:
    """Mean and standard deviation of each score over the members, each by its own default measure."""
    values: dict[tuple[str, str, str, str | None], list[float]] = defaultdict(list)
    for table in found:
        for set_name, side, view in views(table, threshold):
            (measure,) = table.measures
            scores = (*_plain_scores(set_name, side, view), *_measure_scores(set_name, side, view, measure))
            for score in scores:
                values[set_name, side, score.metric, score.measure].append(score.value)
    for key, each in values.items():
        # A score can be missing for some members: one that makes no mistake has none to be detected.
        std = float(np.std(each, ddof=1)) if len(each) > 1 else float("nan")
        yield MemberScore(*key, mean=float(np.mean(each)), std=std, members=len(each))


def _refuse_absent_sides(table: RowTable, in_: Sequence[str], shifted: Sequence[str]) -> None:
    """A side that was named must be there."""
    in_test = table.columns["set"] == SETS.index("test")
    for names, code, option in ((in_, IN, "in"), (shifted, SHIFTED, "shifted")):
        if names and not (in_test & (table.columns["side"] == code)).any():
            raise InputError(
                f"no row has the partition {' or '.join(map(repr, names))} that was named as {option}; "
                "check the spelling, or that the file has a partition column"
            )


def _notes(table: RowTable, rule: ErrorRule) -> Iterator[str]:
    """What was left out, and why."""
    columns: Any = table.columns
    labelled = int(np.count_nonzero(columns["labelled"]))
    if labelled < len(table):
        yield f"{len(table) - labelled} of {len(table)} rows are unlabelled: only detection of shift uses them."
    novel = int(np.count_nonzero(columns["target"] == -1)) if "predicted" in columns else 0
    if novel:
        yield f"{novel} rows are of a novel class: wrong by definition, left out of likelihood, F1 and calibration."
    for set_name in (name for code, name in enumerate(SETS) if (columns["set"] == code).any()):
        side = columns["side"][columns["set"] == SETS.index(set_name)]
        if not ((side == IN).any() and (side == SHIFTED).any()):
            missing = "shifted" if (side == IN).any() else "in-domain" if (side == SHIFTED).any() else "named"
            yield f"Set {set_name} has no {missing} side: no detection of shift."
    if rule.threshold is None:
        yield f"The error {rule.name!r} has no threshold: no F1-retention. Give one to say what is acceptable."
    if "predicted" in columns and "probs" not in columns:
        yield "Averaged probabilities are too many to keep: no calibrated or classwise scores. Evaluate a sample."
