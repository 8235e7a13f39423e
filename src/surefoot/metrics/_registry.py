"""The registry: for every metric its direction, bounds, meaning, what it needs and whether it may rank models.

Nothing is scored from whole predictions. Each batch of rows is first reduced to the columns below, one
value (or one short row) an input, and a metric names the columns it needs:

========================  ===========================================================================
`error`                   the chosen error, a number a row
`correct`                 prediction equals target (every label of it, for multilabel)
`predicted`, `target`     class codes; for regression `prediction` and `target` are values
`p_target`                probability of the target class
`brier_row`               Brier score of the row, summed over classes
`confidence`              highest probability
`nll_row`, `crps_row`     Gaussian scores of the row; `variance` is the total predicted variance
`probs`, `labels`         averaged probabilities [N, K], multilabel targets [N, K]: kept while they fit
`uncertainty`             the measure the score is for
`is_shifted`, `is_novel`  which rows come from the shifted side, or from an unknown class
========================  ===========================================================================

Some columns are worked out of others once and shared (`retention`, `detection`, `recalibrated`, …); see
`surefoot.scorecard`. A new metric is one function in its own file, its test, and one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from surefoot._checks import EPSILON, Array
from surefoot.errors import InputError
from surefoot.metrics import _calibration, _estimation, _f1, _multilabel, _regression, _rejection
from surefoot.metrics import _influence as _of_row
from surefoot.metrics import _influence_calibration as _of_bin
from surefoot.metrics import _influence_ranking as _of_rank

_OWN_PROBLEM = (
    "every model makes mistakes of its own, so every model poses a detection problem of its own; "
    "compare f1_auc, r_auc or au_arc instead"
)
_TEMPERATURE = (
    "it depends on the temperature, and an unfit temperature can turn any ranking round; "
    "compare calibrated_log_likelihood or calibrated_brier instead"
)
_BIASED = (
    "it is a biased estimate whose bias differs between models and bins; read it for one model, "
    "compare calibrated_log_likelihood instead"
)
_CONFIDENCE_LEVELS = (
    "models with different temperatures keep different numbers of inputs at one confidence; "
    "compare accuracy_rejection (au_arc) instead"
)


@dataclass(frozen=True)
class Metric:
    """What there is to know about a metric."""

    name: str
    meaning: str
    function: str
    """The public function behind it, in `surefoot.metrics`."""
    higher_is_better: bool | None
    bounds: tuple[float, float]
    needs: tuple[str, ...]
    score: Callable[..., float] | None
    """From the needed columns to the number; None for what is a curve only."""
    influence: Callable[..., Array] | None = None
    """From the columns it `reads` to the influence of every row (see `surefoot.metrics.influence`)."""
    over: str = "labelled"
    """Which rows take part: "all", "labelled" ones, or those with a "known" class (novel ones left out)."""
    not_comparable: str = ""
    """Why it may not be compared across models and what to compare instead; empty if it may."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of rows that it is worked out from, in the end."""
        return tuple(column for name in self.needs for column in _MADE_FROM.get(name, (name,)))

    @property
    def comparable(self) -> bool:
        """Whether models may be ranked by it."""
        return not self.not_comparable

    @property
    def per_measure(self) -> bool:
        """Whether it judges an uncertainty measure, so that there is one score for each."""
        return bool({"uncertainty", "retention", "detection", "novelty", "mistakes"} & set(self.needs))

    @property
    def direction(self) -> str:
        """An arrow that points to better."""
        return {True: "↑", False: "↓", None: ""}[self.higher_is_better]


_MADE_FROM = {
    "retention": ("error", "uncertainty"),
    "detection": ("uncertainty", "is_shifted"),
    "novelty": ("uncertainty", "is_novel"),
    "mistakes": ("uncertainty", "is_wrong"),
    "recalibrated": ("probs", "target"),
}
"""Shared columns, and what they are worked out from."""

_INF = float("inf")
_UNIT = (0.0, 1.0)
_INTERVAL = 0.05
"""Gaussian intervals are scored at 1 − 0.05 = 95 %."""


def _mean(values: Any) -> float:
    return float(np.mean(values, dtype=np.float64))


def _mean_log(p_target: Any) -> float:
    return _mean(np.log(p_target + p_target.dtype.type(EPSILON)))


_Pair = tuple[Callable[..., float], Callable[..., Array]]
"""A score, and the influence of every row on it."""


def _interval(score: Callable[..., float], rows: Callable[..., Array]) -> _Pair:
    """A score of the central 95 % intervals (low, high) of Gaussians, and of the target where it takes one."""

    def interval(prediction: Any, variance: Any) -> tuple[Array, Array]:
        return _regression.gaussian_interval(prediction, variance, alpha=_INTERVAL)

    return (
        lambda prediction, variance, *target: score(*interval(prediction, variance), *target),
        lambda prediction, variance, *target: rows(*interval(prediction, variance), *target),
    )


def _interval_score(lower: Any, upper: Any, target: Any) -> float:
    return _regression.interval_score(lower, upper, target, alpha=_INTERVAL)


def _multilabel_f1(average: str) -> _Pair:
    return (
        lambda probs, labels: _multilabel.multilabel_f1(probs, labels, average=average),
        lambda probs, labels: _of_row.multilabel_f1(probs, labels, average),
    )


# fmt: off
_ENTRIES = (
    # How good are the predictions?
    Metric("accuracy", "share of inputs predicted right; a novel class counts as wrong", "accuracy",
           True, _UNIT, ("correct",), _mean, _of_row.mean),
    Metric("mean_error", "mean of the chosen error", "error_retention",
           False, (0, _INF), ("error",), _mean, _of_row.mean),
    Metric("macro_f1", "F1 of each class that occurs, averaged over classes", "macro_f1",
           True, _UNIT, ("predicted", "target"), _f1.macro_f1_from_codes, _of_row.macro_f1,
           over="known"),
    Metric("rmse", "root of the mean squared error", "rmse",
           False, (0, _INF), ("prediction", "target"), _regression.rmse, _of_row.root_mean_square),
    Metric("mae", "mean absolute error", "mae",
           False, (0, _INF), ("prediction", "target"), _regression.mae, _of_row.absolute),
    Metric("multilabel_macro_f1", "F1 of each label, averaged over labels", "multilabel_f1",
           True, _UNIT, ("probs", "labels"), *_multilabel_f1("macro")),
    Metric("multilabel_micro_f1", "F1 of all decisions about labels together", "multilabel_f1",
           True, _UNIT, ("probs", "labels"), *_multilabel_f1("micro")),
    # How good are the probabilities?
    Metric("log_likelihood", "mean log-probability of the target, as the model gives it", "log_likelihood",
           True, (-_INF, 0), ("p_target",), _mean_log, _of_row.mean_log, over="known",
           not_comparable=_TEMPERATURE),
    Metric("brier", "squared distance of the probabilities from the target, summed over classes", "brier",
           False, (0, 2), ("brier_row",), _mean, _of_row.mean, over="known", not_comparable=_TEMPERATURE),
    Metric("calibrated_log_likelihood", "log-likelihood at the best temperature, by test-time cross-validation",
           "calibrated", True, (-_INF, 0), ("recalibrated",), lambda r: r["log_likelihood"].mean,
           _of_bin.calibrated_log_likelihood, over="known"),
    Metric("calibrated_brier", "Brier score at the best temperature, by test-time cross-validation",
           "calibrated", False, (0, 2), ("recalibrated",), lambda r: r["brier"].mean,
           _of_bin.calibrated_brier, over="known"),
    Metric("temperature", "best temperature; above 1 the model is overconfident, below 1 underconfident",
           "fit_temperature", None, (0, _INF), ("recalibrated",), lambda r: _mean(r["brier"].temperatures),
           _of_bin.temperature, over="known"),
    Metric("ece", "gap between confidence and accuracy, 15 equal bins", "ece",
           False, _UNIT, ("confidence", "correct"), _calibration.binned_error, _of_bin.ece, over="known",
           not_comparable=_BIASED),
    Metric("sce", "calibration error of every class's probabilities, 15 equal bins", "sce",
           False, _UNIT, ("probs", "target"), _calibration.sce, _of_bin.sce, over="known",
           not_comparable=_BIASED),
    Metric("ace", "calibration error of every class's probabilities, 15 bins of equal count", "ace",
           False, _UNIT, ("probs", "target"), _calibration.ace, _of_bin.ace, over="known",
           not_comparable=_BIASED),
    Metric("tace", "the same for probabilities above 0.001 only", "tace",
           False, _UNIT, ("probs", "target"), _calibration.tace, _of_bin.tace, over="known",
           not_comparable=_BIASED),
    Metric("multilabel_log_likelihood", "mean log-probability of the truth, averaged over labels",
           "multilabel_log_likelihood", True, (-_INF, 0), ("probs", "labels"),
           _multilabel.multilabel_log_likelihood, _multilabel.multilabel_log_likelihood_rows,
           not_comparable=_TEMPERATURE),
    Metric("multilabel_brier", "squared distance of the probabilities from the truth, averaged over labels",
           "multilabel_brier", False, _UNIT, ("probs", "labels"), _multilabel.multilabel_brier,
           _multilabel.multilabel_brier_rows, not_comparable=_TEMPERATURE),
    Metric("multilabel_ece", "gap between probability and frequency, averaged over labels", "multilabel_ece",
           False, _UNIT, ("probs", "labels"), _multilabel.multilabel_ece, _of_bin.multilabel_ece,
           not_comparable=_BIASED),
    Metric("gaussian_nll", "negative log-likelihood of a Gaussian with the total variance", "gaussian_nll",
           False, (-_INF, _INF), ("nll_row",), _mean, _of_row.mean),
    Metric("crps_gaussian", "continuous ranked probability score of the same Gaussian", "crps_gaussian",
           False, (0, _INF), ("crps_row",), _mean, _of_row.mean),
    Metric("interval_score", "width of the 95 % interval plus a penalty for each miss", "interval_score",
           False, (0, _INF), ("prediction", "variance", "target"),
           *_interval(_interval_score, _of_row.interval_score(_INTERVAL))),
    Metric("picp", "share of targets inside the 95 % interval; best at 0.95", "picp",
           None, _UNIT, ("prediction", "variance", "target"), *_interval(_regression.picp, _of_row.inside)),
    Metric("mpiw", "mean width of the 95 % interval", "mpiw",
           False, (0, _INF), ("prediction", "variance"), *_interval(_regression.mpiw, _of_row.width),
           not_comparable="a narrow interval that misses is no merit; compare interval_score instead"),
    # Does the model know when it is wrong?
    Metric("r_auc", "area under the error-retention curve", "r_auc",
           False, (0, _INF), ("retention",), lambda r: r.r_auc, _of_rank.r_auc),
    Metric("rejection_ratio", "how far the ranking is from random (0) to optimal (1)", "error_retention",
           True, (-_INF, 1), ("retention",), lambda r: r.rejection_ratio, _of_rank.rejection_ratio,
           not_comparable="it leaves the quality of the predictions out; compare r_auc or f1_auc instead"),
    Metric("f1_auc", "area under the F1-retention curve", "f1_auc",
           True, _UNIT, ("retention", "threshold"), lambda r, _: r.f1_auc, _of_rank.f1_auc),
    Metric("f1_at_95", "F1 of telling acceptable predictions when the surest 95 % are kept", "f1_at",
           True, _UNIT, ("retention", "threshold"), lambda r, _: r.f1_at_95, _of_rank.f1_at),
    Metric("au_arc", "area under the accuracy-rejection curve", "au_arc",
           True, _UNIT, ("correct", "uncertainty"), _rejection.au_arc, _of_rank.aurc),
    Metric("aurc", "area under the risk-coverage curve", "aurc",
           False, (0, _INF), ("error", "uncertainty"), _rejection.aurc, _of_rank.aurc, not_comparable=_TEMPERATURE),
    Metric("misclassification_auroc", "AUROC of telling wrong from right predictions", "misclassification_auroc",
           True, _UNIT, ("mistakes",), lambda d: d.auroc, _of_rank.auroc, not_comparable=_OWN_PROBLEM),
    Metric("misclassification_aupr", "average precision of the same", "misclassification_aupr",
           True, _UNIT, ("mistakes",), lambda d: d.aupr, _of_rank.aupr, not_comparable=_OWN_PROBLEM),
    Metric("accuracy_confidence", "curve: accuracy among the inputs above a confidence", "accuracy_confidence",
           None, _UNIT, ("confidence", "correct"), None, not_comparable=_CONFIDENCE_LEVELS),
    # Does it notice that the data has moved?
    Metric("auroc", "AUROC of telling shifted from in-domain inputs by uncertainty", "auroc",
           True, _UNIT, ("detection",), lambda d: d.auroc, _of_rank.auroc, over="all"),
    Metric("aupr", "average precision of the same, shifted inputs as positives", "aupr",
           True, _UNIT, ("detection",), lambda d: d.aupr, _of_rank.aupr, over="all"),
    Metric("fpr_at_95", "share of in-domain inputs flagged when 95 % of the shifted ones are", "fpr_at",
           False, _UNIT, ("detection",), lambda d: d.fpr_at_95, _of_rank.fpr_at, over="all"),
    Metric("novelty_auroc", "AUROC of telling inputs of a novel class by uncertainty", "auroc",
           True, _UNIT, ("novelty",), lambda d: d.auroc, _of_rank.auroc),
    Metric("novelty_aupr", "average precision of the same, novel inputs as positives", "aupr",
           True, _UNIT, ("novelty",), lambda d: d.aupr, _of_rank.aupr),
    Metric("novelty_fpr_at_95", "share of known inputs flagged when 95 % of the novel ones are", "fpr_at",
           False, _UNIT, ("novelty",), lambda d: d.fpr_at_95, _of_rank.fpr_at),
    # How good is an estimate of accuracy?
    Metric("mae_ci", "mean distance of an accuracy estimate from the true accuracy's interval", "mae_ci",
           False, _UNIT, ("true_accuracy", "estimate", "n"), _estimation.mae_ci,
           _of_row.distance_from_interval),
    Metric("acc_ci", "share of accuracy estimates inside the true accuracy's interval", "acc_ci",
           True, _UNIT, ("true_accuracy", "estimate", "n"), _estimation.acc_ci, _of_row.inside_interval),
    Metric("interval_coverage", "share of intervals that contain the true value", "interval_coverage",
           None, _UNIT, ("low", "high", "true_accuracy"), _estimation.interval_coverage, _of_row.inside),
)
# fmt: on

REGISTRY: Mapping[str, Metric] = {metric.name: metric for metric in _ENTRIES}


_MORE_FUNCTIONS = {
    "error_retention": "r_auc",
    "f1_retention": "f1_auc",
    "retention": "r_auc",
    "accuracy_rejection": "au_arc",
    "risk_coverage": "aurc",
    "calibration_error": "ece",
    "reliability": "ece",
    "micro_f1": "accuracy",
}
"""Functions that no entry names as its own, and the entry that says the most about them."""


def describe(name: str) -> Metric:
    """All there is to know about a metric, by its name or by the name of its function.

    >>> metric = describe("ece")
    >>> metric.direction, metric.comparable
    ('↓', False)
    >>> describe("risk_coverage").name
    'aurc'
    """
    if name in REGISTRY:
        return REGISTRY[name]
    if name in _MORE_FUNCTIONS:
        return REGISTRY[_MORE_FUNCTIONS[name]]
    for metric in REGISTRY.values():
        if metric.function == name:
            return metric
    close = get_close_matches(name, REGISTRY, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(REGISTRY)}"
    raise InputError(f"there is no metric {name!r}; {hint}")
