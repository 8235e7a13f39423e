"""Intervals: influence functions against resampling, coverage of the truth, and what `evaluate` makes of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binomtest

from surefoot import InputError, Predictions, evaluate, scan
from surefoot.metrics import (
    REGISTRY,
    brier,
    brier_rows,
    calibrated,
    describe,
    detection,
    influence,
    interval,
    log_likelihood,
    poisson_bootstrap,
    retention,
    standard_error,
)
from surefoot.scorecard import _views, tables
from tables import KINDS, classification, regression

N, K, THRESHOLD = 2000, 4, 0.3
SCORED = [metric.name for metric in REGISTRY.values() if metric.score is not None]


@cache
def columns(ties: bool, seed: int = 0) -> dict[str, np.ndarray]:
    """Every column that a metric may read: an overconfident classifier, a regressor, labels, estimates."""
    rng = np.random.default_rng(seed)
    shifted, target = rng.random(N) < 0.4, rng.integers(0, K, N)
    logits = rng.normal(size=(N, K))
    logits[np.arange(N), target] += np.where(shifted, 0.7, 1.8)
    probs = np.exp(2.2 * logits)
    probs /= probs.sum(axis=1, keepdims=True)
    uncertainty = -(probs * np.log(probs + 1e-10)).sum(axis=1)
    if ties:
        probs = np.round(probs * 20) / 20
        probs /= probs.sum(axis=1, keepdims=True)
    predicted = probs.argmax(axis=1)
    correct = predicted == target
    error = np.where(correct, 0, rng.exponential(size=N)) + 0.1 * rng.random(N)
    if ties:
        uncertainty, error = np.round(uncertainty, 2), np.round(error, 1)
    labels = rng.random((N, 5)) < 0.3
    prediction, variance = rng.normal(size=N), rng.uniform(0.5, 2, N)
    truth = rng.uniform(0.6, 0.9, N)
    estimate = np.clip(truth + rng.normal(size=N) * 0.05, 0, 1)
    return {
        "correct": correct,
        "error": error,
        "predicted": predicted,
        "target": target,
        "p_target": probs[np.arange(N), target],
        "brier_row": brier_rows(probs, target),
        "confidence": probs.max(axis=1),
        "probs": probs,
        "label_probs": 1 / (1 + np.exp(-2.4 * (2 * labels - 1) - 2 * rng.normal(size=(N, 5)))),
        "labels": labels,
        "uncertainty": uncertainty,
        "is_shifted": shifted,
        "is_wrong": ~correct,
        "is_novel": rng.random(N) < 0.1 * (1 + 2 * (uncertainty > 0.7)),
        "nll_row": rng.normal(size=N),
        "crps_row": rng.random(N),
        "prediction": prediction,
        "variance": variance,
        "value": prediction + np.sqrt(variance) * rng.standard_t(5, N),
        "true_accuracy": truth,
        "estimate": estimate,
        "n": np.full(N, 200),
        "low": estimate - 0.08,
        "high": estimate + 0.08,
    }


def read(name: str, ties: bool, seed: int = 0) -> dict[str, np.ndarray]:
    """The columns that a metric reads, without the threshold."""
    metric, given = describe(name), dict(columns(ties, seed))
    if "prediction" in metric.reads:
        given["target"] = given["value"]
    if "labels" in metric.reads:
        given["probs"] = given["label_probs"]
    return {column: given[column] for column in metric.reads if column != "threshold"}


def influence_of(name: str, given: dict[str, np.ndarray]) -> np.ndarray:
    threshold = {"threshold": THRESHOLD} if "threshold" in describe(name).reads else {}
    return influence(name, **given, **threshold)


def score_of(name: str, given: dict[str, np.ndarray]) -> float:
    """The registry's score, from columns of rows."""
    metric = describe(name)
    return metric.score(*[derived(column, given) for column in metric.needs])


def derived(name: str, given: dict[str, np.ndarray]):
    if name == "threshold":
        return THRESHOLD
    if name == "retention":
        both = retention(given["error"], given["uncertainty"], threshold=THRESHOLD)
        return _views._Retained(both.error.area, both.error.rejection_ratio, both.f1.area, both.f1.at(0.95))
    if name in ("detection", "novelty", "mistakes"):
        (positive,) = (values for column, values in given.items() if column.startswith("is_"))
        return detection(given["uncertainty"], positive)
    if name == "recalibrated":
        both = {"log_likelihood": log_likelihood, "brier": brier}
        return calibrated(both, np.log(given["probs"] + 1e-10), given["target"], repeats=2)
    return given[name]


def resampled(name: str, given: dict[str, np.ndarray], repeats: int = 400) -> np.ndarray:
    def score(*drawn: np.ndarray) -> float:
        return score_of(name, dict(zip(given, drawn, strict=True)))

    return poisson_bootstrap(score, *given.values(), repeats=repeats)


@pytest.mark.parametrize("ties", [False, True], ids=["continuous", "ties"])
@pytest.mark.parametrize("name", SCORED)
def test_influence_agrees_with_the_bootstrap(name, ties):
    given = read(name, ties)
    phi = influence_of(name, given)
    assert phi.shape == (N,)
    assert abs(phi.mean()) < 1e-9 * max(phi.std(), 1e-3)
    error = resampled(name, given).std()
    assert error > 0
    # A rate where 95 % of few positives are caught hangs on a handful of rows, in either way.
    assert standard_error(phi) == pytest.approx(error, rel=0.25 if name.endswith("fpr_at_95") else 0.15)


@pytest.mark.parametrize("name", ["accuracy", "macro_f1", "ece", "r_auc", "f1_auc", "au_arc", "auroc"])
def test_differences_on_the_same_rows_agree_with_the_paired_bootstrap(name):
    """The second model is the first with noise of its own, so their scores go up and down together."""
    rng = np.random.default_rng(1)
    first = read(name, ties=False)
    second = dict(first)
    for column, values in first.items():
        if column in ("uncertainty", "error", "confidence"):
            second[column] = np.clip(values + 0.1 * rng.normal(size=N), 0, 1)
        elif column in ("correct", "predicted"):
            second[column] = np.where(rng.random(N) < 0.1, values[::-1], values)
    difference = influence_of(name, first) - influence_of(name, second)
    paired = resampled(name, first) - resampled(name, second)
    assert standard_error(difference) == pytest.approx(paired.std(), rel=0.15)
    apart = np.hypot(standard_error(influence_of(name, first)), standard_error(influence_of(name, second)))
    assert standard_error(difference) < 0.8 * apart


@pytest.mark.parametrize("name", [name for name in SCORED if describe(name).influence])
def test_the_order_of_rows_does_not_matter(name):
    order = np.random.default_rng(2).permutation(N)
    given = read(name, ties=True)
    shuffled = {column: values[order] for column, values in given.items()}
    np.testing.assert_allclose(
        influence_of(name, shuffled), influence_of(name, given)[order], rtol=1e-5, atol=1e-6
    )


def draw(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    """Rows of known scores: uncertainty is Gaussian, of the shifted rows one higher, and brings errors."""
    is_shifted = rng.random(n) < 0.5
    uncertainty = rng.normal(size=n) + is_shifted
    error = rng.exponential(size=n) * ndtr(uncertainty - 0.5)
    return {
        "uncertainty": uncertainty,
        "is_shifted": is_shifted,
        "error": error,
        "correct": error <= THRESHOLD,
    }


@pytest.fixture(scope="module")
def truth():
    many = draw(np.random.default_rng(3), 1_000_000)
    found = {name: score_of(name, many) for name in ("accuracy", "r_auc", "f1_auc", "auroc")}
    assert found["auroc"] == pytest.approx(ndtr(np.sqrt(0.5)), abs=2e-3)
    return found


@pytest.mark.parametrize("name", ["accuracy", "r_auc", "f1_auc", "auroc"])
def test_intervals_cover_the_truth_in_about_95_percent_of_draws(name, truth):
    rng = np.random.default_rng(4)
    metric = describe(name)
    covered = 0
    for _ in range(300):
        drawn = draw(rng, 300)
        given = {column: drawn[column] for column in metric.reads if column != "threshold"}
        rows = given["correct"] if name == "accuracy" else influence_of(name, given)
        low, high = interval(score_of(name, drawn), rows, bounds=metric.bounds)
        covered += low <= truth[name] <= high
    assert 0.92 <= covered / 300 <= 0.98


@pytest.mark.parametrize("right", [0, 3, 50, 99, 100])
def test_shares_have_the_interval_of_wilson(right):
    rows = np.arange(100) < right
    found = interval(rows.mean(), rows, bounds=(0, 1))
    expected = binomtest(right, 100).proportion_ci(method="wilson")
    assert tuple(found) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_where_nothing_can_be_said_there_is_no_interval():
    rows = np.random.default_rng(0).random(100)
    assert interval(0.5, rows) is not None
    assert interval(0.5, rows[:19]) is None
    assert interval(float("nan"), rows) is None
    assert interval(0.1, np.full(100, 0.1)) is None
    assert interval(0.5, np.append(rows, np.inf)) is None


def test_an_interval_ends_at_the_bounds():
    rows = np.random.default_rng(0).normal(size=25)
    low, high = interval(0.9, rows, bounds=(0, 1))
    assert (low, high) == (pytest.approx(0.9 - 1.96 * standard_error(rows), abs=1e-4), 1.0)


def test_bad_input_is_explained():
    with pytest.raises(InputError, match="accuracy_confidence has no influence function"):
        influence("accuracy_confidence", confidence=[0.5], correct=[True])
    with pytest.raises(InputError, match="reads uncertainty, is_shifted, but uncertainty was given"):
        influence("auroc", uncertainty=[0.5])
    with pytest.raises(InputError, match="lengths differ: error 3, uncertainty 2"):
        influence("r_auc", error=[0.1, 0.2, 0.3], uncertainty=[0.5, 0.4])
    with pytest.raises(InputError, match="repeats is 1"):
        poisson_bootstrap(np.mean, np.arange(3), repeats=1)
    with pytest.raises(InputError, match="lengths differ"):
        poisson_bootstrap(np.dot, np.arange(3), np.arange(4))


def test_draws_that_cannot_be_scored_are_nan():
    lonely = np.arange(50) == 7
    scores = poisson_bootstrap(lambda u, y: detection(u, y).auroc, np.arange(50.0), lonely)
    assert 0.25 < np.isnan(scores).mean() < 0.5  # exp(−1) of the draws leave the only positive out


def ends(card):
    return {
        (s.set, s.side, s.slice, s.metric, s.measure): (s.low, s.high)
        for s in card.rows
        if s.low is not None and s.high is not None
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_score_has_an_interval_that_holds_it(kind):
    card = evaluate(KINDS[kind](n=2000, samples=1))
    assert card.info["interval"] == 0.95
    for score in card.rows:
        low, high = REGISTRY[score.metric].bounds
        if score.value in (low, high):  # told apart without a mistake: nothing varies
            continue
        assert score.low is not None, score
        assert low <= score.low <= score.value <= score.high <= high, score
        assert score.low < score.high, score
    shown = [cell for row in next(tables(card)).rows for cell in row[1:] if cell]
    assert sum("[" in cell for cell in shown) >= 0.9 * len(shown)


def test_intervals_can_be_left_out():
    with_intervals, without = evaluate(classification()), evaluate(classification(), intervals=False)
    assert [s.value for s in with_intervals.rows] == pytest.approx(
        [s.value for s in without.rows], nan_ok=True
    )
    assert {(s.low, s.high) for s in without.rows} == {(None, None)}
    assert "interval" not in without.info
    assert not any("[" in cell for table in tables(without) for row in table.rows for cell in row)


def test_few_rows_and_wrong_rows_unseen():
    few = evaluate(classification(n=19, partition=None))
    assert {(s.low, s.high) for s in few.rows} == {(None, None)}
    sure = Predictions.classification(np.tile([[0.9, 0.1], [0.8, 0.2]], (50, 1)), np.zeros(100, dtype=int))
    card = evaluate(sure)
    assert card.find("accuracy").low == pytest.approx(100 / (100 + 1.96**2), abs=1e-4)
    assert card.find("mean_error").high == pytest.approx(1 - card.find("accuracy").low)
    for name in ("r_auc", "f1_auc", "f1_at_95", "au_arc", "aurc"):
        assert (card.find(name).low, card.find(name).high) == (None, None)


def test_the_zero_one_error_mirrors_accuracy_whether_all_rows_are_labelled_or_not():
    target = classification().target.copy()
    for unlabelled in (0, 100):
        target[:unlabelled] = -2
        card = evaluate(classification(target=target))
        error, accuracy = card.find("mean_error"), card.find("accuracy")
        assert (error.low, error.high, error.n) == pytest.approx(
            (1 - accuracy.high, 1 - accuracy.low, accuracy.n)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_neither_streaming_nor_order_matters(kind, tmp_path):
    p = KINDS[kind](n=800)
    p.save(tmp_path / "p.parquet")
    here, streamed = ends(evaluate(p)), ends(evaluate(scan(tmp_path / "p.parquet")))
    shuffled = ends(evaluate(p.select(np.random.default_rng(0).permutation(800))))
    assert here.keys() == streamed.keys() == shuffled.keys()
    for key, expected in here.items():
        assert streamed[key] == pytest.approx(expected, rel=1e-5, abs=1e-6), key
        drawn = key[3] in ("calibrated_log_likelihood", "calibrated_brier", "temperature")  # halves are drawn
        assert shuffled[key] == pytest.approx(expected, rel=0.1 if drawn else 1e-4, abs=1e-5), key


def widths(card):
    return {key: high - low for key, (low, high) in ends(card).items()}


@pytest.mark.parametrize("make", [classification, regression])
def test_part_of_many_rows_gives_the_same_intervals(make, monkeypatch):
    p = make(n=20_000, samples=1)
    complete = widths(evaluate(p))
    monkeypatch.setattr(_views, "_SAMPLE_ROWS", 2500)
    part = widths(evaluate(p))
    assert part == widths(evaluate(p))
    assert part.keys() == complete.keys()
    ratio = np.array([part[key] / complete[key] for key in complete])
    assert 0.02 < np.abs(ratio - 1).max() < 0.25
    assert ratio.mean() == pytest.approx(1, abs=0.03)


def test_a_draw_has_enough_of_the_rarer_kind(monkeypatch):
    p = classification(n=8000, samples=1, partition=None)
    target = np.where(np.arange(8000) % 100 == 7, -1, p.target)
    p = classification(n=8000, samples=1, partition=None, target=target)
    complete = widths(evaluate(p))
    monkeypatch.setattr(_views, "_SAMPLE_ROWS", 100)
    part = widths(evaluate(p))
    for name in ("novelty_auroc", "novelty_aupr"):  # 80 novel rows: all 8,000 are taken
        assert part["test", "all", None, name, "entropy"] == complete["test", "all", None, name, "entropy"]
    assert (
        part["test", "all", None, "log_likelihood", None]
        != complete["test", "all", None, "log_likelihood", None]
    )


def test_wide_probabilities_are_drawn_sparingly(monkeypatch):
    p = classification(n=2000, samples=1, partition=None)
    complete = widths(evaluate(p))
    monkeypatch.setattr(_views, "_SAMPLE_CELLS", 4)
    monkeypatch.setattr(_views, "_SAMPLE_ROWS", 5000)
    part = widths(evaluate(p))
    changed = {key[3] for key in complete if part[key] != complete[key]}
    assert changed == {"calibrated_log_likelihood", "calibrated_brier", "temperature", "sce", "ace", "tace"}


@pytest.mark.parametrize("name", ["accuracy", "r_auc", "auroc"])
def test_scores_without_an_influence_function_are_resampled(name, monkeypatch):
    p = classification(n=1500, samples=1)
    expected = evaluate(p).find(name)
    monkeypatch.setitem(REGISTRY, name, replace(describe(name), influence=None))
    found = evaluate(p).find(name)
    assert found.value == expected.value
    assert found.high - found.low == pytest.approx(expected.high - expected.low, rel=0.15)
    assert evaluate(p).find(name) == found
    monkeypatch.setattr(_views, "_RESAMPLED_ROWS", 300)
    part = evaluate(p).find(name)
    assert part.high - part.low == pytest.approx(expected.high - expected.low, rel=0.25)
