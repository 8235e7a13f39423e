"""Tests of whole rows (domain classifier, PAD, MMD): definitions, false alarms and power."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.spatial.distance import cdist

from surefoot.errors import InputError
from surefoot.metrics import auroc
from surefoot.shifts.detectors import _mmd as kernels
from surefoot.shifts.detectors import domain_classifier, mmd, proxy_a_distance
from surefoot.shifts.detectors._domain_classifier import _balanced_error, _mann_whitney


def few_enough(p_values, alpha):
    """No more p-values at most alpha than chance allows (99.99 %)."""
    return (np.asarray(p_values) <= alpha).sum() <= stats.binom.ppf(1 - 1e-4, len(p_values), alpha)


def direct(x, y, width):
    """The unbiased estimate, from whole matrices."""
    xx, yy, xy = (np.exp(-(cdist(a, b) ** 2) / (2 * width**2)) for a, b in ((x, x), (y, y), (x, y)))
    n, m = len(x), len(y)
    return (xx.sum() - n) / (n * (n - 1)) + (yy.sum() - m) / (m * (m - 1)) - 2 * xy.mean()


class TestMmd:
    @pytest.mark.parametrize(("n", "m"), [(7, 5), (40, 90), (1100, 1000)])
    def test_is_the_unbiased_estimate_at_the_median_distance(self, n, m):
        rng = np.random.default_rng(n)
        x, y = rng.normal(50, 1, size=(n, 3)), rng.normal(50.2, 1, size=(m, 3))
        found = mmd(x, y, permutations=9)
        assert_allclose(found.statistic, direct(x, y, found.bandwidth), rtol=1e-9, atol=1e-12)
        if n + m <= 1000:
            pooled = np.concatenate([x, y])
            assert_allclose(found.bandwidth, np.median(cdist(pooled, pooled)[np.triu_indices(n + m, 1)]))

    def test_every_permutation_is_the_estimate_of_permuted_rows(self, monkeypatch):
        rng = np.random.default_rng(0)
        x, y = rng.normal(size=(23, 2)), rng.normal(0.7, 1, size=(17, 2))
        monkeypatch.setattr(kernels, "_BLOCK", 16)
        labels = kernels._labellings(23, 17, 50, np.random.default_rng(5))
        pooled = np.concatenate([x, y])
        expected = [direct(pooled[one], pooled[~one], 1.3) for one in labels.T]
        observed, p_value = kernels._quadratic(x, y, 1.3, 50, np.random.default_rng(5))
        assert_allclose(observed, expected[0], rtol=1e-9)
        assert p_value == (np.array(expected) >= expected[0] - 1e-12).mean()

    def test_the_linear_one_uses_every_row_once(self):
        rng = np.random.default_rng(1)
        x, y = rng.normal(size=(21, 2)), rng.normal(1, 1, size=(30, 2))
        found = mmd(x, y, bandwidth=2.0, linear=True, seed=3)
        order = np.random.default_rng(3)
        a, b = x[order.permutation(21)[:20]], y[order.permutation(30)[:20]]

        def k(u, v):
            return np.exp(-((u - v) ** 2).sum(axis=1) / 8)

        terms = k(a[::2], a[1::2]) + k(b[::2], b[1::2]) - k(a[::2], b[1::2]) - k(a[1::2], b[::2])
        assert_allclose(found.statistic, terms.mean())
        assert_allclose(found.p_value, stats.norm.sf(terms.mean() / terms.std(ddof=1) * np.sqrt(10)))

    @pytest.mark.parametrize("linear", [False, True])
    def test_false_alarms(self, linear):
        rng = np.random.default_rng(2)
        p_values = [
            mmd(
                rng.normal(size=(60, 2)), rng.normal(size=(60, 2)), permutations=99, linear=linear, seed=i
            ).p_value
            for i in range(250)
        ]
        assert few_enough(p_values, 0.1)
        assert 0.4 < np.mean(p_values) < 0.6

    def test_power(self):
        rng = np.random.default_rng(3)
        x, wide = rng.normal(size=(200, 2)), rng.normal(size=(200, 2)) * 2  # the means are equal
        assert mmd(x, wide).drifted(0.01)
        many = rng.normal(size=(4000, 2)), rng.normal(size=(4000, 2)) * 2
        assert mmd(*many, linear=True).drifted(0.01)

    def test_order_of_rows(self):
        rng = np.random.default_rng(4)
        x, y = rng.normal(size=(30, 2)), rng.normal(size=(20, 2))
        assert_allclose(mmd(x[::-1], y[::-1]).statistic, mmd(x, y).statistic, rtol=1e-9)

    def test_tables_of_any_kind(self):
        rng = np.random.default_rng(5)

        def frame(n, p):
            return pd.DataFrame(
                {
                    "x": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
                    "big": rng.normal(size=n) * 1e9,
                    "c": rng.choice(["a", "b"], n, p=[p, 1 - p]),
                    "ok": rng.random(n) < 0.5,
                }
            )

        assert not mmd(frame(150, 0.5), frame(150, 0.5)).drifted(0.01)
        assert mmd(frame(150, 0.5), frame(150, 0.9)).drifted(0.01)

    def test_rows_that_are_all_equal(self):
        same = np.ones((10, 2))
        assert mmd(same, same).p_value == 1
        assert mmd(same, same, linear=True).p_value == 1
        assert mmd(same, same * 2, linear=True).p_value == 0
        assert mmd(same, same * 2).p_value < 0.05

    @pytest.mark.parametrize(
        ("options", "y", "message"),
        [
            ({}, np.ones((10, 3)), "2 columns and batch 3"),
            ({}, np.ones((3, 2)), "at least 4 rows a side, not 10 and 3"),
            ({"linear": True}, np.ones((7, 2)), "at least 8 rows"),
            ({}, np.full((10, 2), np.nan), "batch has NaN"),
            ({"bandwidth": 0}, np.ones((10, 2)), "bandwidth must be a number above 0"),
            ({"permutations": 0}, np.ones((10, 2)), "permutations must be at least 1"),
        ],
    )
    def test_bad_input(self, options, y, message):
        with pytest.raises(InputError, match=message):
            mmd(np.ones((10, 2)), y, **options)


class TestDomainClassifier:
    def test_mann_whitney_agrees_with_scipy_ties_included(self):
        rng = np.random.default_rng(0)
        scores, is_batch = rng.integers(0, 6, 80).astype(float), rng.random(80) < 0.4
        area, z = _mann_whitney(scores, is_batch)
        expected = stats.mannwhitneyu(
            scores[is_batch],
            scores[~is_batch],
            alternative="greater",
            use_continuity=False,
            method="asymptotic",
        )
        assert_allclose(stats.norm.sf(z), expected.pvalue, rtol=1e-9)
        assert_allclose(area, auroc(scores, is_batch))
        assert _mann_whitney(np.zeros(80), is_batch) == (0.5, 0.0)

    def test_the_error_weighs_both_sides_alike(self):
        is_batch = np.repeat([True, False], [10, 90])
        assert _balanced_error(np.zeros(100, bool), is_batch) == (0.5, 0.0)
        assert _balanced_error(is_batch, is_batch)[0] == 0
        called = np.zeros(100, bool)
        called[[0, 1, 2, 50]] = True
        error, z = _balanced_error(called, is_batch)
        assert_allclose(error, (0.7 + 1 / 90) / 2)
        table = [[3, 7], [1, 89]]
        assert_allclose(z**2, stats.chi2_contingency(table, correction=False).statistic)

    @pytest.mark.parametrize(("model", "repeats"), [("logistic", 150), ("boosting", 25)])
    def test_false_alarms(self, model, repeats):
        rng = np.random.default_rng(1)
        found = [
            domain_classifier(
                rng.normal(size=(80, 3)), rng.normal(size=(60, 3)), model=model, importance=False, seed=i
            )
            for i in range(repeats)
        ]
        assert few_enough([one.p_value for one in found], 0.1)
        assert few_enough([one.error_p_value for one in found], 0.1)
        assert 0.35 < np.mean([one.p_value for one in found]) < 0.65
        assert_allclose(np.mean([one.statistic for one in found]), 0.5, atol=0.05)

    def test_a_shift_that_only_two_columns_together_show(self):
        rng = np.random.default_rng(2)
        x, y = rng.normal(size=(600, 3)), rng.normal(size=(600, 3))
        y[:, 1] = np.abs(y[:, 1]) * np.sign(y[:, 0])  # every column alone is as before
        found = domain_classifier(x, y)
        assert found.drifted(0.001)
        assert found.importance[[0, 1]].min() > found.importance[2] + 0.05
        assert not domain_classifier(x, y, model="logistic").drifted(0.001)

    def test_categories_and_missing_values(self):
        rng = np.random.default_rng(3)

        def frame(n, p, gaps):
            return pd.DataFrame(
                {
                    "c": rng.choice([f"v{i}" for i in range(300)], n, p=p),
                    "x": np.where(rng.random(n) < gaps, np.nan, rng.normal(size=n)),
                }
            )

        even = np.full(300, 1 / 300)
        few = np.append(np.full(30, 1 / 30), np.zeros(270))
        assert not domain_classifier(frame(300, even, 0.1), frame(200, even, 0.1)).drifted(0.01)
        moved = domain_classifier(frame(300, even, 0.1), frame(300, few, 0.1))
        assert moved.drifted(0.01)
        assert moved.importance.argmax() == 0
        assert domain_classifier(frame(300, even, 0.0), frame(300, even, 0.6)).drifted(0.01)

    def test_same_seed_same_result(self):
        rng = np.random.default_rng(4)
        x, y = rng.normal(size=(2, 40, 2))
        a, b = (domain_classifier(x, y, seed=7) for _ in range(2))
        assert a.statistic == b.statistic
        assert_allclose(a.importance, b.importance, rtol=0)

    def test_bad_input(self):
        with pytest.raises(InputError, match="at least 10 rows a side, not 12 and 9"):
            domain_classifier(np.ones((12, 1)), np.ones((9, 1)))
        with pytest.raises(InputError, match="model must be one of boosting, logistic"):
            domain_classifier(np.ones((12, 1)), np.ones((12, 1)), model="forest")


@pytest.mark.parametrize("test", [mmd, domain_classifier])
def test_categories_that_only_one_side_has_give_nothing_away(test):
    rng = np.random.default_rng(0)
    names = np.array([f"v{i}" for i in rng.permutation(400)])  # most occur once or never on either side

    def frame(n):
        return pd.DataFrame({"c": rng.choice(names, n)})

    p_values = [test(frame(80), frame(60), seed=i).p_value for i in range(15)]
    assert few_enough(p_values, 0.05)


class TestProxyADistance:
    def test_is_two_where_everything_gives_itself_away_and_zero_where_nothing_does(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(200, 2))
        far = proxy_a_distance(x, x + 30, model="logistic")
        assert (far.statistic, far.drifted(1e-6)) == (2.0, True)
        near = proxy_a_distance(x, rng.normal(size=(200, 2)), model="logistic")
        assert near.statistic < 0.4
        assert not near.drifted(0.01)

    def test_unequal_sizes_are_no_distance(self):
        rng = np.random.default_rng(1)
        found = proxy_a_distance(rng.normal(size=(900, 2)), rng.normal(size=(100, 2)))
        assert found.statistic < 0.3  # an unweighted error of 0.1 would make it 1.6

    def test_is_made_of_the_error(self):
        rng = np.random.default_rng(2)
        x, y = rng.normal(size=(100, 2)), rng.normal(1, 1, size=(100, 2))
        error = domain_classifier(x, y, importance=False).error
        assert_allclose(proxy_a_distance(x, y).statistic, 2 * (1 - 2 * error))
