"""How far a batch has moved, in which direction, and whether other shares of the classes explain it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from estimator_cases import SCALES, mixed, mixed_model, model, numbers, rehearsed
from surefoot.estimators._doubt import doubts
from surefoot.estimators._method import Seen
from surefoot.estimators._movement import Movement, Reference, reference_of, rehearsed_of
from surefoot.estimators._rehearsal import UNMOVED, Batch

NO_CODES = np.zeros(4, dtype=bool)
FIRST = SCALES * [1, 0, 0, 0]
"""A standard deviation of the first column."""


@cache
def rehearsal():
    """Labelled rows and domains of them."""
    return rehearsed(model(), *numbers(600, 1), domains=60, rows=50)


@cache
def reference():
    """What is known of these labelled rows, and where their domains went."""
    return rehearsed_of(rehearsal())


def looked_at(X):
    """Rows as the estimators see them."""
    return Batch(X.astype(np.float32), model().predict_proba(X).astype(np.float32))


def batch(n, seed, turn=lambda X: X):
    """Rows never seen, turned into others."""
    return looked_at(turn(numbers(n, seed)[0]))


def moved(one, known=None, **options):
    """How far a batch has moved."""
    return (known or reference()).movement(one, **options).moved


def distance(one, known=None):
    """The same before it is held against what is usual."""
    known = known or reference()
    return known.distance(known.movement(one).profile, len(one))


def of(X, y, weights=None):
    """What is known of labelled rows."""
    return reference_of(looked_at(X), y, NO_CODES, weights)


def drawn(X, y, share, n, seed):
    """Rows with this share of class 1."""
    rng = np.random.default_rng(seed)
    return X[np.where(rng.random(n) < share, *(rng.choice(np.flatnonzero(y == k), n) for k in (1, 0)))]


class TestMoved:
    def test_little_where_nothing_moved_and_all_where_much_did(self):
        assert np.mean([moved(batch(300, seed)) for seed in range(10, 30)]) < 0.1
        assert moved(batch(300, 40, lambda X: X + FIRST)) == 1

    def test_about_one_unmoved_batch_of_twenty_is_further_than_usual(self):
        """Labelled rows and batches are drawn anew."""
        found = [moved(batch(200, 1000 + seed), of(*numbers(500, seed))) > 0 for seed in range(40)]
        assert 0 < np.mean(found) < 0.15

    def test_spreads_and_gaps_count_as_means_do(self):
        centre = numbers(600, 1)[0].mean(axis=0)
        assert moved(batch(300, 40, lambda X: (X - centre) * [1, 1, 3, 1] + centre)) == 1
        assert moved(batch(300, 40, lambda X: np.where([0, 1, 0, 0], np.nan, X))) == 1

    def test_outputs_count_too(self):
        """Another model on the same columns."""
        one = batch(300, 40)
        surer = np.cbrt(one.outputs[:, 1])
        assert moved(Batch(one.features, np.stack([1 - surer, surer], axis=1))) == 1
        assert moved(one) == 0

    def test_grows_with_the_size_of_the_shift(self):
        found = [distance(batch(500, 50, lambda X, s=s: X + s * FIRST)) for s in (0, 0.5, 1, 2)]
        assert found == sorted(found)
        assert found[3] > 5 * found[0]

    def test_grows_with_the_number_of_rows(self):
        """The same difference is less of a chance in more rows."""
        shifted = batch(400, 50, lambda X: X + 0.4 * FIRST)
        assert moved(shifted, size=20) < moved(shifted) <= moved(shifted, size=4000)

    def test_unit_of_a_column_does_not_matter(self):
        X, y = numbers(400, 1)
        other = numbers(300, 2)[0] + [0, 0, 0.2, 0]
        found = []
        for unit in (1.0, 1e-6):
            rows, new = (
                Batch((values * unit).astype(np.float32), model().predict_proba(values).astype(np.float32))
                for values in (X, other)
            )
            found.append(distance(new, reference_of(rows, y, NO_CODES)))
        assert_allclose(found[0], found[1], rtol=1e-3)

    def test_a_constant_column_that_changes_has_moved(self):
        X, y = numbers(400, 1)
        outputs = model().predict_proba(X).astype(np.float32)
        same, changed = (
            Batch(np.c_[X, np.full(400, value)].astype(np.float32), outputs) for value in (0.1, 2.0)
        )
        known = reference_of(same, y, np.zeros(5, dtype=bool))
        assert moved(same, known) == 0
        assert moved(changed, known) == 1

    def test_categories_that_were_labelled_once_are_as_strange_as_new_ones(self):
        """A batch of rows alike has as many names of its own as the labelled rows have, and has not moved by them."""
        rng = np.random.default_rng(0)
        outputs = np.full((300, 2), 0.5, dtype=np.float32)
        labels = rng.integers(0, 2, 300)
        codes = np.where(rng.random(300) < 0.4, np.arange(300), 0).astype(np.float32)[:, None]
        known = reference_of(Batch(codes, outputs), labels, np.array([True]))
        new = np.where(rng.random(300) < 0.4, np.nan, 0).astype(np.float32)[:, None]
        assert moved(Batch(new, outputs), known) == 0
        assert moved(Batch(np.full((300, 1), np.nan, dtype=np.float32), outputs), known) == 1

    def test_outputs_alone_tell(self):
        X, y = numbers(400, 1)
        known = reference_of(Batch(None, looked_at(X).outputs), y, np.zeros(0, dtype=bool))
        assert moved(Batch(None, batch(300, 40).outputs), known) < 0.5
        assert moved(Batch(None, batch(300, 40, lambda X: X + FIRST).outputs), known) == 1


class TestWeights:
    def test_a_row_that_counts_twice_is_two(self):
        (X, y), times = numbers(200, 1), np.random.default_rng(0).integers(1, 4, 200)
        weighted, repeated = (
            of(X, y, times.astype(float)),
            of(np.repeat(X, times, axis=0), np.repeat(y, times)),
        )
        new = numbers(150, 2)[0]
        profiles = [known.movement(looked_at(new)).profile for known in (weighted, repeated)]
        # the centres, from which distances are taken, are those of the rows as they are
        assert_allclose(*(np.delete(one, np.s_[4:8]) for one in profiles), atol=2e-3)
        assert_allclose(weighted.classes.prior, repeated.classes.prior)

    def test_a_row_of_the_batch_that_counts_twice_is_two(self):
        X, times = numbers(200, 7)[0], np.random.default_rng(0).integers(0, 4, 200)
        weighted = reference().movement(looked_at(X), times.astype(float))
        repeated = reference().movement(looked_at(np.repeat(X, times, axis=0)), size=weighted_size(times))
        assert_allclose(weighted.profile, repeated.profile, atol=1e-9)
        assert weighted.moved == pytest.approx(repeated.moved)
        assert_allclose(weighted.shares, repeated.shares, atol=1e-6)

    def test_labelled_rows_are_worth_less_if_few_of_them_count(self):
        X, y = numbers(400, 1)
        weights = np.where(np.arange(400) < 40, 1.0, 1e-6)
        assert of(X, y).n == 400
        assert of(X, y, weights).n == pytest.approx(40, rel=1e-3)

    def test_that_make_labelled_rows_like_the_batch_say_that_nothing_moved(self):
        """Labelled half of each class, and weighted back to the share of a tenth that batches have."""
        plain, weighted = [], []
        for seed in range(8):
            X, y = numbers(1000, seed)
            new = looked_at(drawn(*numbers(1000, 100 + seed), 0.1, 400, seed))
            weights = np.where(y == 1, 0.1 / y.mean(), 0.9 / (1 - y.mean()))
            plain.append(of(X, y).movement(new))
            weighted.append(of(X, y, weights).movement(new))
        assert min(one.moved for one in plain) == 1
        assert np.mean([one.by_shares for one in plain]) > 0.5
        assert np.mean([one.moved for one in weighted]) < 0.2
        assert np.mean([one.by_shares for one in weighted]) < 0.2
        assert np.mean([one.shares[1] for one in weighted]) == pytest.approx(0.1, abs=0.03)


class TestShares:
    def test_explain_a_batch_whose_classes_have_other_shares(self):
        known = [of(*numbers(1000, seed)) for seed in range(8)]
        for share in (0.1, 0.3, 0.8):
            new = [looked_at(drawn(*numbers(1000, 100 + seed), share, 400, seed)) for seed in range(8)]
            found = [one.movement(rows) for one, rows in zip(known, new, strict=True)]
            assert np.mean([one.by_shares for one in found]) > 0.5
            assert np.mean([one.shares[1] for one in found]) == pytest.approx(share, abs=0.05)

    def test_do_not_explain_cells_that_moved(self):
        for turn in (
            lambda X: X + 2 * SCALES,
            lambda X: np.where([0, 1, 0, 0], np.nan, X),
            lambda X: X[:, [1, 0, 2, 3]],
        ):
            assert reference().movement(batch(400, 40, turn)).by_shares < 0.1

    def test_have_not_moved_where_nothing_has(self):
        found = [reference().movement(batch(300, seed)).by_shares for seed in range(10, 30)]
        assert np.mean(found) < 0.1

    def test_a_regressor_has_none(self):
        X, y = numbers(300, 1, 3)
        known = reference_of(Batch(X.astype(np.float32), y.astype(np.float32)), y, NO_CODES)
        found = known.movement(Batch((X + FIRST).astype(np.float32), y.astype(np.float32)))
        assert known.classes is None
        assert (found.moved, found.by_shares, len(found.shares)) == (1, 0, 0)

    @given(moved=st.floats(0, 1), by_shares=st.floats(0, 1))
    def test_regimes_are_shares_of_one(self, moved, by_shares):
        still, shares, other = Movement(moved, by_shares, np.zeros(2)).regimes
        assert still + shares + other == pytest.approx(1)
        assert min(still, shares, other) >= 0
        assert shares == by_shares


class TestLikeness:
    def test_is_that_to_the_nearest_rehearsed_shift(self):
        known, domains = reference(), rehearsal()
        places, weights = list(domains), domains.domain_weights
        went = np.flatnonzero(domains.family != domains.families.index(UNMOVED))
        profiles = [known.profile(domains.domains.take(places[d]), weights[places[d]]) for d in went]
        assert_allclose([known.likeness(one) for one in profiles], 1, atol=1e-3)
        assert known.rehearsed.shape[0] == len(went)
        assert_allclose(np.linalg.norm(known.rehearsed, axis=1), 1, atol=1e-3)

    @given(st.integers(0, 100))
    def test_is_a_cosine(self, seed):
        profile = np.random.default_rng(seed).standard_cauchy(len(reference().mean))
        assert -1.001 <= reference().likeness(profile) <= 1.001
        assert reference().likeness(np.zeros_like(profile)) == 0

    def test_without_a_rehearsal_nothing_is_alike(self):
        known = of(*numbers(300, 1))
        assert known.likeness(known.movement(batch(200, 2)).profile) == 0

    def test_a_movement_unlike_any_rehearsed_one_is_told(self):
        """A column that the model does not read goes up in the only rehearsed domain."""
        up, down = (batch(300, 50, lambda X, s=s: X + s * SCALES * [0, 0, 0, 1]) for s in (1, -1))
        profile = reference().movement(up).profile
        known = replace(reference(), rehearsed=(profile / np.linalg.norm(profile))[None])
        told = []
        for one in (up, down):
            movement = known.movement(one)
            assert movement.moved == 1
            found = doubts(Seen(one.outputs, None, np.ones(300), one, movement), {}, known, {}, 1, ())
            told.append(any("moved in a way unlike any rehearsed shift" in said for said in found))
        assert told == [False, True]


class TestKept:
    def test_comes_back_from_json(self):
        known, one = reference(), batch(200, 70, lambda X: X + FIRST)
        back = Reference.from_dict(json.loads(json.dumps(known.to_dict())))
        for found, expected in zip(back.movement(one), known.movement(one), strict=True):
            assert_array_equal(found, expected)
        profile = known.movement(one).profile
        assert back.likeness(profile) == known.likeness(profile)

    def test_to_the_type_of_every_number(self):
        """A sum in float32 differs from the same in float64."""
        known = reference()
        back = Reference.from_dict(known.to_dict())
        for one, other in ((known, back), (known.classes, back.classes)):
            kinds = [
                {name: value.dtype for name, value in vars(each).items() if isinstance(value, np.ndarray)}
                for each in (one, other)
            ]
            assert kinds[0] == kinds[1]

    def test_of_a_regressor_and_of_outputs_alone(self):
        X, y = numbers(300, 1, 3)
        for rows, target in (
            (Batch(X.astype(np.float32), y.astype(np.float32)), y),
            (Batch(None, model(3).predict_proba(X).astype(np.float32)), y),
        ):
            codes = np.zeros(0 if rows.features is None else 4, dtype=bool)
            known = reference_of(rows, target, codes)
            back = Reference.from_dict(json.loads(json.dumps(known.to_dict())))
            assert repr(back) == repr(known)
            assert back.movement(rows).moved == known.movement(rows).moved == 0


def weighted_size(times):
    """How many rows those are worth that are drawn so often."""
    return times.sum() ** 2 / (times**2).sum()


def test_mixed_columns_are_watched_with_their_gaps():
    frame, labels = mixed(400, 1)
    known = rehearsed_of(rehearsed(mixed_model(), frame, labels, domains=20, rows=40))
    columns = frame.shape[1]
    assert len(known.mean) == 3 * columns + 2
    assert np.isfinite(known.mean).all()
    assert (known.deviation > 0).all()
