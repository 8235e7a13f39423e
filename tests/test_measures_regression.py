"""Measures of Gaussian predictions: published values, the closed form, zero variances, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.measures import _cells, names, regression

PUBLISHED = cases("shifts_ensemble_regression")


def ensemble(seed, samples=5, n=20, offset=0.0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    mean = offset + 3 * rng.normal(size=(1, n)) + rng.normal(size=(samples, n))
    variance = np.exp(rng.normal(size=(samples, n)))
    return mean.astype(dtype), variance.astype(dtype)


def pairwise_kl(mean, variance):
    m_r, v_r = mean[:, None], variance[:, None]
    m_s, v_s = mean[None], variance[None]
    return ((np.log(v_s / v_r) + (v_r + (m_r - m_s) ** 2) / v_s - 1) / 2).mean((0, 1))


sizes = {"seed": st.integers(0, 2**32 - 1), "samples": st.integers(1, 30)}


@pytest.mark.parametrize("case", PUBLISHED, ids=[case.name for case in PUBLISHED])
def test_published_values(case):
    mean, variance = np.moveaxis(np.array(case.inputs["preds_mean_var"]), -1, 0)
    paper, published = regression(mean, variance), regression(mean, variance, convention="published")
    for found in (paper, published):
        np.testing.assert_allclose(found["total_variance"], case.outputs["tvar"], **TOLERANCE)
        np.testing.assert_allclose(found["expected_variance"], case.outputs["mvar"], **TOLERANCE)
        np.testing.assert_allclose(found["variance_of_means"], case.outputs["varm"], **TOLERANCE)
    np.testing.assert_allclose(published["epkl"], case.outputs["epkl"], rtol=1e-13)
    np.testing.assert_allclose(paper["epkl"], case.derived["true_expected_pairwise_kl"], **TOLERANCE)
    mean_entropy = np.array(case.derived["expected_entropy"])
    np.testing.assert_allclose(published["epkl"], paper["epkl"] + mean_entropy, **TOLERANCE)


@given(**sizes)
def test_epkl_equals_all_pairs(seed, samples):
    mean, variance = ensemble(seed, samples)
    expected = pairwise_kl(mean, variance)
    np.testing.assert_allclose(regression(mean, variance)["epkl"], expected, rtol=1e-9, atol=1e-12)


@given(**sizes)
def test_law_of_total_variance(seed, samples):
    mean, variance = ensemble(seed, samples)
    found = regression(mean, variance)
    assert tuple(found) == names("regression")
    second_moment = (variance + mean**2).mean(0)
    np.testing.assert_allclose(found["total_variance"], second_moment - mean.mean(0) ** 2, rtol=1e-9)
    both = found["expected_variance"] + found["variance_of_means"]
    np.testing.assert_array_equal(found["total_variance"], both)


@given(**sizes)
def test_order_of_samples_and_position_of_the_scale_do_not_matter(seed, samples):
    mean, variance = ensemble(seed, samples)
    order = np.random.default_rng(seed).permutation(samples)
    plain = regression(mean, variance)
    for name, values in regression(mean[order], variance[order]).items():
        np.testing.assert_allclose(values, plain[name], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(regression(3 * mean - 1, 9 * variance)["epkl"], plain["epkl"], atol=1e-9)


@given(**sizes)
def test_rows_are_independent_to_the_last_bit(seed, samples):
    mean, variance = ensemble(seed, samples, 13)
    whole = regression(mean, variance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cells, "BUFFER", 3 * samples)
        chunked = regression(mean, variance)
    alone = [regression(mean[:, i : i + 1], variance[:, i : i + 1]) for i in range(13)]
    columns = regression(np.asfortranarray(mean), np.asfortranarray(variance))
    for name, values in whole.items():
        np.testing.assert_array_equal(chunked[name], values, err_msg=name)
        np.testing.assert_array_equal(np.concatenate([row[name] for row in alone]), values, err_msg=name)
        np.testing.assert_array_equal(columns[name], values, err_msg=name)


@pytest.mark.parametrize("convention", ["paper", "published"])
def test_float32_is_kept_and_exact_far_from_zero(convention):
    mean, variance = ensemble(0, offset=300.0, dtype=np.float32)
    exact = regression(mean.astype(np.float64), variance.astype(np.float64), convention=convention)
    for name, values in regression(mean, variance, convention=convention).items():
        assert values.dtype == np.float32
        np.testing.assert_allclose(values, exact[name], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("samples", [1, 3, 10])
def test_identical_members_have_no_knowledge_uncertainty(samples):
    mean, variance = (np.repeat(values, samples, axis=0) for values in ensemble(0, samples=1))
    found = regression(mean, variance)
    np.testing.assert_allclose(found["variance_of_means"], 0, atol=1e-28)
    np.testing.assert_allclose(found["epkl"], 0, atol=1e-28)
    np.testing.assert_allclose(found["total_variance"], variance[0])


class TestZeroVariance:
    def test_agreement_is_certain(self):
        found = regression([[1.0], [1.0]], [[0.0], [0.0]])
        assert {name: values.item() for name, values in found.items()} == dict.fromkeys(found, 0.0)

    @pytest.mark.parametrize("other", [(2.0, 0.0), (1.0, 0.5), (2.0, 0.5)])
    def test_disagreement_is_infinite(self, other):
        found = regression([[1.0], [other[0]]], [[0.0], [other[1]]])
        assert found["epkl"] == np.inf
        assert np.isfinite(found["total_variance"])

    def test_one_sample(self):
        assert regression([[1.0]], [[0.0]])["epkl"] == 0

    def test_published_code_raises_it(self):
        found = regression([[1.0], [2.0]], [[0.0], [0.0]], convention="published")
        expected = 0.5 / 2 / 1e-10 + np.log(2 * np.pi * np.e * 1e-10) / 2
        np.testing.assert_allclose(found["epkl"], expected)


def test_validation_can_be_left_out_and_changes_nothing():
    mean, variance = ensemble(4)
    for name, values in regression(mean, variance, validate=False).items():
        np.testing.assert_array_equal(values, regression(mean, variance)[name])


GOOD = np.ones((2, 5))


def spoilt(value):
    values = GOOD.copy()
    values[1, 3] = value
    return values


@pytest.mark.parametrize(
    ("mean", "variance", "says"),
    [
        (spoilt(np.nan), GOOD, "mean has NaN or infinite values in row 3"),
        (GOOD, spoilt(np.inf), "variance has NaN or infinite values in row 3"),
        (GOOD, spoilt(-0.1), "variance is negative in row 3.*apply exp"),
        (GOOD, GOOD[:, :4], r"mean has shape \(2, 5\), variance \(2, 4\)"),
        (GOOD[0], GOOD[0], r"mean has 1 axes, but \[S, N\] is needed"),
        ([[1.0], [1.0, 2.0]], GOOD, "mean is not rectangular"),
        (np.empty((2, 0)), np.empty((2, 0)), "empty"),
        (GOOD.astype(str), GOOD, "not numbers"),
    ],
)
def test_refused(mean, variance, says):
    with pytest.raises(InputError, match=says):
        regression(mean, variance)


def test_unknown_convention():
    with pytest.raises(InputError, match="convention must be one of paper, published"):
        regression(GOOD, GOOD, convention="mine")
