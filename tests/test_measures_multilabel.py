"""Measures of label probabilities: each label a Bernoulli variable, averaged over all or the predicted labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.measures import _cells, classification, multilabel, names, predicted_labels

PUBLISHED = cases("ub_multilabel")

PLAIN = [name for name in names("multilabel") if not name.endswith("_predicted")]


def ensemble(seed, samples=5, n=20, k=4, dtype=np.float64):
    rng = np.random.default_rng(seed)
    logits = rng.normal(-1, 3, size=(1, n, k)) + rng.normal(size=(samples, n, k))
    return (1 / (1 + np.exp(-logits))).astype(dtype)


shapes = {"seed": st.integers(0, 2**32 - 1), "samples": st.integers(1, 20), "k": st.integers(1, 40)}


@pytest.mark.parametrize("case", PUBLISHED, ids=[case.name for case in PUBLISHED])
def test_published_predictions(case):
    probs = np.array(case.inputs["probs"])
    predicted = predicted_labels(probs)
    assert [np.flatnonzero(row).tolist() for row in predicted] == case.outputs["predicted"]
    for row, labels, expected in zip(probs, predicted, case.outputs["probs"], strict=True):
        np.testing.assert_allclose(row[labels], expected, **TOLERANCE)
    found = multilabel(probs[None])["negative_confidence_predicted"]
    np.testing.assert_allclose(-found, [np.mean(kept) for kept in case.outputs["probs"]], **TOLERANCE)


@given(**shapes)
def test_a_label_is_a_choice_between_two_classes(seed, samples, k):
    probs = ensemble(seed, samples, 6, k)
    two = np.stack([probs, 1 - probs], axis=-1).reshape(samples, -1, 2)
    expected = classification(two)
    found = multilabel(probs, per_label=True)
    assert set(found) == set(expected) == set(PLAIN)
    for name, values in found.items():
        np.testing.assert_allclose(values.ravel(), expected[name], rtol=1e-9, atol=1e-12, err_msg=name)


@given(**shapes)
def test_averages_over_all_and_over_the_predicted_labels(seed, samples, k):
    probs = ensemble(seed, samples, 6, k)
    labels = multilabel(probs, per_label=True)
    predicted = predicted_labels(probs.mean(0))
    found = multilabel(probs)
    assert tuple(found) != ()
    assert set(found) == set(names("multilabel"))
    for name, values in labels.items():
        np.testing.assert_allclose(found[name], values.mean(1), rtol=1e-9, atol=1e-12)
        if name == "negative_confidence":
            values = -probs.mean(0)
        expected = [row[kept].mean() for row, kept in zip(values, predicted, strict=True)]
        np.testing.assert_allclose(found[f"{name}_predicted"], expected, rtol=1e-9, atol=1e-12)


@given(**shapes)
def test_bounds(seed, samples, k):
    found = multilabel(ensemble(seed, samples, 6, k))
    for suffix in ("", "_predicted"):
        assert (found[f"entropy{suffix}"] <= np.log(2) + 1e-9).all()
        assert (found[f"model_variance{suffix}"] <= 0.25).all()
        for name in ("entropy", "expected_entropy", "mutual_information", "epkl", "model_variance"):
            assert (found[name + suffix] >= 0).all()
        total = found[f"expected_entropy{suffix}"] + found[f"mutual_information{suffix}"]
        np.testing.assert_allclose(found[f"entropy{suffix}"], total, atol=1e-9)
    assert (found["negative_confidence"] <= -0.5).all()
    assert (found["negative_confidence_predicted"] < 0).all()


@given(**shapes | {"dtype": st.sampled_from([np.float32, np.float64])})
def test_rows_are_independent_to_the_last_bit(seed, samples, k, dtype):
    probs = ensemble(seed, samples, 13, k, dtype)
    for per_label in (False, True):
        whole = multilabel(probs, per_label=per_label)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_cells, "BUFFER", 3 * samples * k)
            chunked = multilabel(probs, per_label=per_label)
        alone = [multilabel(probs[:, i : i + 1], per_label=per_label) for i in range(13)]
        columns = multilabel(np.asfortranarray(probs), per_label=per_label)
        for name, values in whole.items():
            assert values.dtype == dtype
            np.testing.assert_array_equal(chunked[name], values, err_msg=name)
            np.testing.assert_array_equal(np.concatenate([row[name] for row in alone]), values, err_msg=name)
            np.testing.assert_array_equal(columns[name], values, err_msg=name)


@pytest.mark.parametrize("samples", [1, 3, 10, 100])
def test_identical_members_have_no_knowledge_uncertainty(samples):
    probs = np.repeat(ensemble(0, 1, 30, 9, np.float32), samples, axis=0)
    found = multilabel(probs, per_label=True)
    for name in ("mutual_information", "epkl", "reverse_mutual_information", "model_variance"):
        assert found[name].min() >= 0
        assert found[name].max() <= 1e-6


def test_certain_predictions():
    found = multilabel([[[1.0, 0.0]], [[1.0, 0.0]]])
    assert found["negative_confidence"] == found["negative_confidence_predicted"] == -1
    assert found["entropy"] == found["mutual_information"] == 0


def test_validation_can_be_left_out_and_changes_nothing():
    probs = ensemble(4)
    for name, values in multilabel(probs, validate=False).items():
        np.testing.assert_array_equal(values, multilabel(probs)[name])


class TestPredictedLabels:
    def test_strictly_above_the_threshold(self):
        assert predicted_labels([[0.5, 0.6]]).tolist() == [[False, True]]
        assert predicted_labels([[0.5, 0.6]], threshold=0.4).tolist() == [[True, True]]

    def test_without_fallback(self):
        assert predicted_labels([[0.1, 0.2]], fallback=False).tolist() == [[False, False]]

    def test_measures_take_the_threshold(self):
        probs = np.array([[[0.9, 0.4]]])
        assert multilabel(probs, threshold=0.3)["negative_confidence_predicted"] == pytest.approx(-0.65)

    @pytest.mark.parametrize(
        ("probs", "says"), [([[1.2, 0.1]], "row 0"), ([[np.nan, 0.1]], "NaN"), ([0.1], "shape")]
    )
    def test_refused(self, probs, says):
        with pytest.raises(InputError, match=says):
            predicted_labels(probs)


def spoilt(value):
    probs = np.full((2, 50, 3), 0.3)
    probs[1, 40, 2] = value
    return probs


@pytest.mark.parametrize(
    ("probs", "says"),
    [
        (spoilt(np.nan), "NaN or infinite values in row 40"),
        (spoilt(np.inf), "NaN or infinite values in row 40"),
        (spoilt(-0.1), r"outside \[0, 1\] in row 40; if these are logits, apply a sigmoid"),
        (spoilt(1.1), r"outside \[0, 1\] in row 40"),
        (np.full((10, 3), 0.3), r"\[S, N, K\]"),
        (np.empty((2, 0, 3)), "empty"),
    ],
)
def test_refused(probs, says, monkeypatch):
    monkeypatch.setattr(_cells, "BUFFER", 60)
    with pytest.raises(InputError, match=says):
        multilabel(probs)
