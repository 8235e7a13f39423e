"""Operating points: thresholds against brute force, goals that cannot be reached, other sets and files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from surefoot import InputError, Predictions
from surefoot.metrics import accuracy
from surefoot.scorecard._operating import choose_threshold
from tables import KINDS, classification, multilabel, regression


def binary(confidence, right):
    """Two-class predictions of given confidences in class 0, and whether that is right."""
    p = np.asarray(confidence, dtype=np.float64)
    target = np.where(right, 0, 1)
    return Predictions.classification(np.stack([p, 1 - p], axis=1), target, partition=["dev_in"] * len(p))


tied_rows = st.lists(st.tuples(st.sampled_from([0.6, 0.7, 0.8, 0.9]), st.booleans()), min_size=1, max_size=30)
goals = st.tuples(
    st.sampled_from(["max_rejected", "max_error", "min_accuracy"]),
    st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9]),
)


@given(tied_rows, goals)
def test_a_threshold_is_the_best_there_is(rows, goal):
    confidence, right = map(np.array, zip(*rows, strict=True))
    name, wanted = goal
    uncertainty = -confidence

    def reaches(threshold):
        kept = uncertainty <= threshold
        if name == "max_rejected":
            return 1 - kept.mean() <= wanted + 1e-9
        return (~right[kept]).mean() <= (wanted if name == "max_error" else 1 - wanted) + 1e-9

    reached = [u for u in np.unique(uncertainty) if reaches(u)]
    predictions = binary(confidence, right)
    if not reached:
        with pytest.raises(InputError, match="is not reachable"):
            choose_threshold(predictions, uncertainty="negative_confidence", **{name: wanted})
        return
    point = choose_threshold(predictions, uncertainty="negative_confidence", **{name: wanted})
    expected = min(reached) if name == "max_rejected" else max(reached)
    assert point.threshold == expected
    kept = uncertainty <= expected
    assert point.expected.coverage.value == pytest.approx(kept.mean())
    assert point.expected.accuracy.value == pytest.approx(right[kept].mean())
    assert point.expected.error.value == pytest.approx(1 - right[kept].mean())
    assert point.expected.f1.value == pytest.approx(2 * (kept & right).sum() / (kept.sum() + right.sum()))
    assert (point.goal, point.wanted, point.set, point.side) == (name, wanted, "dev", "all")


@pytest.mark.parametrize("kind", KINDS)
def test_applied_to_another_set_every_side_has_its_numbers(kind):
    p = KINDS[kind](n=2000)
    point = choose_threshold(p, max_rejected=0.1)
    found = point.apply(p, set="eval")
    assert [(one.set, one.side) for one in found] == [("eval", "in"), ("eval", "shifted"), ("eval", "all")]
    inside, shifted, both = found
    assert inside.coverage.value > shifted.coverage.value
    assert inside.coverage.n + shifted.coverage.n == both.coverage.n
    assert (both.accuracy is None) == (kind == "regression")
    for one in found:
        for number in (one.coverage, one.error, one.accuracy, one.f1):
            if number is not None and number.low is not None:
                assert number.low <= number.value <= number.high
                assert 0 < number.high - number.low < 0.5
    assert None not in (both.coverage.low, both.error.low, both.f1.low)
    assert [one.set for one in point.apply(p)] == ["dev"] * 3 + ["eval"] * 3
    assert point.apply(p)[2] == point.expected


def test_intervals_of_shares_are_wilsons_and_of_others_normal():
    p = classification(n=1500, samples=1)
    (one,) = [a for a in choose_threshold(p, max_rejected=0.2).apply(p, set="eval") if a.side == "all"]
    kept = round(one.accuracy.value * one.accuracy.n)
    wilson = stats.binomtest(kept, one.accuracy.n).proportion_ci(method="wilson")
    assert [one.accuracy.low, one.accuracy.high] == pytest.approx([wilson.low, wilson.high])
    r = regression(n=1500)
    point = choose_threshold(r, max_rejected=0.2)
    (one,) = [a for a in point.apply(r, set="eval") if a.side == "all"]
    mean, variance = r.mean.mean(axis=0), r.variance.mean(axis=0) + r.mean.var(axis=0)
    errors = np.square(mean - r.target)[
        (variance <= point.threshold) & np.char.startswith(r.partition, "eval")
    ]
    half = stats.norm.ppf(0.975) * stats.sem(errors)
    assert [one.error.low, one.error.high] == pytest.approx([errors.mean() - half, errors.mean() + half])


def test_the_interval_of_f1_covers():
    rng = np.random.default_rng(0)
    true = choose_threshold(_population(rng, 200_000), max_rejected=0.3).expected.f1.value
    point = choose_threshold(_population(rng, 200_000), max_rejected=0.3)
    inside = 0
    for _ in range(200):
        f1 = point.apply(_population(rng, 400))[-1].f1
        inside += f1.low <= true <= f1.high
    assert 0.9 < inside / 200 < 0.99


def _population(rng, n):
    confidence = rng.uniform(0.5, 1, n)
    return binary(confidence, rng.random(n) < confidence)


def test_a_goal_met_on_dev_is_met_about_as_well_on_eval():
    p = classification(n=20_000)
    point = choose_threshold(p, min_accuracy=0.95)
    assert point.expected.accuracy.value >= 0.95
    all_sides = point.apply(p, set="eval")[-1]
    assert all_sides.accuracy.value == pytest.approx(0.95, abs=0.02)
    everything = accuracy(p.probs.mean(axis=0), p.target)
    assert everything < 0.9
    inside = choose_threshold(p, min_accuracy=0.95, side="in")
    assert inside.threshold > point.threshold  # in-domain rows are easier, so more are let through


def test_the_only_set_there_is_needs_no_name():
    both = classification()
    dev = both.select(np.char.startswith(both.partition, "dev"))
    assert (
        choose_threshold(dev, max_rejected=0.05).expected
        == choose_threshold(both, max_rejected=0.05).expected
    )
    for part, name in (("eval_in", "eval"), (None, "test")):
        partition = None if part is None else [part] * 400
        point = choose_threshold(classification(partition=partition), max_rejected=0.05)
        assert (point.set, point.expected.coverage.value) == (name, 0.95)


def test_options_are_those_of_evaluate():
    cities = np.where(np.arange(400) % 2 == 0, "york", "bath")
    p = classification(partition=cities, metadata={"harm": np.linspace(0, 1, 400)})
    options = {"in_": ["york"], "shifted": ["bath"], "set": "test"}
    point = choose_threshold(p, max_error=0.5, error="harm", uncertainty="entropy", **options)
    assert (point.measure, point.expected.f1) == ("entropy", None)  # no threshold on harm
    assert [one.side for one in point.apply(p)] == ["in", "shifted", "all"]
    plain = choose_threshold(
        p, max_error=0.5, error="harm", uncertainty="entropy", in_="york", shifted="bath"
    )
    assert plain.expected == point.expected
    point = choose_threshold(p, max_error=0.5, error="harm", threshold=0.3, **options)
    assert point.expected.f1.value > 0
    costs = 1 - np.eye(4)
    assert choose_threshold(p, max_error=0.9, error=costs, **options).expected.error.value <= 0.9


def test_unlabelled_rows_count_for_coverage_only():
    p = classification()
    target = p.target.copy()
    target[::2] = -2
    half = choose_threshold(classification(target=target), max_rejected=0.2)
    whole = choose_threshold(p, max_rejected=0.2)
    assert half.threshold == whole.threshold
    assert half.expected.coverage == whole.expected.coverage
    assert half.expected.accuracy.n < whole.expected.accuracy.n
    nothing = choose_threshold(classification(target=np.full(400, -2)), max_rejected=0.2).expected
    assert (nothing.error, nothing.accuracy, nothing.f1) == (None, None, None)


UNLABELLED = classification(target=np.full(400, -2))
BAD = {
    "no goal": (lambda: choose_threshold(classification()), "give one goal.*0 were given"),
    "two goals": (lambda: choose_threshold(classification(), max_error=1, max_rejected=0), "2 were given"),
    "all rejected": (lambda: choose_threshold(classification(), max_rejected=1.0), "at least 0 and below 1"),
    "a percentage": (lambda: choose_threshold(classification(), min_accuracy=95), "between 0 and 1, not 95"),
    "no number": (lambda: choose_threshold(classification(), max_error=np.nan), "max_error must be a finite"),
    "too high": (
        lambda: choose_threshold(binary([0.9, 0.8, 0.7], [False, True, True]), min_accuracy=0.9),
        r"min_accuracy=0.9 is not reachable: the highest is 0.6667, of the 100.0% most certain rows; ask for 0.6667",
    ),
    "too low": (
        lambda: choose_threshold(regression(), max_error=1e-6),
        r"max_error=1e-06 is not reachable: the lowest mean error is 0\.\d+, of the",
    ),
    "no right or wrong": (lambda: choose_threshold(regression(), min_accuracy=0.9), "for regression use max_error"),
    "no labels": (lambda: choose_threshold(UNLABELLED, min_accuracy=0.9), "no row is labelled"),
    "no errors": (lambda: choose_threshold(UNLABELLED, max_error=0.9), "no row has an error"),
    "no such set": (
        lambda: choose_threshold(multilabel(), max_rejected=0.1, set="test"),
        "no rows of set 'test', side 'all'.*sets here are dev, eval: name one with set=",
    ),
    "no dev, and several others": (
        lambda: choose_threshold(classification(partition=["train", "eval_in"] * 200), max_rejected=0.1),
        "no rows of set 'dev', side 'all'.*sets here are train, eval: name one with set=",
    ),
    "a name that does not occur": (
        lambda: choose_threshold(classification(partition=["york"] * 400), max_rejected=0.1, in_=["york", "hull"]),
        "no row has the partition 'hull' that was named as in",
    ),
    "a file's name": (lambda: choose_threshold("p.npz", max_rejected=0.1), "choose_threshold takes Predictions"),
    "a file's name to judge on": (
        lambda: choose_threshold(classification(), max_rejected=0.1).apply("p.npz"), "apply takes Predictions"
    ),
    "no such side": (lambda: choose_threshold(classification(), max_rejected=0.1, side="out"), "side must be one"),
    "no such measure": (lambda: choose_threshold(classification(), max_rejected=0.1, uncertainty="x"), "must be one"),
    "no such set to judge on": (
        lambda: choose_threshold(classification(), max_rejected=0.1).apply(classification(), set="train"),
        "there is no set 'train'; there are dev, eval",
    ),
    "another kind": (
        lambda: choose_threshold(classification(), max_rejected=0.1).apply(regression()), "uncertainty must be one of"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_goals(case):
    act, pattern = BAD[case]
    with pytest.raises(InputError, match=pattern):
        act()
