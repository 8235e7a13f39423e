"""The gate over the methods: who is heard where, that nobody is heard beyond all others, and how rows count."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from estimator_cases import QUICK, SCALES, fitted, model, numbers, regressor, rehearsed, tried
from surefoot import estimators
from surefoot.errors import InputError
from surefoot.estimators._auto import PREDICTOR, SET_RIGHT, VOICES, combination
from surefoot.estimators._confidence import DoC
from surefoot.estimators._error_predictor import ErrorPredictor, RowModels
from surefoot.estimators._label_shift import LabelShift
from surefoot.estimators._method import everything
from surefoot.estimators._movement import Movement
from surefoot.estimators._scores import SCORES

AUTO = estimators.Auto(QUICK)
NAMES = (PREDICTOR, SET_RIGHT, DoC.name, LabelShift.name)
CLASSIFICATION = [name for name, one in SCORES.items() if one.kind == "classification"]
REGIMES = ((0, 0), (1, 1), (1, 0))
"""Nothing has moved, only the shares of the classes have, something else has: moved and by_shares."""

shares = st.floats(0, 1)
values = st.lists(st.floats(-5, 1), min_size=4, max_size=4)


def heard(said, moved, by_shares):
    """What the members say together."""
    return combination(said, Movement(moved, by_shares, np.zeros(2)))


def of(*said):
    """What each member says, in the order of their names."""
    return dict(zip(NAMES, said, strict=True))


class TestCombination:
    @given(values, shares, shares)
    def test_lies_between_the_least_and_the_largest_that_is_heard(self, said, moved, by_shares):
        found = heard(of(*said), moved, by_shares)
        assert min(said) - 1e-9 <= found <= max(said) + 1e-9

    @given(values, shares, shares, st.sampled_from([PREDICTOR, DoC.name, LabelShift.name]))
    def test_one_without_an_answer_leaves_the_floor_to_the_others(self, said, moved, by_shares, silent):
        """Whether it says NaN or is not there."""
        others = {name: one for name, one in of(*said).items() if name != silent}
        found = heard(others, moved, by_shares)
        assert min(others.values()) - 1e-9 <= found <= max(others.values()) + 1e-9
        assert heard(others | {silent: np.nan}, moved, by_shares) == found

    @given(values, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
    def test_of_all_alike_is_what_all_say(self, said, moved, by_shares):
        assert heard(of(*4 * [said[0]]), moved, by_shares) == pytest.approx(said[0], abs=1e-9)

    @given(values, shares, shares)
    def test_follows_the_regimes_in_a_straight_line(self, said, moved, by_shares):
        corners = [heard(of(*said), *corner) for corner in REGIMES]
        expected = Movement(moved, by_shares, np.zeros(2)).regimes @ corners
        assert heard(of(*said), moved, by_shares) == pytest.approx(expected, abs=1e-9)

    def test_each_is_heard_at_home(self):
        said = of(0.1, 0.2, 0.5, 0.9)
        still, other_shares, moved = (heard(said, *corner) for corner in REGIMES)
        assert (still, other_shares) == (0.5, 0.9)
        assert 0.1 <= moved <= 0.2
        assert [set(voices) <= set(NAMES) for voices in VOICES] == 3 * [True]

    @given(shares, shares)
    def test_a_regressor_is_judged_by_its_error_predictor_alone(self, moved, by_shares):
        found = heard({PREDICTOR: 2.0, SET_RIGHT: 3.0}, moved, by_shares)
        assert 2 <= found <= 3

    def test_of_members_who_have_no_answer_there_is_none(self):
        assert np.isnan(heard(dict.fromkeys(NAMES, np.nan), 0.5, 0.5))
        assert np.isnan(heard({}, 0.5, 0.5))

    def test_one_who_is_not_asked_may_be_silent(self):
        assert heard(of(np.nan, np.nan, 0.7, np.nan), 0, 0) == 0.7
        assert heard(of(np.nan, np.nan, np.nan, 0.3), 1, 1) == 0.3


class TestEstimates:
    @pytest.mark.parametrize("metric", CLASSIFICATION)
    def test_lie_between_those_of_the_members(self, metric):
        for turn in (lambda X: X, lambda X: X + 2 * SCALES, lambda X: X[X[:, 0] > 0]):
            found = fitted(AUTO, 3).estimate(turn(numbers(300, 7)[0]), metric=metric)
            assert set(found.members) == set(NAMES)
            assert min(found.members.values()) - 1e-9 <= found.value <= max(found.members.values()) + 1e-9

    def test_are_those_of_the_difference_of_confidences_where_nothing_moved(self):
        X, _ = numbers(1000, 1)
        found = fitted(AUTO).estimate(X)
        assert found.value == pytest.approx(found.members[DoC.name])
        assert found.drop == pytest.approx(0, abs=1e-6)

    def test_are_those_of_label_shift_where_only_the_classes_have_other_shares(self):
        """The batch is drawn from the labelled rows themselves: nothing but shares can have moved."""
        (X, y), rng = numbers(1000, 1), np.random.default_rng(0)
        rows = np.concatenate([rng.choice(np.flatnonzero(y == k), n) for k, n in ((0, 450), (1, 50))])
        found = fitted(AUTO).estimate(X[rows])
        shares_said, said = found.members[LabelShift.name], found.members[DoC.name]
        assert abs(found.value - shares_said) < 0.5 * abs(found.value - said)
        assert shares_said == pytest.approx((model().predict(X[rows]) == y[rows]).mean(), abs=0.05)

    def test_are_those_of_the_error_predictor_where_cells_moved(self):
        found = fitted(AUTO).estimate(numbers(300, 7)[0][:, [1, 0, 3, 2]])
        low, high = sorted((found.members[PREDICTOR], found.members[SET_RIGHT]))
        assert low - 1e-9 <= found.value <= high + 1e-9

    def test_of_regressors_hear_no_one_else(self):
        X, y = numbers(400, 1, 3)
        estimator = estimators.fit(regressor(), X, y, method=AUTO, domains=60, rows=40)
        found = estimator.estimate(X + SCALES)
        assert set(found.members) == {PREDICTOR, SET_RIGHT}
        assert min(found.members.values()) <= found.value <= max(found.members.values())

    def test_do_not_show_a_member_without_an_answer(self):
        """Of a batch that the model is certain to be of one class there is no area under a curve."""
        X, _ = numbers(200, 7)
        certain = np.tile([1.0, 0.0], (200, 1))
        found = fitted(AUTO).estimate(X, probs=certain, metric="roc_auc")
        assert DoC.name not in found.members
        assert np.isfinite([found.value, *found.members.values()]).all()


class TestOffsets:
    def test_set_the_error_predictor_right_on_the_labelled_rows(self):
        """What it says of rows that it has not seen, and the constant, are the score of all of them."""
        trials = tried(rehearsed(model(), *numbers(400, 1)))
        combined, _ = AUTO.train(trials)
        rehearsal = trials.rehearsal
        said = np.empty(400)
        for i, fold in enumerate(trials.folds):
            one = QUICK.learn(rehearsal, fold)
            said[rehearsal.group == i] = one.per_row(rehearsal.rows.take(rehearsal.group == i))
        right = (rehearsal.rows.outputs.argmax(axis=1) == rehearsal.target).mean()
        assert said.mean() + combined.offsets["accuracy"] == pytest.approx(right)

    def test_it_learns_from_trials_and_not_from_one_fold(self):
        rehearsal = rehearsed(model(), *numbers(300, 1))
        with pytest.raises(TypeError, match="auto learns from trials"):
            AUTO.learn(rehearsal, everything(rehearsal))

    def test_domains_of_other_shares_teach_the_error_predictor_nothing(self):
        """A row looks the same in them, and is right or wrong more often."""
        rehearsal = rehearsed(model(), *numbers(400, 1))
        relabelled = np.array(rehearsal.relabelled)[rehearsal.family][rehearsal.of_row]
        assert 0 < relabelled.mean() < 1
        kept = rehearsal.domain_target.copy()
        one = ErrorPredictor(learner="neighbours").learn(rehearsal, everything(rehearsal))
        try:
            rehearsal.domain_target[relabelled] = 1 - kept[relabelled]
            other = ErrorPredictor(learner="neighbours").learn(rehearsal, everything(rehearsal))
        finally:
            rehearsal.domain_target[:] = kept
        np.testing.assert_array_equal(one.per_row(rehearsal.rows), other.per_row(rehearsal.rows))


@cache
def weighted(kind):
    """An estimator of 400 labelled rows, whose weights are of one kind, and these."""
    X, y = numbers(400, 1)
    weights = {
        "none": None,
        "alike": np.full(400, 3.0),
        "some": np.random.default_rng(0).uniform(0.2, 2, 400),
        "few": np.where(np.arange(400) % 2, 1.0, 0.0),
    }[kind]
    return estimators.fit(model(), X, y, method=AUTO, sample_weight=weights, domains=60, rows=40), weights


def told(found):
    """Everything that a weight may change."""
    return {"value": found.value, "low": found.low, "high": found.high, "drop": found.drop, **found.members}


class TestWeights:
    @pytest.mark.parametrize("metric", CLASSIFICATION)
    def test_of_labelled_rows_that_are_all_the_same_change_nothing(self, metric):
        X, _ = numbers(200, 7)
        for batch in (X, X + SCALES):
            found = [told(weighted(kind)[0].estimate(batch, metric=metric)) for kind in ("none", "alike")]
            assert found[1] == pytest.approx(found[0], abs=1e-9)

    def test_rows_of_no_weight_teach_nothing(self):
        """An estimator of all rows is that of those that count, to the bit, whatever the others hold."""
        X, y = numbers(400, 1)
        estimator, weights = weighted("few")
        X[weights == 0] *= 100
        y[weights == 0] = 0
        spoiled = estimators.fit(model(), X, y, method=AUTO, sample_weight=weights, domains=60, rows=40)
        alone = estimators.fit(model(), X[1::2], y[1::2], method=AUTO, domains=60, rows=40)
        batch = numbers(200, 7)[0] + SCALES
        for one in (estimator, spoiled):
            assert one.labelled == 200
            assert one.estimate(batch) == alone.estimate(batch)

    def test_too_few_rows_that_count_are_too_few(self):
        X, y = numbers(400, 1)
        with pytest.raises(InputError, match="99 labelled rows are too few"):
            estimators.fit(model(), X, y, method=AUTO, sample_weight=np.arange(400) < 99)

    @pytest.mark.parametrize("metric", CLASSIFICATION)
    def test_rows_of_a_batch_that_do_not_count_are_not_there(self, metric):
        """They may say anything, and however far they went the batch has not moved."""
        X, _ = numbers(300, 7)
        X[150:] = 1e6
        expected = weighted("some")[0].estimate(X[:150], metric=metric)
        found = weighted("some")[0].estimate(X, metric=metric, sample_weight=np.arange(300) < 150)
        assert told(found) == pytest.approx(told(expected), abs=1e-6)
        assert found.n == 300

    @pytest.mark.parametrize("interval", ["conformal", "binomial"])
    def test_a_batch_in_which_few_rows_count_is_a_small_one(self, interval):
        """Rows of little weight do not make the bounds narrower."""
        X, _ = numbers(300, 7)
        estimator = fitted(DoC(), interval=interval)
        weights = np.where(np.arange(300) < 30, 1, 1e-9)
        widths = [
            found.high - found.low
            for found in (
                estimator.estimate(X, sample_weight=weights),
                estimator.estimate(X[:30]),
                estimator.estimate(X),
            )
        ]
        assert widths[0] == pytest.approx(widths[1], rel=1e-3)
        assert widths[0] > 1.3 * widths[2]

    def test_that_stand_for_a_population_tell_of_it(self):
        """Labelled half of each class, and weighted back to the shares of a population where class 1 is rare.

        A batch of it has not moved, and one of other shares has moved by these.
        """
        X, y = numbers(4000, 5)
        rare = np.flatnonzero(y == 1)[: int((y == 0).sum() * 0.15 / 0.85)]
        population = np.concatenate([np.flatnonzero(y == 0), rare])
        labelled, labels = numbers(800, 6)
        weights = np.where(labels == 1, 0.15 / labels.mean(), 0.85 / (1 - labels.mean()))
        estimator = estimators.fit(
            model(), labelled, labels, method=AUTO, sample_weight=weights, domains=60, rows=80
        )
        for batch, distance in ((population, 0.04), (np.arange(4000), 0.05)):
            truth = (model().predict(X[batch]) == y[batch]).mean()
            assert estimator.estimate(X[batch]).value == pytest.approx(truth, abs=distance)
        still = estimator.estimate(X[population])
        assert still.value == pytest.approx(still.members[DoC.name], abs=0.01)

    def test_are_kept_with_the_estimator(self, tmp_path):
        estimator, _ = weighted("some")
        estimator.save(tmp_path / "one")
        batch = numbers(200, 7)[0] + SCALES
        again = estimators.load(tmp_path / "one")
        assert again.estimate(batch, sample_weight=np.arange(200)) == estimator.estimate(
            batch, sample_weight=np.arange(200)
        )


class TestRareClasses:
    def test_a_class_that_no_labelled_row_has_leaves_an_answer(self):
        X, y = numbers(600, 1, 3)
        kept = y != 2
        estimator = estimators.fit(model(3), X[kept], y[kept], method=AUTO, domains=60, rows=60)
        for batch in (numbers(200, 7, 3)[0], numbers(200, 7, 3)[0] + 2 * SCALES):
            for metric in CLASSIFICATION:
                found = estimator.estimate(batch, metric=metric)
                assert np.isfinite([found.value, found.low, found.high, *found.members.values()]).all()

    def test_a_model_that_gives_a_class_no_probability(self):
        X, y = numbers(400, 1)
        probs = np.c_[model().predict_proba(X), np.zeros(400)]
        estimator = estimators.fit(None, None, y, probs=probs, method=AUTO, domains=60, rows=60)
        for metric in CLASSIFICATION:
            found = estimator.estimate(probs=probs[:150], metric=metric)
            assert np.isfinite([found.value, found.low, found.high, *found.members.values()]).all()


def test_folds_without_errors_do_not_silence_the_others():
    heard = RowModels("outputs", "classification", (("a model",),))
    certain = RowModels("outputs", "classification", (), constant=1.0)
    assert RowModels.mean_of([heard, certain, heard]).models == (("a model",), ("a model",))
    assert RowModels.mean_of([heard, certain]).constant is None
    assert RowModels.mean_of([certain, certain]).constant == 1.0
