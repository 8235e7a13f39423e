"""Ranks over datasets against the published tables, Demšar's worked example, SciPy and brute force."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy import stats

from golden import TOLERANCE, Case, cases
from surefoot.compare import _posthoc, ranks
from surefoot.errors import InputError

Floats = NDArray[np.float64]

PUBLISHED = cases("ub_friedman_cd")

# Demšar 2006, table 6: AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 datasets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],  # printed as 0.975, ranked 2 and 3
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def tables(n: tuple[int, int] = (2, 9), k: tuple[int, int] = (2, 6)) -> st.SearchStrategy[Floats]:
    """Scores [datasets, methods] with ties."""
    shape = st.tuples(st.integers(*n), st.integers(*k))
    return hnp.arrays(np.float64, shape, elements=st.integers(-4, 4).map(lambda i: i / 2))


def brute_force_groups(alike: NDArray[np.bool_]) -> set[frozenset[int]]:
    """Every set of two or more that are all alike, and none within another."""
    k = len(alike)
    sets = [
        frozenset(chosen)
        for size in range(2, k + 1)
        for chosen in combinations(range(k), size)
        if all(alike[i, j] for i, j in combinations(chosen, 2))
    ]
    return {group for group in sets if not any(group < other for other in sets)}


class TestGolden:
    @pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.name)
    def test_published_tables(self, case: Case) -> None:
        out = case.outputs
        result = ranks(case.inputs["scores_datasets_x_methods"], not case.inputs["lower_is_better"])
        assert_allclose(result.ranks, out["ranks"], **TOLERANCE)
        assert_allclose(result.mean_ranks, out["average_rank"], **TOLERANCE)
        assert_allclose(result.statistic, out["friedman_chi2_tie_corrected"], **TOLERANCE)
        assert_allclose(result.p_value, out["friedman_p"], **TOLERANCE)
        assert_allclose(result.iman_davenport.statistic, out["iman_davenport_F"], **TOLERANCE)
        assert_allclose(result.critical_difference, out["critical_difference_0.05"], **TOLERANCE)
        n, k = result.ranks.shape
        q = out["nemenyi_q_alpha_0.05"]
        assert_allclose(result.critical_difference, q * np.sqrt(k * (k + 1) / (6 * n)), **TOLERANCE)

    @pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.name)
    def test_published_pairs(self, case: Case) -> None:
        result = ranks(case.inputs["scores_datasets_x_methods"], not case.inputs["lower_is_better"])
        within = {frozenset(pair) for group in result.groups for pair in combinations(group, 2)}
        columns = {name: i for i, name in enumerate(case.inputs["methods"])}
        expected = {
            frozenset(columns.get(i, i) for i in pair) for pair in case.outputs["pairs_not_different"]
        }
        assert within == expected

    def test_only_the_table_with_ties_has_two_statistics(self) -> None:
        differ = [
            case.name
            for case in PUBLISHED
            if not np.isclose(
                case.outputs["friedman_chi2_tie_corrected"], case.outputs["friedman_chi2_uncorrected"]
            )
        ]
        assert differ == ["published_in_domain_Acc"]


class TestDemsar:
    """The worked example of section 3.2.2 and the critical values of table 5."""

    def test_friedman(self) -> None:
        result = ranks(DEMSAR, True)
        assert_array_equal(result.mean_ranks.round(3), [3.143, 2.000, 2.893, 1.964])
        f = result.iman_davenport
        assert round(f.statistic, 2) == 3.69
        assert_allclose(f.p_value, stats.f.sf(f.statistic, 3, 39))
        plain = 12 * 14 / 20 * ((result.mean_ranks - 2.5) ** 2).sum()
        assert round(plain, 2) == 9.28
        assert result.statistic > plain

    @pytest.mark.parametrize(("alpha", "expected"), [(0.05, 1.25), (0.10, 1.12)])
    def test_critical_difference(self, alpha: float, expected: float) -> None:
        difference = ranks(DEMSAR, True, alpha=alpha).critical_difference
        assert difference is not None
        assert round(difference, 2) == expected

    def test_groups(self) -> None:
        """C4.5 is worse than both variants with m, and C4.5+cf cannot be told from either side."""
        assert ranks(DEMSAR, True, alpha=0.10).groups == ((3, 1, 2), (2, 0))
        assert ranks(DEMSAR, True, alpha=0.05).groups == ((3, 1, 2, 0),)

    @pytest.mark.parametrize(
        ("alpha", "values"),
        [
            (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
            (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        ],
    )
    def test_table_of_critical_values(self, alpha: float, values: list[float]) -> None:
        ours = [_posthoc.critical_difference(k, 1, alpha) / np.sqrt(k * (k + 1) / 6) for k in range(2, 11)]
        assert_allclose(ours, values, atol=1e-3)  # two printed entries are one unit off in the last digit


class TestFriedman:
    @given(tables(k=(3, 6)))
    def test_same_as_scipy(self, scores: Floats) -> None:
        assume((scores != scores[:, :1]).any())
        result = ranks(scores, True)
        expected = stats.friedmanchisquare(*scores.T)
        assert_allclose(result.statistic, expected.statistic, atol=1e-9)
        assert_allclose(result.p_value, expected.pvalue, atol=1e-9)

    @given(tables())
    def test_ties_make_iman_davenport_conservative(self, scores: Floats) -> None:
        result = ranks(scores, True)
        n, k = scores.shape
        rest = n * (k - 1) - result.statistic
        corrected = (n - 1) * result.statistic / rest if rest > 1e-9 else np.inf
        assert result.iman_davenport.statistic <= corrected * (1 + 1e-9) + 1e-9
        if all(len(set(row)) == k for row in scores) and rest > 1e-9:
            assert_allclose(result.iman_davenport.statistic, corrected, rtol=1e-9, atol=1e-12)

    def test_two_methods_are_a_sign_test(self) -> None:
        result = ranks([[1.0, 0.0]] * 8 + [[0.0, 1.0]] * 2, True)
        assert_allclose(result.statistic, 3.6)
        assert_allclose(result.p_value, stats.norm.sf(np.sqrt(3.6)) * 2)
        assert_allclose(result.p_values[0, 1], result.p_value, atol=1e-6)

    def test_complete_agreement(self) -> None:
        result = ranks(np.tile([3.0, 2.0, 1.0, 0.0], (7, 1)), True)
        assert result.statistic == 21
        assert result.iman_davenport == (np.inf, 0)

    def test_all_methods_tie_everywhere(self) -> None:
        result = ranks(np.ones((4, 3)), True)
        assert_array_equal(result.mean_ranks, 2)
        assert (result.statistic, result.p_value, result.iman_davenport) == (0, 1, (0, 1))
        assert result.groups == ((0, 1, 2),)
        assert_array_equal(result.p_values, 1)


class TestNemenyi:
    @given(tables())
    def test_p_values_agree_with_the_critical_difference(self, scores: Floats) -> None:
        result = ranks(scores, True)
        gaps = np.abs(result.mean_ranks[:, None] - result.mean_ranks)
        assert result.critical_difference is not None
        clear = np.abs(gaps - result.critical_difference) > 1e-6
        assert_array_equal((result.p_values > 0.05)[clear], (gaps <= result.critical_difference)[clear])

    @given(tables(k=(2, 5)))
    def test_groups_are_the_largest_sets_within_the_critical_difference(self, scores: Floats) -> None:
        result = ranks(scores, True)
        assert result.critical_difference is not None
        alike = np.abs(result.mean_ranks[:, None] - result.mean_ranks) <= result.critical_difference
        assert {frozenset(group) for group in result.groups} == brute_force_groups(alike)

    def test_groups_run_from_the_best_rank(self) -> None:
        scores = np.tile(np.arange(6.0), (20, 1))
        scores[::2, [0, 1]] = scores[::2, [1, 0]]
        scores[::2, [4, 5]] = scores[::2, [5, 4]]
        result = ranks(scores, True)
        assert result.groups == ((4, 5, 3), (3, 2), (2, 0, 1))


class TestWilcoxonHolm:
    @given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
    def test_exact_with_ties_and_zeros(self, differences: list[int]) -> None:
        """Against all assignments of signs to the ranks."""
        moved = np.array([d for d in differences if d], float)
        p = _posthoc.signed_rank(np.array(differences, float))
        if not len(moved):
            assert p == 1
            return
        rank = stats.rankdata(np.abs(moved))
        sums = np.array([rank @ signs for signs in product([0, 1], repeat=len(moved))])
        observed = min(rank[moved > 0].sum(), rank[moved < 0].sum())
        assert_allclose(p, min(1, 2 * (sums <= observed).mean()), rtol=1e-12)

    @pytest.mark.parametrize("n", [5, 12, 30, 50])
    def test_same_as_scipy_exact(self, n: int) -> None:
        differences = np.random.default_rng(n).normal(0.3, 1, n)
        expected = stats.wilcoxon(differences, method="exact").pvalue
        assert_allclose(_posthoc.signed_rank(differences), expected, rtol=1e-10)

    def test_same_as_scipy_beyond_fifty(self) -> None:
        differences = np.random.default_rng(0).integers(-6, 9, 90).astype(float)
        expected = stats.wilcoxon(differences, zero_method="wilcox", method="approx").pvalue
        assert_allclose(_posthoc.signed_rank(differences), expected, rtol=1e-10)

    def test_exact_and_normal_meet(self) -> None:
        differences = np.random.default_rng(1).normal(0.3, 1, 51)
        assert_allclose(
            _posthoc.signed_rank(differences), stats.wilcoxon(differences, method="exact").pvalue, rtol=0.1
        )

    def test_holm(self) -> None:
        """Worked by hand: 4, 3, 2 and 1 times the ascending p-values, none below the one before."""
        p = np.array([0.04, 0.01, 0.02, 0.03])
        assert_allclose(_posthoc.holm(p), [0.06, 0.04, 0.06, 0.06])
        assert_array_equal(_posthoc.holm(np.array([0.9, 0.8])), [1, 1])

    @given(hnp.arrays(float, st.integers(1, 8), elements=st.floats(0, 1)))
    def test_holm_rejects_step_by_step(self, p: Floats) -> None:
        adjusted, alpha = _posthoc.holm(p), 0.05
        rejected = np.zeros(len(p), bool)
        for step, i in enumerate(np.argsort(p, kind="stable")):
            if p[i] * (len(p) - step) > alpha:
                break
            rejected[i] = True
        assert_array_equal(adjusted <= alpha, rejected)

    @given(tables(n=(6, 12), k=(2, 5)))
    def test_pairs_and_groups(self, scores: Floats) -> None:
        result = ranks(scores, True, test="wilcoxon-holm", alpha=0.3)
        first, second = np.triu_indices(scores.shape[1], 1)
        raw = [_posthoc.signed_rank(scores[:, i] - scores[:, j]) for i, j in zip(first, second, strict=True)]
        assert_allclose(result.p_values[first, second], _posthoc.holm(np.array(raw)))
        assert_array_equal(result.p_values, result.p_values.T)
        assert {frozenset(group) for group in result.groups} == brute_force_groups(result.p_values > 0.3)
        assert result.critical_difference is None
        assert result.statistic == ranks(scores, True).statistic

    def test_group_skips_the_method_in_between(self) -> None:
        assert ranks(DEMSAR, True, test="wilcoxon-holm").groups == ((3, 1, 2), (3, 2, 0))


class TestNotes:
    @pytest.mark.parametrize("k", [2, 3, 4, 10])
    @pytest.mark.parametrize("test", ["nemenyi", "wilcoxon-holm"])
    def test_fewest_datasets_with_any_significant_difference(self, k: int, test: str) -> None:
        needed = getattr(_posthoc, f"datasets_for_{test.split('-')[0]}")(k, 0.05)
        best = np.arange(float(k)) + np.arange(20)[:, None] / 100  # the order is the same on every dataset
        enough, few = ranks(best[:needed], True, test=test), ranks(best[: needed - 1], True, test=test)
        assert enough.groups != (tuple(range(k))[::-1],)
        assert not any("can differ significantly" in note for note in enough.notes)
        assert few.groups == (tuple(range(k))[::-1],)
        assert f"at least {needed} datasets are needed" in few.notes[-1]

    def test_friedman_does_not_reject(self) -> None:
        result = ranks([[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1]], True)
        assert len(result.notes) == 1
        assert "Friedman's test does not reject" in result.notes[0]
        assert ranks(DEMSAR, True).notes == ()


class TestProperties:
    @given(tables(), st.sampled_from(["nemenyi", "wilcoxon-holm"]), st.randoms(use_true_random=False))
    def test_order_of_datasets_and_methods_does_not_matter(
        self, scores: Floats, test: str, random: Any
    ) -> None:
        result = ranks(scores, True, test=test)
        n, k = scores.shape
        rows, columns = random.sample(range(n), n), random.sample(range(k), k)
        moved = ranks(scores[rows][:, columns], True, test=test)
        assert_allclose(moved.mean_ranks, result.mean_ranks[columns], rtol=1e-12)
        assert_allclose(moved.statistic, result.statistic, rtol=1e-9, atol=1e-12)
        assert_allclose(moved.p_values, result.p_values[np.ix_(columns, columns)], rtol=1e-9)
        assert {frozenset(columns[i] for i in group) for group in moved.groups} == set(
            map(frozenset, result.groups)
        )

    @given(tables())
    def test_ranks_sum_to_the_same(self, scores: Floats) -> None:
        k = scores.shape[1]
        result = ranks(scores, True)
        assert_array_equal(result.ranks.sum(axis=1), k * (k + 1) / 2)
        assert_allclose(result.mean_ranks.sum(), k * (k + 1) / 2)

    @given(tables(), st.sampled_from(["nemenyi", "wilcoxon-holm"]))
    def test_negated_scores_and_direction(self, scores: Floats, test: str) -> None:
        up, down = ranks(scores, True, test=test), ranks(-scores, False, test=test)
        assert_array_equal(up.ranks, down.ranks)
        assert_array_equal(up.p_values, down.p_values)
        assert (up.statistic, up.iman_davenport, up.groups) == (
            down.statistic,
            down.iman_davenport,
            down.groups,
        )

    @given(tables())
    def test_friedman_looks_at_the_order_alone(self, scores: Floats) -> None:
        assert_array_equal(ranks(np.exp(scores) + 7, True).ranks, ranks(scores, True).ranks)
        assert_array_equal(ranks(scores.astype(np.float32), True).ranks, ranks(scores, True).ranks)


class TestBadInput:
    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            (
                [[1, 2], [3, np.nan], [np.inf, 0]],
                r"NaN or infinite values at \(row, column\) \(1, 1\), \(2, 0\);",
            ),
            (np.full((3, 4), np.nan), r"\(1, 0\) and 7 more; leave out"),
            ([[1, 2, 3]], r"shape \(1, 3\); ranks need at least 2 datasets"),
            ([[1], [2]], r"shape \(2, 1\); ranks need at least 2 datasets"),
            ([1, 2, 3], r"scores has shape \(3,\)"),
            ([[1, 2], [3]], "scores is not rectangular"),
            ([["a", "b"], ["c", "d"]], "scores has dtype"),
            (np.empty((0, 3)), "scores is empty"),
        ],
    )
    def test_scores(self, scores: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            ranks(scores, True)

    @pytest.mark.parametrize("alpha", [0, 1, 5, float("nan")])
    def test_alpha(self, alpha: float) -> None:
        with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
            ranks(DEMSAR, True, alpha=alpha)

    def test_options(self) -> None:
        with pytest.raises(InputError, match="test must be one of nemenyi, wilcoxon-holm, not 'tukey'"):
            ranks(DEMSAR, True, test="tukey")
        with pytest.raises(InputError, match="higher_is_better must be True or False, not 'accuracy'"):
            ranks(DEMSAR, "accuracy")
