"""Tests on what a model says: BBSD, confidence drop, reverse classification accuracy, percentiles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.shifts.detectors import (
    bbsd_hard,
    bbsd_soft,
    confidence_drop,
    prediction_percentiles,
    reverse_classification_accuracy,
)

GOLDEN = {case.name: case for case in cases("pp_detectors")}


def draw(rng, n, shares=(2, 1, 1)):
    return rng.dirichlet(shares, size=n)


class TestBbsd:
    def test_published_values(self):
        case = GOLDEN["bbsd_small_counts"]
        source, target = case.inputs["probs_src"], case.inputs["probs_tar"]
        soft = bbsd_soft(source, target)
        assert_allclose(soft.statistic, case.outputs["bbsd_soft_t"], **TOLERANCE)
        assert_allclose(soft.p_value, case.outputs["bbsd_soft_p_val"], **TOLERANCE)

    def test_small_counts_have_a_p_value_where_the_published_code_draws_one(self):
        case = GOLDEN["bbsd_small_counts"]
        source, target = np.array(case.inputs["probs_src"]), np.array(case.inputs["probs_tar"])
        assert case.outputs["bbsd_hard_t"] is None
        labels = np.concatenate([source.argmax(axis=1), target.argmax(axis=1)])
        rng = np.random.default_rng(0)

        def statistic(order):
            table = [np.bincount(labels[part], minlength=3) for part in (order[:8], order[8:])]
            return stats.chi2_contingency(table, correction=False).statistic

        found = bbsd_hard(source, target)
        assert_allclose(found.statistic, statistic(np.arange(16)))
        permuted = [statistic(rng.permutation(16)) for _ in range(2_000)]
        assert_allclose(found.p_value, np.mean(np.array(permuted) >= found.statistic - 1e-9), atol=0.05)
        assert bbsd_hard(source, target) == found

    def test_two_classes_are_one_test(self):
        rng = np.random.default_rng(0)
        a, b = rng.dirichlet([1, 1], 40), rng.dirichlet([1.3, 1], 30)
        expected = stats.ks_2samp(a[:, 0], b[:, 0])
        found = bbsd_soft(a, b)
        assert_allclose([found.statistic, found.p_value], [expected.statistic, expected.pvalue])
        assert_allclose(bbsd_soft(a, b, convention="published").p_value, min(1, 2 * expected.pvalue))

    def test_every_class_is_told(self):
        rng = np.random.default_rng(1)
        a, b = draw(rng, 50), draw(rng, 60, (1, 1, 1))
        found = bbsd_soft(a, b)
        expected = [stats.ks_2samp(a[:, k], b[:, k]) for k in range(3)]
        assert_allclose(found.distances, [one.statistic for one in expected])
        assert_allclose(found.p_values, [one.pvalue for one in expected])
        assert_allclose(found.p_value, min(1, 3 * min(one.pvalue for one in expected)))

    @pytest.mark.parametrize("test", [bbsd_soft, bbsd_hard])
    def test_false_alarms_and_power(self, test):
        rng = np.random.default_rng(2)
        p_values = np.array([test(draw(rng, 70), draw(rng, 50)).p_value for _ in range(250)])
        assert (p_values <= 0.1).sum() <= stats.binom.ppf(1 - 1e-4, 250, 0.1)
        assert (p_values <= 0.5).sum() >= 50
        assert test(draw(rng, 200), draw(rng, 200, (1, 2, 1))).drifted(0.001)

    @pytest.mark.parametrize("test", [bbsd_soft, bbsd_hard, confidence_drop])
    def test_bad_input(self, test):
        rng = np.random.default_rng(3)
        with pytest.raises(InputError, match="probs_reference has 3 classes and probs_batch 2"):
            test(draw(rng, 5), draw(rng, 5, (1, 1)))
        with pytest.raises(InputError, match="probs_batch does not sum to 1"):
            test(draw(rng, 5), draw(rng, 5) / 2)


class TestConfidenceDrop:
    def test_is_the_difference_of_means_with_welchs_test(self):
        rng = np.random.default_rng(0)
        a, b = draw(rng, 60, (5, 1, 1)), draw(rng, 45)
        found = confidence_drop(a, b)
        assert_allclose(found.statistic, a.max(axis=1).mean() - b.max(axis=1).mean())
        expected = stats.ttest_ind(a.max(axis=1), b.max(axis=1), equal_var=False)
        assert_allclose(found.p_value, expected.pvalue, rtol=1e-9)
        published = confidence_drop(a, b, convention="published")
        assert_allclose([published.statistic, published.p_value], [-found.statistic, found.p_value])

    def test_a_rise_is_a_shift_too(self):
        rng = np.random.default_rng(1)
        found = confidence_drop(draw(rng, 90), draw(rng, 90, (9, 1, 1)))
        assert found.statistic < 0
        assert found.drifted(0.001)

    def test_constant_confidence(self):
        same = np.full((5, 2), 0.5)
        assert confidence_drop(same, same).p_value == 1
        assert confidence_drop(same, np.array([[0.9, 0.1]] * 5)).p_value == 0

    def test_one_row_has_no_spread(self):
        with pytest.raises(InputError, match="at least 2 rows a side are needed, not 5 and 1"):
            confidence_drop(np.full((5, 2), 0.5), [[0.5, 0.5]])


def blobs(rng, n, move=0.0):
    y = rng.integers(0, 3, n)
    return rng.normal(size=(n, 2)) + np.array([[0, 0], [3, 0], [0, 3]])[y] + move, y


class TestReverseAccuracy:
    def test_published_value(self):
        case = GOLDEN["reverse_classification_accuracy"]
        x, y, new = (np.array(case.inputs[name]) for name in ("X_src", "y_src", "X_tar"))
        model = LogisticRegression().fit(x, y)
        found = reverse_classification_accuracy(
            model, x, y, case.inputs["probs_src"], new, case.inputs["probs_tar"], convention="published"
        )
        assert_allclose(found.statistic, case.outputs["rca"], **TOLERANCE)

    def test_what_is_lost(self):
        rng = np.random.default_rng(0)
        x, y = blobs(rng, 300)
        model = LogisticRegression().fit(x, y)
        near, far = blobs(rng, 200)[0], blobs(rng, 200, move=2.5)[0]

        def rca(batch, like=model, **options):
            return reverse_classification_accuracy(
                like, x, y, model.predict_proba(x), batch, model.predict_proba(batch), **options
            )

        assert rca(near).direct == model.score(x, y)
        assert abs(rca(near).statistic) < 0.05
        by_hand = LogisticRegression().fit(far, model.predict(far)).score(x, y)
        assert rca(far).reverse == by_hand
        assert_allclose(rca(far).statistic, model.score(x, y) - by_hand)
        assert_allclose(rca(far, convention="published").statistic, -rca(far).statistic)
        assert rca(far, like=lambda a, b: LogisticRegression().fit(a, b)) == rca(far)
        calibrated = CalibratedClassifierCV(LogisticRegression(), cv=2).fit(x, y)
        assert rca(far, like=calibrated) == rca(far)

    def test_one_predicted_class(self):
        rng = np.random.default_rng(1)
        x, y = blobs(rng, 90)
        probs = np.eye(3)[y] * 0.4 + 0.2
        batch = np.tile([0.1, 0.8, 0.1], (30, 1))
        found = reverse_classification_accuracy(LogisticRegression(), x, y, probs, x[:30], batch)
        assert (found.direct, found.reverse) == (1.0, (y == 1).mean())

    def test_bad_input(self):
        rng = np.random.default_rng(2)
        x, y = blobs(rng, 20)
        probs = draw(rng, 20)
        for arguments, message in (
            ((3, x, y, probs, x, probs), "model is a int"),
            ((LogisticRegression(), x, y[:9], probs, x, probs), "target has 9 rows"),
            ((LogisticRegression(), x, y, probs, x[:9], probs), "batch has 9 rows and probs_batch 20"),
            ((LogisticRegression(), x, y + 1, probs, x, probs), "outside the classes"),
            ((LogisticRegression(), x, y, probs, x, draw(rng, 20, (1, 1))), "3 classes and probs_batch 2"),
        ):
            with pytest.raises(InputError, match=message):
                reverse_classification_accuracy(*arguments)


class TestPercentiles:
    def test_published_values(self):
        case = GOLDEN["prediction_percentiles_k2"]
        expected = case.outputs["percentiles_101_x_Kminus1"]
        probs = case.inputs["probs"]
        assert_allclose(prediction_percentiles(probs, convention="published"), expected, **TOLERANCE)
        assert_allclose(prediction_percentiles(probs)[:, :1], expected, **TOLERANCE)

    def test_order_of_rows(self):
        probs = draw(np.random.default_rng(0), 33)
        assert prediction_percentiles(probs).shape == (101, 3)
        assert_allclose(prediction_percentiles(probs[::-1]), prediction_percentiles(probs))
