"""Comparisons that would mean nothing are refused with a reason, or warned of where forced."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from surefoot import Predictions
from surefoot.compare import NotComparable, NotComparableWarning, compare, require_comparable
from surefoot.errors import InputError, SurefootError
from surefoot.metrics import REGISTRY
from tables import classification, regression

A = classification(n=200, samples=1)
B = classification(n=200, samples=3)
NOT_RANKABLE = [name for name, metric in REGISTRY.items() if not metric.comparable]


def with_info(predictions, **facts):
    return replace(predictions, info=facts)


def moved(ids):
    return replace(B, id=ids)


def different(target):
    return replace(B, target=target)


def partition_with_one_moved():
    part = A.partition.copy()
    part[:2] = "eval_in", "dev_out"
    other = A.partition.copy()
    other[:2] = "eval_out", "dev_out"
    return replace(A, partition=part), replace(A, partition=other)


def pairs(first, second):
    return lambda **more: compare([first, second], names=["a", "b"], **more)


def by(*metrics, first=A, second=A):
    return lambda **more: compare([first, second], names=["a", "b"], metrics=list(metrics), **more)


ADVERSARIAL = {"shift": "adversarial"}
HOT, COLD = with_info(A, temperature=1.5), with_info(A, temperature=0.8)
TEN, HUNDRED = with_info(A, passes=10), with_info(B, passes=100)
NOVEL = np.where(np.arange(200) < 3, -1, A.target)

REASONS = {
    "misclassification detection": (by("misclassification_auroc"), "a detection problem of its own; compare f1_auc"),
    "misclassification AUPR": (by("misclassification_aupr@entropy"), "a detection problem of its own; compare f1_auc"),
    "log-likelihood, temperature unset": (
        by("log_likelihood"),
        r"depends on the temperature.*compare calibrated_log_likelihood.*\(declared: a none, b none\)",
    ),
    "log-likelihood, temperatures unequal": (
        by("log_likelihood", first=HOT, second=COLD),
        r"depends on the temperature.*\(declared: a 1.5, b 0.8\)",
    ),
    "Brier score, one unset": (by("brier", first=HOT), r"brier may not.*\(declared: a 1.5, b none\)"),
    "AURC": (by("aurc"), "aurc may not be compared.*depends on the temperature"),
    "accuracy-confidence curves": (
        by("accuracy_confidence"),
        r"keep different numbers.*compare accuracy_rejection \(au_arc\)",
    ),
    "ECE": (by("ece"), "biased estimate whose bias differs.*compare calibrated_log_likelihood"),
    "SCE": (by("sce"), "biased estimate"),
    "ACE": (by("ace"), "biased estimate"),
    "TACE": (by("tace"), "biased estimate"),
    "rejection ratio": (by("rejection_ratio"), "leaves the quality of the predictions out"),
    "interval width": (by("mpiw", first=regression(), second=regression()), "compare interval_score instead"),
    "adversarial detection": (
        by("auroc", first=with_info(A, **ADVERSARIAL), second=with_info(A, **ADVERSARIAL)),
        "auroc may not.*the shift is adversarial.*hand the same inputs to all",
    ),
    "other ids": (
        pairs(A, moved(np.where(np.arange(200) < 3, np.arange(200) + 200, np.arange(200)))),
        r"a and b were not scored on the same inputs \(a has 3 ids that the other has not \(0, 1, 2\); b has 3 "
        r"ids.*\(200, 201, 202\); 197 are shared\).*select the shared ids",
    ),
    "fewer ids": (
        pairs(A, B.select(slice(150))),
        r"a has 50 ids that the other has not \(150, 151, 152, …\); b has 0 ids",
    ),
    "no ids in common": (pairs(A, moved(np.arange(200) + 200)), "0 are shared"),
    "other targets": (
        pairs(A, different((B.target + (np.arange(200) < 4)) % 4)),
        r"different targets for 4 of 200 shared ids \(0, 1, 2, …\).*different test sets; make sure that ids mean",
    ),
    "a class is novel to one": (pairs(A, different(NOVEL)), "different targets for 3 of 200 shared ids"),
    "labels in one only": (
        pairs(A, different(np.where(np.arange(200) < 5, -2, A.target))),
        "different targets for 5 of",
    ),
    "other values": (
        pairs(regression(), replace(regression(), target=regression().target + 1e-3)), "different targets for 400 of"
    ),
    "other sides": (pairs(*partition_with_one_moved()), "different partitions for 1 of 200 shared ids"),
    "other classes": (
        pairs(A, replace(A, classes=("c0", "c1", "c2", "cat"))),
        r"know different classes.*\('c3', 'cat' are known to one",
    ),
    "other tasks": (pairs(A, regression(n=200)), "a predicts classification and b regression"),
    "other training sets": (
        pairs(with_info(A, train_set="rain"), with_info(A, train_set="sun")),
        r"different training sets \(a rain, b sun\).*train all on the same data",
    ),
    "other budgets": (
        pairs(TEN, HUNDRED),
        r"test-time budgets differ \(members × passes: a 10, b 300\).*compare at equal budgets",
    ),
}  # fmt: skip

CANNOT_BE_FORCED = {"no ids in common", "other classes", "other tasks", "accuracy-confidence curves"}


@pytest.mark.parametrize("case", REASONS)
def test_invalid_comparisons_are_refused_with_the_reason(case):
    act, pattern = REASONS[case]
    with pytest.raises(NotComparable, match=pattern) as refusal:
        act()
    assert isinstance(refusal.value, SurefootError)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("case", [case for case in REASONS if case not in CANNOT_BE_FORCED])
def test_forced_they_are_warned_of(case):
    act, pattern = REASONS[case]
    with pytest.warns(NotComparableWarning, match=pattern):
        found = act(force=True)
    assert found.differences


@pytest.mark.filterwarnings("ignore::surefoot.errors.NotComparableWarning")
@pytest.mark.parametrize("case", sorted(CANNOT_BE_FORCED))
def test_what_cannot_be_put_side_by_side_cannot_be_forced(case):
    with pytest.raises((NotComparable, InputError)):
        REASONS[case][0](force=True)


def test_forced_differences_are_of_the_shared_rows_and_not_ranked():
    with pytest.warns(NotComparableWarning, match="not scored on the same inputs"):
        found = compare([A, B.select(slice(50, None))], names=["a", "b"], force=True)
    inside = {d.n for d in found.differences if d.metric == "accuracy" and d.side == "all"}
    assert sum(inside) == 150
    with pytest.warns(NotComparableWarning, match="biased"):
        found = compare([A, B], names=["a", "b"], metrics=["ece", "accuracy"], force=True)
    assert "ece" in found.scores
    assert "accuracy" in found.beats
    assert not {"ece", "in.ece"} & (found.beats.keys() | found.wins.keys())
    assert all(d.raw == (d.metric == "ece") for d in found.differences)


def test_by_default_nothing_trips_and_what_may_not_be_ranked_is_marked():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare([HOT, with_info(B, **ADVERSARIAL)], names=["a", "b"])
    raw = {d.metric for d in found.differences if d.raw}
    assert raw == {"log_likelihood", "brier", "auroc", "aupr", "fpr_at_95"}
    assert not raw & found.beats.keys()
    assert {"accuracy", "r_auc"} <= found.beats.keys()


@pytest.mark.parametrize("metric", NOT_RANKABLE)
def test_every_metric_that_cannot_rank_is_refused_by_itself(metric):
    infos = [{"method": "a"}, {"method": "b"}]
    with pytest.raises(NotComparable, match=f"^{metric} may not be compared across models: ") as refusal:
        require_comparable(metric, infos)
    assert REGISTRY[metric].not_comparable in str(refusal.value)  # the registry's own words
    with pytest.warns(NotComparableWarning, match=metric):
        require_comparable(metric, infos, force=True)
    require_comparable(metric, infos[:1])


@pytest.mark.parametrize("metric", [name for name, metric in REGISTRY.items() if metric.comparable])
def test_every_other_metric_passes(metric):
    require_comparable(metric, [{"method": "a", "temperature": 2.0}, {"temperature": 1.0, "passes": 3}])
    require_comparable(REGISTRY[metric], [{}, {}, {}])


@pytest.mark.parametrize("metric", ["log_likelihood", "brier", "multilabel_brier", "aurc"])
def test_equal_temperatures_can_be_compared(metric):
    require_comparable(metric, [{"temperature": 1.2}, {"temperature": 1.2}])
    require_comparable(metric, [{"temperature": "fitted"}, {"temperature": "fitted"}])
    with pytest.raises(NotComparable, match=r"declared: 1.2, 1.3"):
        require_comparable(metric, [{"temperature": 1.2}, {"temperature": 1.3}])
    found = compare([HOT, replace(HOT, info={**HOT.info, "seed": 1})], names=["a", "b"], metrics=["brier"])
    assert {d.raw for d in found.differences} == {True}


@pytest.mark.parametrize(
    ("first", "second", "fine"),
    [
        ({"passes": 10}, {"passes": 10}, True),
        ({"passes": 10, "members": 5}, {"passes": 50}, True),
        ({"passes": 10, "members": 5}, {"passes": 10}, False),
        ({"passes": 10, "members": 5}, {"members": 5}, True),  # not declared: not known
        ({"passes": "many"}, {"passes": 3}, True),
        ({"train_set": "x"}, {}, True),
        ({"train_set": "x"}, {"train_set": "x"}, True),
        ({"train_set": "x"}, {"train_set": "y"}, False),
    ],
)
def test_only_what_is_declared_counts(first, second, fine):
    if fine:
        require_comparable("accuracy", [first, second])
    else:
        with pytest.raises(NotComparable):
            require_comparable("accuracy", [first, second])


def test_several_reasons_come_in_one_sentence_each():
    infos = [{"train_set": "x", "passes": 1}, {"train_set": "y", "passes": 2}]
    with pytest.raises(
        NotComparable, match=r"biased.*\. The models were trained.*\. The test-time budgets differ"
    ):
        require_comparable("ece", infos)
    with pytest.warns(NotComparableWarning) as caught:
        require_comparable("ece", infos, force=True)
    assert len(caught) == 3
    assert {warning.filename for warning in caught} == {__file__}


def test_unlabelled_rows_and_rounded_targets_are_no_difference():
    values = regression(n=100)
    values.target[:10] = np.nan
    rounded = Predictions.regression(
        values.mean,
        values.variance,
        values.target.astype(np.float32).astype(np.float64),
        partition=values.partition,
    )
    assert compare([values, rounded], names=["a", "b"]).differences
