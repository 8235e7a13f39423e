"""Detection of shifted, novel and wrong rows against the published code, scikit-learn and the definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy.special import entr
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from golden import TOLERANCE, Case, cases
from surefoot.errors import InputError
from surefoot.metrics._detection import (
    aupr,
    auroc,
    detection,
    fpr_at,
    misclassification_aupr,
    misclassification_auroc,
)
from surefoot.metrics._ranking import rank

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NOVELTY = cases("ub_novelty")
DETECTION = [c for c in cases("shifts_nll_ood_prr") if c.name.startswith("ood_detect")]
METRICS = cases("pens_metrics")


def named(case: Case) -> str:
    return case.name


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, Flags]:
    """Uncertainties with ties, and at least one row of each side."""
    rows = draw(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), max_size=30))
    rows += [(draw(st.integers(-5, 5)), True), (draw(st.integers(-5, 5)), False)]
    uncertainty, shifted = zip(*rows, strict=True)
    return np.array(uncertainty, dtype=np.float64), np.array(shifted)


def novelty(case: Case) -> tuple[Floats, Flags]:
    """Confidences and which rows are novel."""
    known, novel = (np.array(case.inputs[name]) for name in ("probs_in_domain", "probs_ood"))
    return np.concatenate([known, novel]).max(1), np.arange(len(known) + len(novel)) >= len(known)


class TestNoveltyGolden:
    @pytest.mark.parametrize("case", NOVELTY, ids=named)
    def test_auroc_and_average_precision(self, case: Case) -> None:
        confidence, novel = novelty(case)
        derived = case.derived
        assert_allclose(auroc(-confidence, novel), case.outputs["auroc"], **TOLERANCE)
        assert_allclose(
            auroc(-confidence, novel), derived["auroc_ood_positive_score_minus_conf"], **TOLERANCE
        )
        assert_allclose(
            aupr(-confidence, novel), derived["average_precision_ood_positive_score_minus_conf"], **TOLERANCE
        )
        assert_allclose(
            aupr(confidence, ~novel), derived["average_precision_id_positive_score_conf"], **TOLERANCE
        )

    @pytest.mark.parametrize("case", NOVELTY, ids=named)
    def test_published_aupr_is_one_minus_that_of_the_wrong_ranking(self, case: Case) -> None:
        confidence, novel = novelty(case)
        assert_allclose(1 - aupr(confidence, novel), case.outputs["aupr_as_coded"], **TOLERANCE)

    @pytest.mark.parametrize("case", NOVELTY, ids=named)
    def test_published_fpr_is_ours_at_the_best_of_200_thresholds(self, case: Case) -> None:
        """Its 200 thresholds lie 1/199 apart, so it can only flag more, by the rows within one step of ours."""
        confidence, novel = novelty(case)
        ours, theirs = fpr_at(confidence, ~novel, tpr=0.95), case.outputs["fpr_at_95_recall"]
        cut = np.sort(confidence[~novel])[::-1][int(np.ceil(0.95 * (~novel).sum())) - 1]
        assert_allclose(ours, (confidence[novel] >= cut).mean())
        step = (confidence[novel] < cut) & (confidence[novel] >= cut - 1 / 199)
        assert ours - 1e-6 <= theirs <= ours + step.mean() + 1e-6
        grid = np.linspace(0, 1, 200)
        reached = max(level for level in grid if (confidence[~novel] >= level).mean() >= 0.95)
        assert_allclose((confidence[novel] >= reached).mean(), theirs, atol=1e-6)


class TestShiftsGolden:
    @pytest.mark.parametrize("case", DETECTION, ids=named)
    def test_roc(self, case: Case) -> None:
        measure = np.concatenate([case.inputs["in_measure"], case.inputs["out_measure"]])
        sign = 1 if case.inputs["pos_label"] == 1 else -1
        shifted = np.array(case.inputs["domain_labels"])
        assert case.inputs["mode"] == "ROC"
        assert_allclose(auroc(sign * measure, shifted), case.outputs["value"], **TOLERANCE)


class TestMisclassificationGolden:
    @pytest.mark.parametrize("case", METRICS, ids=named)
    @pytest.mark.parametrize("criterion", ["entropy", "confidence"])
    def test_both_areas(self, case: Case, criterion: str) -> None:
        probs = np.array(case.inputs["probs"])
        correct = probs.argmax(1) == case.inputs["targets"]
        uncertainty = entr(probs).sum(1) if criterion == "entropy" else -probs.max(1)
        if correct.all():
            with pytest.raises(InputError, match="correct has no wrong rows"):
                misclassification_aupr(uncertainty, correct)
            return
        out = case.outputs
        assert_allclose(
            misclassification_auroc(uncertainty, correct), out[f"misclass_auroc_{criterion}"], **TOLERANCE
        )
        assert_allclose(
            misclassification_aupr(uncertainty, correct), out[f"misclass_aucpr_{criterion}"], **TOLERANCE
        )


class TestDefinition:
    @given(tables())
    def test_same_as_scikit_learn(self, table: tuple[Floats, Flags]) -> None:
        uncertainty, shifted = table
        assert_allclose(auroc(uncertainty, shifted), roc_auc_score(shifted, uncertainty), atol=1e-12)
        assert_allclose(aupr(uncertainty, shifted), average_precision_score(shifted, uncertainty), atol=1e-12)

    @given(tables(), st.sampled_from([0.05, 0.5, 0.55, 0.8, 0.95, 1.0]))
    def test_false_positives_at_a_recall(self, table: tuple[Floats, Flags], tpr: float) -> None:
        uncertainty, shifted = table
        flagged = [uncertainty >= level for level in np.unique(uncertainty)]
        reached = [rows[~shifted].mean() for rows in flagged if rows[shifted].mean() >= tpr]
        assert fpr_at(uncertainty, shifted, tpr=tpr) == min(reached)
        fpr, caught, _ = roc_curve(shifted, uncertainty, drop_intermediate=False)
        assert_allclose(fpr_at(uncertainty, shifted, tpr=tpr), fpr[caught >= tpr].min())

    @given(tables())
    def test_auroc_is_a_probability_with_half_for_ties(self, table: tuple[Floats, Flags]) -> None:
        uncertainty, shifted = table
        pairs = np.sign(uncertainty[shifted][:, None] - uncertainty[~shifted])
        assert_allclose(auroc(uncertainty, shifted), (pairs + 1).mean() / 2, atol=1e-12)

    def test_large_table_is_the_same_as_scikit_learn(self) -> None:
        rng = np.random.default_rng(0)
        shifted = rng.random(20_000) < 0.3
        uncertainty = (rng.normal(size=20_000) + shifted).astype(np.float32)
        assert_allclose(auroc(uncertainty, shifted), roc_auc_score(shifted, uncertainty))
        assert_allclose(aupr(uncertainty, shifted), average_precision_score(shifted, uncertainty))


class TestProperties:
    @given(tables(), st.randoms(use_true_random=False))
    def test_only_the_order_of_uncertainty_matters(self, table: tuple[Floats, Flags], random: Any) -> None:
        uncertainty, shifted = table
        expected = detection(uncertainty, shifted)
        shuffle = np.array(random.sample(range(len(shifted)), len(shifted)))
        assert detection(uncertainty[shuffle], shifted[shuffle]) == expected
        assert detection(np.exp(uncertainty), shifted) == expected
        assert detection(uncertainty.astype(np.float32), shifted.astype(int)) == expected

    @given(tables())
    def test_one_sort_gives_the_same_as_three(self, table: tuple[Floats, Flags]) -> None:
        uncertainty, shifted = table
        together = detection(rank(uncertainty), shifted)
        assert together.auroc == auroc(uncertainty, shifted)
        assert together.aupr == aupr(uncertainty, shifted)
        assert together.fpr_at_95 == fpr_at(uncertainty, shifted)
        assert misclassification_auroc(uncertainty, ~shifted) == together.auroc
        assert misclassification_aupr(uncertainty, ~shifted) == together.aupr

    @given(tables())
    def test_bounds_and_symmetry(self, table: tuple[Floats, Flags]) -> None:
        uncertainty, shifted = table
        result = detection(uncertainty, shifted)
        assert all(0 <= value <= 1 + 1e-12 for value in result)
        assert_allclose(auroc(-uncertainty, shifted), 1 - result.auroc, atol=1e-12)
        assert_allclose(auroc(-uncertainty, ~shifted), result.auroc, atol=1e-12)

    @given(tables())
    def test_perfect_and_empty_uncertainty(self, table: tuple[Floats, Flags]) -> None:
        _, shifted = table
        assert detection(shifted, shifted) == (1, 1, 0)
        chance = detection(np.zeros(len(shifted)), shifted)
        assert_allclose(chance, (0.5, shifted.mean(), 1))


SHIFT_FUNCTIONS = [detection, auroc, aupr, fpr_at]
MISTAKE_FUNCTIONS = [misclassification_auroc, misclassification_aupr]


class TestBadInput:
    @pytest.mark.parametrize("function", SHIFT_FUNCTIONS + MISTAKE_FUNCTIONS)
    @pytest.mark.parametrize(
        ("uncertainty", "labels", "message"),
        [
            ([0.1, np.nan], [True, False], "uncertainty has NaN or infinite values in row 1; remove"),
            ([0.1], [True, False], "lengths differ: uncertainty 1, "),
            ([], [], "is empty"),
            ([0.1, 0.2], [[True, False]], r"has shape \(1, 2\), but \[N\] is needed"),
            ([[0.1, 0.2]], [True, False], "uncertainty has shape"),
            ([0.1, 0.2], [2, 0], "must hold only true or false .* row 0"),
            (np.array([0.1, None], dtype=object), [True, False], "uncertainty has dtype object"),
        ],
    )
    def test_arrays(self, function: Callable[..., Any], uncertainty: Any, labels: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            function(uncertainty, labels)

    @pytest.mark.parametrize("function", SHIFT_FUNCTIONS)
    def test_one_side_of_a_shift(self, function: Callable[..., Any]) -> None:
        with pytest.raises(InputError, match="no shifted rows; detection needs both"):
            function([0.1, 0.2], [False, False])
        with pytest.raises(InputError, match="no in-domain rows; detection needs both"):
            function([0.1, 0.2], [True, True])

    @pytest.mark.parametrize("function", MISTAKE_FUNCTIONS)
    def test_no_mistakes_or_nothing_else(self, function: Callable[..., Any]) -> None:
        with pytest.raises(InputError, match=r"no wrong rows; .* needs both"):
            function([0.1, 0.2], [True, True])
        with pytest.raises(InputError, match=r"no right rows; .* needs both"):
            function([0.1, 0.2], [False, False])

    @pytest.mark.parametrize("tpr", [0, 95, float("nan")])
    def test_recall(self, tpr: float) -> None:
        with pytest.raises(InputError, match="tpr must be a share"):
            fpr_at([0.1, 0.2], [True, False], tpr=tpr)
