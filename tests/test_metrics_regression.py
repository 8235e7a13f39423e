"""Scores of regressions against the published code, scipy, scoringrules and MAPIE."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy import integrate, stats
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from golden import TOLERANCE, Case, cases
from surefoot.errors import InputError
from surefoot.metrics._regression import (
    crps_gaussian,
    crps_gaussian_rows,
    gaussian_interval,
    gaussian_nll,
    gaussian_nll_rows,
    interval_score,
    mae,
    mpiw,
    picp,
    rmse,
)

Floats = NDArray[np.float64]

RNG = np.random.default_rng(0)
MEAN, TARGET = RNG.normal(size=50), RNG.normal(size=50)
VARIANCE = RNG.exponential(size=50) + 0.01


def golden(name: str) -> Case:
    return next(case for case in cases("shifts_nll_ood_prr") if case.name == name)


def quietly(module: str) -> ModuleType:
    """Import a library whose own imports may warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


class TestGolden:
    def test_nll(self) -> None:
        case = golden("nll_regression")
        arguments = [case.inputs[name] for name in ("mu", "var", "target")]
        assert_allclose(gaussian_nll(*arguments, convention="published"), case.outputs["mean"], **TOLERANCE)
        assert_allclose(
            gaussian_nll_rows(*arguments, convention="published"), case.outputs["raw"], **TOLERANCE
        )

    def test_rmse_of_an_ensemble(self) -> None:
        case = golden("ens_rmse")
        mean = np.array(case.inputs["preds"])[:, :, 0].mean(0)
        target = np.array(case.inputs["target"])
        assert_allclose(rmse(mean, target), case.outputs["rmse"], **TOLERANCE)
        assert_allclose([rmse([m], [t]) ** 2 for m, t in zip(mean, target, strict=True)], case.outputs["raw"])


class TestOtherLibraries:
    def test_scikit_learn(self) -> None:
        assert_allclose(rmse(MEAN, TARGET), root_mean_squared_error(TARGET, MEAN))
        assert_allclose(mae(MEAN, TARGET), mean_absolute_error(TARGET, MEAN))

    def test_scipy(self) -> None:
        expected = -stats.norm.logpdf(TARGET, MEAN, np.sqrt(VARIANCE))
        assert_allclose(gaussian_nll_rows(MEAN, VARIANCE, TARGET), expected)
        low, high = gaussian_interval(MEAN, VARIANCE, alpha=0.1)
        assert_allclose((low, high), stats.norm.interval(0.9, MEAN, np.sqrt(VARIANCE)))

    def test_scoringrules(self) -> None:
        scoringrules = quietly("scoringrules")
        expected = scoringrules.crps_normal(TARGET, MEAN, np.sqrt(VARIANCE))
        assert_allclose(crps_gaussian_rows(MEAN, VARIANCE, TARGET), expected)
        low, high = gaussian_interval(MEAN, VARIANCE, alpha=0.3)
        expected = scoringrules.interval_score(TARGET, low, high, 0.3).mean()
        assert_allclose(interval_score(low, high, TARGET, alpha=0.3), expected)

    def test_mapie(self) -> None:
        metrics = quietly("mapie.metrics.regression")
        low, high = gaussian_interval(MEAN, VARIANCE, alpha=0.3)
        ends = np.stack([low, high], axis=1)[:, :, None]
        assert_allclose(picp(low, high, TARGET), metrics.regression_coverage_score(TARGET, ends)[0])
        assert_allclose(mpiw(low, high), metrics.regression_mean_width_score(ends)[0])
        expected = metrics.regression_mwi_score(TARGET, ends, confidence_level=0.7)
        assert_allclose(interval_score(low, high, TARGET, alpha=0.3), expected)


class TestDefinition:
    @given(st.floats(-3, 3), st.floats(0.05, 4))
    def test_crps_is_an_integral(self, target: float, deviation: float) -> None:
        def gap(x: float) -> float:
            return float((stats.norm.cdf(x, 0, deviation) - (x >= target)) ** 2)

        below, _ = integrate.quad(gap, -40, target)
        above, _ = integrate.quad(gap, target, 40)
        assert_allclose(crps_gaussian([0.0], [deviation**2], [target]), below + above, atol=1e-6)

    def test_crps_tends_to_the_absolute_error(self) -> None:
        for variance in (0.0, 1e-320, 1e-300, 1e-12):
            rows = crps_gaussian_rows([0.0, 1.0, 2.0], np.full(3, variance), [0.0, 3.0, -1.0])
            assert_allclose(rows, [0, 2, 3], atol=1e-5)

    def test_published_nll_adds_its_epsilon_where_the_variance_is_zero(self) -> None:
        value = gaussian_nll([0.0], [0.0], [0.0], convention="published")
        assert_allclose(value, (math.log(1e-8) + math.log(2 * math.pi)) / 2)

    def test_interval_score_of_hits_and_misses(self) -> None:
        low, high = [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]
        assert_allclose(interval_score(low, high, [-1.0, 0.5, 3.0], alpha=0.1), (21 + 1 + 41) / 3)

    def test_intervals_are_closed(self) -> None:
        assert picp([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.1]) == 2 / 3

    def test_coverage_of_a_true_gaussian_is_nominal(self) -> None:
        rng = np.random.default_rng(1)
        mean, variance = rng.normal(size=20_000), rng.exponential(size=20_000) + 0.1
        target = rng.normal(mean, np.sqrt(variance))
        for alpha in (0.05, 0.5):
            covered = picp(*gaussian_interval(mean, variance, alpha=alpha), target)
            assert abs(covered - (1 - alpha)) < 4 * math.sqrt(alpha * (1 - alpha) / 20_000)


numbers = st.floats(-100, 100)


class TestProperties:
    @given(st.lists(st.tuples(numbers, st.floats(0.01, 100), numbers), min_size=1, max_size=20))
    def test_scores(self, table: list[tuple[float, float, float]]) -> None:
        mean, variance, target = (np.array(column) for column in zip(*table, strict=True))
        assert 0 <= mae(mean, target) <= rmse(mean, target) + 1e-9
        assert_allclose(
            gaussian_nll(mean, variance, target), gaussian_nll_rows(mean, variance, target).mean()
        )
        assert_allclose(
            crps_gaussian(mean, variance, target), crps_gaussian_rows(mean, variance, target).mean()
        )
        assert (crps_gaussian_rows(mean, variance, target) >= 0).all()
        assert crps_gaussian(mean, variance, target) <= mae(mean, target) + np.sqrt(variance).mean()
        assert_allclose(
            crps_gaussian(10 * mean, 100 * variance, 10 * target),
            10 * crps_gaussian(mean, variance, target),
            atol=1e-9,
        )
        low, high = gaussian_interval(mean, variance, alpha=0.2)
        score, width = interval_score(low, high, target, alpha=0.2), mpiw(low, high)
        assert score >= width - 1e-9
        assert (picp(low, high, target) == 1) == (score <= width * (1 + 1e-15))

    def test_float32_stays(self) -> None:
        mean, variance, target = (x.astype(np.float32) for x in (MEAN, VARIANCE, TARGET))
        for function in (gaussian_nll_rows, crps_gaussian_rows):
            assert function(mean, variance, target).dtype == np.float32
            assert function(mean, variance, TARGET).dtype == np.float64
            assert_allclose(
                function(mean, variance, target), function(MEAN, VARIANCE, TARGET), rtol=1e-3, atol=1e-5
            )
        assert gaussian_interval(mean, variance)[0].dtype == np.float32

    def test_input_is_left_alone(self) -> None:
        mean, variance, target = MEAN.copy(), VARIANCE.copy(), TARGET.copy()
        rmse(mean, target)
        gaussian_nll(mean, variance, target)
        crps_gaussian(mean, variance, target)
        assert_array_equal(mean, MEAN)
        assert_array_equal(variance, VARIANCE)
        assert_array_equal(target, TARGET)

    def test_means_of_float32_are_taken_in_float64(self) -> None:
        error = np.full(1 << 20, 0.1, dtype=np.float32)
        assert_allclose(mae(error, np.zeros_like(error)), float(np.float32(0.1)), rtol=1e-9)


POINTS: list[Callable[..., Any]] = [rmse, mae]
DENSITIES: list[Callable[..., Any]] = [gaussian_nll, gaussian_nll_rows, crps_gaussian, crps_gaussian_rows]


class TestBadInput:
    @pytest.mark.parametrize("function", POINTS)
    @pytest.mark.parametrize(
        ("prediction", "target", "message"),
        [
            ([1.0, np.nan], [1.0, 2.0], "prediction has NaN or infinite values in row 1; remove"),
            ([1.0], [np.inf], "target has NaN or infinite values in row 0; remove"),
            ([1.0], [1.0, 2.0], "lengths differ: prediction 1, target 2"),
            ([], [], "prediction is empty"),
            ([[1.0]], [1.0], "prediction has shape"),
            (np.array(["a"], dtype=object), [1.0], "prediction has dtype object"),
        ],
    )
    def test_points(self, function: Any, prediction: Any, target: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            function(prediction, target)

    @pytest.mark.parametrize("function", DENSITIES)
    @pytest.mark.parametrize(
        ("mean", "variance", "target", "message"),
        [
            ([1.0, np.nan], [1.0, 1.0], [1.0, 2.0], "mean has NaN or infinite values in row 1"),
            ([1.0, 2.0], [1.0, -1.0], [1.0, 2.0], "variance is negative in row 1; .* exp"),
            ([1.0], [1.0], [np.nan], "target has NaN or infinite values in row 0"),
            ([1.0], [1.0, 1.0], [1.0, 2.0], "lengths differ: mean 1, variance 2, target 2"),
            ([], [], [], "is empty"),
            ([[1.0]], [1.0], [1.0], "mean has shape"),
            ([1.0], np.array([None], dtype=object), [1.0], "variance has dtype object"),
        ],
    )
    def test_densities(self, function: Any, mean: Any, variance: Any, target: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            function(mean, variance, target)

    def test_likelihood_without_variance(self) -> None:
        with pytest.raises(InputError, match=r"variance is zero in rows 0, 2, .* floor"):
            gaussian_nll([1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0])
        with pytest.raises(InputError, match="convention must be one of"):
            gaussian_nll([1.0], [1.0], [1.0], convention="code")

    def test_intervals(self) -> None:
        with pytest.raises(InputError, match="lower lies above upper in row 1; swap"):
            mpiw([0.0, 2.0], [1.0, 1.0])
        with pytest.raises(InputError, match="lower lies above upper in row 0; swap"):
            picp([2.0], [1.0], [0.0])
        with pytest.raises(InputError, match="lengths differ: lower 2, upper 1"):
            mpiw([0.0, 2.0], [1.0])
        with pytest.raises(InputError, match="lengths differ: lower 1, target 2"):
            interval_score([0.0], [1.0], [0.0, 1.0], alpha=0.1)
        with pytest.raises(InputError, match="target is empty"):
            picp([0.0], [1.0], [])
        with pytest.raises(InputError, match="lengths differ: mean 1, variance 2"):
            gaussian_interval([0.0], [1.0, 1.0])

    @pytest.mark.parametrize("alpha", [0, 1, 95, float("nan")])
    def test_alpha(self, alpha: float) -> None:
        with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
            interval_score([0.0], [1.0], [0.0], alpha=alpha)
        with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
            gaussian_interval([0.0], [1.0], alpha=alpha)
