"""Shifted copies of the labelled rows: where they come from, and what belongs to what."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from estimator_cases import mixed, mixed_model, model, numbers, rehearsed, tried
from surefoot.errors import InputError
from surefoot.estimators._model import CLASSIFICATION, REGRESSION, Model
from surefoot.estimators._rehearsal import BROAD_FAMILIES, DRAWN_FAMILIES, FAMILIES, GROUPS, UNMOVED, Plan
from surefoot.estimators._scores import SCORES, truth
from surefoot.shifts import FlipSign, GaussianNoise, KnockOut, LabelSwitch, NoShift, Rebalance, Scaling

OF_NUMBERS = (*FAMILIES, "rebalance")
"""The families that move something in a table without categories."""


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
        assert rehearsal.families == OF_NUMBERS

    def test_families_and_groups_are_balanced(self):
        rehearsal, *_ = example()
        assert set(np.bincount(rehearsal.family)) == {10}
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

    def test_every_row_knows_which_labelled_one_it_was(self):
        rehearsal, _, X, y, weights = example()
        cells = {"rebalance", UNMOVED}
        stay = np.isin(rehearsal.family, [rehearsal.families.index(name) for name in cells])[rehearsal.of_row]
        assert_array_equal(rehearsal.domains.features[stay], X.astype(np.float32)[rehearsal.source[stay]])
        assert_array_equal(rehearsal.domain_target, y[rehearsal.source])
        assert_array_equal(rehearsal.domain_weights, weights[rehearsal.source])
        assert_array_equal(rehearsal.group[rehearsal.source], rehearsal.domain_group[rehearsal.of_row])

    def test_shifts_are_light_and_severe(self):
        """What is learned is meant for batches of both sorts."""
        rehearsal, _, X, *_ = example()
        same = rehearsal.domains.features == X.astype(np.float32)[rehearsal.source]
        touched = np.bincount(rehearsal.of_row, ~same.all(axis=1)) / 50
        scaled = touched[rehearsal.family == rehearsal.families.index("scaling")]
        assert scaled.min() < 0.35
        assert scaled.max() > 0.75

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
        switched = rehearsal.family[rehearsal.of_row] == rehearsal.families.index("switch")
        other = rehearsal.domain_target != rehearsal.target[rehearsal.source]
        assert 0.1 < other[switched].mean() < 0.95
        assert not other[~switched].any()

    def test_same_seed_same_rehearsal(self):
        X, y = numbers(300, 1)
        one, two, other = (rehearsed(model(), X, y, domains=20, rows=30, seed=seed) for seed in (3, 3, 4))
        assert_array_equal(one.domains.features, two.domains.features)
        assert_array_equal(one.domain_target, two.domain_target)
        assert not np.array_equal(one.group, other.group)

    def test_mixed_columns(self):
        frame, labels = mixed(400, 1)
        rehearsal = rehearsed(mixed_model(), frame, labels, domains=25, rows=40)
        assert rehearsal.families == tuple(BROAD_FAMILIES)
        missing = rehearsal.families.index("missing-values")
        gaps = np.isnan(rehearsal.domains.features[rehearsal.family[rehearsal.of_row] == missing]).any(axis=0)
        assert gaps.all()


class TestModelCalls:
    def test_all_domains_are_predicted_in_one_call(self):
        _, native, *_ = example()
        assert [len(X) for X in native.asked] == [600, *[50] * len(OF_NUMBERS), 3000]

    def test_a_model_that_refuses_gaps_loses_that_family(self):
        X, y = numbers(400, 1)
        rehearsal = rehearsed(LogisticRegression().fit(X, y), X, y, domains=20)
        assert rehearsal.families == tuple(name for name in OF_NUMBERS if name != "missing-values")
        assert set(np.bincount(rehearsal.family)) == {4}
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
            rehearsed(native, X, y, families=FAMILIES)
        only_drawn = rehearsed(native, X, y, domains=20)
        assert only_drawn.families == (UNMOVED, "rebalance")
        assert len(only_drawn.notes) == len(OF_NUMBERS) - 2


class TestFamilies:
    def test_those_that_move_nothing_here_are_left_out(self):
        frame = pd.DataFrame({"x": np.random.default_rng(0).choice(["a", "b"], 300)})
        native = SimpleNamespace(
            predict_proba=lambda rows: np.c_[rows.x == "a", rows.x != "a"].astype(float), classes_=["a", "b"]
        )
        found = rehearsed(native, frame, frame.x, domains=20).families
        assert set(found) == set(BROAD_FAMILIES) - {"swapped-values", "scaling", "outliers"}
        with pytest.raises(InputError, match="these columns hold nothing that scaling, no-shift could move"):
            rehearsed(native, frame, frame.x, domains=20, families={"scaling": Scaling})

    def test_rows_in_the_order_of_their_labels_lose_none(self):
        X, y = numbers(300, 1)
        order = np.argsort(y, kind="stable")
        kinds = {"knock-out": KnockOut, "rebalance": Rebalance}
        assert rehearsed(model(), X[order], y[order], families=kinds).families == (*kinds, UNMOVED)

    def test_only_drawn_ones_without_a_model(self):
        assert Plan().kinds(Model(None, CLASSIFICATION)) is DRAWN_FAMILIES
        assert all(kind.sort != "covariate" for kind in DRAWN_FAMILIES.values())

    def test_those_that_are_named_and_none(self):
        known = Model(model(), CLASSIFICATION)
        assert Plan(families={"x": Scaling}).kinds(known) == {"x": Scaling, UNMOVED: NoShift}

    def test_a_regressor_has_no_classes_whose_shares_could_move(self):
        assert Plan().kinds(Model(model(), CLASSIFICATION)) == BROAD_FAMILIES
        assert set(BROAD_FAMILIES) - set(Plan().kinds(Model(model(), REGRESSION))) == {"rebalance"}

    def test_those_that_give_classes_other_shares_are_known(self):
        rehearsal, *_ = example()
        named = dict(zip(rehearsal.families, rehearsal.relabelled, strict=True))
        assert [name for name, relabelled in named.items() if relabelled] == ["rebalance"]
        shares = np.bincount(rehearsal.of_row, rehearsal.domain_target) / 50
        other = np.abs(shares - rehearsal.target.mean())
        rebalanced = np.array(rehearsal.relabelled)[rehearsal.family]
        assert other[rebalanced].mean() > 2 * other[~rebalanced].mean()

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


class TestSizes:
    """How many different rows a domain is worth."""

    @staticmethod
    def of(source, weights=None):
        """The size of one domain that is drawn from ten rows."""
        rehearsal, *_ = example()
        source = np.asarray(source)
        one = replace(
            rehearsal,
            source=source,
            bounds=np.array([0, len(source)]),
            domain_weights=np.ones(len(source)) if weights is None else np.asarray(weights)[source],
        )
        return float(one.sizes[0])

    def test_different_rows_count_once_each(self):
        assert self.of([3, 1, 4, 9, 2]) == 5

    def test_a_row_that_is_drawn_twice_tells_nothing_twice(self):
        assert self.of([3, 1, 4, 3, 1, 4]) == pytest.approx(3)
        assert self.of([3, 3, 3, 1]) == pytest.approx(16 / 10)

    def test_a_row_of_twice_the_weight_is_one_that_is_drawn_twice(self):
        assert self.of([0, 1, 2], [1, 2, 1]) == pytest.approx(self.of([0, 1, 1, 2]))

    @given(st.lists(st.tuples(st.integers(0, 9), st.floats(0.1, 10)), min_size=1, max_size=30))
    def test_lies_between_one_and_the_number_of_different_rows(self, drawn):
        source = [row for row, _ in drawn]
        weights = np.ones(10)
        weights[source] = [weight for _, weight in drawn]
        size = self.of(source, weights)
        assert 1 - 1e-9 <= size <= len(set(source)) + 1e-9
        assert self.of(source, 7 * weights) == pytest.approx(size)

    def test_chance_in_a_mean_is_that_of_so_many_rows(self):
        """The variance of a mean of rows drawn with repetition and weights, against draws of their values."""
        rng = np.random.default_rng(0)
        source, weights = rng.integers(0, 10, 25), rng.uniform(0.2, 3, 10)
        values = rng.normal(size=(20_000, 10))[:, source]
        means = np.average(values, axis=1, weights=weights[source])
        assert means.var() == pytest.approx(1 / self.of(source, weights), rel=0.05)

    def test_of_a_rehearsal_are_at_most_its_rows_and_its_group(self):
        X, y = numbers(300, 1)
        rehearsal = rehearsed(model(), X, y, domains=20, rows=50)
        still = rehearsal.family == rehearsal.families.index(UNMOVED)
        assert_allclose(rehearsal.sizes[still], 50)
        crowded = rehearsed(model(), X, y, domains=20, rows=200).sizes
        assert (crowded < 300 / GROUPS).all()


def test_expected_and_true_scores_are_of_one_definition():
    rehearsal, *_ = example()
    belief = truth(rehearsal.rows.outputs, rehearsal.target)
    assert_allclose(belief.sum(axis=1), 1)
    right = (rehearsal.rows.outputs.argmax(axis=1) == rehearsal.target).mean()
    assert_allclose(SCORES["accuracy"].of(rehearsal.rows.outputs, belief, np.ones(600)), right)
