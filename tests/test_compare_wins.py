"""Wins, draws and losses against the published table, a loop over pairs, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from golden import cases
from surefoot.compare import wins_draws_losses
from surefoot.errors import InputError

Floats = NDArray[np.float64]

PUBLISHED = {case.name: case.inputs for case in cases("ub_friedman_cd")}

# Van Landeghem et al. 2022, table 3: Brier and NLL together (left), ECE (right).
PROPER_SCORES = {
    "Deep Ensemble": (142, 0, 28),
    "Concrete Dropout Ensemble": (135, 1, 34),
    "Heteroscedastic Concrete Dropout Ensemble": (130, 4, 36),
    "MC Heteroscedastic Ensemble": (114, 2, 54),
    "MC Heteroscedastic Concrete Dropout Ensemble": (114, 2, 54),
    "MC Ensemble": (111, 3, 56),
    "MC Concrete Dropout Ensemble": (102, 0, 68),
    "Deep Ensemble Regularized": (90, 1, 79),
    "Heteroscedastic Ensemble": (82, 2, 86),
    "Unregularized": (79, 4, 87),
    "Concrete Dropout": (77, 1, 92),
    "Heteroscedastic Concrete Dropout": (70, 3, 97),
    "MC Heteroscedastic Concrete Dropout": (65, 2, 103),
    "MC Concrete Dropout": (58, 0, 112),
    "MC Heteroscedastic": (40, 5, 125),
    "MC Dropout": (39, 6, 125),
    "Regularized": (34, 0, 136),
    "Heteroscedastic": (30, 0, 140),
}
ECE = {
    "Concrete Dropout": (68, 1, 16),
    "Concrete Dropout Ensemble": (58, 1, 26),
    "MC Heteroscedastic": (52, 1, 32),
    "MC Heteroscedastic Concrete Dropout": (52, 0, 33),
    "MC Dropout": (49, 2, 34),
    "MC Heteroscedastic Ensemble": (48, 1, 36),
    "Heteroscedastic Concrete Dropout Ensemble": (48, 0, 37),
    "Heteroscedastic Concrete Dropout": (46, 0, 39),
    "Deep Ensemble": (45, 1, 39),
    "Unregularized": (40, 2, 43),
    "MC Concrete Dropout": (40, 0, 45),
    "MC Ensemble": (38, 2, 45),
    "MC Heteroscedastic Concrete Dropout Ensemble": (37, 1, 47),
    "Regularized": (32, 0, 53),
    "Heteroscedastic": (29, 2, 54),
    "Heteroscedastic Ensemble": (27, 2, 56),
    "Deep Ensemble Regularized": (24, 2, 59),
    "MC Concrete Dropout Ensemble": (23, 0, 62),
}


def tables() -> st.SearchStrategy[Floats]:
    shape = st.tuples(st.integers(1, 6), st.integers(1, 6))
    return hnp.arrays(np.float64, shape, elements=st.integers(-4, 4).map(lambda i: i / 2))


def published(*names: str) -> dict[str, tuple[int, ...]]:
    """Totals of the published scores, compared as they print."""
    scores = np.vstack([PUBLISHED[name]["scores_datasets_x_methods"] for name in names])
    totals = wins_draws_losses(np.round(scores, 3), False).totals
    return dict(zip(PUBLISHED[names[0]]["methods"], map(tuple, totals.tolist()), strict=True))


class TestPublishedTable:
    def test_calibration(self) -> None:
        assert published("published_in_domain_ECE") == ECE

    def test_proper_scores(self) -> None:
        """All but one of the 1,530 comparisons: a last digit that the published averages rounded otherwise."""
        ours = published("published_in_domain_NLL", "published_in_domain_Brier")
        differ = {name: ours[name] for name in ours if ours[name] != PROPER_SCORES[name]}
        assert differ == {
            "Heteroscedastic Concrete Dropout": (71, 2, 97),
            "MC Heteroscedastic Concrete Dropout": (65, 1, 104),
        }


class TestDefinition:
    @given(tables(), st.sampled_from([0, 0.5, 1.2]), st.booleans())
    def test_pair_by_pair(self, scores: Floats, tolerance: float, higher: bool) -> None:
        counts = wins_draws_losses(scores, higher, tolerance=tolerance)
        k = scores.shape[1]
        for i in range(k):
            for j in range(k):
                ahead = scores[:, i] - scores[:, j] if higher else scores[:, j] - scores[:, i]
                assert counts.wins[i, j] == (ahead > tolerance).sum()
                assert counts.losses[i, j] == (ahead < -tolerance).sum()
                assert counts.draws[i, j] == ((np.abs(ahead) <= tolerance).sum() if i != j else 0)

    @given(tables(), tables(), st.booleans())
    def test_intervals_that_overlap_draw(self, scores: Floats, widths: Floats, higher: bool) -> None:
        half = np.abs(np.resize(widths, scores.shape))
        low, high = scores - half, scores + half
        counts = wins_draws_losses(scores, higher, low=low, high=high)
        better = low[:, :, None] > high[:, None, :] if higher else high[:, :, None] < low[:, None, :]
        assert_array_equal(counts.wins, better.sum(axis=0))

    def test_intervals_need_not_be_symmetric(self) -> None:
        counts = wins_draws_losses([[0.8, 0.7]], True, low=[[0.75, 0.4]], high=[[0.9, 0.74]])
        assert_array_equal(counts.totals, [[1, 0, 0], [0, 0, 1]])
        counts = wins_draws_losses([[0.8, 0.7]], False, low=[[0.75, 0.4]], high=[[0.9, 0.74]])
        assert_array_equal(counts.totals, [[0, 0, 1], [1, 0, 0]])
        counts = wins_draws_losses([[0.8, 0.7]], True, low=[[0.74, 0.4]], high=[[0.9, 0.74]])
        assert_array_equal(counts.totals, [[0, 1, 0], [0, 1, 0]])

    def test_tolerance_of_each_dataset(self) -> None:
        counts = wins_draws_losses([[0.85, 0.84], [85.0, 84.0]], True, tolerance=[0.01, 0.5])
        assert_array_equal(counts.totals, [[1, 1, 0], [0, 1, 1]])

    @pytest.mark.parametrize(("a", "b"), [(0.85, 0.84), (0.3, 0.31), (0.1, 0.11)])
    def test_tolerance_forgives_rounding(self, a: float, b: float) -> None:
        assert_array_equal(wins_draws_losses([[a, b]], True, tolerance=0.01).totals, [[0, 1, 0]] * 2)
        assert wins_draws_losses([[a, b]], True, tolerance=0.00999).wins.sum() == 1


class TestProperties:
    @given(tables())
    def test_every_comparison_counts_once_for_both(self, scores: Floats) -> None:
        n, k = scores.shape
        counts = wins_draws_losses(scores, True)
        assert_array_equal(counts.totals.sum(axis=1), n * (k - 1))
        assert counts.totals[:, 0].sum() == counts.totals[:, 2].sum()
        assert_array_equal(counts.losses, counts.wins.T)
        assert_array_equal(counts.draws, counts.draws.T)

    @given(tables(), st.randoms(use_true_random=False))
    def test_order_of_datasets_and_methods_does_not_matter(self, scores: Floats, random: Any) -> None:
        n, k = scores.shape
        rows, columns = random.sample(range(n), n), random.sample(range(k), k)
        moved = wins_draws_losses(scores[rows][:, columns], True)
        assert_array_equal(moved.wins, wins_draws_losses(scores, True).wins[np.ix_(columns, columns)])

    @given(tables())
    def test_negated_scores_and_direction(self, scores: Floats) -> None:
        assert_array_equal(wins_draws_losses(scores, True).wins, wins_draws_losses(-scores, False).wins)


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"tolerance": -1}, "tolerance is negative in row 0"),
            ({"tolerance": [0, 0, 0]}, "tolerance has 3 entries for 2 datasets"),
            ({"tolerance": np.nan}, "tolerance has NaN"),
            ({"low": [[0, 0], [0, 0]]}, "intervals need both ends"),
            ({"low": [[0, 0]], "high": [[1, 1]]}, r"low has shape \(1, 2\) and scores \(2, 2\)"),
            ({"low": [[0, 0], [0, np.nan]], "high": np.ones((2, 2))}, r"low has NaN .* \(1, 1\)"),
            ({"low": [[0, 0], [2, 0]], "high": np.ones((2, 2))}, r"low is above high at .* \(1, 0\)"),
        ],
    )
    def test_options(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            wins_draws_losses([[0.1, 0.2], [0.3, 0.4]], True, **options)

    def test_scores(self) -> None:
        with pytest.raises(
            InputError, match=r"scores has NaN or infinite values at \(row, column\) \(0, 1\)"
        ):
            wins_draws_losses([[0.1, np.nan]], True)
        with pytest.raises(InputError, match="higher_is_better must be True or False"):
            wins_draws_losses([[0.1, 0.2]], 1)
