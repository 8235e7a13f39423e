import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from netcal.metrics import ECE
from torchmetrics.functional.classification import multiclass_calibration_error

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.metrics import _calibration
from surefoot.metrics._calibration import (
    ace,
    binned_error,
    calibration_error,
    ece,
    reliability,
    reliability_from,
    sce,
    tace,
)

PRESETS = {"ece": ece, "sce": sce, "ace": ace, "tace": tace}
PENS = cases("pens_metrics")
UB = cases("ub_metrics")


def by_name(cases):
    return {"argvalues": cases, "ids": [case.name for case in cases]}


def table(seed, n=200, k=4, *, decimals=None):
    """Random probabilities with targets that follow them half of the time; rounded ones tie often."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(k, 0.5), size=n)
    if decimals is not None:
        probs = np.round(probs, decimals)
        probs[:, 0] = np.maximum(probs[:, 0] + 1 - probs.sum(axis=1), 0)
        probs /= probs.sum(axis=1, keepdims=True)
    target = np.where(rng.random(n) < 0.5, probs.argmax(axis=1), rng.integers(0, k, n))
    return probs, target


def stated(case):
    """Each calibration output of a case as (function, options, value)."""
    for name, value in case.outputs.items():
        metric, *options = name.split("_")
        if metric in PRESETS:
            read = {"bins": int(options[0].removeprefix("bins"))}
            if len(options) > 1:
                read["threshold"] = float(options[1].removeprefix("thr"))
            yield PRESETS[metric], read, value


def one_bin_each(probs, target, threshold=0.0):
    """Classwise error with a bin per kept probability: Σ |p − hit| / (N K)."""
    kept = probs > threshold
    return np.abs(probs - np.eye(probs.shape[1])[target])[kept].sum() / probs.size


@pytest.mark.parametrize("case", **by_name(PENS))
def test_the_published_calibration_errors(case):
    probs, target = np.array(case.inputs["probs"]), np.array(case.inputs["targets"])
    compared = 0
    for metric, options, value in stated(case):
        if np.isfinite(value):
            np.testing.assert_allclose(metric(probs, target, **options), value, **TOLERANCE)
            compared += 1
    assert compared >= 5


def test_where_the_published_code_returns_nan_each_kept_probability_has_a_bin():
    few, single = (next(c for c in PENS if c.name == name) for name in ("few_samples_n20_k3", "n1"))
    undefined = {case.name: [s for s in stated(case) if np.isnan(s[2])] for case in (few, single)}
    assert [len(found) for found in undefined.values()] == [5, 10]
    probs, target = np.array(single.inputs["probs"]), np.array(single.inputs["targets"])
    for metric, options, _ in undefined["n1"]:
        expected = one_bin_each(probs, target)
        assert metric(probs, target, **options) == pytest.approx(expected)
    probs, target = np.array(few.inputs["probs"]), np.array(few.inputs["targets"])
    for metric, options, _ in undefined["few_samples_n20_k3"]:
        if options["bins"] == 30:
            assert metric(probs, target, **options) == pytest.approx(
                one_bin_each(probs, target, options["threshold"])
            )
        else:
            # Only the classes with fewer kept probabilities than bins were undefined.
            kept = (probs > options["threshold"]).sum(axis=0)
            assert kept.min() < options["bins"] <= kept.max()
            assert 0 < metric(probs, target, **options) < 1


@pytest.mark.parametrize("case", **by_name(UB))
@pytest.mark.parametrize("bins", [10, 15, 100])
def test_the_published_ece_of_001_closes_its_bins_on_the_left(case, bins):
    probs, target = np.array(case.inputs["probs"]), np.array(case.inputs["labels"])
    value = ece(probs, target, bins=bins, closed="left")
    np.testing.assert_allclose(value, case.outputs[f"ece_netcal_bins{bins}"], **TOLERANCE)
    if case.name != "rounded_bin_edges":
        assert ece(probs, target, bins=bins) == pytest.approx(value)


@pytest.mark.parametrize("k", [1, 2, 9, 32, 33, 50])
@pytest.mark.parametrize("decimals", [None, 1])
def test_the_prediction_is_the_first_of_the_highest(k, decimals, monkeypatch):
    monkeypatch.setattr(_calibration, "_CHUNK", 64)
    probs, target = table(k, n=333, k=k, decimals=decimals)
    confidence, hits = _calibration._top_label(probs, target)
    np.testing.assert_array_equal(confidence, probs.max(axis=1))
    np.testing.assert_array_equal(hits, probs.argmax(axis=1) == target)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_edges_belong_to_the_bin_below_or_on_request_above(dtype):
    confidence = np.array([0.25, 0.5, 0.75, 1], dtype=dtype)
    hits = np.ones(4, dtype=bool)
    assert reliability_from(confidence, hits, bins=4).count.tolist() == [1, 1, 1, 1]
    assert reliability_from(confidence, hits, bins=4, closed="left").count.tolist() == [0, 1, 1, 2]
    above, below = np.nextafter(confidence, dtype(2)), np.nextafter(confidence, dtype(0))
    assert reliability_from(above, hits, bins=4).count.tolist() == [0, 1, 1, 2]
    assert reliability_from(below, hits, bins=4, closed="left").count.tolist() == [1, 1, 1, 1]
    assert reliability_from(np.zeros(2, dtype), [True, False], bins=4).count.tolist() == [2, 0, 0, 0]
    decimal = np.array([0.2, 0.4, 0.6, 0.8], dtype=dtype)
    assert reliability_from(decimal, hits, bins=5).count.tolist() == [1, 1, 1, 1, 0]


@pytest.mark.parametrize("bins", [1, 3, 7, 10, 15, 100, 1000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("closed", ["right", "left"])
def test_every_edge_and_its_neighbours_fall_where_comparison_puts_them(bins, dtype, closed):
    edges = np.linspace(0, 1, bins + 1).astype(dtype)
    values = np.concatenate([edges, np.nextafter(edges, dtype(2)), np.nextafter(edges, dtype(0))])
    expected = np.histogram([], bins=edges)[0]
    for value in values:
        inside = (edges[1:-1] < value) if closed == "right" else (edges[1:-1] <= value)
        expected[inside.sum()] += 1
    found = reliability_from(values, np.ones(len(values)), bins=bins, closed=closed)
    np.testing.assert_array_equal(found.count, expected)


@pytest.mark.parametrize(("norm", "theirs"), [(1, "l1"), (2, "l2"), (np.inf, "max")])
@pytest.mark.parametrize("bins", [5, 15, 100])
def test_torchmetrics_agrees(norm, theirs, bins):
    probs, target = table(3, n=3000, k=6)
    other = multiclass_calibration_error(
        torch.from_numpy(probs), torch.from_numpy(target), num_classes=6, n_bins=bins, norm=theirs
    )
    assert calibration_error(probs, target, bins=bins, norm=norm) == pytest.approx(float(other), abs=1e-6)


@pytest.mark.parametrize("bins", [10, 15, 100])
def test_netcal_agrees(bins):
    probs, target = table(4, n=2000, k=5)
    assert ece(probs, target, bins=bins) == pytest.approx(ECE(bins).measure(probs, target), rel=1e-9)


def test_a_worked_example_of_classwise_norms():
    probs, target = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1]
    # Class 0: gap 0.3 in (0, 0.5] (one row), 0.35 in (0.5, 1] (two); class 1: 0.35 (two), 0.3 (one).
    assert calibration_error(probs, target, bins=2, classwise=True) == pytest.approx((0.3 + 0.7) / 3)
    squares = (0.3**2 + 2 * 0.35**2) / 3
    assert calibration_error(probs, target, bins=2, classwise=True, norm=2) == pytest.approx(squares**0.5)
    assert calibration_error(probs, target, bins=2, classwise=True, norm=np.inf) == pytest.approx(0.35)


def test_presets_are_the_general_function():
    probs, target = table(5)
    general = {
        ece: {},
        sce: {"classwise": True},
        ace: {"classwise": True, "adaptive": True},
        tace: {"classwise": True, "adaptive": True, "threshold": 1e-3},
    }
    for preset, options in general.items():
        assert preset(probs, target) == calibration_error(probs, target, **options)
        assert preset(probs, target, bins=7) == calibration_error(probs, target, bins=7, **options)
    confidence, correct = probs.max(axis=1), probs.argmax(axis=1) == target
    for options in ({}, {"norm": 2}, {"norm": np.inf}, {"adaptive": True}, {"bins": 4}):
        assert binned_error(confidence, correct, **options) == calibration_error(probs, target, **options)


def test_a_threshold_leaves_out_classes_and_even_everything():
    probs, target = table(6)
    assert tace(probs, target, threshold=0.999999) < tace(probs, target)
    assert tace([[0.6, 0.4]], [0], threshold=0.9) == 0
    assert tace([[0.6, 0.4]], [0], threshold=0.5) == pytest.approx(0.4 / 2)
    assert calibration_error([[0.6, 0.4], [0.9, 0.1]], [0, 0], threshold=0.6) == pytest.approx(0.1 / 2)


@given(seed=st.integers(0, 10**6), adaptive=st.booleans(), classwise=st.booleans(), bins=st.integers(1, 40))
def test_row_order_does_not_matter_even_with_ties(seed, adaptive, classwise, bins):
    probs, target = table(seed, n=60, k=3, decimals=1)
    order = np.random.default_rng(seed).permutation(60)
    options = {"adaptive": adaptive, "classwise": classwise, "bins": bins}
    value = calibration_error(probs, target, **options)
    assert calibration_error(probs[order], target[order], **options) == pytest.approx(value, abs=1e-12)
    assert 0 <= value <= 1


@given(seed=st.integers(0, 10**6), bins=st.integers(2, 20))
def test_tied_rows_count_as_their_mean_outcome(seed, bins):
    rng = np.random.default_rng(seed)
    confidence, hits = rng.integers(1, 6, 50) / 5, rng.random(50) < 0.6
    found = reliability_from(confidence, hits, bins=bins, adaptive=True)
    order = np.argsort(confidence)
    shared = np.array([hits[confidence == c].mean() for c in confidence])[order]
    start = np.arange(bins) * (50 // bins)
    np.testing.assert_allclose(found.accuracy, np.add.reduceat(shared, start) / found.count, atol=1e-12)
    np.testing.assert_allclose(found.confidence, np.add.reduceat(confidence[order], start) / found.count)
    assert found.accuracy @ found.count == pytest.approx(hits.sum())


@given(seed=st.integers(0, 10**6), adaptive=st.booleans(), bins=st.integers(1, 30))
def test_error_grows_with_the_norm(seed, adaptive, bins):
    probs, target = table(seed, n=50)
    one, two, most = (
        calibration_error(probs, target, norm=norm, bins=bins, adaptive=adaptive) for norm in (1, 2, np.inf)
    )
    assert one <= two + 1e-12 <= most + 2e-12
    confidence, hits = probs.max(axis=1), probs.argmax(axis=1) == target
    single = binned_error(confidence, hits, bins=1, adaptive=adaptive)
    assert single == pytest.approx(abs(confidence.mean() - hits.mean()))
    assert one >= single - 1e-12


def test_perfect_and_worst_confidence():
    certain = np.eye(3)[[0, 1, 2, 0]]
    for metric in (ece, sce, ace, tace):
        assert metric(certain, [0, 1, 2, 0]) == 0
        assert metric(certain, [1, 2, 0, 1]) > 0
    assert ece(certain, [1, 2, 0, 1]) == 1


def test_reliability_covers_all_rows_and_keeps_quiet_about_empty_bins():
    probs, target = table(7, n=500)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        diagram = reliability(probs, target, bins=50)
        adaptive = reliability(probs, target, bins=7, adaptive=True)
    assert diagram.count.sum() == 500
    assert (np.isnan(diagram.confidence) == (diagram.count == 0)).all()
    assert (np.isnan(diagram.accuracy) == (diagram.count == 0)).all()
    assert diagram.count[0] == 0
    used = diagram.count > 0
    assert (diagram.confidence[used] > diagram.lower[used]).all()
    assert (diagram.confidence[used] <= diagram.upper[used]).all()
    assert adaptive.count.tolist() == [71] * 6 + [74]
    assert (adaptive.lower <= adaptive.confidence).all()
    assert (adaptive.confidence <= adaptive.upper).all()
    assert adaptive.error(2) == calibration_error(probs, target, bins=7, adaptive=True, norm=2)
    assert diagram.error() == ece(probs, target, bins=50)


def test_the_first_class_of_a_tie_is_the_prediction():
    assert ece([[0.5, 0.5]], [0]) == pytest.approx(0.5)
    assert ece([[0.5, 0.5]], [1]) == pytest.approx(0.5)
    diagram = reliability([[0.4, 0.4, 0.2]] * 3, [0, 1, 1], bins=1)
    assert diagram.accuracy == pytest.approx(1 / 3)


def test_float32_probabilities_give_the_same_error():
    probs, target = table(8, n=5000, k=10)
    for metric in (ece, sce, ace, tace):
        assert metric(probs.astype(np.float32), target) == pytest.approx(metric(probs, target), abs=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ece([[0.5, np.nan]], [0]), "row 0"),
        (lambda: ece([[0.5, 0.5], [1.2, -0.2]], [0, 1]), "negative values in row 1"),
        (lambda: ece([[0.5, 0.4]], [0]), "does not sum to 1 in row 0"),
        (lambda: ece([[0.5, 0.5]], [2]), "outside the classes"),
        (lambda: ece([[0.5, 0.5]], [-1]), "leave novel and unlabelled rows out"),
        (lambda: ece([[0.5, 0.5]], [0, 1]), "lengths differ"),
        (lambda: ece([0.5, 0.5], [0, 1]), r"\[N, K\] is needed"),
        (lambda: ece(np.empty((0, 2)), []), "empty"),
        (lambda: ece([[0.5, 0.5]], [0], bins=0), "bins must be a whole number"),
        (lambda: ece([[0.5, 0.5]], [0], bins=2.5), "bins must be a whole number"),
        (lambda: ece([[0.5, 0.5]], [0], closed="both"), "closed must be one of"),
        (lambda: tace([[0.5, 0.5]], [0], threshold=1.0), "threshold must be"),
        (lambda: calibration_error([[0.5, 0.5]], [0], norm=3), "norm must be 1, 2 or inf"),
        (lambda: reliability([[0.5, 0.5]], [0]).error(0), "norm must be 1, 2 or inf"),
        (lambda: binned_error([0.5, 1.2], [1, 0]), "outside \\[0, 1\\] in row 1"),
        (lambda: binned_error([0.5, -0.2], [1, 0]), "outside \\[0, 1\\] in row 1"),
        (lambda: binned_error([0.5, 0.6], [1, 2]), "must hold only true or false"),
        (lambda: binned_error([0.5, 0.6], [1]), "lengths differ"),
        (lambda: reliability_from([np.inf], [1]), "NaN or infinite"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(call, message):
    with pytest.raises(InputError, match=message):
        call()
