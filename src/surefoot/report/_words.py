"""Numbers in words: per cents, decimals as exact as their interval, intervals, counts."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import Protocol

from surefoot.metrics import REGISTRY


class Interval(Protocol):
    """A number that may have an interval."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def decimals(low: float | None, high: float | None) -> int:
    """Digits after the point that an interval leaves meaning in: two of its half width, from 2 to 4.

    >>> decimals(0.383, 0.389), decimals(None, None), decimals(0.1, 0.7)
    (4, 4, 2)
    """
    if low is None or high is None or not isfinite(high - low) or high <= low:
        return 4
    return min(4, max(2, 1 - floor(log10((high - low) / 2))))


def number(value: float | None, digits: int = 4) -> str:
    """A number for a table; a dash for what is none.

    >>> number(0.12345), number(None), number(12345678.0), number(float("inf")), number(-0.5, 2)
    ('0.1235', '–', '1.235e+07', '∞', '−0.50')
    """
    if value is None or value != value:
        return "–"
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:.4g}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent.

    >>> percent(0.3861)
    '38.6\u202f%'
    """
    return f"{number(100 * share, digits)}\u202f%"


def points(difference: float, digits: int = 1) -> str:
    """A difference between shares, without its sign.

    >>> points(-0.4502), points(0.01, 0)
    ('45.0 points', '1 point')
    """
    text = f"{abs(100 * difference):.{digits}f}"
    return f"{text} point{'' if text == '1' else 's'}"


def bounds(score: Interval) -> tuple[float, float] | None:
    """Both ends of an interval, if it has them."""
    if score.low is None or score.high is None or not isfinite(score.high - score.low):
        return None
    return score.low, score.high


def between(score: Interval, *, per_cent: bool = False) -> str:
    """The interval in brackets, with a space before; nothing where there is none.

    >>> from surefoot.scorecard import Score
    >>> between(Score("eval", "in", "accuracy", None, 0.5, 9, low=0.4, high=0.6), per_cent=True)
    ' (95\u202f% interval 40.0 to 60.0)'
    """
    ends = bounds(score)
    if ends is None:
        return ""
    digits = decimals(*ends)
    low, high = (number(100 * end, 1) if per_cent else number(end, digits) for end in ends)
    return f" (95\u202f% interval {low} to {high})"


def chance(p_value: float) -> str:
    """A p-value.

    >>> chance(0.0312), chance(1e-9)
    ('= 0.031', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"= {p_value:.2g}"


def readable(name: str) -> str:
    """A name of a metric or measure as words.

    >>> readable("negative_confidence"), readable("auroc"), readable("f1_auc")
    ('negative confidence', 'AUROC', 'F1-AUC')
    """
    return _SPOKEN.get(name) or name.replace("_", " ")


def better(metric: str) -> str:
    """Which way is better, in words.

    >>> better("accuracy"), better("r_auc"), better("temperature")
    ('higher is better', 'lower is better', 'best at 1')
    """
    if metric in _BEST_AT:
        return f"best at {_BEST_AT[metric]:g}"
    way = REGISTRY[metric].higher_is_better if metric in REGISTRY else None
    return {True: "higher is better", False: "lower is better", None: "neither way is better"}[way]


def capital(words: str) -> str:
    """Words that start with a capital.

    >>> capital("its AUROC")
    'Its AUROC'
    """
    return words[:1].upper() + words[1:]


def joined(names: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Names as a list in a sentence.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def count(n: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> count(1, "input"), count(12345, "input"), count(2, "class", "classes")
    ('1 input', '12,345 inputs', '2 classes')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


_BEST_AT = {"temperature": 1, "picp": 0.95, "interval_coverage": 0.95}

_SPOKEN = {
    "accuracy": "accuracy",
    "ace": "ACE",
    "acc_ci": "share inside the interval",
    "au_arc": "area under accuracy–rejection (AU-ARC)",
    "aupr": "AUPR",
    "aurc": "AURC",
    "auroc": "AUROC",
    "brier": "Brier score",
    "calibrated_brier": "calibrated Brier score",
    "calibrated_log_likelihood": "calibrated log-likelihood",
    "crps_gaussian": "CRPS",
    "ece": "ECE",
    "epkl": "expected pairwise KL-divergence",
    "epkl_predicted": "expected pairwise KL-divergence of the predicted labels",
    "f1_at_95": "F1 at 95\u202f% retention",
    "f1_auc": "F1-AUC",
    "fpr_at_95": "false alarms at 95\u202f% detection",
    "gaussian_nll": "negative log-likelihood",
    "log_likelihood": "log-likelihood",
    "macro_f1": "macro F1",
    "mae": "mean absolute error",
    "misclassification_aupr": "misclassification AUPR",
    "misclassification_auroc": "misclassification AUROC",
    "mpiw": "mean interval width",
    "multilabel_brier": "Brier score (labels)",
    "multilabel_ece": "ECE (labels)",
    "multilabel_log_likelihood": "log-likelihood (labels)",
    "multilabel_macro_f1": "macro F1 (labels)",
    "multilabel_micro_f1": "micro F1 (labels)",
    "novelty_aupr": "novelty AUPR",
    "novelty_auroc": "novelty AUROC",
    "novelty_fpr_at_95": "false alarms at 95\u202f% of novel inputs",
    "picp": "interval coverage",
    "r_auc": "R-AUC",
    "rmse": "root mean squared error",
    "roc_auc": "ROC-AUC",
    "sce": "SCE",
    "tace": "TACE",
}
