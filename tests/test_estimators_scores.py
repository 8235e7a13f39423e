"""Scores of a belief: certain, they are the scores everybody knows; uncertain, their expectation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import metrics as reference

from estimator_cases import probs_of
from surefoot import metrics
from surefoot.errors import InputError
from surefoot.estimators._scores import SCORES, score, spread_out, truth

CLASSIFIED = [name for name, one in SCORES.items() if one.kind == "classification"]


def drawn(belief, rng):
    """Labels drawn from a belief, as a certain one."""
    ends = belief.astype(np.float64).cumsum(axis=1)
    codes = (rng.random(len(belief))[:, None] > ends[:, :-1]).sum(axis=1)
    return truth(belief, codes)


def example(n, k, seed):
    """Probabilities, labels that they do not quite tell, and uneven weights."""
    rng = np.random.default_rng(seed)
    probs = probs_of(n, k, seed)
    target = np.where(rng.random(n) < 0.6, probs.argmax(axis=1), rng.integers(0, k, n))
    target[:k] = np.arange(k)
    return probs, target, rng.uniform(0.2, 2.0, n)


@pytest.mark.parametrize("k", [2, 3, 7])
class TestCertainBelief:
    @pytest.mark.parametrize(
        ("name", "function"),
        [
            ("accuracy", metrics.accuracy),
            ("macro_f1", metrics.macro_f1),
            ("calibration_error", metrics.ece),
            ("log_likelihood", metrics.log_likelihood),
        ],
    )
    def test_equals_metrics(self, name, function, k):
        probs, target, _ = example(400, k, k)
        found = SCORES[name].of(probs, truth(probs, target), np.ones(400))
        assert_allclose(found, function(probs, target), rtol=1e-6)

    @pytest.mark.parametrize("name", CLASSIFIED)
    def test_equals_scikit_learn_with_weights(self, name, k):
        probs, target, weights = example(300, k, 10 + k)
        weights = np.ceil(10 * weights)  # whole, so that a row may be repeated as often as it weighs
        predicted, exact = probs.argmax(axis=1), probs.astype(np.float64)
        expected = {
            "accuracy": lambda: reference.accuracy_score(target, predicted, sample_weight=weights),
            "balanced_accuracy": lambda: reference.balanced_accuracy_score(
                target, predicted, sample_weight=weights
            ),
            "macro_f1": lambda: reference.f1_score(target, predicted, average="macro", sample_weight=weights),
            "roc_auc": lambda: np.mean(
                [
                    reference.roc_auc_score(target == c, probs[:, c], sample_weight=weights)
                    for c in ([1] if k == 2 else range(k))
                ]
            ),
            "log_likelihood": lambda: (
                -reference.log_loss(target, exact / exact.sum(axis=1, keepdims=True), sample_weight=weights)
            ),
            "calibration_error": lambda: repeated_ece(probs, target, weights),
        }[name]()
        assert_allclose(SCORES[name].of(probs, truth(probs, target), weights), expected, rtol=1e-5)

    def test_area_is_scikit_learns_ovr(self, k):
        probs, target, _ = example(300, k, 20 + k)
        probs = np.round(probs, 1) + 1e-3  # ties
        probs /= probs.sum(axis=1, keepdims=True)
        given = probs[:, 1] if k == 2 else probs
        expected = reference.roc_auc_score(target, given, multi_class="ovr", average="macro")
        assert_allclose(SCORES["roc_auc"].of(probs, truth(probs, target), np.ones(300)), expected, rtol=1e-6)


def repeated_ece(probs, target, weights):
    """The calibration error with every row repeated as often as it weighs."""
    times = weights.astype(int)
    return metrics.ece(np.repeat(probs, times, axis=0), np.repeat(target, times))


def test_regression_scores_are_scikit_learns():
    rng = np.random.default_rng(0)
    target, weights = rng.normal(size=200), rng.uniform(0.1, 3, 200)
    outputs = (target + rng.normal(size=200)).astype(np.float32)
    belief = truth(outputs, target)
    for w in (np.ones(200), weights):
        found = {name: SCORES[name].of(outputs, belief, w) for name in ("rmse", "mae")}
        squared = reference.mean_squared_error(target, outputs, sample_weight=w)
        assert_allclose(found["rmse"], np.sqrt(squared), rtol=1e-5)
        assert_allclose(
            found["mae"], reference.mean_absolute_error(target, outputs, sample_weight=w), rtol=1e-5
        )


def test_bins_close_where_those_of_metrics_do():
    """Votes of ten or fifteen trees lie on the edges of fifteen bins."""
    for trees in (10, 15, 30):
        top = (np.arange(trees // 2 + 1, trees + 1) / trees).astype(np.float32)
        probs = np.repeat(np.stack([top, 1 - top], axis=1), 3, axis=0)
        target = np.arange(len(probs)) % 3 % 2
        found = SCORES["calibration_error"].of(probs, truth(probs, target), np.ones(len(probs)))
        assert_allclose(found, metrics.ece(probs, target), rtol=1e-5)


class TestExpectation:
    @pytest.mark.parametrize("k", [2, 4])
    @pytest.mark.parametrize(
        ("name", "tolerance"), [("accuracy", 0.004), ("log_likelihood", 0.02), ("calibration_error", 0.004)]
    )
    def test_is_the_mean_over_labels_drawn_from_the_belief(self, name, tolerance, k):
        rng = np.random.default_rng(0)
        probs, belief = probs_of(150, k, 1), probs_of(150, k, 2, 0.5)
        weights = rng.uniform(0.5, 2, 150)
        of = SCORES[name].of
        simulated = [of(probs, drawn(belief, rng), weights) for _ in range(800)]
        assert_allclose(of(probs, belief, weights), np.mean(simulated), atol=tolerance)

    @pytest.mark.parametrize("name", ["balanced_accuracy", "macro_f1", "roc_auc"])
    def test_of_many_rows_is_that_of_their_counts(self, name):
        rng = np.random.default_rng(3)
        probs, belief = probs_of(5000, 3, 4), probs_of(5000, 3, 5)
        of = SCORES[name].of
        simulated = np.mean([of(probs, drawn(belief, rng), np.ones(5000)) for _ in range(20)])
        assert_allclose(of(probs, belief, np.ones(5000)), simulated, atol=0.005)

    def test_even_a_calibrated_model_shows_a_calibration_error_that_shrinks(self):
        errors = []
        for n in (100, 1000, 10_000):
            probs = probs_of(n, 2, 6)
            errors.append(SCORES["calibration_error"].of(probs, probs, np.ones(n)))
        assert errors[0] > 2 * errors[1] > 4 * errors[2] > 0


beliefs = st.tuples(st.integers(1, 25), st.integers(2, 5), st.integers(0, 1000))


class TestProperties:
    @given(beliefs, st.sampled_from(CLASSIFIED))
    def test_order_of_rows_and_unit_of_weights_do_not_matter_and_bounds_hold(self, shape, name):
        n, k, seed = shape
        rng = np.random.default_rng(seed)
        probs, belief, weights = probs_of(n, k, seed), probs_of(n, k, seed + 1), rng.uniform(0.1, 2, n)
        one = SCORES[name]
        found, order = one.of(probs, belief, weights), rng.permutation(n)
        assert_allclose(one.of(probs[order], belief[order], weights[order]), found, rtol=1e-5, atol=1e-9)
        assert_allclose(one.of(probs, belief, 7 * weights), found, rtol=1e-5, atol=1e-9)
        assert one.bounds[0] - 1e-6 <= found <= one.bounds[1] + 1e-6

    @given(beliefs, st.sampled_from(CLASSIFIED))
    def test_twice_the_rows_are_twice_the_weight(self, shape, name):
        n, k, seed = shape
        probs, target, _ = example(n + k, k, seed)
        belief, twice = truth(probs, target), np.repeat(np.arange(n + k), 2)
        of = SCORES[name].of
        doubled = of(probs[twice], belief[twice], np.ones(2 * (n + k)))
        assert_allclose(doubled, of(probs, belief, np.full(n + k, 2.0)), rtol=1e-5, atol=1e-9)

    @given(beliefs)
    def test_spread_out_gives_the_predicted_class_its_share_and_the_others_the_rest(self, shape):
        n, k, seed = shape
        probs = probs_of(n, k, seed, 0.05)  # many are certain
        correct = np.random.default_rng(seed).random(n)
        belief, predicted = spread_out(probs, correct), probs.argmax(axis=1)
        assert_allclose(belief.sum(axis=1), 1, atol=1e-5)
        assert (belief >= 0).all()
        assert_allclose(belief[np.arange(n), predicted], correct, atol=1e-6)
        assert_allclose(SCORES["accuracy"].of(probs, belief, np.ones(n)), correct.mean(), atol=1e-5)

    def test_spread_out_keeps_the_odds_of_the_others(self):
        belief = spread_out(np.array([[0.1, 0.6, 0.3]]), np.array([0.2]))
        assert_allclose(belief, [[0.2, 0.2, 0.6]])


class TestEdges:
    def test_a_rare_class_of_light_rows_counts(self):
        probs, weights = np.eye(2, dtype=np.float32)[[0, 0, 0, 0]], np.array([1, 1, 1, 0.1])
        belief = truth(probs, np.array([0, 0, 0, 1]))
        assert SCORES["balanced_accuracy"].of(probs, belief, weights) == 0.5

    def test_classes_that_do_not_occur_are_left_out(self):
        probs, target, _ = example(60, 4, 0)
        kept = target < 3
        probs, target = probs[kept], target[kept]
        found = SCORES["macro_f1"].of(probs, truth(probs, target), np.ones(len(target)))
        assert_allclose(found, metrics.macro_f1(probs, target))

    @pytest.mark.parametrize("name", ["balanced_accuracy", "macro_f1"])
    def test_one_row_of_many_classes(self, name):
        probs = np.array([[0.4, 0.3, 0.3]], dtype=np.float32)
        assert 0 <= SCORES[name].of(probs, probs, np.ones(1)) <= 1

    def test_no_area_where_one_class_is_certain(self):
        probs = np.array([[0.4, 0.6], [0.2, 0.8]], dtype=np.float32)
        assert np.isnan(SCORES["roc_auc"].of(probs, truth(probs, np.array([1, 1])), np.ones(2)))

    def test_probabilities_a_little_above_one_are_certain(self):
        probs = np.array([[1.0005, 0.0], [0.0, 1.0]], dtype=np.float32)
        assert SCORES["calibration_error"].of(probs, probs, np.ones(2)) < 1e-3

    def test_names_are_those_of_the_kind(self):
        assert score("rmse", "regression").name == "rmse"
        with pytest.raises(InputError, match=r"must be one of rmse, mae for regression, not 'accuracy'"):
            score("accuracy", "regression")
