"""Log-likelihood, Brier score, accuracy and F1 of classes: published values, scikit-learn, bounds, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, log_loss

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.metrics._f1 import macro_f1, macro_f1_from_codes, micro_f1
from surefoot.metrics._proper import accuracy, brier, brier_rows, log_likelihood, log_likelihood_rows

PITFALLS = cases("pens_metrics")
TEXT = cases("ub_metrics")


def predictions(seed, n=60, k=4, scale=2.0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    logits = scale * rng.normal(size=(n, k))
    probs = np.exp(logits - logits.max(1, keepdims=True))
    return (probs / probs.sum(1, keepdims=True)).astype(dtype), rng.integers(0, k, n)


sizes = {"seed": st.integers(0, 2**32 - 1), "n": st.integers(1, 60), "k": st.integers(1, 40)}


@pytest.mark.parametrize("case", PITFALLS, ids=[case.name for case in PITFALLS])
def test_published_values_of_pitfalls(case):
    probs, target, out = case.inputs["probs"], case.inputs["targets"], case.outputs
    assert accuracy(probs, target) == pytest.approx(out["acc"], rel=1e-12)
    np.testing.assert_allclose(log_likelihood(probs, target, epsilon=1e-12), out["ll"], **TOLERANCE)
    np.testing.assert_allclose(log_likelihood(probs, target), out["ll"], rtol=1e-6)
    np.testing.assert_allclose(brier(probs, target), out["brier"], **TOLERANCE)


@pytest.mark.parametrize("case", TEXT, ids=[case.name for case in TEXT])
def test_published_values_of_the_text_benchmark(case):
    probs, target, out = case.inputs["probs"], case.inputs["labels"], case.outputs
    assert accuracy(probs, target) == pytest.approx(out["acc"], rel=1e-12)
    np.testing.assert_allclose(brier(probs, target), out["brier"], **TOLERANCE)
    # Their log_loss comes from scikit-learn, which clips at the machine's epsilon.
    found = -log_likelihood(probs, target, epsilon=np.finfo(float).eps)
    np.testing.assert_allclose(found, out["nll_sklearn_log_loss"], **TOLERANCE)


@given(**sizes)
def test_equals_the_definitions(seed, n, k):
    probs, target = predictions(seed, n, k)
    one_hot = np.eye(k)[target]
    np.testing.assert_allclose(brier_rows(probs, target), ((probs - one_hot) ** 2).sum(1), rtol=1e-12)
    np.testing.assert_allclose(
        log_likelihood_rows(probs, target), (one_hot * np.log(probs + 1e-10)).sum(1), rtol=1e-12
    )
    assert accuracy(probs, target) == accuracy_score(target, probs.argmax(1))


@given(**sizes)
def test_scalars_are_means_of_rows_and_bounded(seed, n, k):
    probs, target = predictions(seed, n, k)
    assert log_likelihood(probs, target) == pytest.approx(log_likelihood_rows(probs, target).mean())
    assert brier(probs, target) == pytest.approx(brier_rows(probs, target).mean())
    assert brier(probs, target, reduction="mean") == pytest.approx(brier(probs, target) / k)
    assert log_likelihood(probs, target) <= 1e-9
    assert 0 <= brier(probs, target) <= 2
    assert 0 <= accuracy(probs, target) <= 1


@given(**sizes)
def test_order_of_rows_and_classes_does_not_matter(seed, n, k):
    probs, target = predictions(seed, n, k)
    rng = np.random.default_rng(seed)
    rows, classes = rng.permutation(n), rng.permutation(k)
    moved, codes = probs[rows][:, classes], np.argsort(classes)[target[rows]]
    for metric in (log_likelihood, brier, accuracy, macro_f1, micro_f1):
        assert metric(moved, codes) == pytest.approx(metric(probs, target)), metric


def test_likelihood_equals_scikit_learn():
    probs, target = predictions(0)
    expected = log_loss(target, probs, labels=range(4))
    assert -log_likelihood(probs, target, epsilon=1e-300) == pytest.approx(expected, rel=1e-12)


def test_proper_scores_prefer_the_truth():
    truth = np.array([0.5, 0.3, 0.2])
    target = np.repeat([0, 1, 2], [50, 30, 20])
    rng = np.random.default_rng(0)
    for score, sign in ((log_likelihood, 1), (brier, -1)):
        best = sign * score(np.tile(truth, (100, 1)), target)
        others = [sign * score(np.tile(rng.dirichlet(np.ones(3)), (100, 1)), target) for _ in range(50)]
        assert max(others) < best


def test_confident_predictions_keep_their_digits_in_float32():
    probs = np.array([[1e-4, 1 - 1e-4]], np.float32)
    exact = brier(probs.astype(np.float64), [1])
    assert brier(probs, [1]) == pytest.approx(exact, rel=1e-3)
    assert brier_rows(probs, [1]).dtype == np.float32
    assert log_likelihood_rows(probs, [1]).dtype == np.float32


def test_float32_is_close():
    probs, target = predictions(0, 5000, 10, dtype=np.float32)
    exact = probs.astype(np.float64)
    assert log_likelihood(probs, target) == pytest.approx(log_likelihood(exact, target), rel=1e-6)
    assert brier(probs, target) == pytest.approx(brier(exact, target), rel=1e-6)


def test_more_rows_than_a_working_copy_holds():
    probs, target = predictions(0, 30_000, 10)
    expected = ((probs - np.eye(10)[target]) ** 2).sum(1)
    np.testing.assert_allclose(brier_rows(probs, target), expected, rtol=1e-12)


def test_impossible_target_is_finite():
    assert log_likelihood([[1.0, 0.0]], [1]) == pytest.approx(np.log(1e-10))
    assert brier([[1.0, 0.0]], [1]) == 2


def test_the_input_is_left_as_it_was():
    probs, target = predictions(0)
    before = probs.copy()
    brier(probs, target)
    np.testing.assert_array_equal(probs, before)


class TestF1:
    @given(**sizes)
    def test_equals_scikit_learn(self, seed, n, k):
        probs, target = predictions(seed, n, k)
        predicted, present = probs.argmax(1), np.unique(target)
        expected = f1_score(target, predicted, labels=present, average="macro")
        assert macro_f1(probs, target) == pytest.approx(expected)
        assert macro_f1_from_codes(predicted, target) == pytest.approx(expected)
        assert micro_f1(probs, target) == pytest.approx(f1_score(target, predicted, average="micro"))

    def test_fixed_classes(self):
        predicted, target = [0, 1, 1, 3], [0, 1, 0, 0]
        expected = f1_score(target, predicted, labels=[0, 1, 2, 3], average="macro", zero_division=0)
        assert macro_f1_from_codes(predicted, target, classes=[0, 1, 2, 3]) == pytest.approx(expected)
        assert macro_f1(np.eye(4)[predicted], target, classes=[3, 2, 1, 0]) == pytest.approx(expected)
        assert macro_f1_from_codes(predicted, target, classes=[1]) == pytest.approx(2 / 3)

    def test_a_class_that_is_never_right(self):
        assert macro_f1_from_codes([0, 0], [0, 1]) == pytest.approx(1 / 3)
        assert macro_f1_from_codes([0, 0], [1, 1]) == 0

    @pytest.mark.parametrize(
        ("predicted", "target", "classes", "says"),
        [
            ([0, 1], [0, -1], None, "target lies outside the classes .* row 1"),
            ([-1, -2], [0, 1], None, "predicted lies outside the classes"),
            ([0.5, 1], [0, 1], None, "predicted must be integer class codes; row 0"),
            ([0, 1], [0, np.nan], None, "target has NaN"),
            ([0, 1], [0, 1, 1], None, "predicted 2, target 3"),
            ([0, 1], [0, 1], [], "classes is empty"),
            ([], [], None, "empty"),
        ],
    )
    def test_refused(self, predicted, target, classes, says):
        with pytest.raises(InputError, match=says):
            macro_f1_from_codes(predicted, target, classes=classes)


GOOD = np.full((4, 2), 0.5)


@pytest.mark.parametrize(
    "metric", [log_likelihood, log_likelihood_rows, brier, brier_rows, accuracy, macro_f1, micro_f1]
)
@pytest.mark.parametrize(
    ("probs", "target", "says"),
    [
        (np.where(np.eye(4, 2), np.nan, 0.5), [0, 1, 0, 1], "probs has NaN or infinite values in rows 0, 1"),
        (2 * GOOD, [0, 1, 0, 1], "does not sum to 1"),
        (np.tile([1.5, -0.5], (4, 1)), [0, 1, 0, 1], "negative"),
        (GOOD, [0, 1, 2, 1], "target lies outside the classes 0 … 1 in row 2"),
        (GOOD, [0, 1, -1, -2], "rows 2, 3; leave novel and unlabelled rows out"),
        (GOOD, [0, 1, 0.5, 1], "integer"),
        (GOOD, [0, 1, 0], "lengths differ"),
        (GOOD[None], [0, 1, 0, 1], r"\[N, K\]"),
        (GOOD[:0], [], "empty"),
        (GOOD, list("abab"), "not numbers"),
    ],
)
def test_refused(metric, probs, target, says):
    with pytest.raises(InputError, match=says):
        metric(probs, target)


def test_unknown_options():
    with pytest.raises(InputError, match="reduction must be one of sum, mean"):
        brier(GOOD, [0, 1, 0, 1], reduction="max")
    with pytest.raises(InputError, match="epsilon must be a number above 0"):
        log_likelihood(GOOD, [0, 1, 0, 1], epsilon=0)
