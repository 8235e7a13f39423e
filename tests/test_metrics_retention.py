"""Retention curves against the published code, their definition on small tables, and their properties."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from golden import TOLERANCE, Case, cases
from surefoot.errors import InputError
from surefoot.metrics._ranking import rank
from surefoot.metrics._retention import (
    error_retention,
    f1_at,
    f1_auc,
    f1_retention,
    r_auc,
    retention,
)

Floats = NDArray[np.float64]

ERROR_CASES = cases("shifts_retention")
F_CASES = cases("shifts_fbeta")


def named(case: Case) -> str:
    return case.name


# Multiples of 1/8 add up without rounding, so equality of sums is exact.
levels = st.integers(0, 40).map(lambda i: i / 8)


@st.composite
def tables(draw: st.DrawFn, most: int = 30) -> tuple[Floats, Floats]:
    """Errors and uncertainties with many ties."""
    rows = draw(st.lists(st.tuples(levels, st.integers(-4, 4)), min_size=1, max_size=most))
    errors, uncertainty = np.array(rows, dtype=np.float64).T
    return errors, uncertainty


def orders(uncertainty: Floats) -> list[list[int]]:
    """Every order of the rows in which uncertainty does not fall."""
    return [
        list(order)
        for order in itertools.permutations(range(len(uncertainty)))
        if all(uncertainty[a] <= uncertainty[b] for a, b in itertools.pairwise(order))
    ]


def sums(values: Floats, order: list[int]) -> Floats:
    return np.concatenate([[0.0], np.cumsum(values[order])])


def f_score(found: Floats, acceptable: int, beta: float) -> Floats:
    """F of each point by way of precision and recall, 0 where both are 0."""
    out = np.zeros(len(found))
    for k in range(1, len(found)):
        if found[k] > 0:
            precision, recall = found[k] / k, found[k] / acceptable
            out[k] = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return out


class TestPublished:
    @pytest.mark.parametrize("case", ERROR_CASES, ids=named)
    def test_error_retention(self, case: Case) -> None:
        curve = error_retention(case.inputs["errors"], case.inputs["uncertainty"], convention="published")
        out = case.outputs
        assert_allclose(curve.value, out["retention_curve"], **TOLERANCE)
        assert_allclose(curve.value[::-1], out["rejection_curve_grouped"], **TOLERANCE)
        assert_allclose(curve.area, out["r_auc"], **TOLERANCE)
        assert_allclose(curve.random_area, out["random_r_auc"], **TOLERANCE)
        assert_allclose(curve.optimal_area, out["ideal_r_auc"], **TOLERANCE)
        assert_allclose(100 * curve.rejection_ratio, out["prr_percent"], **TOLERANCE)

    @pytest.mark.parametrize(
        "case", [c for c in ERROR_CASES if "rejection_curve_ungrouped" in c.outputs], ids=named
    )
    def test_without_ties_grouping_changes_nothing(self, case: Case) -> None:
        curve = error_retention(case.inputs["errors"], case.inputs["uncertainty"])
        assert_allclose(curve.value[::-1], case.outputs["rejection_curve_ungrouped"], **TOLERANCE)

    @pytest.mark.parametrize("case", F_CASES, ids=named)
    def test_f1_retention(self, case: Case) -> None:
        errors, uncertainty, threshold, beta = (
            case.inputs[name] for name in ("errors", "uncertainty", "threshold", "beta")
        )
        curve = f1_retention(errors, uncertainty, threshold=threshold, beta=beta, convention="published")
        out = case.outputs
        assert_allclose(curve.value, out["retention_curve_f"], **TOLERANCE)
        assert_allclose(curve.area, out["f_auc"], **TOLERANCE)
        assert_allclose(curve.at(0.95), out["f95"], **TOLERANCE)
        assert curve.at(0.95) == curve.value[out["f95_index_into_retention_curve"]]
        assert curve.acceptable == out["n_acceptable"]
        assert_allclose(curve.optimal_area, out["optimal_f_auc"], **TOLERANCE)
        optimal = f1_retention(errors, errors, threshold=threshold, beta=beta, convention="published")
        assert_allclose(optimal.at(0.95), out["optimal_f95"], **TOLERANCE)
        assert_allclose(optimal.value, curve.optimal_value, **TOLERANCE)
        if len(np.unique(uncertainty)) == len(uncertainty):
            self.check_precision_and_recall(case)

    @staticmethod
    def check_precision_and_recall(case: Case) -> None:
        """The stored precision and recall give the paper's F, without the code's epsilon."""
        precision = np.array(case.outputs["precision_full_to_zero"])[::-1]
        recall = np.array(case.outputs["recall_full_to_zero"])[::-1]
        beta = case.inputs["beta"]
        bottom = beta**2 * precision + recall
        expected = np.divide(
            (1 + beta**2) * precision * recall, bottom, out=np.zeros_like(bottom), where=bottom > 0
        )
        curve = f1_retention(
            case.inputs["errors"],
            case.inputs["uncertainty"],
            threshold=case.inputs["threshold"],
            beta=beta,
        )
        assert_allclose(curve.value, expected, **TOLERANCE)

    def test_prediction_rejection_ratio(self) -> None:
        case = next(c for c in cases("shifts_nll_ood_prr") if c.name == "prr_regression")
        errors = (np.array(case.inputs["targets"]) - np.array(case.inputs["preds"])) ** 2
        curve = error_retention(errors, case.inputs["measure"], convention="published")
        assert_allclose(100 * curve.rejection_ratio, case.outputs["prr"], **TOLERANCE)
        assert_allclose(curve.area, case.outputs["r_auc"], **TOLERANCE)

    def test_later_row_of_a_tie_comes_first(self) -> None:
        curve = f1_retention([0.0, 2.0], [1.0, 1.0], threshold=1.0, convention="published")
        assert curve.value[1] == 0
        curve = f1_retention([2.0, 0.0], [1.0, 1.0], threshold=1.0, convention="published")
        assert_allclose(curve.value[1], 1.0)

    def test_axis_and_operating_points(self) -> None:
        both = retention([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], threshold=1.0, convention="published")
        assert_allclose(both.f1.fraction, [0, 1 / 4, 2 / 4, 3 / 4])
        assert_allclose(both.error.fraction, [0, 1 / 3, 2 / 3, 1])
        assert both.f1.at(1.0) == both.f1.value[-1]
        assert both.f1.at(0.49) == both.f1.value[1]
        assert both.error.at(0.5) == both.error.value[2]

    def test_random_area_is_the_mean_of_shuffles(self) -> None:
        rng = np.random.default_rng(1)
        errors = rng.exponential(size=60)
        areas = [f1_auc(errors, rng.random(60), threshold=1.0, convention="published") for _ in range(2000)]
        curve = f1_retention(errors, np.zeros(60), threshold=1.0, convention="published")
        assert abs(np.mean(areas) - curve.random_area) < 4 * np.std(areas) / np.sqrt(len(areas))


class TestDefinition:
    @given(tables(most=6), st.sampled_from([0.5, 1.0, 2.0]))
    def test_ties_are_the_mean_over_their_orders(self, table: tuple[Floats, Floats], beta: float) -> None:
        errors, uncertainty = table
        n = len(errors)
        acceptable = (errors <= 1.0).astype(np.float64)
        every = orders(uncertainty)
        both = retention(errors, uncertainty, threshold=1.0, beta=beta)
        expected = np.mean([sums(errors, order) / n for order in every], axis=0)
        assert_allclose(both.error.value, expected, atol=1e-12)
        total = int(acceptable.sum())
        expected = np.mean([f_score(sums(acceptable, order), total, beta) for order in every], axis=0)
        assert_allclose(both.f1.value, expected, atol=1e-12)

    @given(tables())
    def test_areas_are_trapezoids_over_the_fraction(self, table: tuple[Floats, Floats]) -> None:
        from scipy.integrate import trapezoid

        both = retention(*table, threshold=1.0)
        for curve in both:
            assert curve.fraction[0] == 0
            assert curve.fraction[-1] == 1
            assert_allclose(curve.area, trapezoid(curve.value, curve.fraction), atol=1e-12)
            assert_allclose(curve.random_area, trapezoid(curve.random_value, curve.fraction), atol=1e-12)
            assert_allclose(curve.optimal_area, trapezoid(curve.optimal_value, curve.fraction), atol=1e-12)

    @given(tables(), st.floats(0, 1))
    def test_at_interpolates(self, table: tuple[Floats, Floats], q: float) -> None:
        for curve in retention(*table, threshold=1.0):
            assert_allclose(curve.at(q), np.interp(q, curve.fraction, curve.value), atol=1e-9)

    def test_worked_example(self) -> None:
        both = retention([0.0, 0.5, 3.0, 1.0], [1.0, 2.0, 3.0, 4.0], threshold=1.0)
        assert_allclose(both.error.value, np.array([0, 0, 0.5, 3.5, 4.5]) / 4)
        assert_allclose(both.f1.value, [0, 2 / 4, 4 / 5, 4 / 6, 6 / 7])
        assert both.f1.acceptable == 3
        assert both.error.at(1.0) == 4.5 / 4
        assert both.error.at(0.0) == 0

    def test_threshold_is_inclusive(self) -> None:
        assert f1_retention([1.0, 1.1], [0.0, 1.0], threshold=1.0).acceptable == 1
        assert f1_retention(np.float32([0.1, 0.2]), [0.0, 1.0], threshold=0.1).acceptable == 1

    @pytest.mark.parametrize("convention", ["paper", "published"])
    def test_nothing_acceptable(self, convention: str) -> None:
        curve = f1_retention([2.0, 3.0], [0.0, 1.0], threshold=1.0, convention=convention)
        assert_array_equal(curve.value, [0, 0, 0])
        assert curve.area == curve.random_area == curve.optimal_area == 0

    @pytest.mark.parametrize("convention", ["paper", "published"])
    def test_equal_errors_leave_no_room_to_improve(self, convention: str) -> None:
        for n in (1, 2, 7, 50):
            curve = error_retention(np.full(n, 0.1), np.arange(n), convention=convention)
            assert np.isnan(curve.rejection_ratio)

    def test_rejection_ratio_of_the_best_and_the_worst_order(self) -> None:
        errors = np.array([0.0, 1.0, 2.0, 5.0])
        assert_allclose(error_retention(errors, errors).rejection_ratio, 1)
        assert_allclose(error_retention(errors, -errors).rejection_ratio, -1)
        assert_allclose(error_retention(errors, np.zeros(4)).rejection_ratio, 0, atol=1e-12)


class TestProperties:
    @given(tables(), st.randoms(use_true_random=False))
    def test_input_order_does_not_matter(self, table: tuple[Floats, Floats], random: Any) -> None:
        errors, uncertainty = table
        shuffle = np.array(random.sample(range(len(errors)), len(errors)))
        for one, other in zip(
            retention(errors, uncertainty, threshold=1.0),
            retention(errors[shuffle], uncertainty[shuffle], threshold=1.0),
            strict=True,
        ):
            assert_array_equal(one.value, other.value)
            assert one.area == other.area

    @given(tables())
    def test_monotone_transforms_of_uncertainty_change_nothing(self, table: tuple[Floats, Floats]) -> None:
        errors, uncertainty = table
        before = retention(errors, uncertainty, threshold=1.0)
        for after in (
            retention(errors, np.exp(uncertainty), threshold=1.0),
            retention(errors, 3 * uncertainty**3 - 7, threshold=1.0),
            retention(errors, rank(uncertainty), threshold=1.0),
            retention(errors, uncertainty.astype(np.float32), threshold=1.0),
        ):
            assert_array_equal(before.error.value, after.error.value)
            assert_array_equal(before.f1.value, after.f1.value)

    @given(tables())
    def test_areas_lie_within_their_bounds(self, table: tuple[Floats, Floats]) -> None:
        errors, uncertainty = table
        error, f1 = retention(errors, uncertainty, threshold=1.0)
        worst = error_retention(errors, -errors).area
        assert error.optimal_area - 1e-12 <= error.area <= worst + 1e-12
        assert 0 <= f1.area <= f1.optimal_area + 1e-12
        assert (np.diff(error.value) >= -1e-12).all()
        assert (f1.value >= 0).all()
        assert (f1.value <= f1.optimal_value + 1e-12).all()

    @given(tables(), st.integers(0, 40))
    def test_informative_orders_lie_between_optimal_and_random(
        self, table: tuple[Floats, Floats], coarseness: int
    ) -> None:
        """A monotone, possibly coarse, function of the error is never worse than chance."""
        errors, _ = table
        error, f1 = retention(errors, np.floor(errors * 8 / (coarseness + 1)), threshold=1.0)
        assert error.optimal_area - 1e-12 <= error.area <= error.random_area + 1e-12
        assert f1.random_area - 1e-12 <= f1.area <= f1.optimal_area + 1e-12

    @given(tables())
    def test_own_error_is_the_optimal_baseline(self, table: tuple[Floats, Floats]) -> None:
        errors, _ = table
        for curve in retention(errors, errors, threshold=1.0):
            assert_allclose(curve.value, curve.optimal_value, atol=1e-12)
            assert_allclose(curve.area, curve.optimal_area, atol=1e-12)

    @given(tables())
    def test_constant_uncertainty_is_the_random_baseline(self, table: tuple[Floats, Floats]) -> None:
        errors, _ = table
        for curve in retention(errors, np.full(len(errors), 0.3), threshold=1.0):
            assert_allclose(curve.value, curve.random_value, atol=1e-12)
            assert_allclose(curve.area, curve.random_area, atol=1e-12)

    @given(tables(), st.sampled_from(["paper", "published"]), st.sampled_from([0.5, 1.0, 2.0]))
    def test_all_ways_to_the_same_curve_agree(
        self, table: tuple[Floats, Floats], convention: str, beta: float
    ) -> None:
        errors, uncertainty = table
        options: dict[str, Any] = {"threshold": 1.0, "beta": beta, "convention": convention}
        both = retention(errors, uncertainty, **options)
        error = error_retention(errors, uncertainty, convention=convention)
        f1 = f1_retention(errors, uncertainty, **options)
        assert_array_equal(both.error.value, error.value)
        assert_array_equal(both.f1.value, f1.value)
        assert both.error.area == r_auc(errors, uncertainty, convention=convention)
        assert both.f1.area == f1_auc(errors, uncertainty, **options)
        assert both.f1.at(0.95) == f1_at(errors, uncertainty, **options)
        assert both.f1.at(0.5) == f1_at(errors, uncertainty, q=0.5, **options)
        shared = rank(uncertainty)
        assert_array_equal(both.f1.value, retention(errors, shared, **options).f1.value)

    @given(tables())
    def test_boolean_errors_count_as_one(self, table: tuple[Floats, Floats]) -> None:
        errors, uncertainty = table
        wrong = errors > 1
        as_bool = retention(wrong, uncertainty, threshold=0)
        as_float = retention(wrong.astype(np.float64), uncertainty, threshold=0)
        assert_array_equal(as_bool.error.value, as_float.error.value)
        assert_array_equal(as_bool.f1.value, as_float.f1.value)

    def test_sums_are_kept_in_float64(self) -> None:
        errors = np.full(1 << 20, 0.1, dtype=np.float32)
        curve = error_retention(errors, np.arange(len(errors), dtype=np.float32))
        assert curve.value.dtype == np.float64
        assert_allclose(curve.value[-1], float(np.float32(0.1)), rtol=1e-9)

    def test_few_ties_among_many_rows(self) -> None:
        rng = np.random.default_rng(0)
        errors, uncertainty = rng.exponential(size=5000), rng.random(5000).round(3)
        expected = np.zeros(5001)
        for level in np.unique(uncertainty):
            before, tie = (uncertainty < level).sum(), errors[uncertainty == level]
            steps = np.arange(1, len(tie) + 1)
            expected[before + steps] = expected[before] + tie.mean() * steps
        assert_allclose(error_retention(errors, uncertainty).value, expected / 5000, rtol=1e-9)


class TestRanking:
    def test_positions_between_ties(self) -> None:
        ranking = rank([2.0, 1.0, 2.0, 3.0])
        assert ranking.tied
        assert_array_equal(ranking.bounds, [0, 1, 3, 4])
        assert not rank([2.0, 1.0]).tied

    def test_order_inside_ties(self) -> None:
        values = [2.0, 1.0, 2.0, 1.0]
        assert_array_equal(rank(values, first="earlier").order, [1, 3, 0, 2])
        assert_array_equal(rank(values, first="later").order, [3, 1, 2, 0])
        assert_array_equal(rank(rank(values), first="later").order, [3, 1, 2, 0])

    def test_passes_through_where_it_can(self) -> None:
        for ranking in (rank([1.0, 0.0]), rank([1.0, 1.0], first="later")):
            assert rank(ranking) is ranking
            assert rank(ranking, first="later") is ranking

    def test_signed_zeros_tie(self) -> None:
        assert_array_equal(rank([0.0, -0.0, 1.0]).bounds, [0, 2, 3])


BAD = [
    ([1.0, np.nan], [0.1, 0.2], "errors .* row 1; remove"),
    ([1.0, 2.0], [np.inf, 0.2], "uncertainty .* row 0; remove"),
    ([1.0], [0.1, 0.2], "lengths differ: errors 1, uncertainty 2"),
    ([], [], "errors is empty"),
    ([[1.0]], [[0.1]], "errors has shape"),
    ([1.0], [[0.1]], "uncertainty has shape"),
    (np.array([1.0, None], dtype=object), [0.1, 0.2], "errors has dtype object"),
    (["a", "b"], [0.1, 0.2], "not numbers"),
]


class TestBadInput:
    @pytest.mark.parametrize(("errors", "uncertainty", "message"), BAD)
    def test_arrays(self, errors: Any, uncertainty: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            retention(errors, uncertainty, threshold=1.0)
        with pytest.raises(InputError, match=message):
            error_retention(errors, uncertainty)
        with pytest.raises(InputError, match=message):
            f1_retention(errors, uncertainty, threshold=1.0)
        with pytest.raises(InputError, match=message):
            r_auc(errors, uncertainty)
        with pytest.raises(InputError, match=message):
            f1_auc(errors, uncertainty, threshold=1.0)
        with pytest.raises(InputError, match=message):
            f1_at(errors, uncertainty, threshold=1.0)

    def test_options(self) -> None:
        with pytest.raises(InputError, match="convention must be one of paper, published"):
            error_retention([1.0], [1.0], convention="code")
        with pytest.raises(InputError, match="threshold must be a number"):
            retention([1.0], [1.0], threshold=float("nan"))
        with pytest.raises(InputError, match="beta must be a number above 0"):
            retention([1.0], [1.0], threshold=1.0, beta=0)
        with pytest.raises(InputError, match="q must be a share"):
            error_retention([1.0], [1.0]).at(95)
        with pytest.raises(InputError, match="first must be one of"):
            rank([1.0], first="last")

    def test_ranking_of_other_rows(self) -> None:
        with pytest.raises(InputError, match="lengths differ: errors 1, uncertainty 2"):
            error_retention([1.0], rank([0.1, 0.2]))
