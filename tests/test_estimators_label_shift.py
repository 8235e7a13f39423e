"""Class shares that are read from how a batch has moved, and scores under the labels that they make likely."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression

from surefoot.errors import InputError
from surefoot.estimators._class_profiles import ClassProfiles, class_profiles
from surefoot.estimators._confidence import DoC
from surefoot.estimators._label_shift import LabelShift, Reshared, calibration_loss
from surefoot.estimators._method import Fold, Seen, everything
from surefoot.estimators._movement import Movement, Reference, reference_of
from surefoot.estimators._rehearsal import GROUPS, UNMOVED, Batch, Rehearsal
from surefoot.estimators._scores import SCORES, truth

SCORED = LabelShift.scores
CENTRES = 1.2 * np.array([[1, 0, 0, 1], [0, 1, 0, -1], [0, 0, 1, 0]])
"""Where the rows of three classes lie, in four columns of unit variance."""

FIRST = np.array([1, 0, 0, 0])


def drawn(n, seed, shares=(1 / 3, 1 / 3, 1 / 3)):
    """Rows and their classes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(len(shares), n, p=shares)
    return CENTRES[y] + rng.normal(size=(n, 4)), y


@cache
def model():
    """A classifier of these classes, too sure of itself."""
    found = LogisticRegression().fit(*drawn(2000, 0))
    found.coef_ *= 1.5
    return found


def looked_at(X):
    """Rows as the estimators see them."""
    return Batch(X.astype(np.float32), model().predict_proba(X).astype(np.float32))


def labelled(rows, target, weights=None):
    """A rehearsal of labelled rows alone, which is all that label shift learns from."""
    n = len(target)
    return Rehearsal(
        rows=rows,
        target=target,
        weights=np.ones(n) if weights is None else weights,
        group=np.arange(n) % GROUPS,
        domains=rows.take(slice(0)),
        domain_target=target[:0],
        domain_weights=np.ones(0),
        source=np.zeros(0, dtype=int),
        bounds=np.zeros(1, dtype=int),
        family=np.zeros(0, dtype=int),
        domain_group=np.zeros(0, dtype=int),
        families=(UNMOVED,),
        relabelled=(False,),
        schema=None,
    )


class Asked:
    """Label shift and the movement that it reads, learned from the same rows."""

    def __init__(self, rows, target, weights=None):
        rehearsal = labelled(rows, target, weights)
        codes = np.zeros(0 if rows.features is None else rows.features.shape[1], dtype=bool)
        self.learned = LabelShift().learn(rehearsal, everything(rehearsal))
        self.doc = DoC().learn(rehearsal, everything(rehearsal))
        self.reference = reference_of(rows, target, codes, weights)

    def seen(self, batch, weights=None):
        movement = self.reference.movement(batch, weights)
        return Seen(batch.outputs, None, np.ones(len(batch)) if weights is None else weights, batch, movement)

    def guess(self, batch, score="accuracy", weights=None):
        return self.learned.guess(self.seen(batch, weights), SCORES[score])

    def guesses(self, batch):
        return np.array([self.guess(batch, name) for name in SCORED])


@cache
def asked():
    """Learned from 1,500 rows of even classes."""
    X, y = drawn(1500, 1)
    return Asked(looked_at(X), y)


def profiles():
    """What is known of each class there."""
    return asked().reference.classes


def black_box(rows, target, batch):
    """Shares of the classes by the confusion of predicted labels alone (Lipton et al. 2018)."""
    k = rows.outputs.shape[1]
    confusion = np.zeros((k, k))
    np.add.at(confusion, (rows.outputs.argmax(axis=1), target), 1)
    predicted = np.bincount(batch.outputs.argmax(axis=1), minlength=k) / len(batch)
    ratio = np.linalg.solve(confusion / len(target), predicted)
    return ratio * np.bincount(target, minlength=k) / len(target)


UNEVEN = [(0.8, 0.1, 0.1), (0.1, 0.6, 0.3), (0.05, 0.05, 0.9), (0.5, 0.5, 0.0), (0.0, 0.0, 1.0)]


class TestShares:
    @pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 1 / 3), *UNEVEN], ids=str)
    def test_are_those_that_the_batch_was_drawn_with(self, shares):
        found = asked().reference.movement(looked_at(drawn(1500, 2, shares)[0])).shares
        assert_allclose(found, shares, atol=0.06)

    @pytest.mark.parametrize("shares", [(0.7, 0.2, 0.1), (0.2, 0.2, 0.6)], ids=str)
    def test_are_those_of_black_box_shift_estimation(self, shares):
        (X, y), (new, _) = drawn(3000, 3), drawn(3000, 4, shares)
        rows, batch = looked_at(X), looked_at(new)
        found = Asked(rows, y).reference.movement(batch).shares
        assert_allclose(found, black_box(rows, y, batch), atol=0.05)

    @given(st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda shares: sum(shares) > 0.1))
    def test_of_a_profile_that_they_make_are_exactly_they(self, shares):
        """But for being held back a little."""
        wanted = np.array(shares) / sum(shares)
        found = profiles().shares(wanted @ profiles().profile)
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()
        assert_allclose(found, wanted, atol=0.06)
        held = np.abs(found - profiles().prior).sum()
        assert held <= np.abs(wanted - profiles().prior).sum() + 1e-9

    @settings(max_examples=30)
    @given(st.integers(0, 10_000), st.sampled_from([1, 30, 1e6]))
    def test_of_any_profile_are_shares(self, seed, size):
        found = profiles().shares(size * np.random.default_rng(seed).normal(size=profiles().profile.shape[1]))
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()

    def test_of_nothing_that_moved_are_those_of_the_labelled_rows(self):
        found = profiles().shares(np.zeros(profiles().profile.shape[1]))
        assert_allclose(found, profiles().prior, atol=1e-6)

    def test_of_classes_that_look_alike_stay(self):
        """Two of three are the same, so that nothing tells how many rows are of which."""
        alike = ClassProfiles(
            np.array([0.5, 0.2, 0.3]),
            np.array([500, 200, 300]),
            np.array([[0.3, -0.6], [0.3, -0.6], [-0.7, 1.4]]),
            np.ones((3, 2)),
        )
        for profile in (np.zeros(2), np.array([0.2, -0.3]), np.array([-0.2, 0.5])):
            one, other, _ = alike.shares(profile)
            assert one - 0.5 == pytest.approx(other - 0.2, abs=1e-6)


class TestBelief:
    def test_is_whole_where_only_shares_moved(self):
        found = [
            asked().reference.movement(looked_at(drawn(400, 10 + seed, shares)[0])).by_shares
            for seed, shares in enumerate(2 * UNEVEN)
        ]
        assert np.mean(found) > 0.7
        assert np.median(found) > 0.9

    @pytest.mark.parametrize(
        "turn",
        [
            lambda X: X + 2 * FIRST,
            lambda X: X[:, [1, 0, 2, 3]] * [1, 3, 1, 1],
            lambda X: np.where([0, 0, 0, 1], 0.0, X),
            lambda X: 4 * X,
        ],
        ids=["shifted", "swapped", "constant", "scaled"],
    )
    def test_is_none_where_cells_moved(self, turn):
        for shares in ((1 / 3, 1 / 3, 1 / 3), (0.7, 0.2, 0.1)):
            assert asked().reference.movement(looked_at(turn(drawn(400, 10, shares)[0]))).by_shares < 0.1

    def test_is_none_where_nothing_moved(self):
        found = [
            asked().reference.movement(looked_at(drawn(400, 30 + seed)[0])).by_shares for seed in range(10)
        ]
        assert np.mean(found) < 0.1

    @given(st.integers(0, 10_000), st.floats(1, 1e5), st.sampled_from([0, 1e-3, 1, 1e6]))
    def test_is_a_share(self, seed, size, scale):
        profile = scale * np.random.default_rng(seed).normal(size=profiles().profile.shape[1])
        assert 0 <= profiles().belief(profile, profiles().shares(profile), size) <= 1

    def test_grows_no_greater_with_what_the_shares_do_not_explain(self):
        shares = np.array([0.7, 0.2, 0.1])
        explained, other = shares @ profiles().profile, np.random.default_rng(0).normal(size=14)
        other = np.resize(other, explained.shape)
        found = [profiles().belief(explained + by * other, shares, 400) for by in (0, 0.05, 0.2, 1)]
        assert found == sorted(found, reverse=True)
        assert found[0] == 1
        assert found[-1] == 0

    def test_is_less_for_the_same_rest_in_more_rows(self):
        shares = np.array([0.7, 0.2, 0.1])
        explained = shares @ profiles().profile
        rest = 0.1 * (-1) ** np.arange(len(explained)) * (explained != 0)  # no gaps where there are none
        found = [profiles().belief(explained + rest, shares, size) for size in (20, 200, 20_000)]
        assert found[0] > found[-1] == 0
        assert found == sorted(found, reverse=True)


class TestOrder:
    def test_of_rows_does_not_matter(self):
        (X, y), (new, _) = drawn(400, 5), drawn(200, 6, UNEVEN[0])
        rng = np.random.default_rng(0)
        turned, also = rng.permutation(400), rng.permutation(200)
        one, other = Asked(looked_at(X), y), Asked(looked_at(X[turned]), y[turned])
        shares = [
            asked.reference.movement(looked_at(rows)).shares
            for asked, rows in ((one, new), (other, new[also]))
        ]
        assert_allclose(*shares, atol=1e-6)
        assert_allclose(one.guesses(looked_at(new)), other.guesses(looked_at(new[also])), atol=1e-4)

    @pytest.mark.parametrize("order", [[2, 0, 1], [1, 0, 2]], ids=str)
    def test_of_classes_does_not_matter(self, order):
        (X, y), (new, _) = drawn(600, 5), drawn(300, 6, UNEVEN[0])
        rows, batch = looked_at(X), looked_at(new)
        one = Asked(rows, y)
        # column j of the turned outputs is class order[j]
        other = Asked(Batch(rows.features, rows.outputs[:, order]), np.argsort(order)[y])
        turned = Batch(batch.features, batch.outputs[:, order])
        shares = one.reference.movement(batch).shares[order]
        assert_allclose(other.reference.movement(turned).shares, shares, atol=1e-6)
        assert_allclose(other.guesses(turned), one.guesses(batch), atol=1e-4)


class TestGuess:
    @pytest.mark.parametrize("shares", UNEVEN[:3], ids=str)
    def test_is_near_the_truth_where_only_shares_moved(self, shares):
        X, y = drawn(3000, 7, shares)
        batch = looked_at(X)
        for name in SCORED:
            true = SCORES[name].of(batch.outputs, truth(batch.outputs, y), np.ones(3000))
            assert asked().guess(batch, name) == pytest.approx(true, abs=0.06), name

    def test_is_nearer_than_the_difference_of_confidences(self):
        apart = {"ours": [], "doc": []}
        for seed, shares in enumerate(UNEVEN[:3]):
            X, y = drawn(3000, 20 + seed, shares)
            batch, weights = looked_at(X), np.ones(3000)
            for name in ("accuracy", "log_likelihood", "macro_f1"):
                true = SCORES[name].of(batch.outputs, truth(batch.outputs, y), weights)
                apart["ours"].append(abs(asked().guess(batch, name) - true))
                apart["doc"].append(abs(asked().doc.guess(asked().seen(batch), SCORES[name]) - true))
        assert np.mean(apart["ours"]) < 0.6 * np.mean(apart["doc"])

    def test_of_the_labelled_rows_themselves_is_their_score(self):
        X, y = drawn(1500, 1)
        rows = looked_at(X)
        for name in SCORED:
            true = SCORES[name].of(rows.outputs, truth(rows.outputs, y), np.ones(1500))
            assert asked().guess(rows, name) == pytest.approx(true, abs=1e-6)

    def test_of_a_class_that_is_gone_has_a_curve_of_a_rare_one(self):
        """Of none there would be no area under it, and of one row in a million there is."""
        X, _ = drawn(300, 8, (1.0, 0.0, 0.0))
        batch = looked_at(X)
        found = []
        for shares in ([1.0, 0.0, 0.0], [0.9998, 0.0001, 0.0001]):
            seen = Seen(batch.outputs, None, np.ones(300), batch, Movement(1.0, 1.0, np.array(shares)))
            found.append([asked().learned.guess(seen, SCORES[name]) for name in SCORED])
        assert np.isfinite(found).all()
        assert_allclose(*found, atol=2e-3)


class TestCalibration:
    @staticmethod
    def problem(seed, k, n=60, zeros=0.0):
        rng = np.random.default_rng(seed)
        outputs = rng.dirichlet(np.full(k, 0.7), n)
        outputs[rng.random((n, k)) < zeros] = 0
        outputs[:, 0] += 1 - outputs.sum(axis=1)
        return np.log(outputs + 1e-10), truth(outputs, rng.integers(0, k, n)), rng.uniform(0.2, 3, n)

    @settings(max_examples=20)
    @given(st.integers(0, 1000), st.integers(2, 5), st.sampled_from([0.0, 0.3]))
    def test_gradient_is_that_of_finite_differences(self, seed, k, zeros):
        """Zero probabilities of what is the label among them."""
        problem = self.problem(seed, k, zeros=zeros)
        at = np.random.default_rng(seed).normal(size=k + 1) * 0.5 + np.eye(k + 1)[0]
        expected = approx_fprime(at, lambda x: calibration_loss(x, *problem)[0], 1e-6)
        assert_allclose(calibration_loss(at, *problem)[1], expected, rtol=1e-3, atol=1e-4)

    def test_loss_of_one_row_by_hand(self):
        """β = 2 and a bias of ln 3 turn (0.5, 0.5) into (0.75, 0.25); ¾ of weight 2, and half of 1 + (ln 3)²."""
        logs, actual = np.log([[0.5, 0.5]]), np.array([[1.0, 0.0]])
        loss, gradient = calibration_loss(np.array([2, np.log(3), 0]), logs, actual, np.array([2.0]))
        assert loss == pytest.approx((-2 * np.log(0.75) + (1 + np.log(3) ** 2) / 2) / 2)
        off = np.log(0.5) * (0.75 - 1 + 0.25)
        assert_allclose(gradient, [(2 * off + 1) / 2, (-0.5 + np.log(3)) / 2, 0.5 / 2])

    def test_finds_the_temperature_and_the_bias_that_labels_were_drawn_with(self):
        rng = np.random.default_rng(0)
        outputs = rng.dirichlet(np.ones(3), 20_000).astype(np.float32)
        bias = np.array([0.8, 0.0, -0.8])
        true = softmax(0.5 * np.log(outputs) + bias, axis=1)
        target = (rng.random((20_000, 1)) > np.cumsum(true, axis=1)).sum(axis=1).clip(0, 2)
        rehearsal = labelled(Batch(None, outputs), target)
        found = LabelShift().learn(rehearsal, everything(rehearsal))
        assert found.beta == pytest.approx(0.5, abs=0.03)
        assert_allclose(found.bias - found.bias.mean(), bias, atol=0.06)

    def test_changes_nothing_where_probabilities_are_right(self):
        rng = np.random.default_rng(0)
        outputs = rng.dirichlet(np.ones(2), 20_000).astype(np.float32)
        rehearsal = labelled(Batch(None, outputs), (rng.random(20_000) < outputs[:, 1]).astype(int))
        found = LabelShift().learn(rehearsal, everything(rehearsal))
        assert found.beta == pytest.approx(1, abs=0.05)
        assert_allclose(found.bias, 0, atol=0.05)

    def test_knows_only_the_rows_of_its_fold(self):
        X, y = drawn(400, 5)
        rehearsal = labelled(looked_at(X), y)
        fold = Fold(rehearsal.group != 0, np.zeros(0, dtype=bool))
        one = LabelShift().learn(rehearsal, fold)
        alone = labelled(looked_at(X[fold.rows]), y[fold.rows])
        other = LabelShift().learn(alone, everything(alone))
        assert (one.beta, one.offsets) == (other.beta, other.offsets)
        assert_array_equal(one.prior, other.prior)


class TestWeights:
    def test_a_row_that_counts_twice_is_two(self):
        (X, y), times = drawn(300, 5), np.random.default_rng(0).integers(1, 4, 300)
        weighted = Asked(looked_at(X), y, times.astype(float))
        repeated = Asked(looked_at(np.repeat(X, times, axis=0)), np.repeat(y, times))
        assert weighted.learned.beta == pytest.approx(repeated.learned.beta, abs=1e-3)
        assert_allclose(weighted.learned.bias, repeated.learned.bias, atol=1e-3)
        assert_allclose(weighted.learned.prior, repeated.learned.prior)
        assert_allclose(weighted.reference.classes.prior, repeated.reference.classes.prior)
        assert (weighted.reference.classes.count < repeated.reference.classes.count).all()
        assert_allclose(
            [weighted.learned.offsets[name] for name in SCORED if name != "calibration_error"],
            [repeated.learned.offsets[name] for name in SCORED if name != "calibration_error"],
            atol=1e-3,
        )

    def test_of_one_size_change_nothing(self):
        X, y = drawn(400, 5)
        batch = looked_at(drawn(200, 6, UNEVEN[0])[0])
        found = [Asked(looked_at(X), y, weights).guesses(batch) for weights in (None, np.full(400, 3.0))]
        assert_allclose(*found, atol=2e-3)  # the calibration is held back less

    def test_that_stand_for_other_shares_are_corrected_once(self):
        """Labelled rows of even classes that stand for uneven ones: a batch of these has not moved."""
        shares = np.array([0.7, 0.2, 0.1])
        (X, y), (new, true) = drawn(3000, 5), drawn(3000, 6, shares)
        one, batch = Asked(looked_at(X), y, 3 * shares[y]), looked_at(new)
        found = one.seen(batch)
        assert_allclose(found.movement.shares, shares, atol=0.05)
        assert found.movement.by_shares < 0.3
        for name in ("accuracy", "macro_f1", "balanced_accuracy"):
            expected = SCORES[name].of(batch.outputs, truth(batch.outputs, true), np.ones(3000))
            assert one.guess(batch, name) == pytest.approx(expected, abs=0.05)

    def test_of_the_batch_make_its_shares(self):
        X, y = drawn(3000, 6)
        wanted = np.array([0.7, 0.2, 0.1])
        weights = 3 * wanted[y]
        found = asked().reference.movement(looked_at(X), weights)
        assert_allclose(found.shares, wanted, atol=0.05)
        true = np.average(looked_at(X).outputs.argmax(axis=1) == y, weights=weights)
        assert asked().guess(looked_at(X), weights=weights) == pytest.approx(true, abs=0.04)


class TestRareAndAbsentClasses:
    """Nothing here may be NaN or warn; warnings are errors."""

    @staticmethod
    def holds(one, batch):
        found = one.seen(batch).movement
        assert np.isfinite(one.guesses(batch)).all()
        assert np.isfinite([found.moved, found.by_shares, *found.shares]).all()
        assert found.shares.sum() == pytest.approx(1)
        return found

    @pytest.mark.parametrize("gone", [0, 1, 2])
    def test_a_class_that_no_labelled_row_has(self, gone):
        """Nobody knows how it looks, so it is given no share, and no labels but those that the model gives it."""
        X, y = drawn(600, 5)
        kept = y != gone
        one = Asked(looked_at(X[kept]), y[kept])
        for shares in ((1 / 3, 1 / 3, 1 / 3), *UNEVEN):
            for rows in (drawn(200, 6, shares)[0], drawn(200, 6, shares)[0] + 3):
                assert self.holds(one, looked_at(rows)).shares[gone] == 0

    def test_an_absent_class_takes_no_labels_from_others(self):
        """One that the model never predicts: with it or without, the accuracy is the same."""
        (X, y), new = drawn(600, 5, (0.5, 0.5, 0.0)), drawn(400, 6, (0.9, 0.1, 0.0))[0]
        two = LogisticRegression().fit(*drawn(2000, 0, (0.5, 0.5, 0.0)))
        rows, batch = (Batch(part.astype(np.float32), two.predict_proba(part)) for part in (X, new))
        wide, wide_batch = (
            Batch(part.features, np.c_[part.outputs, np.zeros(len(part))]) for part in (rows, batch)
        )
        expected = Asked(rows, y).guess(batch)
        assert Asked(wide, y).guess(wide_batch) == pytest.approx(expected, abs=1e-3)

    def test_a_class_that_the_model_gives_no_probability(self):
        X, y = drawn(600, 5)
        outputs = looked_at(X).outputs.copy()
        outputs[:, 1] += outputs[:, 2]
        outputs[:, 2] = 0
        one = Asked(Batch(X.astype(np.float32), outputs), y)
        self.holds(one, Batch(X[:200].astype(np.float32), outputs[:200]))
        self.holds(one, Batch((X[y == 2] + 1).astype(np.float32), outputs[y == 2]))

    def test_a_model_that_is_always_certain(self):
        X, y = drawn(600, 5)
        certain = np.eye(3, dtype=np.float32)[looked_at(X).outputs.argmax(axis=1)]
        one = Asked(Batch(X.astype(np.float32), certain), y)
        for some in (slice(100), certain[:, 0] == 1, certain[:, 2] == 1):
            self.holds(one, Batch(X[some].astype(np.float32), certain[some]))

    def test_a_class_of_one_row(self):
        X, y = drawn(300, 5, (0.5, 0.5, 0.0))
        y[0] = 2
        one = Asked(looked_at(X), y)
        for shares in UNEVEN:
            self.holds(one, looked_at(drawn(100, 6, shares)[0]))

    def test_a_class_whose_rows_have_no_weight(self):
        X, y = drawn(600, 5)
        weights = np.where(y == 2, 0.0, 1.0)
        one = Asked(looked_at(X), y, weights)
        for shares in UNEVEN:
            assert self.holds(one, looked_at(drawn(100, 6, shares)[0])).shares[2] == 0

    def test_a_batch_of_one_row(self):
        for row in drawn(5, 6)[0]:
            self.holds(asked(), looked_at(row[None]))

    def test_columns_that_never_vary(self):
        X, y = drawn(300, 5)
        X[:, 2] = 1.0
        one = Asked(looked_at(X), y)
        self.holds(one, looked_at(X[:50]))
        self.holds(one, looked_at(X[:50] + np.eye(4)[2]))


class TestKept:
    def test_profiles_come_back_from_json(self):
        back = ClassProfiles.from_dict(json.loads(json.dumps(profiles().to_dict())))
        for name in ("prior", "count", "profile", "variance"):
            one, other = getattr(back, name), getattr(profiles(), name)
            assert_array_equal(one, other)
            assert one.dtype == other.dtype

    def test_what_was_learned_comes_back_from_json(self):
        values, models = asked().learned.parts()
        text = json.dumps(values, default=lambda array: array.tolist())
        back, batch = Reshared.from_parts(json.loads(text), models), looked_at(drawn(200, 6, UNEVEN[0])[0])
        for name in SCORED:
            assert back.guess(asked().seen(batch), SCORES[name]) == asked().guess(batch, name)

    def test_without_classes_there_are_none(self):
        X, y = drawn(300, 5)
        known = reference_of(Batch(X.astype(np.float32), X[:, 0]), y.astype(float), np.zeros(4, dtype=bool))
        assert known.classes is None
        assert Reference.from_dict(known.to_dict()).classes is None

    def test_regressors_are_refused_by_name(self):
        with pytest.raises(InputError, match="label-shift serves classification, not regression"):
            LabelShift().check("regression", has_features=True)


class TestProfiles:
    def test_are_means_and_variances_of_each_class(self):
        rng = np.random.default_rng(0)
        standard, y, weights = rng.normal(size=(5000, 3)), rng.integers(0, 2, 5000), rng.uniform(0.5, 2, 5000)
        standard[y == 1] *= 0.5
        found = class_profiles(standard, np.eye(2, dtype=np.float32)[y], weights)
        for k in range(2):
            mine, each = standard[y == k], weights[y == k]
            mean = np.average(mine, axis=0, weights=each)
            assert_allclose(found.profile[k], mean)
            assert found.prior[k] == pytest.approx(each.sum() / weights.sum())
            assert found.count[k] == pytest.approx(each.sum() ** 2 / (each**2).sum())
            # few rows are taken to be as spread as all are; these are many
            assert_allclose(
                found.variance[k], np.average((mine - mean) ** 2, axis=0, weights=each), rtol=0.02
            )

    def test_of_few_rows_are_not_taken_to_be_alike(self):
        """Two rows may happen to be the same."""
        found = class_profiles(np.zeros((2, 1)), np.array([[1.0], [1.0]]), np.ones(2))
        assert 0.5 < found.variance[0, 0] <= 1
