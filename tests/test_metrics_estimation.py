"""Accuracy estimates against the published code and their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from golden import TOLERANCE, Case, cases
from surefoot.errors import InputError
from surefoot.metrics._estimation import acc_ci, accuracy_interval, interval_coverage, mae_ci
from surefoot.metrics._regression import mae, mpiw

Floats = NDArray[np.float64]
GOLDEN = cases("pp_mae_ci")


def accuracies(case: Case) -> tuple[Floats, Floats, int, float]:
    """True and estimated accuracy, rows behind each, and alpha."""
    reference = case.inputs["ref_accuracy"]
    truth, estimate = (reference + np.array(case.inputs[name]) for name in ("true_drop", "pred_drop"))
    return truth, estimate, case.inputs["n_samples"], case.inputs["alpha"]


class TestGolden:
    @pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name)
    def test_error_and_share_within_the_interval(self, case: Case) -> None:
        truth, estimate, n, alpha = accuracies(case)
        assert_allclose(mae_ci(truth, estimate, n, alpha), case.outputs["within_ci_mae"], **TOLERANCE)
        assert_allclose(acc_ci(truth, estimate, n, alpha), case.outputs["within_ci_accuracy"], **TOLERANCE)

    def test_intervals_of_estimates(self) -> None:
        case = next(c for c in GOLDEN if "PICP" in c.outputs)
        truth, estimate, n, alpha = accuracies(case)
        low, high = accuracy_interval(estimate, n, alpha=alpha)
        assert_allclose(interval_coverage(low, high, truth), case.outputs["PICP"], **TOLERANCE)
        assert_allclose(mpiw(low, high), case.outputs["MPIW"], **TOLERANCE)
        assert_allclose(mae(estimate, truth), case.outputs["mae"], **TOLERANCE)


shares = st.floats(0, 1)
sizes = st.integers(1, 10_000)


class TestDefinition:
    @given(st.lists(st.tuples(shares, shares, sizes), min_size=1, max_size=10), st.floats(0.01, 0.99))
    def test_loop(self, table: list[tuple[float, float, int]], alpha: float) -> None:
        truth, estimate, n = (np.array(column) for column in zip(*table, strict=True))
        z = stats.norm.ppf(1 - alpha / 2)
        expected = [
            max(0.0, abs(e - a) - z * np.sqrt(a * (1 - a) / rows))
            for a, e, rows in zip(truth, estimate, n, strict=True)
        ]
        assert_allclose(mae_ci(truth, estimate, n, alpha=alpha), np.mean(expected), atol=1e-12)
        low, high = accuracy_interval(truth, n, alpha=alpha)
        assert_allclose(high - low, 2 * z * np.sqrt(truth * (1 - truth) / n), atol=1e-12)
        assert mae_ci(truth, estimate, n, alpha=alpha) <= mae(estimate, truth) + 1e-15
        assert (acc_ci(truth, estimate, n, alpha=alpha) == 1) == (max(expected) <= 0)

    def test_wider_intervals_forgive_more(self) -> None:
        truth, estimate = [0.8, 0.6, 0.9], [0.84, 0.7, 0.9]
        errors = [mae_ci(truth, estimate, 200, alpha=alpha) for alpha in (0.001, 0.05, 0.5, 0.999)]
        shares = [acc_ci(truth, estimate, 200, alpha=alpha) for alpha in (0.001, 0.05, 0.5, 0.999)]
        assert errors == sorted(errors)
        assert shares == sorted(shares, reverse=True)
        assert errors[0] < errors[-1]

    def test_the_interval_is_closed(self) -> None:
        assert acc_ci([1.0, 0.0], [1.0, 0.0], 10) == 1
        assert interval_coverage([0.5, 0.5, 0.5], [0.6, 0.6, 0.6], [0.5, 0.6, 0.61]) == 2 / 3

    def test_one_n_for_all_or_one_each(self) -> None:
        truth, estimate = [0.8, 0.6], [0.9, 0.7]
        assert mae_ci(truth, estimate, 100) == mae_ci(truth, estimate, [100, 100])
        assert mae_ci(truth, estimate, [100, 10_000]) > mae_ci(truth, estimate, 100)


class TestBadInput:
    @pytest.mark.parametrize("function", [mae_ci, acc_ci])
    @pytest.mark.parametrize(
        ("truth", "estimate", "n", "message"),
        [
            ([80.0], [0.8], 100, r"true_accuracy lies outside \[0, 1\] in row 0"),
            ([0.8, np.nan], [0.8, 0.7], 100, "true_accuracy has NaN or infinite values in row 1"),
            ([0.8], [np.nan], 100, "estimate has NaN or infinite values in row 0"),
            ([0.8], [0.8, 0.7], 100, "lengths differ: true_accuracy 1, estimate 2"),
            ([], [], 100, "true_accuracy is empty"),
            ([[0.8]], [0.8], 100, "true_accuracy has shape"),
            (np.array(["a"], dtype=object), [0.8], 100, "true_accuracy has dtype object"),
            ([0.8, 0.7], [0.8, 0.7], [100, 0], "n must be the number of rows .* row 1"),
            ([0.8, 0.7], [0.8, 0.7], [1, 2, 3], "lengths differ: accuracy 2, n 3"),
        ],
    )
    def test_arrays(self, function: Any, truth: Any, estimate: Any, n: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            function(truth, estimate, n)

    @pytest.mark.parametrize("alpha", [0, 1, 95, float("nan")])
    def test_alpha(self, alpha: float) -> None:
        with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
            mae_ci([0.8], [0.8], 100, alpha=alpha)
        with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
            accuracy_interval([0.8], 100, alpha=alpha)

    def test_coverage(self) -> None:
        with pytest.raises(InputError, match="low lies above high in row 1; swap"):
            interval_coverage([0.5, 0.7], [0.6, 0.6], [0.5, 0.5])
        with pytest.raises(InputError, match="lengths differ: low 1, true 2"):
            interval_coverage([0.5], [0.6], [0.5, 0.5])
        with pytest.raises(InputError, match="true has NaN"):
            interval_coverage([0.5], [0.6], [np.nan])
        with pytest.raises(InputError, match="accuracy lies outside"):
            accuracy_interval([1.2], 100)
