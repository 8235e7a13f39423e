"""The verdict says what the numbers say, and nothing that their intervals leave open."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import card, reliability, retention, score
from surefoot import evaluate
from surefoot.compare import Entrant, compare, deep_ensemble_equivalent
from surefoot.compare._change import changes, difference
from surefoot.report._comparison_shift import shift_findings, unnoticed
from surefoot.report._comparison_verdict import comparison_verdict, leaders
from surefoot.report._finding import BAD, CAUTION, GOOD, UNKNOWN
from surefoot.report._verdict import verdict
from tables import KINDS
from test_report_figures import model


def sides(inside, shifted, half=0.01, metric="accuracy", **options):
    """Scores on both sides and a verdict's first finding."""
    return verdict(
        card(score("in", metric, inside, half), score("shifted", metric, shifted, half), **options)
    )[0]


def test_a_fall_is_told_in_points_with_intervals():
    found = sides(0.836, 0.386)
    assert (found.grade, found.label) == (BAD, "Gives way")
    assert found.claim == (
        "On shifted data the model is right 38.6\u202f% of the time (95\u202f% interval 37.6 to 39.6), 45.0 points "
        "less than in-domain (95\u202f% interval 43.6 to 46.4)."
    )
    assert (
        found.detail
        == "In-domain the model is right 83.6\u202f% of the time (95\u202f% interval 82.6 to 84.6)."
    )
    assert "--slice" in found.advice


def test_a_small_but_certain_fall_is_no_disaster():
    found = sides(0.84, 0.81)
    assert (found.grade, found.label) == (CAUTION, "Slips")


def test_easier_shifted_data_say_nothing_about_robustness():
    found = sides(0.8, 0.9)
    assert (found.grade, found.label) == (CAUTION, "Easier there")
    assert "10.0 points more than in-domain" in found.claim
    assert "says nothing about" in found.detail


def test_the_same_is_good_only_if_it_is_certain():
    assert sides(0.84, 0.842, half=0.005).grade == GOOD
    open_ = sides(0.84, 0.80, half=0.1)
    assert (open_.grade, open_.label) == (CAUTION, "Not settled")
    assert "from 18.1 points less to 10.1 points more" in open_.detail
    assert "1,000 inputs" in open_.advice


def test_without_intervals_it_says_so():
    found = sides(0.84, 0.5, half=None)
    assert found.label == "Gives way"
    assert "interval" not in found.claim
    assert "Without intervals nothing tells a difference from chance." in found.detail


@given(
    st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.001, 0.3), st.sampled_from(["accuracy", "rmse"])
)
def test_better_and_worse_are_never_claimed_against_the_interval(inside, shifted, half, metric):
    error = {"accuracy": "zero_one", "rmse": "squared"}[metric]
    found = sides(inside, shifted, half, metric, error=error)
    low, high = difference(score("shifted", metric, shifted, half), score("in", metric, inside, half))
    if metric == "rmse":
        low, high = -high, -low
    if found.label in ("Gives way", "Slips"):
        assert high < 0
    elif found.label == "Easier there":
        assert low > 0
    elif found.label == "Not settled":
        assert low <= 0 <= high
    else:
        assert found.label == "Holds"


def test_regression_speaks_of_its_error():
    found = sides(1.0, 1.8, 0.05, "rmse", kind="regression", error="squared", uncertainty="total_variance")
    assert found.label == "Gives way"
    assert (
        "its root mean squared error is 1.8000 (95\u202f% interval 1.750 to 1.850), 0.8000 more"
        in found.claim
    )


def test_no_shifted_side():
    (found,) = verdict(card(score("all", "accuracy", 0.9)))
    assert (found.grade, found.claim) == (
        UNKNOWN,
        "The model is right 90.0\u202f% of the time (95\u202f% interval 89.0 to 91.0).",
    )
    assert "what a shift does to this is not known" in found.detail
    assert "--shifted" in found.advice


def test_shifted_inputs_that_nobody_has_labelled():
    found = verdict(card(score("in", "accuracy", 0.9), score("shifted", "temperature", 1.0)))[0]
    assert found.grade == UNKNOWN
    assert found.claim.startswith("In-domain the model is right 90.0")
    assert "Nobody has labelled the shifted inputs" in found.detail
    assert "Label a few hundred" in found.advice


def test_nothing_labelled_at_all():
    found = verdict(card(score("all", "auroc", 0.7, measure="entropy")))
    assert "Nobody has labelled these inputs" in found[0].claim
    assert found[1].label == "Half notices"


@pytest.mark.parametrize(
    ("ratio", "half", "grade", "label"),
    [
        (0.8, 0.01, GOOD, "Knows its errors"),
        (0.3, 0.01, CAUTION, "Knows some errors"),
        (0.02, 0.05, BAD, "No better than chance"),
        (-0.3, 0.05, BAD, "Misleads"),
    ],
)
def test_ranking_of_errors(ratio, half, grade, label):
    found = verdict(
        card(
            score("all", "accuracy", 0.8),
            score("all", "rejection_ratio", ratio, half, measure="entropy"),
            curves={"eval/all/error_retention": retention(0.2, ratio)},
        )
    )[1]
    assert (found.grade, found.label) == (grade, label)
    if label == "Knows its errors":
        # Random order finds a tenth of the error in a tenth of the inputs, the best 0.1 / 0.2.
        assert "finds 42\u202f% of the error in the 10\u202f% of inputs" in found.claim
        assert "chance would find 10\u202f%, the best ranking 50\u202f%" in found.claim


def test_telling_sides_apart_is_not_knowing_errors():
    def ranked(inside, shifted):
        found = [score(side, "rejection_ratio", value, 0.05, measure="entropy")
                 for side, value in (("all", 0.7), ("in", inside), ("shifted", shifted))]  # fmt: skip
        curves = {"eval/all/error_retention": retention(0.2, 0.7)}
        return verdict(card(score("all", "accuracy", 0.8), *found, curves=curves))[1]

    assert ranked(0.5, 0.01).label == "Knows its errors"
    assert ranked(-0.1, 0.01).label == "Knows sides, not errors"
    assert "\u221210\u202f% in-domain and 1\u202f% on shifted data" in ranked(-0.1, 0.01).detail


def test_a_better_ranking_is_advised_only_if_better_than_chance():
    def ranked(default, other):
        found = [score("all", "rejection_ratio", value, 0.05, measure=measure)
                 for measure, value in (("entropy", default), ("mutual_information", other))]  # fmt: skip
        curves = {"eval/all/error_retention": retention(0.2, default)}
        return verdict(card(score("all", "accuracy", 0.8), *found, curves=curves))[1]

    assert ranked(0.3, 0.5).advice == "To rank errors, use mutual information."
    assert "By mutual information it would be 50\u202f%." in ranked(0.3, 0.5).detail
    assert ranked(0.3, 0.35).advice == "See whether another measure ranks errors better."
    assert "mutual information" not in ranked(-0.4, -0.1).detail


@pytest.mark.parametrize(
    ("auroc", "half", "grade", "label"),
    [
        (0.9, 0.01, GOOD, "Notices the shift"),
        (0.6, 0.01, CAUTION, "Half notices"),
        (0.51, 0.02, BAD, "Does not notice"),
        (0.3, 0.02, BAD, "Fooled"),
    ],
)
def test_noticing_the_shift(auroc, half, grade, label):
    found = verdict(
        card(score("all", "accuracy", 0.8), score("all", "auroc", auroc, half, measure="entropy"))
    )[1]
    assert (found.grade, found.label) == (grade, label)
    assert "chance is 50\u202f%" in found.claim


def test_another_measure_is_advised_only_if_clearly_better():
    def advice(other):
        return verdict(
            card(
                score("all", "accuracy", 0.8),
                score("all", "auroc", 0.7, measure="entropy"),
                score("all", "auroc", other, measure="mutual_information"),
            )
        )[1].advice

    assert advice(0.8) == "To watch for shift, use mutual information."
    assert "mutual information" not in advice(0.71)


@pytest.mark.parametrize(
    ("confidence", "accuracy", "grade", "label"),
    [
        (0.9, 0.6, BAD, "Overconfident"),
        (0.67, 0.6, CAUTION, "Overconfident"),
        (0.61, 0.6, GOOD, "Honest"),
        (0.4, 0.6, CAUTION, "Underconfident"),
    ],
)
def test_honesty(confidence, accuracy, grade, label):
    curves = {
        "eval/shifted/reliability": reliability(confidence, accuracy),
        "eval/in/reliability": reliability(0.8, 0.81),
    }
    found = verdict(card(score("all", "accuracy", accuracy), curves=curves))[1]
    assert (found.grade, found.label) == (grade, label)
    assert f"{100 * confidence:.1f}\u202f% sure on average" in found.claim
    assert "In-domain it is 80.0\u202f% sure and right 81.0\u202f%" in found.detail


@pytest.mark.parametrize(
    ("coverage", "label"), [(0.7, "Overconfident"), (0.95, "Honest"), (1.0, "Underconfident")]
)
def test_intervals_of_a_regressor(coverage, label):
    found = verdict(
        card(
            score("all", "rmse", 1.0), score("shifted", "picp", coverage), kind="regression", error="squared"
        )
    )[1]
    assert found.label == label
    assert found.claim.startswith("On shifted data its 95\u202f% intervals hold ")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_prediction_has_a_verdict(kind):
    found = verdict(evaluate(KINDS[kind](n=1500)))
    assert found[0].label == "Gives way"
    assert len(found) >= 3


def test_comparison_of_two_on_one_dataset():
    better, worse = model("careful", skill=2.5), model("careless", skill=0.5)
    found = comparison_verdict(compare([better, worse]))
    assert found[0].claim.startswith("By accuracy, careful is best: ")
    assert found[0].claim.endswith("significantly better than careless.")
    assert found[0].grade == GOOD


def test_equal_methods_are_not_told_apart():
    twins = [model(f"twin {i}", seed=0, noise=i) for i in range(2)]
    result = compare(twins)
    found = comparison_verdict(result)[0]
    assert (found.grade, found.claim) == (CAUTION, "By accuracy, these inputs do not tell the methods apart.")
    assert leaders(result, "accuracy", 0) == ["twin 0", "twin 1"]


def test_comparison_over_datasets_speaks_of_ranks_and_of_the_shift():
    result = compare(
        [
            model(name, dataset=f"d{i}", seed=i, skill=skill, fall=-1.0 if i == 0 else 1.5)
            for i in range(5)
            for name, skill in (("low", 0.6), ("mid", 1.5), ("high", 2.6))
        ]
    )
    found = {finding.label: finding for finding in comparison_verdict(result)}
    assert "high ranks first over 5 datasets (mean rank 1.00)" in found["Leads, not alone"].claim
    assert (
        "not significantly ahead of mid; 1 other method is significantly behind"
        in found["Leads, not alone"].claim
    )
    costs, easier = found["The shift costs"], found["Easier there"]
    assert costs.grade == BAD
    assert costs.short == "the shift costs every method on 4 of 5 datasets"
    assert re.search(
        r"worse on the shifted side of 4 of 5 datasets for every method; most on d\d: from", costs.claim
    )
    assert easier.short == "on d0 the shifted inputs are easier"
    assert "better on the shifted side of d0 for every method: from 0." in easier.claim


def changed(*ends, metric="accuracy"):
    """A comparison of as many methods, whose score goes from one end to the other with an interval of ± 0.01."""
    result = compare([model(f"m{i}", noise=i) for i in range(len(ends))])
    entrants = [
        Entrant(f"m{i}", "toy", card(score("in", metric, a), score("shifted", metric, b)))
        for i, (a, b) in enumerate(ends)
    ]
    found = tuple(change for one in entrants for change in changes(one.method, one.dataset, one.card))
    scores = {metric: np.zeros((1, len(ends)))}
    return replace(result, changes=found, scores=scores, beats={}, equivalents=())


@pytest.mark.parametrize(
    ("ends", "label", "claim"),
    [
        ([(0.9, 0.7), (0.8, 0.7)], "The shift costs", "for every method: from 0.850 to 0.700 for the middle"),
        ([(0.9, 0.7), (0.8, 0.7), (0.7, 0.705)], "The shift costs", "for most methods: from 0.800 to 0.700"),
        ([(0.7, 0.9), (0.7, 0.8)], "Easier there", "is significantly better on the shifted side for every method"),
        ([(0.7, 0.705), (0.7, 0.695)], "Not settled", "do not tell whether accuracy is worse"),
        ([(0.7, 0.9), (0.7, 0.5)], "Not settled", "do not tell"),
    ],
)  # fmt: skip
def test_what_the_shift_does_is_said_only_where_it_is_certain_for_most(ends, label, claim):
    (finding,) = shift_findings(changed(*ends))
    assert finding.label == label
    assert claim in finding.claim


@pytest.mark.parametrize(
    ("aurocs", "said"),
    [
        ([0.7, 0.4], []),
        ([0.505, 0.4], ["No method is certainly less sure about shifted inputs than about in-domain ones (best"]),
        ([0.3, 0.2], ["No method is certainly less sure"]),
    ],
)  # fmt: skip
def test_a_shift_that_no_method_notices_is_told(aurocs, said):
    result = compare([model(f"m{i}", noise=i) for i in range(2)])
    entrants = tuple(
        Entrant(f"m{i}", "toy", card(score("all", "auroc", value, measure="entropy")))
        for i, value in enumerate(aurocs)
    )
    claims = [finding.claim for finding in unnoticed(replace(result, entrants=entrants))]
    assert len(claims) == len(said)
    assert all(claim.startswith(start) for claim, start in zip(claims, said, strict=True))


def worth(*values):
    """What is said of a method that is worth so many members on as many datasets."""
    datasets = tuple(f"d{i}" for i in range(len(values)))
    result = compare([model(name, samples=s) for name, s in (("one", 1), ("crowd", 4))])
    (equivalent,), (ensemble,) = result.equivalents, result.ensembles
    found = [
        replace(
            equivalent, dataset=dataset, found=deep_ensemble_equivalent([1, 2, 4], [0.0, 1.0, 2.0], [value])
        )
        for dataset, value in zip(datasets, values, strict=True)
    ]
    again = replace(result, datasets=datasets, equivalents=tuple(found), beats={}, changes=(), entrants=())
    (finding,) = comparison_verdict(again)
    assert ensemble.method in finding.claim
    return finding.short


def test_what_a_method_is_worth_is_the_lower_median_of_the_datasets():
    assert worth(0.5) == "one is worth 1.5 members of crowd"
    assert worth(-1.0, 9.0) == "one is worth no more than 1 member of crowd"
    assert worth(9.0, 9.0, 0.0) == "one is worth more than 4 members of crowd"


def test_errors_are_judged_by_their_own_scale():
    (large,) = shift_findings(changed((100.0, 101.0), (100.0, 101.0), metric="rmse"))
    (small,) = shift_findings(changed((0.1, 0.14), (0.1, 0.14), metric="rmse"))
    assert (large.grade, small.grade) == (CAUTION, BAD)
    assert "Root mean squared error is significantly worse on the shifted side" in small.claim


def test_datasets_without_every_method_are_told_one_by_one():
    def on(dataset, **skills):
        return [model(name, dataset=dataset, skill=skill) for name, skill in skills.items()]

    same = compare([*on("a", good=2.5, bad=0.5), *on("b", good=2.6, bad=0.4), *on("c", good=2.0)])
    assert comparison_verdict(same)[0].claim.startswith(
        "By accuracy, good is significantly better than every other method on a and b. On 1 dataset no"
    )
    assert comparison_verdict(same)[0].short == "good is best on some datasets"
    mixed = compare([*on("a", one=2.5, two=0.5, three=0.3), *on("b", one=0.4, two=2.6)])
    found = comparison_verdict(mixed)[0]
    assert found.short == "who is best depends on the dataset"
    assert "one is significantly better than every other method on a and two is" in found.claim
