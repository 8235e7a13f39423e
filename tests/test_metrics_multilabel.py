"""Scores of several labels an input: scikit-learn, torchmetrics, definitions, bounds, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, log_loss

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.measures import predicted_labels
from surefoot.metrics._multilabel import (
    multilabel_brier,
    multilabel_brier_rows,
    multilabel_ece,
    multilabel_f1,
    multilabel_log_likelihood,
    multilabel_log_likelihood_rows,
)

PUBLISHED = cases("ub_multilabel")


def predictions(seed, n=60, k=4, dtype=np.float64):
    rng = np.random.default_rng(seed)
    probs = rng.random((n, k))
    return probs.astype(dtype), (rng.random((n, k)) < probs**2).astype(int)


sizes = {"seed": st.integers(0, 2**32 - 1), "n": st.integers(1, 60), "k": st.integers(1, 40)}


@pytest.mark.parametrize("case", PUBLISHED, ids=[case.name for case in PUBLISHED])
def test_published_predictions(case):
    predicted = predicted_labels(case.inputs["probs"])
    assert [np.flatnonzero(row).tolist() for row in predicted] == case.outputs["predicted"]
    kept = [row[labels] for row, labels in zip(np.array(case.inputs["probs"]), predicted, strict=True)]
    for found, expected in zip(kept, case.outputs["probs"], strict=True):
        np.testing.assert_allclose(found, expected, **TOLERANCE)


def test_predictions_without_fallback():
    probs = [[0.6, 0.4], [0.1, 0.2]]
    assert predicted_labels(probs, fallback=False).tolist() == [[True, False], [False, False]]
    assert predicted_labels(probs, threshold=0.15).tolist() == [[True, True], [False, True]]


@given(**sizes)
def test_equals_the_definitions(seed, n, k):
    probs, target = predictions(seed, n, k)
    likelihood = np.log(np.where(target, probs, 1 - probs) + 1e-10)
    distance = (probs - target) ** 2
    for scores, overall, rows in (
        (likelihood, multilabel_log_likelihood, multilabel_log_likelihood_rows),
        (distance, multilabel_brier, multilabel_brier_rows),
    ):
        assert overall(probs, target) == pytest.approx(scores.mean())
        np.testing.assert_allclose(overall(probs, target, per_label=True), scores.mean(0), rtol=1e-12)
        np.testing.assert_allclose(rows(probs, target), scores.mean(1), rtol=1e-12)


@given(**sizes)
def test_bounds(seed, n, k):
    probs, target = predictions(seed, n, k)
    assert multilabel_log_likelihood(probs, target) <= 1e-9
    for score in (multilabel_brier, multilabel_ece, multilabel_f1):
        assert 0 <= score(probs, target) <= 1
        assert score(probs, target, per_label=True).shape == (k,)


@given(**sizes)
def test_order_of_rows_and_labels_does_not_matter(seed, n, k):
    probs, target = predictions(seed, n, k)
    rng = np.random.default_rng(seed)
    rows, labels = rng.permutation(n), rng.permutation(k)
    for score in (multilabel_log_likelihood, multilabel_brier, multilabel_ece, multilabel_f1):
        plain = score(probs, target, per_label=True)
        moved = score(probs[rows][:, labels], target[rows][:, labels], per_label=True)
        np.testing.assert_allclose(moved, plain[labels], rtol=1e-9, atol=1e-12)


def test_likelihood_of_a_label_equals_scikit_learn():
    probs, target = predictions(0)
    expected = [-log_loss(y, p, labels=[0, 1]) for p, y in zip(probs.T, target.T, strict=True)]
    found = multilabel_log_likelihood(probs, target, per_label=True, epsilon=1e-300)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("bins", [10, 15, 100])
def test_calibration_equals_torchmetrics(bins):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from torchmetrics.functional.classification import binary_calibration_error
    probs, target = predictions(0, 2000, 5)
    columns = zip(*(torch.from_numpy(table.T.copy()) for table in (probs, target)), strict=True)
    expected = [binary_calibration_error(p, y, n_bins=bins).item() for p, y in columns]
    found = multilabel_ece(probs, target, bins=bins, per_label=True)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert multilabel_ece(probs, target, bins=bins) == pytest.approx(np.mean(expected), rel=1e-6)
    pooled = binary_calibration_error(torch.from_numpy(probs.ravel()), torch.from_numpy(target.ravel()), bins)
    assert multilabel_ece(probs, target, bins=bins, average="micro") == pytest.approx(pooled.item(), rel=1e-6)


def test_a_label_held_impossible_counts_in_calibration():
    assert multilabel_ece([[0.0], [0.0]], [[1], [0]]) == 0.5


@given(**sizes | {"fallback": st.booleans()})
def test_f1_equals_scikit_learn(seed, n, k, fallback):
    probs, target = predictions(seed, n, k)
    predicted = predicted_labels(probs, fallback=fallback)
    if k == 1:  # scikit-learn takes a single column for a binary problem
        probs, target = np.tile(probs, 2), np.tile(target, 2)
        predicted = predicted_labels(probs, fallback=fallback)
    occurs = np.flatnonzero(target.any(0))
    options = {"fallback": fallback}
    for average in ("micro", "samples"):
        expected = f1_score(target, predicted, average=average, zero_division=0)
        assert multilabel_f1(probs, target, average=average, **options) == pytest.approx(expected)
    every = f1_score(target, predicted, average=None, zero_division=0)
    np.testing.assert_allclose(multilabel_f1(probs, target, per_label=True, **options), every)
    expected = every[occurs].mean() if occurs.size else 0
    assert multilabel_f1(probs, target, **options) == pytest.approx(expected)


def test_f1_averages_over_labels_that_occur():
    probs, target = [[0.9, 0.8, 0.1]], [[1, 0, 0]]
    assert multilabel_f1(probs, target) == 1
    assert multilabel_f1(probs, target, per_label=True).tolist() == [1, 0, 0]
    assert multilabel_f1(probs, [[0, 0, 0]]) == 0


def test_f1_with_another_threshold():
    assert multilabel_f1([[0.4, 0.3]], [[1, 1]], threshold=0.2) == 1
    assert multilabel_f1([[0.4, 0.3]], [[1, 1]], average="micro") == pytest.approx(2 / 3)


def test_float32_and_many_rows():
    probs, target = predictions(0, 30_000, 10, np.float32)
    exact = probs.astype(np.float64)
    for score in (multilabel_log_likelihood, multilabel_brier, multilabel_ece):
        assert score(probs, target) == pytest.approx(score(exact, target), rel=1e-5)
    assert multilabel_brier_rows(probs, target).dtype == np.float32
    np.testing.assert_allclose(
        multilabel_brier_rows(probs, target), ((exact - target) ** 2).mean(1), rtol=1e-5
    )


def test_targets_may_be_boolean_or_floats():
    probs, target = predictions(0)
    for same in (target.astype(bool), target.astype(float)):
        assert multilabel_brier(probs, same) == multilabel_brier(probs, target)


GOOD, TRUTH = np.full((3, 2), 0.5), np.eye(3, 2)


@pytest.mark.parametrize(
    "metric", [multilabel_log_likelihood, multilabel_brier, multilabel_ece, multilabel_f1]
)
@pytest.mark.parametrize(
    ("probs", "target", "says"),
    [
        (GOOD, np.where(TRUTH, np.nan, TRUTH), r"NaN \(unlabelled\) in rows 0, 1; leave these rows out"),
        (GOOD, TRUTH * 2, r"only 1 \(has the label\) and 0 \(has not\); rows 0, 1"),
        (GOOD, TRUTH[:2], r"target has shape \(2, 2\), probs \(3, 2\)"),
        (GOOD, [0, 1, 0], "target has shape"),
        (GOOD * 3, TRUTH, "sigmoid"),
        (np.where(TRUTH, np.inf, 0.5), TRUTH, "NaN or infinite values in rows 0, 1"),
        (GOOD[:0], TRUTH[:0], "empty"),
    ],
)
def test_refused(metric, probs, target, says):
    with pytest.raises(InputError, match=says):
        metric(probs, target)


def test_unknown_options():
    with pytest.raises(InputError, match="average must be one of macro, micro, samples"):
        multilabel_f1(GOOD, TRUTH, average="weighted")
    with pytest.raises(InputError, match="average must be one of macro, micro"):
        multilabel_ece(GOOD, TRUTH, average="samples")
    with pytest.raises(InputError, match="epsilon"):
        multilabel_log_likelihood(GOOD, TRUTH, epsilon=0)
    with pytest.raises(InputError, match="probs lies outside"):
        predicted_labels([[2.0]])
