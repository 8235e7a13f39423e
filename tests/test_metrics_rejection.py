"""Accuracy-rejection, risk-coverage and accuracy-confidence curves."""

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
from surefoot.metrics._rejection import (
    accuracy_confidence,
    accuracy_rejection,
    au_arc,
    aurc,
    risk_coverage,
)

Floats = NDArray[np.float64]

ARC_CASES = cases("pens_arc")
METRIC_CASES = [c for c in cases("pens_metrics") if "acc_aac_steps10" in c.outputs]


@st.composite
def tables(draw: st.DrawFn, most: int = 30) -> tuple[NDArray[np.bool_], Floats]:
    """Hits and uncertainties with many ties."""
    rows = draw(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=1, max_size=most))
    correct, uncertainty = zip(*rows, strict=True)
    return np.array(correct), np.array(uncertainty, dtype=np.float64)


class TestPublished:
    @pytest.mark.parametrize("case", ARC_CASES, ids=lambda case: case.name)
    def test_area_of_the_papers_code(self, case: Case) -> None:
        uncertainty = -np.array(case.inputs["confidence"])
        correct, steps = case.inputs["correct"], case.inputs["steps"]
        curve = accuracy_rejection(correct, uncertainty, convention="published", steps=steps)
        assert_allclose(1 - curve.area, case.outputs["acc_aac"], **TOLERANCE)
        assert len(curve.value) == case.outputs["n_points"]
        assert au_arc(correct, uncertainty, convention="published", steps=steps) == curve.area

    @pytest.mark.parametrize("case", ARC_CASES, ids=lambda case: case.name)
    def test_definition_of_the_paper(self, case: Case) -> None:
        uncertainty = -np.array(case.inputs["confidence"])
        area = au_arc(case.inputs["correct"], uncertainty)
        assert_allclose(area, case.derived["au_arc_mean_over_all_rejections"], **TOLERANCE)
        assert_allclose(1 - area, case.derived["one_minus"], **TOLERANCE)
        risk = aurc(1 - np.array(case.inputs["correct"]), uncertainty)
        assert_allclose(risk, case.derived["one_minus"], **TOLERANCE)

    @pytest.mark.parametrize("case", METRIC_CASES, ids=lambda case: case.name)
    def test_area_in_the_table_of_metrics(self, case: Case) -> None:
        probs = np.array(case.inputs["probs"])
        correct = probs.argmax(1) == case.inputs["targets"]
        curve = accuracy_rejection(correct, -probs.max(1), convention="published", steps=10)
        assert_allclose(1 - curve.area, case.outputs["acc_aac_steps10"], **TOLERANCE)
        assert len(curve.value) == case.outputs["arc_curve_len_steps10"]

    def test_points_leave_out_the_full_set(self) -> None:
        correct = np.array([1, 1, 0, 1, 0, 0, 1])
        paper = accuracy_rejection(correct, np.arange(7.0))
        published = accuracy_rejection(correct, np.arange(7.0), convention="published", steps=3)
        assert_allclose(published.fraction * 7, [2, 4, 6])
        assert_allclose(published.value, paper.value[[1, 3, 5]])

    def test_ties_stand_in_the_order_of_the_input(self) -> None:
        curve = risk_coverage([0.0, 6.0, 3.0], [1.0, 1.0, 0.0], convention="published")
        assert_allclose(curve.value, [3, 1.5, 3])
        curve = risk_coverage([6.0, 0.0, 3.0], [1.0, 1.0, 0.0], convention="published")
        assert_allclose(curve.value, [3, 4.5, 3])

    @pytest.mark.parametrize("steps", [0, 8])
    def test_too_few_rows_for_the_steps(self, steps: int) -> None:
        with pytest.raises(InputError, match=f"steps is {steps}, .* between 1 and N = 7"):
            accuracy_rejection(np.ones(7), np.arange(7.0), convention="published", steps=steps)


class TestDefinition:
    def test_worked_example(self) -> None:
        curve = risk_coverage([0.0, 6.0, 3.0], [1.0, 1.0, 0.0])
        assert_allclose(curve.fraction, [1 / 3, 2 / 3, 1])
        assert_allclose(curve.value, [3, 3, 3])
        assert_allclose(curve.area, 3)

    @given(tables(most=6))
    def test_ties_are_the_mean_over_their_orders(self, table: tuple[NDArray[np.bool_], Floats]) -> None:
        correct, uncertainty = table
        counts = np.arange(1, len(correct) + 1)
        curves = [
            np.cumsum(correct[list(order)]) / counts
            for order in itertools.permutations(range(len(correct)))
            if (np.diff(uncertainty[list(order)]) >= 0).all()
        ]
        assert_allclose(accuracy_rejection(correct, uncertainty).value, np.mean(curves, axis=0), atol=1e-12)

    @given(tables())
    def test_risk_of_mistakes_is_one_minus_accuracy(self, table: tuple[NDArray[np.bool_], Floats]) -> None:
        correct, uncertainty = table
        accuracy, risk = accuracy_rejection(correct, uncertainty), risk_coverage(~correct, uncertainty)
        assert_allclose(accuracy.value, 1 - risk.value, atol=1e-12)
        assert_allclose(accuracy.area, 1 - risk.area, atol=1e-12)
        assert_allclose(accuracy.area, accuracy.value.mean())

    @given(tables(), st.randoms(use_true_random=False))
    def test_only_the_order_of_uncertainty_matters(
        self, table: tuple[NDArray[np.bool_], Floats], random: Any
    ) -> None:
        correct, uncertainty = table
        shuffle = np.array(random.sample(range(len(correct)), len(correct)))
        expected = accuracy_rejection(correct, uncertainty)
        assert_array_equal(accuracy_rejection(correct[shuffle], uncertainty[shuffle]).value, expected.value)
        assert_array_equal(accuracy_rejection(correct, np.exp(uncertainty)).value, expected.value)
        assert_array_equal(accuracy_rejection(correct, rank(uncertainty)).value, expected.value)

    @given(tables())
    def test_bounds(self, table: tuple[NDArray[np.bool_], Floats]) -> None:
        correct, uncertainty = table
        curve = accuracy_rejection(correct, uncertainty)
        assert au_arc(correct, correct) - 1e-12 <= curve.area <= au_arc(correct, ~correct) + 1e-12
        assert_allclose(curve.value[-1], correct.mean())
        constant = accuracy_rejection(correct, np.zeros(len(correct)))
        assert_allclose(constant.value, correct.mean())


class TestAccuracyConfidence:
    def test_against_its_definition(self) -> None:
        rng = np.random.default_rng(0)
        confidence = rng.random(200).round(2)
        correct = rng.random(200) < confidence
        thresholds = np.linspace(0, 1, 21)
        curve = accuracy_confidence(confidence, correct, thresholds=thresholds)
        assert_array_equal(curve.threshold, thresholds)
        for level, share, value in zip(curve.threshold, curve.fraction, curve.value, strict=True):
            kept = confidence >= level
            assert_allclose(share, kept.mean())
            assert_allclose(value, correct[kept].mean() if kept.any() else np.nan)

    def test_thresholds_are_as_precise_as_the_confidence(self) -> None:
        curve = accuracy_confidence(np.float32([0.7, 0.1]), [True, False], thresholds=[0.7])
        assert_array_equal(curve.fraction, [0.5])

    def test_bad_input(self) -> None:
        with pytest.raises(InputError, match="confidence lies outside"):
            accuracy_confidence([1.2], [True], thresholds=[0.5])
        with pytest.raises(InputError, match="lengths differ: confidence 1, correct 2"):
            accuracy_confidence([0.2], [True, False], thresholds=[0.5])
        with pytest.raises(InputError, match="thresholds is empty"):
            accuracy_confidence([0.2], [True], thresholds=[])


class TestBadInput:
    @pytest.mark.parametrize(
        ("correct", "uncertainty", "message"),
        [
            ([True, False], [0.1, np.nan], "uncertainty has NaN or infinite values in row 1"),
            ([True], [0.1, 0.2], "lengths differ: correct 1, uncertainty 2"),
            ([], [], "correct is empty"),
            ([2, 1], [0.1, 0.2], "correct must hold only true or false .* row 0"),
            ([[True]], [0.1], "correct has shape"),
            (np.array([True, None], dtype=object), [0.1, 0.2], "correct has dtype object"),
        ],
    )
    def test_accuracy_rejection(self, correct: Any, uncertainty: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            accuracy_rejection(correct, uncertainty)
        with pytest.raises(InputError, match=message):
            au_arc(correct, uncertainty)

    @pytest.mark.parametrize(
        ("errors", "uncertainty", "message"),
        [
            ([0.5, np.nan], [0.1, 0.2], "errors has NaN or infinite values in row 1"),
            ([0.5], [0.1, 0.2], "lengths differ: errors 1, uncertainty 2"),
            ([], [], "errors is empty"),
            ([0.5], [[0.1]], "uncertainty has shape"),
            (np.array(["a"], dtype=object), [0.1], "errors has dtype object"),
        ],
    )
    def test_risk_coverage(self, errors: Any, uncertainty: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            risk_coverage(errors, uncertainty)
        with pytest.raises(InputError, match=message):
            aurc(errors, uncertainty)

    def test_convention(self) -> None:
        with pytest.raises(InputError, match="convention must be one of"):
            aurc([0.5], [0.1], convention="code")
        with pytest.raises(InputError, match="convention must be one of"):
            au_arc([True], [0.1], convention="code")
