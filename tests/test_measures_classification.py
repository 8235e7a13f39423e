"""Measures of class probabilities: published values, identities, rounding, chunks, and what is refused."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import TOLERANCE, cases
from surefoot.errors import InputError
from surefoot.measures import MEASURES, _cells, classification, describe, names

KNOWLEDGE = ("mutual_information", "epkl", "reverse_mutual_information", "model_variance")

SHIFTS = cases("shifts_ensemble_classification")
TEXT = cases("ub_uncertainties")
TEXT_METRICS = cases("ub_metrics")


def ids(found):
    return [case.name for case in found]


def ensemble(seed, samples=5, n=20, k=4, scale=2.0, noise=1.0, dtype=np.float64):
    """Softmax of shared logits plus each sample's own noise."""
    rng = np.random.default_rng(seed)
    logits = scale * rng.normal(size=(1, n, k)) + noise * rng.normal(size=(samples, n, k))
    probs = np.exp(logits - logits.max(-1, keepdims=True))
    return (probs / probs.sum(-1, keepdims=True)).astype(dtype)


def entropy(p):
    return -(p * np.log(p + 1e-10)).sum(-1)


def plain(probs):
    """The definitions, in float64 and written out."""
    probs = probs.astype(np.float64)
    mean, logs = probs.mean(0), np.log(probs + 1e-10)
    expected = entropy(probs).mean(0)
    pairs = [(p * (log_p - log_q)).sum(-1) for p, log_p in zip(probs, logs, strict=True) for log_q in logs]
    return {
        "negative_confidence": -mean.max(-1),
        "entropy": entropy(mean),
        "expected_entropy": expected,
        "mutual_information": entropy(mean) - expected,
        "epkl": np.mean(pairs, axis=0),
        "reverse_mutual_information": (mean * (np.log(mean + 1e-10) - logs.mean(0))).sum(-1),
        "model_variance": probs.var(0).mean(-1),
    }


settings_of_ensembles = {
    "seed": st.integers(0, 2**32 - 1),
    "samples": st.integers(1, 40),
    "k": st.integers(2, 40),
    "scale": st.sampled_from([0.0, 0.1, 2.0, 30.0]),
    "noise": st.sampled_from([0.0, 1e-3, 1.0, 10.0]),
}


@pytest.mark.parametrize("case", SHIFTS, ids=ids(SHIFTS))
def test_published_values_of_shifts(case):
    found = classification(case.inputs["probs"])
    out = case.outputs
    np.testing.assert_allclose(found["negative_confidence"], -np.array(out["confidence"]), **TOLERANCE)
    np.testing.assert_allclose(found["entropy"], out["entropy_of_expected"], **TOLERANCE)
    for name in ("expected_entropy", "mutual_information", "epkl", "reverse_mutual_information"):
        np.testing.assert_allclose(found[name], out[name], **TOLERANCE)


@pytest.mark.parametrize("case", TEXT, ids=ids(TEXT))
def test_published_values_of_the_text_benchmark(case):
    probs = np.array(case.inputs["samples_T_N_K"])
    k = probs.shape[2]
    found, out = classification(probs), case.outputs
    np.testing.assert_allclose(found["model_variance"], out["aleatorics(DU)"], **TOLERANCE)
    np.testing.assert_allclose(np.sqrt(k * found["model_variance"]), out["epistemics(MU)"], **TOLERANCE)
    np.testing.assert_allclose(found["entropy"], out["pred_entropy"], **TOLERANCE)
    np.testing.assert_allclose(found["expected_entropy"], out["exp_entropy"], **TOLERANCE)
    np.testing.assert_allclose(found["expected_entropy"], out["ensemble_entropy"], **TOLERANCE)
    np.testing.assert_allclose(found["mutual_information"], out["mutual_info"], **TOLERANCE)
    np.testing.assert_allclose(-found["negative_confidence"], out["softmax_score"], **TOLERANCE)
    scored = out["score_sampled_prediction"]
    np.testing.assert_allclose(
        np.sqrt(k * found["model_variance"]), scored["overall_variance_sqrt_sum"], **TOLERANCE
    )
    np.testing.assert_array_equal(probs.mean(0).argmax(-1), scored["argmax"])
    np.testing.assert_allclose(-found["negative_confidence"], scored["argmax_p"], **TOLERANCE)
    np.testing.assert_allclose(found["expected_entropy"], scored["mean_entropy"], **TOLERANCE)
    np.testing.assert_allclose(found["mutual_information"], scored["mutual_info"], **TOLERANCE)


@pytest.mark.parametrize("case", TEXT, ids=ids(TEXT))
def test_published_total_variance_is_no_disagreement_and_ours_is(case):
    probs = np.array(case.inputs["samples_T_N_K"])
    theirs = (probs.var(-1) + probs.mean(-1) ** 2).mean(0) - probs.mean((0, -1)) ** 2
    np.testing.assert_allclose(theirs, case.outputs["ensemble_epistemics_total_variance"], **TOLERANCE)
    identical = np.repeat(probs[:1], 5, axis=0)
    still_theirs = (identical.var(-1) + identical.mean(-1) ** 2).mean(0) - identical.mean((0, -1)) ** 2
    assert (still_theirs > 1e-3).all()
    np.testing.assert_allclose(classification(identical)["model_variance"], 0, atol=1e-30)


@pytest.mark.parametrize("case", TEXT_METRICS, ids=ids(TEXT_METRICS))
def test_published_entropies_of_single_predictions(case):
    found, out = classification(np.array(case.inputs["probs"])[None]), case.outputs
    np.testing.assert_allclose(found["entropy"], out["entropy_per_sample"], **TOLERANCE)
    np.testing.assert_allclose(found["entropy"].mean(), out["exp_entropy_mean_over_samples"], **TOLERANCE)
    assert round(found["entropy"].mean() / np.log(2), 4) == out["samples_entropy_log2_rounded4"]
    assert round(-found["negative_confidence"].mean(), 4) == out["avg_confidence_rounded4"]


@given(**settings_of_ensembles)
def test_equals_the_definitions(seed, samples, k, scale, noise):
    probs = ensemble(seed, samples, 6, k, scale, noise)
    for name, expected in plain(probs).items():
        np.testing.assert_allclose(classification(probs)[name], expected, rtol=1e-9, atol=2e-9, err_msg=name)


@given(**settings_of_ensembles)
def test_identities_and_bounds(seed, samples, k, scale, noise):
    probs = ensemble(seed, samples, 6, k, scale, noise)
    found = classification(probs)
    assert set(found) == set(names("classification")) - {"member_mutual_information"}
    total = found["expected_entropy"] + found["mutual_information"]
    np.testing.assert_allclose(found["entropy"], total, rtol=1e-12, atol=1e-9)
    both = found["mutual_information"] + found["reverse_mutual_information"]
    np.testing.assert_array_equal(found["epkl"], both)
    assert (found["negative_confidence"] >= -1 - 1e-12).all()
    assert (found["negative_confidence"] <= -1 / k + 1e-12).all()
    assert (found["model_variance"] <= 0.25).all()
    for name in ("entropy", "expected_entropy", "mutual_information"):
        assert (found[name] >= 0).all()
        assert (found[name] <= np.log(k) + 1e-9).all()
    for name in KNOWLEDGE:
        assert (found[name] >= 0).all()


@given(**settings_of_ensembles)
def test_order_of_samples_and_classes_does_not_matter(seed, samples, k, scale, noise):
    probs = ensemble(seed, samples, 6, k, scale, noise)
    rng = np.random.default_rng(seed)
    shuffled = probs[rng.permutation(samples)][..., rng.permutation(k)]
    for name, values in classification(shuffled).items():
        np.testing.assert_allclose(values, classification(probs)[name], rtol=1e-9, atol=1e-12, err_msg=name)


@given(**settings_of_ensembles | {"dtype": st.sampled_from([np.float32, np.float64])})
def test_rows_are_independent_to_the_last_bit(seed, samples, k, scale, noise, dtype):
    probs = ensemble(seed, samples, 13, k, scale, noise, dtype)
    member = np.arange(samples) // 2
    whole = classification(probs, member)
    order = np.random.default_rng(seed).permutation(13)
    moved = classification(probs[:, order], member)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cells, "BUFFER", 3 * samples * k)
        chunked = classification(probs, member)
    alone = [classification(probs[:, i : i + 1], member) for i in range(13)]
    columns = classification(np.asfortranarray(probs), member)
    rows_first = classification(np.ascontiguousarray(probs.transpose(1, 0, 2)).transpose(1, 0, 2), member)
    for name, values in whole.items():
        np.testing.assert_array_equal(moved[name], values[order], err_msg=name)
        np.testing.assert_array_equal(chunked[name], values, err_msg=name)
        np.testing.assert_array_equal(np.concatenate([row[name] for row in alone]), values, err_msg=name)
        np.testing.assert_array_equal(columns[name], values, err_msg=name)
        np.testing.assert_array_equal(rows_first[name], values, err_msg=name)


@given(**settings_of_ensembles)
def test_float32_is_kept_and_close(seed, samples, k, scale, noise):
    probs = ensemble(seed, samples, 6, k, scale, noise, np.float32)
    for name, values in classification(probs).items():
        assert values.dtype == np.float32
        np.testing.assert_allclose(values, plain(probs)[name], rtol=2e-6, atol=1e-6, err_msg=name)
        assert name not in KNOWLEDGE or values.min() >= 0


@pytest.mark.parametrize("samples", [3, 10, 16, 17, 1000])
@pytest.mark.parametrize(("k", "scale"), [(2, 0.0), (2, 12.0), (9, 2.0), (1000, 0.01), (1000, 2.0)])
def test_identical_members_know_alike_even_in_float32(samples, k, scale):
    probs = np.repeat(ensemble(1, 1, 40, k, scale, 0.0, np.float32), samples, axis=0)
    found = classification(probs)
    for name in KNOWLEDGE:
        assert found[name].min() >= 0, "rounding below -1e-6 would show"
        assert found[name].max() <= 1e-6
    np.testing.assert_allclose(found["entropy"], plain(probs[:1])["entropy"], rtol=1e-6, atol=1e-6)


def test_one_sample_has_no_knowledge_uncertainty():
    found = classification(ensemble(0, samples=1))
    for name in KNOWLEDGE:
        np.testing.assert_array_equal(found[name], 0)


def test_certain_predictions_have_plain_zeros():
    found = classification(np.array([[[1.0, 0.0]], [[1.0, 0.0]]]))
    assert found.pop("negative_confidence") == -1
    for name, values in found.items():
        assert values == 0, name
        assert not np.signbit(values), name


def test_below_rounding_stays_visible():
    values = _cells.at_least_zero(np.array([-2e-6, -1e-7, -0.0, 0.5]))
    np.testing.assert_array_equal(values, [-2e-6, 0, 0, 0.5])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_small_floats_give_float32(dtype):
    probs = ensemble(3, dtype=dtype)
    for name, values in classification(probs).items():
        assert values.dtype == np.float32
        np.testing.assert_allclose(values, plain(probs)[name], atol=1e-6, err_msg=name)


def test_whole_numbers_are_probabilities_too():
    assert classification([[[0, 1]], [[1, 0]]])["mutual_information"] == pytest.approx(np.log(2))


def test_validation_can_be_left_out_and_changes_nothing():
    probs = ensemble(4)
    for name, values in classification(probs, validate=False).items():
        np.testing.assert_array_equal(values, classification(probs)[name])


def test_memory_does_not_grow_with_the_rows():
    probs = np.full((4, 400_000, 4), 0.25, np.float32)
    tracemalloc.start()
    found = classification(probs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - sum(values.nbytes for values in found.values()) < probs.nbytes


class TestMembers:
    def test_definition(self):
        probs = ensemble(0, samples=6)
        by_member = probs.reshape(3, 2, *probs.shape[1:]).mean(1)
        found = classification(probs, [0, 0, 1, 1, 2, 2])["member_mutual_information"]
        np.testing.assert_allclose(found, entropy(probs.mean(0)) - entropy(by_member).mean(0), rtol=1e-9)

    def test_numbers_and_their_order_do_not_matter(self):
        probs = ensemble(0, samples=6)
        plain = classification(probs, [0, 0, 1, 1, 2, 2])["member_mutual_information"]
        order = [4, 0, 2, 1, 3, 5]
        found = classification(probs[order], [7, -1, 30, -1, 30, 7])["member_mutual_information"]
        np.testing.assert_allclose(found, plain, rtol=1e-9)

    def test_members_weigh_their_samples(self):
        probs = ensemble(0, samples=3)
        own = (2 * entropy(probs[:2].mean(0)) + entropy(probs[2])) / 3
        found = classification(probs, [0, 0, 1])["member_mutual_information"]
        np.testing.assert_allclose(found, entropy(probs.mean(0)) - own, rtol=1e-9, atol=1e-12)

    def test_each_sample_its_own_member(self):
        found = classification(ensemble(0), [3, 1, 4, 0, 2])
        np.testing.assert_array_equal(found["member_mutual_information"], found["mutual_information"])

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_a_single_member_agrees_with_itself(self, dtype):
        found = classification(ensemble(0, 40, dtype=dtype), np.zeros(40))
        np.testing.assert_array_equal(found["member_mutual_information"], 0)

    @given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.integers(0, 2**32 - 1))
    def test_between_zero_and_mutual_information(self, member, seed):
        found = classification(ensemble(seed, samples=len(member)), member)
        assert (found["member_mutual_information"] >= 0).all()
        assert (found["member_mutual_information"] <= found["mutual_information"] + 1e-9).all()

    @pytest.mark.parametrize(
        ("member", "says"),
        [
            ([0, 1], "2 entries for 5 samples"),
            ([[0, 1, 2, 3, 4]], "shape"),
            ([0, 1, 2, 3, np.nan], "row 4"),
            (list("abcde"), "not numbers"),
        ],
    )
    def test_refused(self, member, says):
        with pytest.raises(InputError, match=says):
            classification(ensemble(0), member)


def spoilt(row, values):
    probs = np.full((2, 50, 3), 1 / 3, np.float32)
    probs[1, row] = values
    return probs


@pytest.mark.parametrize(
    ("probs", "says"),
    [
        (spoilt(40, [np.nan, 0.5, 0.5]), "NaN or infinite values in row 40"),
        (spoilt(40, [np.inf, 0.5, 0.5]), "NaN or infinite values in row 40"),
        (spoilt(40, [-1e-12, 0.5, 0.5]), "negative values in row 40"),
        (spoilt(40, [0.2, 0.5, 0.5]), "does not sum to 1 in row 40"),
        (spoilt(40, [3.0, -1.0, -1.0]), "softmax"),
        (np.full((10, 3), 1 / 3), r"\[S, N, K\]"),
        (np.empty((2, 0, 3)), "empty"),
        (np.full((1, 2, 2), "a"), "not numbers"),
        ([[[0.5, 0.5], [1.0]]], "not rectangular"),
    ],
)
def test_refused(probs, says, monkeypatch):
    monkeypatch.setattr(_cells, "BUFFER", 60)  # ten rows a chunk: the rows named are those of the whole table
    with pytest.raises(InputError, match=says):
        classification(probs)


class TestRegistry:
    def test_every_measure_says_what_it_speaks_of(self):
        assert {entry.speaks_of for entry in MEASURES} == {"total", "data", "knowledge"}
        assert {entry.kind for entry in MEASURES} == {"classification", "multilabel", "regression"}
        for entry in MEASURES:
            assert describe(entry.name, entry.kind) is entry
            assert entry.summary
            assert entry.formula
            assert entry.citation

    def test_names_are_the_keys_of_the_results(self):
        assert names("classification") == tuple(classification(ensemble(0), [0, 0, 1, 1, 2]))

    def test_knowledge(self):
        for name in (*KNOWLEDGE, "member_mutual_information"):
            assert describe(name).speaks_of == "knowledge"

    def test_without_a_kind_the_first_that_has_it(self):
        assert describe("epkl").kind == "classification"
        assert describe("total_variance").kind == "regression"

    @pytest.mark.parametrize(
        ("name", "kind", "says"),
        [
            ("entropi", None, "did you mean entropy"),
            ("xyz", "regression", "no measure of regression; choose from total_variance"),
            ("entropy", "nonsense", "kind must be one of"),
        ],
    )
    def test_refused(self, name, kind, says):
        with pytest.raises(InputError, match=says):
            describe(name, kind)
