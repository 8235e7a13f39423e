"""Diversity and correlations of uncertainty against the published code, SciPy and the measures of uncertainty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy import stats
from scipy.special import rel_entr

from golden import TOLERANCE, Case, cases
from surefoot.compare import diversity, diversity_of_members, point_biserial, uncertainty_correlation
from surefoot.errors import InputError
from surefoot.measures import _cells, classification
from surefoot.metrics import accuracy

Floats = NDArray[np.float64]

PUBLISHED = cases("ub_diversity")
NOVELTY = cases("ub_novelty")


def ensemble(seed: int, samples: int, n: int, k: int) -> Floats:
    return np.random.default_rng(seed).dirichlet(np.ones(k), (samples, n))


ENSEMBLES = st.builds(ensemble, st.integers(0, 99), st.integers(1, 6), st.integers(1, 20), st.integers(2, 5))


class TestDiversityGolden:
    @pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.name)
    def test_published_code(self, case: Case) -> None:
        probs = np.array(case.inputs["member_probs_M_N_K"])
        assert_allclose(case.inputs["mean_probs"], probs.mean(0), **TOLERANCE)
        assert_allclose(diversity_of_members(probs), case.outputs["kl_per_member"], **TOLERANCE)
        assert_allclose(diversity(probs), case.outputs["kl_mean"], **TOLERANCE)
        gold = np.unique(case.inputs["gold"], return_inverse=True)[1]
        right = [accuracy(member, gold) for member in probs]
        assert_allclose(right, case.outputs["accuracy_per_member"], **TOLERANCE)


class TestDiversity:
    @given(ENSEMBLES)
    def test_definition(self, probs: Floats) -> None:
        per_member = rel_entr(probs, probs.mean(0)).sum(-1).mean(-1)
        assert_allclose(diversity_of_members(probs), per_member, atol=1e-8)
        assert_allclose(diversity(probs), per_member.mean(), atol=1e-8)

    @given(ENSEMBLES)
    def test_is_the_mean_mutual_information(self, probs: Floats) -> None:
        member = np.arange(len(probs)) // 2
        measures = classification(probs, member)
        assert_allclose(diversity(probs), measures["mutual_information"].mean(), atol=1e-9)
        assert_allclose(diversity(probs, member), measures["member_mutual_information"].mean(), atol=1e-9)

    @given(ENSEMBLES)
    def test_bounds(self, probs: Floats) -> None:
        member = np.arange(len(probs)) // 2
        assert 0 <= diversity(probs, member) <= diversity(probs) + 1e-12
        assert diversity(probs) <= np.log(min(len(probs), probs.shape[-1])) + 1e-9

    def test_members_are_averaged_over_their_samples(self) -> None:
        probs = ensemble(0, 6, 30, 4)
        member = np.array([4, 2, 4, 2, 9, 9])
        means = np.stack([probs[member == m].mean(0) for m in (2, 4, 9)])
        assert_allclose(diversity_of_members(probs, member), diversity_of_members(means), rtol=1e-12)
        assert_allclose(diversity(probs, member), diversity(means), rtol=1e-12)

    def test_uneven_members_weigh_by_their_samples(self) -> None:
        probs = ensemble(1, 3, 30, 4)
        per_member = diversity_of_members(probs, [0, 0, 1])
        assert_allclose(diversity(probs, [0, 0, 1]), (2 * per_member[0] + per_member[1]) / 3)
        measures = classification(probs, [0, 0, 1])
        assert_allclose(diversity(probs, [0, 0, 1]), measures["member_mutual_information"].mean())

    def test_agreement_and_certainty(self) -> None:
        same = np.repeat(ensemble(2, 1, 10, 3), 4, axis=0)
        assert_allclose(diversity(same), 0, atol=1e-15)
        assert diversity(same[:1]) == 0
        opposed = np.stack([np.tile([1.0, 0.0], (5, 1)), np.tile([0.0, 1.0], (5, 1))])
        assert_allclose(diversity(opposed), np.log(2), rtol=1e-9)

    def test_many_rows_are_taken_in_chunks(self) -> None:
        probs = np.tile(ensemble(3, 5, 100, 3), (1, 500, 1))
        assert len(list(_cells.row_chunks(probs.shape))) > 1
        assert_allclose(diversity_of_members(probs), diversity_of_members(probs[:, :100]), rtol=1e-9)
        assert_allclose(diversity(probs.astype(np.float32)), diversity(probs), rtol=1e-5)

    @pytest.mark.parametrize(
        ("probs", "member", "message"),
        [
            ([[[0.5, 0.6]]], None, "probs does not sum to 1 in row 0"),
            ([[[0.5, np.nan]]], None, "probs has NaN"),
            ([[0.5, 0.5]], None, r"probs has shape \(1, 2\), but \[S, N, K\] is needed"),
            ([[[0.5, 0.5]]], [0, 1], "member has 2 entries for 1 samples"),
        ],
    )
    def test_bad_input(self, probs: Any, member: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            diversity(probs, member)


@st.composite
def uncertainties(draw: st.DrawFn) -> tuple[Floats, NDArray[np.bool_]]:
    """Two different uncertainties at least, and both kinds of rows."""
    values = [*draw(st.lists(st.integers(-20, 20), max_size=20)), -21, 21, draw(st.integers(-20, 20))]
    flags = [draw(st.booleans()) for _ in values[2:]] + [True, False]
    return np.array(values, float), np.array(flags)


class TestCorrelation:
    @pytest.mark.parametrize("case", NOVELTY, ids=lambda case: case.name)
    def test_golden(self, case: Case) -> None:
        """The stored value is that of confidence with being known; both turned, nothing changes."""
        known, novel = (np.array(case.inputs[name]) for name in ("probs_in_domain", "probs_ood"))
        confidence = np.concatenate([known, novel]).max(1)
        is_novel = np.arange(len(confidence)) >= len(known)
        expected = case.derived["pointbiserial_known_vs_conf"]
        assert_allclose(point_biserial(-confidence, is_novel), expected, **TOLERANCE)
        both = uncertainty_correlation(-confidence, is_novel, ~is_novel)
        assert_allclose(both, (expected, expected), **TOLERANCE)

    @given(uncertainties())
    def test_same_as_scipy(self, table: tuple[Floats, NDArray[np.bool_]]) -> None:
        uncertainty, flags = table
        expected = stats.pointbiserialr(flags, uncertainty).statistic
        assert_allclose(point_biserial(uncertainty, flags), expected, atol=1e-12)
        result = uncertainty_correlation(uncertainty, flags, flags)
        assert_allclose(result, (expected, -expected), atol=1e-12)

    @given(uncertainties(), st.floats(0.01, 100), st.floats(-50, 50))
    def test_scale_and_sign(
        self, table: tuple[Floats, NDArray[np.bool_]], scale: float, shift: float
    ) -> None:
        uncertainty, flags = table
        r = point_biserial(uncertainty, flags)
        assert -1 <= r <= 1
        assert_allclose(point_biserial(scale * uncertainty + shift, flags), r, atol=1e-9)
        assert_allclose(point_biserial(-uncertainty, flags), -r, atol=1e-12)
        assert_allclose(point_biserial(uncertainty, ~flags), -r, atol=1e-12)

    def test_perfect(self) -> None:
        assert point_biserial([0.0, 0.0, 3.0], [0, 0, 1]) == 1
        assert point_biserial([1e300, 1e300, -1e300], [0, 0, 1]) == -1

    def test_float32(self) -> None:
        rng = np.random.default_rng(0)
        uncertainty, flags = rng.normal(5, 1, 100_000), rng.random(100_000) < 0.2
        narrow = uncertainty.astype(np.float32)
        expected = stats.pointbiserialr(flags, narrow.astype(float)).statistic
        assert_allclose(point_biserial(narrow, flags), expected, atol=1e-12)
        assert_array_equal(narrow, uncertainty.astype(np.float32))

    @given(hnp.arrays(bool, 6))
    def test_undefined_is_nan(self, flags: NDArray[np.bool_]) -> None:
        assert np.isnan(point_biserial(np.full(6, 0.3), flags))
        result = uncertainty_correlation(np.arange(6), flags, np.ones(6, bool))
        assert np.isnan(result.wrong)
        assert np.isnan(result.shifted) == (flags.all() or not flags.any())

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0.1, np.nan], [0, 1], [0, 1]), "uncertainty has NaN or infinite values in row 1"),
            (([0.1, 0.2, 0.3], [0, 1], [0, 1]), "lengths differ: uncertainty 3, is_shifted 2"),
            (([0.1, 0.2], [0, 1], [0, 1, 1]), "lengths differ: uncertainty 2, correct 3"),
            (([0.1, 0.2], [0, 2], [0, 1]), "is_shifted must hold only true or false"),
            (([0.1, 0.2], [0, 1], [0, 2]), "correct must hold only true or false"),
            (([], [], []), "is empty"),
        ],
    )
    def test_bad_input(self, arguments: tuple[Any, ...], message: str) -> None:
        with pytest.raises(InputError, match=message):
            uncertainty_correlation(*arguments)
