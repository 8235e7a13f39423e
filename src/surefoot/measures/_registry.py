"""What each measure says: about the total uncertainty, the data's noise, or the model's knowledge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches

from surefoot import _checks
from surefoot.errors import InputError

KINDS = ("classification", "multilabel", "regression")

_SHIFTS = "Malinin et al. 2021 (Shifts), section 3, table 3"
_TEXT = "Van Landeghem et al. 2022 (text classification), section II-C4"


@dataclass(frozen=True)
class Measure:
    """One entry of the table of measures; higher values of a measure always mean less certain."""

    name: str
    kind: str
    speaks_of: str
    """``"total"``, ``"data"`` (noise that more training would not remove) or ``"knowledge"``."""
    summary: str
    formula: str
    citation: str


# name, speaks of, summary, formula (p̄: mean of the samples p_s), citation
_CLASSIFICATION = (
    ("negative_confidence", "total", "minus the highest averaged probability", "-max p̄", _SHIFTS),
    ("entropy", "total", "entropy of the averaged prediction", "H(p̄) = -Σ p̄ ln(p̄ + 1e-10)", _SHIFTS),
    ("expected_entropy", "data", "average entropy of the samples", "mean H(p_s)", _TEXT),
    (
        "mutual_information",
        "knowledge",
        "how far the samples are from their average",
        "H(p̄) - mean H(p_s) = mean KL(p_s ‖ p̄)",
        _SHIFTS,
    ),
    (
        "epkl",
        "knowledge",
        "how far the samples are from each other (expected pairwise KL-divergence)",
        "mean KL(p_r ‖ p_s) = mutual_information + reverse_mutual_information",
        _SHIFTS,
    ),
    (
        "reverse_mutual_information",
        "knowledge",
        "how far the average is from the samples",
        "mean KL(p̄ ‖ p_s)",
        _SHIFTS,
    ),
    (
        "model_variance",
        "knowledge",
        "variance of the probabilities over samples, averaged over classes",
        "mean (p_s - p̄)²",
        _TEXT,
    ),
    (
        "member_mutual_information",
        "knowledge",
        "how far the members are from their average, without the noise between one member's samples",
        "H(p̄) - mean H(p̄_m)",
        _TEXT,
    ),
)

_REGRESSION = (
    ("total_variance", "total", "variance of the samples' mixture", "mean v_s + var m_s", _SHIFTS),
    ("expected_variance", "data", "average predicted variance", "mean v_s", _SHIFTS),
    ("variance_of_means", "knowledge", "variance of the predicted means over samples", "var m_s", _SHIFTS),
    (
        "epkl",
        "knowledge",
        "how far the samples' normal distributions are from each other (expected pairwise KL-divergence)",
        "mean KL(N(m_r, v_r) ‖ N(m_s, v_s))",
        _SHIFTS,
    ),
)


def _table() -> tuple[Measure, ...]:
    classes = [Measure(name, "classification", *rest) for name, *rest in _CLASSIFICATION]
    labels = []
    for which in ("all", "the predicted"):
        for measure in classes[:-1]:  # a member's own samples are not told apart for labels
            name = measure.name if which == "all" else f"{measure.name}_predicted"
            summary = f"{measure.summary}, for a label's two outcomes; the average over {which} labels"
            if name == "negative_confidence_predicted":
                summary = "minus the average probability of the predicted labels"
            labels.append(
                replace(measure, name=name, kind="multilabel", summary=summary, citation=f"{_TEXT}, note 2")
            )
    values = [Measure(name, "regression", *rest) for name, *rest in _REGRESSION]
    return (*classes, *labels, *values)


MEASURES = _table()

_GIVEN = Measure(
    "data_variance",
    "classification",
    "data",
    "variance that the model itself predicts for the noise in the data, averaged over samples",
    "mean σ²_s",
    _TEXT,
)
"""Not computed from the samples' outputs but handed over with them, by models that predict it."""


def names(kind: str | None = None) -> tuple[str, ...]:
    """The measures of a kind of prediction, or of all kinds.

    >>> names("regression")
    ('total_variance', 'expected_variance', 'variance_of_means', 'epkl')
    """
    if kind is not None:
        _checks.choice("kind", kind, KINDS)
    return tuple(dict.fromkeys(entry.name for entry in MEASURES if kind in (None, entry.kind)))


def describe(name: str, kind: str | None = None) -> Measure:
    """What a measure means; without ``kind``, the first of classification, multilabel, regression that has it.

    >>> describe("mutual_information").speaks_of
    'knowledge'
    """
    if name == "data_variance":
        return replace(_GIVEN, kind=kind or _GIVEN.kind)
    known = names(kind)
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(known)}"
        raise InputError(f"{name!r} is no measure{f' of {kind}' if kind else ''}; {hint}")
    return next(entry for entry in MEASURES if entry.name == name and kind in (None, entry.kind))
