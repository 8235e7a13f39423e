import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from netcal.scaling import TemperatureScaling
from scipy.optimize import brentq
from scipy.special import log_softmax, softmax

from golden import cases
from surefoot.errors import InputError
from surefoot.metrics._proper import accuracy, brier, log_likelihood
from surefoot.metrics._temperature import (
    COLDEST,
    HOTTEST,
    Calibrated,
    apply_temperature,
    calibrated,
    fit_temperature,
)

(GOLDEN,) = cases("pens_calibrated_cv")
LOG_PROBS, TARGET = np.array(GOLDEN.inputs["log_probs"]), np.array(GOLDEN.inputs["targets"])
FOLDS = GOLDEN.inputs["test_folds"]


def drawn(seed, n=300, k=5, scale=2.0, temperature=1.0):
    """Logits that are right up to a temperature: the targets are drawn from softmax(logits / temperature)."""
    rng = np.random.default_rng(seed)
    logits = scale * rng.normal(size=(n, k))
    return temperature * logits, (logits + rng.gumbel(size=(n, k))).argmax(axis=1)


def exact(logits, target):
    """Temperature where the slope of the log-likelihood in 1/T is zero, by Brent's method in float64."""
    logits = np.asarray(logits, dtype=np.float64)
    own = logits[np.arange(len(target)), target].sum()

    def slope(log_beta):
        return (softmax(np.exp(log_beta) * logits, axis=1) * logits).sum() - own

    return np.exp(-brentq(slope, np.log(1 / HOTTEST), np.log(1 / COLDEST), xtol=1e-13))


def mean_log(probs, target):
    return float(np.log(probs[np.arange(len(target)), target]).mean())


def test_the_published_temperatures():
    expected = GOLDEN.outputs
    assert fit_temperature(LOG_PROBS, TARGET) == pytest.approx(expected["temperature_all_data"], rel=2e-3)
    found = calibrated(log_likelihood, LOG_PROBS, TARGET, folds=FOLDS).temperatures
    np.testing.assert_allclose(found, expected["temperature_per_fold"], rtol=2e-3)


def test_the_published_metrics_at_the_fitted_temperature():
    expected = GOLDEN.outputs
    plain = apply_temperature(LOG_PROBS, 1.0)
    scaled = apply_temperature(LOG_PROBS, fit_temperature(LOG_PROBS, TARGET))
    assert log_likelihood(plain, TARGET) == pytest.approx(expected["ll_all_data_uncalibrated"], abs=1e-4)
    assert log_likelihood(scaled, TARGET) == pytest.approx(expected["ll_all_data_at_t"], abs=1e-4)


@pytest.mark.parametrize(("name", "metric"), [("acc", accuracy), ("ll", log_likelihood), ("brier", brier)])
def test_the_published_cross_validation(name, metric):
    value = calibrated(metric, LOG_PROBS, TARGET, folds=FOLDS)
    assert value.mean == pytest.approx(GOLDEN.outputs["kfold_temperature_scaled"][name], abs=1e-4)
    plain = apply_temperature(LOG_PROBS, 1.0)
    by_fold = [metric(plain[fold], TARGET[fold]) for fold in FOLDS]
    assert np.mean(by_fold) == pytest.approx(GOLDEN.outputs["kfold_plain"][name], abs=1e-4)


@pytest.mark.parametrize(
    ("n", "k", "scale", "temperature"),
    [
        (40, 2, 1.0, 1.0),
        (300, 5, 2.0, 0.02),
        (300, 5, 2.0, 20.0),
        (2000, 100, 3.0, 1.6),
        (5000, 3, 0.05, 500.0),
        (20_000, 4, 2.0, 3.0),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_temperature_is_exact(n, k, scale, temperature, dtype):
    logits, target = drawn(1, n, k, scale, temperature)
    logits = logits.astype(dtype)
    assert fit_temperature(logits, target) == pytest.approx(exact(logits, target), rel=1e-6)
    rng = np.random.default_rng(0)
    folds = [part for _ in range(2) for part in np.array_split(rng.permutation(n), 2)]
    found = calibrated(mean_log, logits, target, folds=folds)
    expected = [exact(np.delete(logits, fold, axis=0), np.delete(target, fold)) for fold in folds]
    np.testing.assert_allclose(found.temperatures, expected, rtol=1e-6)
    values = [
        mean_log(softmax(logits[fold].astype(np.float64) / t, axis=1), target[fold])
        for fold, t in zip(folds, expected, strict=True)
    ]
    assert found.mean == pytest.approx(np.mean(values), abs=1e-6)
    assert found.std == pytest.approx(np.std(values), abs=1e-6)


def test_folds_of_different_difficulty_have_their_own_temperatures():
    parts = [drawn(seed, 500, 4, 2.0, t) for seed, t in enumerate((0.05, 1.0, 30.0))]
    logits, target = (np.concatenate(found) for found in zip(*parts, strict=True))
    rows = np.arange(1500).reshape(3, 500)
    folds = [np.delete(rows, part, axis=0).ravel() for part in range(3)]
    found = calibrated(brier, logits, target, folds=folds).temperatures
    np.testing.assert_allclose(found, [exact(*part) for part in parts], rtol=1e-6)


def test_netcal_agrees():
    logits, target = drawn(2, temperature=1.7)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="independent is deprecated", category=DeprecationWarning)
        other = TemperatureScaling().fit(softmax(logits, axis=1), target)
    assert fit_temperature(logits, target) == pytest.approx(1 / float(other.temperature[0]), rel=1e-4)


def test_halvings_are_complementary_balanced_and_seeded():
    for n in (4, 9, 10):
        seen = []

        def look(probs, target, seen=seen):
            seen.append(tuple(target))
            return float(len(seen))

        logits = np.eye(n) + np.roll(np.eye(n), 1, axis=1) * 1.1
        result = calibrated(look, logits, np.arange(n), repeats=3)
        assert len(seen) == len(result.temperatures) == 6
        for one, other in zip(seen[::2], seen[1::2], strict=True):
            assert len(one) == n // 2
            assert sorted(one + other) == list(range(n))
        assert len(set(seen)) > 2
        assert (result.mean, result.std) == (3.5, pytest.approx(np.std([1, 2, 3, 4, 5, 6])))


def test_the_seed_decides():
    logits, target = drawn(3, temperature=2.0)
    first, again = (calibrated(log_likelihood, logits, target, seed=7) for _ in range(2))
    other = calibrated(log_likelihood, logits, target, seed=8)
    assert (first.mean, first.std) == (again.mean, again.std)
    np.testing.assert_array_equal(first.temperatures, again.temperatures)
    assert first.temperatures.shape == (10,)
    assert not np.isclose(first.temperatures, other.temperatures).any()


def test_named_metrics_share_their_temperatures():
    logits, target = drawn(4, temperature=2.0)
    together = calibrated({"ll": log_likelihood, "brier": brier}, logits, target)
    assert list(together) == ["ll", "brier"]
    for name, metric in {"ll": log_likelihood, "brier": brier}.items():
        alone = calibrated(metric, logits, target)
        assert isinstance(alone, Calibrated)
        assert (together[name].mean, together[name].std) == (alone.mean, alone.std)
        np.testing.assert_array_equal(together[name].temperatures, alone.temperatures)


@given(seed=st.integers(0, 10**6), factor=st.floats(0.1, 10))
def test_scaled_logits_scale_the_temperature_and_shifted_ones_do_not(seed, factor):
    logits, target = drawn(seed)
    value = fit_temperature(logits, target)
    assert fit_temperature(factor * logits, target) == pytest.approx(factor * value, rel=3e-6)
    shifted = logits + np.random.default_rng(seed).normal(size=(len(logits), 1))
    assert fit_temperature(shifted, target) == pytest.approx(value, rel=3e-6)
    assert fit_temperature(log_softmax(logits, axis=1), target) == pytest.approx(value, rel=3e-6)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 60), k=st.integers(2, 6), size=st.floats(-3, 3))
def test_no_other_temperature_is_better(seed, n, k, size):
    rng = np.random.default_rng(seed)
    logits, target = 10**size * rng.standard_t(2, size=(n, k)), rng.integers(0, k, n)
    logits[np.arange(n), target] += 10**size * rng.normal(size=n)
    best = fit_temperature(logits, target)
    assert COLDEST <= best <= HOTTEST

    def score(temperature):
        return log_softmax(logits / temperature, axis=1)[np.arange(n), target].mean()

    for other in (1.0, best * 0.99, best * 1.01, best * 0.5, best * 2):
        if COLDEST <= other <= HOTTEST:
            assert score(best) >= score(other) - 1e-9


@given(seed=st.integers(0, 10**6))
def test_row_order_does_not_matter(seed):
    logits, target = drawn(seed, n=40, temperature=1.5)
    folds = [np.arange(0, 40, 2), np.arange(5), np.arange(30, 40)]
    order = np.random.default_rng(seed).permutation(40)
    moved = [np.argsort(order)[fold] for fold in folds]
    one = calibrated(brier, logits, target, folds=folds)
    other = calibrated(brier, logits[order], target[order], folds=moved)
    assert other.mean == pytest.approx(one.mean, abs=1e-9)
    np.testing.assert_allclose(other.temperatures, one.temperatures, rtol=1e-6)


def test_calibrated_targets_need_no_temperature():
    assert fit_temperature(*drawn(5, n=50_000, k=10)) == pytest.approx(1, abs=0.02)


def test_separable_and_useless_logits_stop_at_the_limits():
    assert fit_temperature([[1.0, 0.0], [0.0, 1.0]], [0, 1]) == COLDEST
    assert fit_temperature([[1.0, 0.0], [0.0, 1.0]], [1, 0]) == HOTTEST
    assert fit_temperature([[1.0, 0.0], [1.0, 0.0]], [1, 0]) == HOTTEST
    # The best temperature is finite but beyond the limits.
    nearly = [[1e-6, 0.0]] * 3, [0, 0, 1]
    assert fit_temperature(*nearly) == COLDEST
    assert fit_temperature([[1e6, 0.0]] * 3, [0, 0, 1]) == HOTTEST
    # A first sample that is separable leaves the rest to be fitted.
    logits, target = np.tile([[5.0, 0.0]], (20_000, 1)), np.zeros(20_000, dtype=int)
    target[1::100] = 1
    assert fit_temperature(logits, target) == pytest.approx(5 / np.log(99), rel=1e-6)


def test_classes_of_zero_probability_keep_it_and_have_no_say():
    logits, target = drawn(6, n=200, k=4, temperature=2.0)
    masked = np.hstack([logits, np.full((200, 1), -np.inf)])
    value = fit_temperature(logits, target)
    assert fit_temperature(masked, target) == pytest.approx(value, rel=1e-6)
    assert (apply_temperature(masked, 3.0)[:, -1] == 0).all()
    lost = np.where(np.arange(200) < 10, 4, target)
    assert fit_temperature(masked, lost) == pytest.approx(fit_temperature(logits[10:], target[10:]), rel=1e-6)
    result = calibrated(log_likelihood, masked, lost)
    assert np.isfinite([result.mean, *result.temperatures]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_applying_a_temperature_is_a_stable_softmax(dtype):
    logits, _ = drawn(7, n=500, k=1000)
    logits = logits.astype(dtype)
    for temperature in (COLDEST, 0.5, 1.0, 7.0, HOTTEST):
        probs = apply_temperature(logits, temperature)
        assert probs.dtype == dtype
        np.testing.assert_allclose(probs.sum(axis=1), 1, rtol=1e-5)
        expected = softmax(logits.astype(np.float64) / temperature, axis=1)
        np.testing.assert_allclose(probs, expected, atol=1e-5 if dtype == np.float32 else 1e-12)
    np.testing.assert_array_equal(apply_temperature(np.array([[1e30, -1e38]], dtype), 1e-3), [[1, 0]])
    assert apply_temperature([[1, 0]], 1.0).dtype == np.float64


def test_an_averaged_prediction_is_scaled_by_its_logarithm():
    members = np.stack([softmax(drawn(seed, 100, 3)[0], axis=1) for seed in range(3)])
    mean = members.mean(axis=0)
    powered = mean**0.5 / (mean**0.5).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(apply_temperature(np.log(mean), 2.0), powered)


def test_the_input_is_left_alone():
    logits, target = drawn(9)
    before = logits.copy(), target.copy()
    calibrated(brier, logits, target)
    np.testing.assert_array_equal(logits, before[0])
    np.testing.assert_array_equal(target, before[1])


FOUR = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 0.5]])


@pytest.mark.parametrize(
    ("logits", "target", "options", "message"),
    [
        (
            np.where(np.eye(4, 2), np.nan, FOUR),
            [0, 1, 0, 0],
            {},
            r"NaN, \+inf or nothing but -inf in rows 0, 1",
        ),
        (np.where(np.eye(4, 2), np.inf, FOUR), [0, 1, 0, 0], {}, "in rows 0, 1"),
        (np.full((4, 2), -np.inf), [0, 1, 0, 0], {}, "rows 0, 1, 2, 3"),
        ([[0.0, -np.inf]] * 4, [1, 1, 1, 1], {}, "give log\\(probs \\+ 1e-10\\)"),
        (FOUR, [0, 1, 2, 0], {}, "outside the classes 0 … 1 in row 2"),
        (FOUR, [0, 1, -1, -2], {}, "leave novel and unlabelled rows out"),
        (FOUR, [0, 1, 0], {}, "lengths differ"),
        (FOUR[0], [0, 1], {}, r"\[N, K\] is needed"),
        (np.empty((0, 2)), [], {}, "empty"),
        (FOUR[:3], [0, 1, 0], {}, "at least 4 rows, not 3"),
        (FOUR, [0, 1, 0, 0], {"repeats": 0}, "repeats must be a whole number of at least 1"),
        (FOUR, [0, 1, 0, 0], {"repeats": 2.5}, "repeats must be a whole number of at least 1"),
        (FOUR, [0, 1, 0, 0], {"folds": []}, "folds is empty"),
        (FOUR, [0, 1, 0, 0], {"folds": [[0], []]}, r"folds\[1\] is empty"),
        (FOUR, [0, 1, 0, 0], {"folds": [[0, 0]]}, r"folds\[0\] names a row twice"),
        (FOUR, [0, 1, 0, 0], {"folds": [[0, 1, 2, 3]]}, "tests every row"),
        (FOUR, [0, 1, 0, 0], {"folds": [[4]]}, "rows outside 0 … 3"),
        (FOUR, [0, 1, 0, 0], {"folds": [[-1]]}, "rows outside 0 … 3"),
        (FOUR, [0, 1, 0, 0], {"folds": [[0.5]]}, "whole-number indices"),
        (FOUR, [0, 1, 0, 0], {"folds": [[True, False, False, False]]}, "whole-number indices"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(logits, target, options, message):
    with pytest.raises(InputError, match=message):
        calibrated(brier, logits, target, **options)
    if not options and len(target) != 3:
        with pytest.raises(InputError, match=message):
            fit_temperature(logits, target)


@pytest.mark.parametrize("temperature", [0, -1.0, np.nan, np.inf])
def test_a_temperature_is_a_number_above_zero(temperature):
    with pytest.raises(InputError, match="temperature must be a number above 0"):
        apply_temperature(FOUR, temperature)
