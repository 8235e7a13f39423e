"""Deep ensemble equivalent and ensemble curves against the published code, a fine grid and plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from golden import TOLERANCE, Case, cases
from surefoot.compare import deep_ensemble_equivalent, ensemble_curve
from surefoot.errors import InputError
from surefoot.metrics import accuracy, brier, log_likelihood

Floats = NDArray[np.float64]

PUBLISHED = cases("pens_dee")

VALUES = st.integers(-40, 40).map(lambda i: i / 8)


@st.composite
def curves(draw: st.DrawFn, rising: bool = False) -> tuple[Floats, Floats, Floats]:
    """Sizes with gaps, scores and their standard deviations."""
    sizes = sorted(draw(st.sets(st.integers(1, 40), min_size=1, max_size=8)))
    scores = [draw(VALUES) for _ in sizes]
    std = [draw(st.integers(0, 8)) / 8 for _ in sizes]
    if rising:
        scores = list(np.cumsum([abs(score) + 0.125 for score in scores]))
    return np.array(sizes, float), np.array(scores), np.array(std)


def scan(sizes: Floats, curve: Floats, value: float) -> float:
    """First point of a fine grid at which the interpolated curve is not worse."""
    grid = np.arange(1000 * sizes[0], 1000 * sizes[-1] + 1) / 1000
    reached = grid[np.interp(grid, sizes, curve) >= value - 1e-12]
    return float(reached[0]) if len(reached) else np.inf


class TestGolden:
    @pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.name)
    def test_published_code(self, case: Case) -> None:
        curve, method = case.inputs["deep_ensemble"], case.inputs["method"]
        assert case.inputs["metric"] == "ll"
        dee = deep_ensemble_equivalent(
            curve["n_samples"], curve["mean"], method["mean"], convention="published"
        )
        assert_allclose(dee.value, case.outputs["dee"], **TOLERANCE)

    @pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.name)
    @pytest.mark.parametrize("turn", [1, -1])
    def test_definition(self, case: Case, turn: int) -> None:
        curve, method = case.inputs["deep_ensemble"], case.inputs["method"]
        derived = case.derived["paper_definition_4_null_when_unreached"]
        expected = [np.inf if size is None else size for size in derived]
        dee = deep_ensemble_equivalent(
            curve["n_samples"],
            turn * np.array(curve["mean"]),
            turn * np.array(method["mean"]),
            higher_is_better=turn > 0,
        )
        assert_allclose(dee.value, expected, **TOLERANCE)
        assert_array_equal(dee.reached, np.isfinite(expected))


class TestDefinition:
    @given(curves(), VALUES)
    def test_first_point_not_worse(self, curve: tuple[Floats, Floats, Floats], value: float) -> None:
        sizes, scores, std = curve
        dee = deep_ensemble_equivalent(sizes, scores, value, std)
        assert_allclose(dee.value, scan(sizes, scores, value), atol=1.1e-3)
        assert_allclose(dee.upper, scan(sizes, scores - std, value), atol=1.1e-3)
        below = sizes[0] > 1 and scores[0] + std[0] >= value
        assert_allclose(dee.lower, 1 if below else scan(sizes, scores + std, value), atol=1.1e-3)
        assert dee.reached == (scores.max() >= value) == np.isfinite(dee.value)

    def test_not_reached_but_perhaps_within_the_spread(self) -> None:
        dee = deep_ensemble_equivalent([1, 2, 4], [0.7, 0.8, 0.9], 0.95, [0.1, 0.1, 0.1])
        assert (dee.value, dee.upper, dee.reached) == (np.inf, np.inf, False)
        assert_allclose(dee.lower, 3)
        assert not deep_ensemble_equivalent([1, 2], [0.7, 0.8], 0.9, convention="published").reached

    def test_worse_than_one_network(self) -> None:
        dee = deep_ensemble_equivalent([1, 2, 4], [0.7, 0.8, 0.9], [0.1, 0.7], [0.0, 0.1, 0.1])
        assert_array_equal([dee.value, dee.lower, dee.upper], 1)
        assert np.all(dee.reached)

    def test_worse_than_the_smallest_measured_size(self) -> None:
        dee = deep_ensemble_equivalent([3, 5], [0.7, 0.8], [0.6, 0.75])
        assert_allclose(dee.value, [3, 4])
        assert_allclose(dee.lower, [1, 4])
        assert_allclose(dee.upper, [3, 4])

    def test_curve_that_falls_again(self) -> None:
        dee = deep_ensemble_equivalent([1, 2, 3, 4], [0.5, 0.8, 0.6, 0.9], [0.7, 0.8, 0.85])
        assert_allclose(dee.value, [1 + 2 / 3, 2, 3 + 5 / 6])

    def test_plateau_counts_from_its_start(self) -> None:
        dee = deep_ensemble_equivalent([1, 2, 4, 8], [0.5, 0.8, 0.8, 0.9], [0.8, 0.85])
        assert_allclose(dee.value, [2, 6])

    def test_numbers_in_numbers_out(self) -> None:
        dee = deep_ensemble_equivalent([1, 2], [0.5, 0.8], 0.6)
        assert [type(part) for part in (dee.value, dee.lower, dee.upper, dee.reached)] == [float] * 3 + [bool]
        table = deep_ensemble_equivalent([1, 2], [0.5, 0.8], np.full((2, 3), 0.6))
        assert np.shape(table.value) == np.shape(table.lower) == np.shape(table.reached) == (2, 3)


class TestPublishedConvention:
    def test_order_of_the_values_matters_there_alone(self) -> None:
        sizes, scores = [1, 2, 3], [0.5, 0.7, 0.8]
        both = [
            deep_ensemble_equivalent(sizes, scores, [0.75, 0.6], convention=convention).value
            for convention in ("paper", "published")
        ]
        assert_allclose(both, [[2.5, 1.5], [2.5, 2]])

    def test_ends_at_the_largest_size(self) -> None:
        dee = deep_ensemble_equivalent([1, 2, 3], [0.5, 0.7, 0.8], [0.9, 0.6], convention="published")
        assert_array_equal(dee.value, [3, 3])
        assert_array_equal(dee.reached, [False, True])

    def test_bounds(self) -> None:
        dee = deep_ensemble_equivalent(
            [1, 2, 3], [0.5, 0.7, 0.8], 0.6, [0.1, 0.1, 0.1], convention="published"
        )
        assert_allclose([dee.lower, dee.value, dee.upper], [1, 1.5, 2])


class TestProperties:
    @given(curves(rising=True), st.booleans())
    def test_measured_points_are_worth_their_size(
        self, curve: tuple[Floats, Floats, Floats], higher: bool
    ) -> None:
        sizes, scores, std = curve
        scores = scores if higher else -scores
        assert_array_equal(deep_ensemble_equivalent(sizes, scores, scores, std, higher).value, sizes)

    @given(curves(), st.lists(st.floats(-6, 6), min_size=1, max_size=6))
    def test_better_values_are_worth_no_less(
        self, curve: tuple[Floats, Floats, Floats], values: list[float]
    ) -> None:
        sizes, scores, std = curve
        dee = deep_ensemble_equivalent(sizes, scores, np.sort(values), std)
        for part in (dee.value, dee.lower, dee.upper):
            assert np.all(np.asarray(part)[1:] >= np.asarray(part)[:-1])

    @given(curves(), st.floats(-6, 6), st.floats(0, 1))
    def test_bounds_enclose_the_value(
        self, curve: tuple[Floats, Floats, Floats], value: float, shrink: float
    ) -> None:
        sizes, scores, std = curve
        dee = deep_ensemble_equivalent(sizes, scores, value, std * shrink**9)
        assert 1 <= dee.lower <= dee.value <= dee.upper
        without = deep_ensemble_equivalent(sizes, scores, value)
        assert without.value == without.upper == dee.value

    @given(curves(), VALUES, st.randoms(use_true_random=False))
    def test_order_of_the_sizes_does_not_matter(
        self, curve: tuple[Floats, Floats, Floats], value: float, random: Any
    ) -> None:
        sizes, scores, std = curve
        order = random.sample(range(len(sizes)), len(sizes))
        one = deep_ensemble_equivalent(sizes, scores, value, std)
        other = deep_ensemble_equivalent(sizes[order], scores[order], value, std[order])
        assert (one.value, one.lower, one.upper) == (other.value, other.lower, other.upper)

    @given(curves(), VALUES)
    def test_direction(self, curve: tuple[Floats, Floats, Floats], value: float) -> None:
        sizes, scores, std = curve
        for convention in ("paper", "published"):
            up = deep_ensemble_equivalent(sizes, scores, value, std, convention=convention)
            down = deep_ensemble_equivalent(sizes, -scores, -value, std, False, convention=convention)
            assert (up.value, up.lower, up.upper, up.reached) == (
                down.value,
                down.lower,
                down.upper,
                down.reached,
            )


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([1, 2], [0.5], 0.6), "lengths differ: sizes 2, scores 1"),
            (([1, 2], [0.5, 0.6], 0.6, [0.1]), "lengths differ: sizes 2, scores 2, std 1"),
            (([1, 2], [0.5, np.nan], 0.6), "scores has NaN or infinite values in row 1"),
            (([1, 2], [0.5, 0.6], [0.6, np.nan]), "value has NaN or infinite values in row 1"),
            (([1, 2], [0.5, 0.6], []), "value is empty"),
            (([1, 2], [0.5, 0.6], 0.6, [0.1, np.nan]), "std has NaN"),
            (([1, 2], [0.5, 0.6], 0.6, [0.1, -0.1]), "std is negative in row 1"),
            (([0, 2], [0.5, 0.6], 0.6), "sizes lies below 1 in row 0"),
            (([2, 1, 2], [0.5, 0.6, 0.7], 0.6), "sizes holds 2 more than once"),
            (([], [], 0.6), "sizes is empty"),
            (([1, 2], [0.5, 0.6], 0.6, None, "ll"), "higher_is_better must be True or False"),
        ],
    )
    def test_arrays(self, arguments: tuple[Any, ...], message: str) -> None:
        with pytest.raises(InputError, match=message):
            deep_ensemble_equivalent(*arguments)

    def test_convention(self) -> None:
        with pytest.raises(InputError, match="convention must be one of paper, published"):
            deep_ensemble_equivalent([1], [0.5], 0.5, convention="code")


@pytest.fixture(scope="module")
def pool() -> tuple[Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    target = rng.integers(0, 3, 200)
    logits = 1.5 * np.eye(3)[target] + rng.normal(0, 1, (200, 3)) + rng.normal(0, 1.5, (12, 200, 3))
    exp = np.exp(logits)
    return exp / exp.sum(-1, keepdims=True), target


class TestEnsembleCurve:
    def test_nested_subsets_of_each_order(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        curve = ensemble_curve(probs, target, brier, repeats=4, seed=3)
        assert_array_equal(curve.sizes, np.arange(1, 13))
        rng = np.random.default_rng(3)
        for row in curve.scores:
            order = rng.permutation(12)
            assert_allclose(row, [brier(probs[order[:m]].mean(0), target) for m in curve.sizes], rtol=1e-12)
        assert_allclose(curve.mean, curve.scores.mean(0))
        assert_allclose(curve.std, curve.scores.std(0, ddof=1))

    def test_grows_and_feeds_the_equivalent(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        curve = ensemble_curve(probs, target, log_likelihood, repeats=20)
        assert np.all(np.diff(curve.mean) > 0)
        assert curve.std[0] > curve.std[5] > curve.std[-1]
        assert_allclose(curve.std[-1], 0, atol=1e-15)
        dee = deep_ensemble_equivalent(curve.sizes, curve.mean, curve.mean[4], curve.std)
        assert dee.lower < dee.value == 5 < dee.upper

    def test_sizes_choose_columns(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        whole = ensemble_curve(probs, target, accuracy)
        part = ensemble_curve(probs, target, accuracy, sizes=[8, 2, 12, 2])
        assert_array_equal(part.sizes, [2, 8, 12])
        assert_array_equal(part.scores, whole.scores[:, [1, 7, 11]])
        only = ensemble_curve(probs, target, accuracy, sizes=[12], repeats=3)
        assert_array_equal(only.scores, np.full((3, 1), accuracy(probs.mean(0), target)))

    def test_same_seed_same_subsets(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        one, same, other = (ensemble_curve(probs, target, brier, seed=seed).scores for seed in (1, 1, 2))
        assert_array_equal(one, same)
        assert (one[:, 0] != other[:, 0]).any()

    def test_members_keep_their_samples_together(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        member = np.arange(12) % 4
        curve = ensemble_curve(probs, target, brier, member=member, repeats=6)
        assert_array_equal(curve.sizes, [1, 2, 3, 4])
        means = np.stack([probs[member == m].mean(0) for m in range(4)])
        assert_allclose(curve.scores, ensemble_curve(means, target, brier, repeats=6).scores, rtol=1e-12)

    def test_members_weigh_by_their_samples(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        curve = ensemble_curve(probs[:3], target, brier, member=[7, 7, 1], sizes=[2])
        assert_allclose(curve.mean, brier(probs[:3].mean(0), target))

    def test_dtype_and_other_outputs(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        seen: set[str] = set()

        def watched(mean: Any, truth: Any) -> float:
            seen.add(str(mean.dtype))
            return brier(mean, truth)

        narrow = ensemble_curve(probs.astype(np.float32), target, watched)
        assert seen == {"float32"}
        assert_allclose(narrow.mean, ensemble_curve(probs, target, brier).mean, rtol=1e-6)
        means = probs[:, :, 0]
        squared = ensemble_curve(means, 0.5, lambda mean, centre: float(((mean - centre) ** 2).mean()))
        assert_allclose(squared.mean[-1], ((means.mean(0) - 0.5) ** 2).mean())

    def test_one_repeat_has_no_deviation(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        curve = ensemble_curve(*pool, brier, repeats=1)
        assert np.isnan(curve.std).all()
        assert_array_equal(curve.mean, curve.scores[0])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                {"sizes": [1, 13]},
                "sizes must be whole numbers from 1 to the pool's 12 members; not so in row 1",
            ),
            ({"sizes": [0]}, "sizes must be whole numbers"),
            ({"sizes": [1.5]}, "sizes must be whole numbers"),
            ({"sizes": []}, "sizes is empty"),
            ({"repeats": 0}, "repeats must be 1 or more, not 0"),
            ({"member": [1, 2]}, "member has 2 entries for 12 samples"),
        ],
    )
    def test_bad_options(
        self, pool: tuple[Floats, NDArray[np.int64]], options: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(InputError, match=message):
            ensemble_curve(*pool, brier, **options)

    def test_bad_outputs(self, pool: tuple[Floats, NDArray[np.int64]]) -> None:
        probs, target = pool
        broken = probs.copy()
        broken[3, 7, 1] = np.nan
        with pytest.raises(InputError, match="outputs has NaN or infinite values in row 7"):
            ensemble_curve(broken, target, brier)
        with pytest.raises(InputError, match="outputs has shape"):
            ensemble_curve(probs[0, 0], target, brier)
        with pytest.raises(InputError, match="outputs is not rectangular"):
            ensemble_curve([[[0.5, 0.5]], [[0.5, 0.5], [0.1, 0.9]]], [0], brier)
        with pytest.raises(InputError, match="probs does not sum to 1"):
            ensemble_curve(2 * probs, target, brier)
        with pytest.raises(InputError, match="metric gave nan for an ensemble of 1"):
            ensemble_curve(probs, target, lambda mean, truth: float("nan"))
