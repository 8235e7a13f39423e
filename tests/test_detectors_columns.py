"""Tests of single columns against SciPy, the published code, and the false-alarm rate they promise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy import stats

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.shifts.detectors import chi_squared, column_tests, ks
from surefoot.shifts.detectors._chi_squared import _moments, _statistic, total_variation

GOLDEN = {case.name: case for case in cases("pp_detectors")}


def within_chance(p_values, alpha):
    """Whether as many p-values are at most alpha as chance allows (99.98 %)."""
    false = int((np.asarray(p_values) <= alpha).sum())
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], len(p_values), alpha)
    return low <= false <= high


class TestKolmogorovSmirnov:
    @pytest.mark.parametrize(("n", "m"), [(5, 8), (40, 40), (300, 170), (11_000, 300), (12_000, 10_500)])
    @pytest.mark.parametrize("ties", [False, True])
    def test_agrees_with_scipy(self, n, m, ties):
        rng = np.random.default_rng(n)
        x, y = rng.normal(size=n), rng.normal(0.1, 1.1, size=m)
        if ties:
            x, y = np.round(x, 1), np.round(y, 1)
        found, expected = ks(x, y), stats.ks_2samp(x, y)
        assert_allclose([found.statistic, found.p_value], [expected.statistic, expected.pvalue], rtol=1e-9)
        assert (found.n_reference, found.n_batch) == (n, m)

    @given(
        hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(-3, 3, width=16)), st.integers(1, 30)
    )
    def test_symmetric_and_blind_to_order_and_monotone_maps(self, x, m):
        y = np.random.default_rng(m).normal(size=m).round(1)
        found = ks(x, y)
        assert 0 <= found.statistic <= 1
        assert 0 < found.p_value <= 1
        assert_allclose(ks(y, x).statistic, found.statistic, atol=1e-12)
        assert ks(x[::-1], y[::-1]) == found
        assert ks(np.exp(x), np.exp(y)).statistic == found.statistic

    def test_missing_values_are_left_out_and_infinite_ones_count(self):
        assert ks([1, np.nan, 2], [3, 4, np.nan]) == ks([1, 2], [3, 4])
        assert ks([1, 2, 3], [np.inf] * 3).statistic == 1

    def test_false_alarms(self):
        rng = np.random.default_rng(0)
        p_values = [ks(rng.normal(size=80), rng.normal(size=50)).p_value for _ in range(400)]
        assert within_chance(p_values, 0.1)

    def test_nothing_to_compare(self):
        with pytest.raises(InputError, match="batch holds only missing values"):
            ks([1.0], [np.nan])


class TestChiSquared:
    @pytest.mark.parametrize("table", [([30, 20], [12, 40]), ([10, 30, 60, 8], [20, 25, 30, 9])])
    def test_agrees_with_scipy_where_counts_are_large(self, table):
        expected = stats.chi2_contingency(table, correction=False)
        found = chi_squared(*table)
        assert_allclose([found.statistic, found.p_value], [expected.statistic, expected.pvalue], rtol=1e-9)

    def test_published_value(self):
        case = GOLDEN["univariate_chi2_categorical"]
        source, target = (pa.table({"x": case.inputs[name]}) for name in ("X_src", "X_tar"))
        found = column_tests(source, target).columns[0].values
        assert_allclose([found.statistic], case.outputs["x_univ_t"], **TOLERANCE)
        assert_allclose([found.p_value], case.outputs["x_univ_p_val"], **TOLERANCE)

    @pytest.mark.parametrize("table", [([3, 7], [6, 1]), ([40, 2], [8, 3]), ([1000, 0], [195, 5])])
    def test_two_categories_are_exact(self, table):
        (a, b), (c, d) = table
        margin, batch = stats.hypergeom(a + b + c + d, a + c, c + d), np.arange(c + d + 1)
        far = np.abs(batch - margin.mean()) >= abs(c - margin.mean()) - 1e-9
        assert_allclose(chi_squared(*table).p_value, margin.pmf(batch)[far].sum(), rtol=1e-9)

    def test_moments_are_those_of_all_permutations(self):
        labels = np.repeat([0, 1, 2, 3], [1, 4, 2, 9])
        rng = np.random.default_rng(0)
        total, m = np.bincount(labels), 6
        drawn = [np.bincount(rng.permutation(labels)[:m], minlength=4) for _ in range(20_000)]
        simulated = _statistic(np.array(drawn), total, 10, m)
        mean, variance = _moments(total, 10, m)
        assert_allclose(mean, simulated.mean(), rtol=0.02)
        assert_allclose(variance, simulated.var(), rtol=0.05)

    def test_drawn_tables_agree_with_shuffled_rows(self):
        rng = np.random.default_rng(1)
        a, b = np.array([9, 1, 0, 0, 1, 6]), np.array([3, 1, 2, 1, 0, 3])
        labels = np.repeat(np.arange(6), a + b)
        shuffled = np.array([np.bincount(rng.permutation(labels)[:10], minlength=6) for _ in range(20_000)])
        found = chi_squared(a, b)
        simulated = _statistic(shuffled, a + b, 17, 10)
        assert_allclose(_statistic(b, a + b, 17, 10), found.statistic)
        assert_allclose(found.p_value, (simulated >= found.statistic - 1e-9).mean(), atol=0.04)

    def test_same_categories_in_another_order(self):
        rng = np.random.default_rng(2)
        a, b = rng.integers(0, 6, size=(2, 12))
        order = rng.permutation(12)
        assert chi_squared(a, b) == chi_squared(a[order], b[order])

    def test_identifiers_do_not_move(self):
        once = np.ones(200, dtype=int)
        assert chi_squared(np.append(once, 0 * once), np.append(0 * once, once)).p_value == 1

    def test_a_move_among_many_rare_categories_is_found(self):
        rng = np.random.default_rng(3)
        a = np.bincount(rng.integers(0, 400, 900), minlength=400)
        b = np.bincount(rng.integers(0, 100, 300), minlength=400)
        assert ((a + b) * 300 / 1200 < 5).mean() > 0.99  # pooling the rare would leave nothing
        assert chi_squared(a, b).p_value < 1e-6

    def test_beyond_the_drawn_tables_there_is_more_than_their_number(self):
        found = chi_squared([200, 0, 100, 3], [0, 50, 0, 0])
        assert 0 < found.p_value < 1e-20

    @pytest.mark.parametrize(
        ("shares", "n", "m"),
        [
            ([0.2, 0.3, 0.5], 100, 80),
            ([0.01, 0.02, 0.07, 0.3, 0.6], 100, 80),
            ([0.0005, 0.0005, 0.001, 0.398, 0.6], 10_000, 100),
            (np.full(500, 1 / 500), 800, 200),
        ],
    )
    def test_false_alarms(self, shares, n, m):
        rng = np.random.default_rng(4)
        p_values = [
            chi_squared(rng.multinomial(n, shares), rng.multinomial(m, shares)).p_value for _ in range(300)
        ]
        assert within_chance(p_values, 0.1)
        assert 0.4 < np.mean(p_values) < 0.6

    @given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
    def test_total_variation(self, table):
        a, b = np.array(table).T
        found = total_variation(a, b)
        assert 0 <= found <= 1 + 1e-12
        if a.any() and b.any():
            assert_allclose(found, np.maximum(a / a.sum() - b / b.sum(), 0).sum(), atol=1e-12)

    @pytest.mark.parametrize(
        ("counts", "message"),
        [
            ([1.5, 2], "whole numbers from 0; row 0"),
            ([3, -1], "row 1"),
            ([0, 0], "no counts"),
            ([1, 2, 3], "lengths"),
        ],
    )
    def test_bad_counts(self, counts, message):
        with pytest.raises(InputError, match=message):
            chi_squared(counts, [1, 2])


def mixed(rng, n):
    """A table with a column of every kind."""
    return pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "flag": rng.integers(0, 2, n),
            "city": rng.choice(["a", "b", "c"], n),
            "ok": rng.random(n) < 0.3,
            "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "constant": np.ones(n),
        }
    )


class TestColumns:
    def test_kinds_and_what_counts_as_a_test(self):
        rng = np.random.default_rng(0)
        found = column_tests(mixed(rng, 100), mixed(rng, 80))
        assert found.names == ("x", "flag", "city", "ok", "gaps", "constant")
        assert [one.test for one in found.columns] == ["ks", *["chi_squared"] * 3, "ks", "chi_squared"]
        assert found.tests == 6  # five columns vary, one has missing values
        assert not found.drifted()
        assert found.columns[5].p_value == 1

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_every_frame_gives_the_same(self, kind):
        rng = np.random.default_rng(1)
        a, b = mixed(rng, 60), mixed(rng, 50)
        convert = {"pandas": pd.DataFrame, "polars": pl.from_pandas, "arrow": pa.Table.from_pandas}[kind]
        expected, found = column_tests(a, b), column_tests(convert(a), convert(b))
        assert_allclose(found.p_value, expected.p_value)
        assert_allclose(found.effect, expected.effect)

    @pytest.mark.parametrize(
        ("column", "move", "words"),
        [
            ("x", lambda c, rng: c + 1, "median"),
            ("flag", lambda c, rng: c * 0, "1 "),
            ("city", lambda c, rng: c.where(rng.random(len(c)) < 0.6, "new"), "new 0.0 % →"),
            ("ok", lambda c, rng: ~c, "true"),
            ("gaps", lambda c, rng: c.where(rng.random(len(c)) < 0.6), "missing"),
            ("x", lambda c, rng: c.where(rng.random(len(c)) < 0.9), "missing 0.0 %"),
        ],
    )
    def test_the_column_that_moved_is_named(self, column, move, words):
        rng = np.random.default_rng(7)
        reference, batch = mixed(rng, 400), mixed(rng, 300)
        batch[column] = move(batch[column], rng)
        found = column_tests(reference, batch)
        first = found.ranked()[0]
        assert first.name == column
        assert words in first.change
        assert found.moved().sum() == 1
        assert found.names[int(found.moved().argmax())] == column
        assert found.strongest.name == column
        if "new" in words:
            assert first.unseen == pytest.approx((batch["city"] == "new").mean())
            assert first.cramers_v == pytest.approx(np.sqrt(first.values.statistic / 700))

    def test_ranking_puts_significance_first_and_then_the_size(self):
        rng = np.random.default_rng(3)
        a, b = rng.normal(size=(500, 3)), rng.normal([0.5, 0, 2], size=(500, 3))
        assert [one.name for one in column_tests(a, b).ranked()] == ["2", "0", "1"]

    def test_order_of_rows_and_columns_does_not_matter(self):
        rng = np.random.default_rng(4)
        a, b = mixed(rng, 90), mixed(rng, 70)
        found = column_tests(a, b)
        shuffled = column_tests(
            a.sample(frac=1, random_state=0), b[b.columns[::-1]].sample(frac=1, random_state=1)
        )
        assert_allclose(shuffled.p_value, found.p_value, rtol=1e-9)
        assert_allclose(shuffled.effect, found.effect, rtol=1e-9)

    def test_false_alarms_of_all_columns_together(self):
        rng = np.random.default_rng(5)
        alarms = [column_tests(mixed(rng, 60), mixed(rng, 40)).drifted(0.2) for _ in range(150)]
        assert sum(alarms) <= stats.binom.ppf(1 - 1e-4, 150, 0.2)
        assert sum(alarms) >= 5  # not by never saying anything

    def test_a_column_without_values_on_one_side(self):
        reference = pa.table({"x": [1.0, 2.0, 3.0] * 10, "c": ["a", "b", "b"] * 10})
        batch = pa.table({"x": pa.nulls(30), "c": pa.nulls(30)})
        found = column_tests(reference, batch)
        assert found.moved().all()
        assert [one.change for one in found.columns] == ["missing 0.0 % → 100.0 %"] * 2
        assert found.columns[0].values.p_value == 1

    def test_times_are_left_out(self):
        table = pa.table({"t": pa.array([0, 1, 2], pa.timestamp("s")), "x": [1, 2, 3]})
        assert column_tests(table, table).names == ("x",)

    @pytest.mark.parametrize(
        ("batch", "message"),
        [
            ({"x": [1.0]}, "lacks the column c of the reference"),
            ({"x": [1.0], "c": ["a"], "d": [1], "e": [1]}, "has the columns d, e that the reference lacks"),
            ({"x": ["a"], "c": ["a"]}, "x is numeric in the reference but text in the batch"),
            ({"x": [True], "c": ["a"]}, "but true or false in the batch"),
            ({"x": pa.array([], pa.float64()), "c": pa.array([], pa.string())}, "batch has no rows"),
        ],
    )
    def test_tables_that_do_not_fit(self, batch, message):
        with pytest.raises(InputError, match=message):
            column_tests(pa.table({"x": [1.0, 2.0], "c": ["a", "b"]}), pa.table(batch))

    def test_what_to_ignore_must_be_there(self):
        table = pa.table({"x": [1.0, 2.0]})
        with pytest.raises(InputError, match="no column z to ignore"):
            column_tests(table, table, ignore=["z"])
        with pytest.raises(InputError, match="no columns are left"):
            column_tests(table, table, ignore=["x"])

    @pytest.mark.parametrize("alpha", [0, 1, -0.1, np.nan])
    def test_alpha(self, alpha):
        with pytest.raises(InputError, match="alpha must be"):
            column_tests(np.ones((3, 1)), np.ones((3, 1))).drifted(alpha)
