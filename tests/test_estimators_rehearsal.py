"""Shifted copies of the labelled rows: where they come from, and what belongs to what."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from estimator_cases import mixed, mixed_model, model, numbers, rehearsed, tried
from surefoot.errors import InputError
from surefoot.estimators._movement import Reference, reference_of
from surefoot.estimators._rehearsal import DRAWN_FAMILIES, FAMILIES, GROUPS, UNMOVED, Batch, Plan
from surefoot.estimators._scores import SCORES, truth
from surefoot.shifts import FlipSign, GaussianNoise, KnockOut, LabelSwitch, NoShift, Rebalance, Scaling


class Recorder:
    """A model that keeps the tables it is asked about."""

    def __init__(self, native):
        self.native, self.asked = native, []
        self.classes_ = native.classes_

    def predict_proba(self, X):
        self.asked.append(X)
        return self.native.predict_proba(X)


@cache
def example():
    """A rehearsal and the model in it."""
    native = Recorder(model())
    X, y = numbers(600, 1)
    weights = np.random.default_rng(0).uniform(0.5, 2, 600)
    return rehearsed(native, X, y, domains=60, rows=50, weights=weights), native, X, y, weights


class TestDomains:
    def test_are_of_the_asked_number_and_size(self):
        rehearsal, *_ = example()
        assert len(rehearsal.family) == len(list(rehearsal)) == 60
        assert set(np.diff(rehearsal.bounds)) == {50}
        assert len(rehearsal.domains) == len(rehearsal.domain_target) == len(rehearsal.of_row) == 3000
        assert rehearsal.families == tuple(FAMILIES)

    def test_families_and_groups_are_balanced(self):
        rehearsal, *_ = example()
        assert set(np.bincount(rehearsal.family)) == {12}
        assert set(np.bincount(rehearsal.group)) == {600 // GROUPS}
        assert np.bincount(rehearsal.domain_group, minlength=GROUPS).min() >= 6

    def test_unmoved_rows_come_from_their_group_with_their_label_and_weight(self):
        rehearsal, _, X, y, weights = example()
        place = {row.tobytes(): i for i, row in enumerate(X.astype(np.float32))}
        for d, rows in enumerate(rehearsal):
            if rehearsal.families[rehearsal.family[d]] == UNMOVED:
                source = [place[row.tobytes()] for row in rehearsal.domains.features[rows]]
                assert set(rehearsal.group[source]) == {rehearsal.domain_group[d]}
                assert_array_equal(rehearsal.domain_target[rows], y[source])
                assert_array_equal(rehearsal.domain_weights[rows], weights[source])

    def test_moved_rows_come_from_their_group_too(self):
        """Weights tell which row a moved one was."""
        rehearsal, *_ = example()
        group_of = dict(zip(rehearsal.weights.tolist(), rehearsal.group.tolist(), strict=True))
        for d, rows in enumerate(rehearsal):
            assert {group_of[w] for w in rehearsal.domain_weights[rows].tolist()} == {
                rehearsal.domain_group[d]
            }

    def test_outputs_are_the_models_own_of_these_rows(self):
        rehearsal, native, *_ = example()
        for rows in list(rehearsal)[:10]:
            again = native.native.predict_proba(rehearsal.domains.features[rows].astype(np.float64))
            assert_allclose(rehearsal.domains.outputs[rows], again, atol=2e-4)

    def test_families_move_what_they_say(self):
        rehearsal, *_ = example()
        for d, rows in enumerate(rehearsal):
            gaps = np.isnan(rehearsal.domains.features[rows]).any()
            assert gaps == (rehearsal.families[rehearsal.family[d]] == "missing-values")

    def test_labels_move_with_their_rows(self):
        X, y = numbers(600, 1)
        rehearsal = rehearsed(model(), X, y, domains=20, rows=100, families={"switch": LabelSwitch})
        switched = rehearsal.families.index("switch")
        right = rehearsal.domains.outputs.argmax(axis=1) == rehearsal.domain_target
        by_family = [right[rehearsal.family[rehearsal.of_row] == f].mean() for f in range(2)]
        assert by_family[switched] < 0.5 < by_family[1 - switched]

    def test_same_seed_same_rehearsal(self):
        X, y = numbers(300, 1)
        one, two, other = (rehearsed(model(), X, y, domains=20, rows=30, seed=seed) for seed in (3, 3, 4))
        assert_array_equal(one.domains.features, two.domains.features)
        assert_array_equal(one.domain_target, two.domain_target)
        assert not np.array_equal(one.group, other.group)

    def test_mixed_columns(self):
        frame, labels = mixed(400, 1)
        rehearsal = rehearsed(mixed_model(), frame, labels, domains=25, rows=40)
        assert rehearsal.families == tuple(FAMILIES)
        missing = rehearsal.families.index("missing-values")
        gaps = np.isnan(rehearsal.domains.features[rehearsal.family[rehearsal.of_row] == missing]).any(axis=0)
        assert gaps.all()


class TestModelCalls:
    def test_all_domains_are_predicted_in_one_call(self):
        _, native, *_ = example()
        assert [len(X) for X in native.asked] == [600, *[50] * len(FAMILIES), 3000]

    def test_a_model_that_refuses_gaps_loses_that_family(self):
        X, y = numbers(400, 1)
        rehearsal = rehearsed(LogisticRegression().fit(X, y), X, y, domains=20)
        assert "missing-values" not in rehearsal.families
        assert set(np.bincount(rehearsal.family)) == {5}
        (note,) = rehearsal.notes
        assert (
            note
            == "the model refuses missing-values (Input X contains NaN): nothing was learned about such a shift"
        )

    def test_a_model_that_refuses_gaps_in_one_of_many_columns_loses_it_too(self):
        X, y = numbers(400, 1)
        wide = np.repeat(X, 30, axis=1)

        def predict_proba(rows):
            if np.isnan(rows[:, 77]).any():
                raise ValueError("no gaps in 77")
            return model().predict_proba(rows[:, ::30])

        native = SimpleNamespace(predict_proba=predict_proba, classes_=[0, 1])
        assert "no gaps in 77" in rehearsed(native, wide, y, domains=20).notes[0]

    def test_a_model_that_refuses_the_rows_themselves(self):
        X, y = numbers(300, 1)
        given = model().predict_proba(X).astype(np.float32)
        with pytest.raises(
            InputError, match=r"refuses these rows \(This LogisticRegression instance is not fitted"
        ):
            rehearsed(LogisticRegression(), X, y, probs=given)

    def test_a_model_that_refuses_every_shift(self):
        X, y = numbers(300, 1)
        seen = {row.tobytes() for row in X}

        def predict_proba(rows):
            if not {row.tobytes() for row in rows} <= seen:
                raise KeyError
            return model().predict_proba(rows)

        native = SimpleNamespace(predict_proba=predict_proba, classes_=[0, 1])
        sentence = (
            r"no family of shifts can be rehearsed: the model refuses swapped-values \(KeyError\).*families=…"
        )
        with pytest.raises(InputError, match=sentence):
            rehearsed(native, X, y)


class TestFamilies:
    def test_those_that_move_nothing_here_are_left_out(self):
        frame = pd.DataFrame({"x": np.random.default_rng(0).choice(["a", "b"], 300)})
        native = SimpleNamespace(
            predict_proba=lambda rows: np.c_[rows.x == "a", rows.x != "a"].astype(float), classes_=["a", "b"]
        )
        assert rehearsed(native, frame, frame.x, domains=20).families == ("missing-values", UNMOVED)
        with pytest.raises(InputError, match="these columns hold nothing that scaling, no-shift could move"):
            rehearsed(native, frame, frame.x, domains=20, families={"scaling": Scaling})

    def test_rows_in_the_order_of_their_labels_lose_none(self):
        X, y = numbers(300, 1)
        order = np.argsort(y, kind="stable")
        kinds = {"knock-out": KnockOut, "rebalance": Rebalance}
        assert rehearsed(model(), X[order], y[order], families=kinds).families == (*kinds, UNMOVED)

    def test_only_drawn_ones_without_a_model(self):
        assert Plan().kinds(has_model=False) is DRAWN_FAMILIES
        assert Plan(families={"x": Scaling}).kinds(True) == {"x": Scaling, UNMOVED: NoShift}

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({"domains": 5}, "domains must be a whole number of at least 20, not 5"),
            ({"domains": 50.5}, "domains must be a whole number"),
            ({"rows": 0}, "rows must be a whole number of at least 1, not 0"),
            (
                {"families": {"noise": GaussianNoise()}},
                "maps names to kinds of shifts, but noise is GaussianNoise",
            ),
        ],
    )
    def test_bad_plans(self, options, sentence):
        with pytest.raises(InputError, match=sentence):
            Plan(**options)


class TestTrials:
    def test_a_fold_knows_neither_the_rows_nor_the_family_of_the_domains_kept_from_it(self):
        rehearsal, *_ = example()
        trials = tried(rehearsal)
        for i, (fold, kept) in enumerate(zip(trials.folds, trials.kept, strict=True)):
            learned = np.flatnonzero(fold.domains)
            assert not set(learned) & set(kept)
            assert set(rehearsal.domain_group[kept]) == {i}
            assert not set(rehearsal.domain_group[learned]) & {i}
            assert set(np.flatnonzero(~fold.rows)) == set(np.flatnonzero(rehearsal.group == i))
            families = {rehearsal.families[f] for f in rehearsal.family[kept]} - {UNMOVED}
            assert not families & {rehearsal.families[f] for f in rehearsal.family[learned]}

    def test_all_unmoved_domains_are_kept_once_and_truth_is_theirs(self):
        rehearsal, *_ = example()
        trials = tried(rehearsal)
        assert len(set(trials.domains)) == len(trials.domains)
        still = trials.domains[trials.unmoved]
        assert set(still) == set(np.flatnonzero(rehearsal.family == rehearsal.families.index(UNMOVED)))
        accuracy = [score.name for score in trials.scores].index("accuracy")
        places = list(rehearsal)
        for d, found in zip(trials.domains, trials.truth[:, accuracy], strict=True):
            outputs, target = rehearsal.domains.outputs[places[d]], rehearsal.domain_target[places[d]]
            weights = rehearsal.domain_weights[places[d]]
            assert_allclose(found, np.average(outputs.argmax(axis=1) == target, weights=weights))

    def test_more_families_than_groups_are_all_tried(self):
        X, y = numbers(300, 1)
        kinds = {f"family-{i}": (FlipSign, Scaling)[i % 2] for i in range(7)}
        rehearsal = rehearsed(model(), X, y, domains=64, rows=20, families=kinds)
        trials = tried(rehearsal)
        assert set(rehearsal.family[trials.domains]) == set(range(8))
        for fold, kept in zip(trials.folds, trials.kept, strict=True):
            moved = rehearsal.family[kept][rehearsal.family[kept] != 7]
            assert not set(moved) & set(rehearsal.family[fold.domains])


class TestMovement:
    @staticmethod
    def reference():
        rehearsal, *_ = example()
        trials = tried(rehearsal)
        return reference_of(rehearsal, trials.domains[trials.unmoved])

    @staticmethod
    def batch(n, seed, turn=lambda X: X):
        X = turn(numbers(n, seed)[0])
        return Batch(X.astype(np.float32), model().predict_proba(X).astype(np.float32))

    def test_little_where_nothing_moved_and_all_where_much_did(self):
        reference = self.reference()
        assert np.mean([reference.moved(self.batch(300, seed)) for seed in range(10, 30)]) < 0.1
        assert reference.moved(self.batch(300, 40, lambda X: X * [1, 1, 3, 1])) == 1
        assert reference.moved(self.batch(300, 40, lambda X: np.where([0, 1, 0, 0], np.nan, X))) == 1

    def test_usual_is_the_distance_that_nearly_all_unmoved_domains_stay_under(self):
        reference, (rehearsal, *_) = self.reference(), example()
        places, still = list(rehearsal), rehearsal.families.index(UNMOVED)
        unmoved = np.flatnonzero(rehearsal.family == still)
        distances = [reference.distance(rehearsal.domains.take(places[d])) for d in unmoved]
        assert_allclose(reference.usual, np.quantile(distances, 0.95))

    def test_grows_with_the_size_of_the_shift(self):
        reference = self.reference()
        found = [
            reference.distance(self.batch(500, 50, lambda X, s=s: X + np.array([s, 0, 0, 0])))
            for s in (0, 0.5, 1, 2)
        ]
        assert found == sorted(found)
        assert found[3] > 5 * found[0]

    def test_unit_of_a_column_does_not_matter(self):
        X, y = numbers(400, 1)
        found = []
        for unit in (1.0, 1e-6):
            native = SimpleNamespace(
                predict_proba=lambda X, u=unit: model().predict_proba(X / u), classes_=[0, 1]
            )
            rehearsal = rehearsed(native, X * unit, y, domains=20)
            trials = tried(rehearsal)
            reference = reference_of(rehearsal, trials.domains[trials.unmoved])
            other = numbers(300, 2)[0] + [0, 0, 0.2, 0]
            outputs = model().predict_proba(other).astype(np.float32)
            found.append(reference.distance(Batch((other * unit).astype(np.float32), outputs)))
        assert_allclose(found[0], found[1], rtol=1e-3)

    def test_a_constant_column_that_changes_has_moved(self):
        X, y = numbers(400, 1)
        wide = np.c_[X, np.full(400, 0.1)]
        native = SimpleNamespace(
            predict_proba=lambda rows: model().predict_proba(rows[:, :4]), classes_=[0, 1]
        )
        rehearsal = rehearsed(native, wide, y, domains=20)
        trials = tried(rehearsal)
        reference = reference_of(rehearsal, trials.domains[trials.unmoved])
        same = Batch(wide.astype(np.float32), rehearsal.rows.outputs)
        changed = Batch(np.c_[X, np.full(400, 2.0)].astype(np.float32), rehearsal.rows.outputs)
        assert reference.moved(same) == 0
        assert reference.moved(changed) == 1

    def test_likeness_is_that_to_the_nearest_rehearsed_shift(self):
        reference = self.reference()
        rehearsal, *_ = example()
        places = list(rehearsal)
        scaled = np.flatnonzero(rehearsal.family == rehearsal.families.index("scaling"))
        assert_allclose([reference.likeness(rehearsal.domains.take(places[d])) for d in scaled], 1, atol=1e-5)
        assert -1 <= reference.likeness(self.batch(300, 60)) <= 1

    def test_comes_back_from_a_dictionary(self):
        reference = self.reference()
        back, batch = Reference.from_dict(reference.to_dict()), self.batch(200, 70)
        assert back.distance(batch) == reference.distance(batch)
        assert_allclose(back.likeness(batch), reference.likeness(batch), atol=1e-3)


def test_expected_and_true_scores_are_of_one_definition():
    rehearsal, *_ = example()
    belief = truth(rehearsal.rows.outputs, rehearsal.target)
    assert_allclose(belief.sum(axis=1), 1)
    right = (rehearsal.rows.outputs.argmax(axis=1) == rehearsal.target).mean()
    assert_allclose(SCORES["accuracy"].of(rehearsal.rows.outputs, belief, np.ones(600)), right)
