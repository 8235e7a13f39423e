"""The table itself: what the constructors make of their arguments, and what its methods keep."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.errors import InputError
from surefoot.predictions import NOVEL, UNLABELLED, Predictions

HALVES = np.full((4, 2), 0.5)


def table(kind: str, samples: int, rows: int, seed: int = 0, **options: Any) -> Predictions:
    """Random predictions with everything a table can hold."""
    random = np.random.default_rng(seed)
    options = {
        "id": np.array([f"row {i}" for i in random.permutation(rows)]),
        "partition": random.choice(["in", "shifted"], rows),
        "member": np.sort(random.integers(0, 3, samples)),
        "metadata": {"age": random.integers(0, 90, rows), "day": np.arange(rows).astype("M8[D]")},
        "info": {"method": "ensemble", "seed": seed},
        "data_variance": random.gamma(2.0, size=(samples, rows)),
        **options,
    }
    if kind == "regression":
        mean, variance = random.normal(size=(samples, rows)), random.gamma(2.0, size=(samples, rows))
        return Predictions.regression(mean, variance, random.normal(size=rows), **options)
    logits = random.normal(size=(samples, rows, 3))
    if kind == "multilabel":
        target: Any = random.integers(0, 2, (rows, 3))
        return Predictions.multilabel(1 / (1 + np.exp(-logits)), target, logits=logits, **options)
    probs = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    return Predictions.classification(probs, random.integers(-2, 3, rows), logits=logits, **options)


def columns(predictions: Predictions) -> dict[str, Any]:
    """Everything that has rows, rows first."""
    arrays = {name: np.moveaxis(values, 1, 0) for name, values in predictions.arrays.items()}
    rest = {"target": predictions.target, "id": predictions.id, "partition": predictions.partition}
    return arrays | rest | {f"metadata {name}": values for name, values in predictions.metadata.items()}


def assert_same(left: Predictions, right: Predictions) -> None:
    """Equal in every array, column and fact, dtypes included (but for the room that a text takes)."""
    assert (left.kind, left.classes, dict(left.info)) == (right.kind, right.classes, dict(right.info))
    np.testing.assert_array_equal(left.member, right.member)
    ours, theirs = columns(left), columns(right)
    assert list(ours) == list(theirs)
    for name, values in ours.items():
        np.testing.assert_array_equal(values, theirs[name], err_msg=name)
        assert (
            values is theirs[name] is None
            or values.dtype.kind == theirs[name].dtype.kind == "U"
            or (values.dtype == theirs[name].dtype)
        ), name


tables = st.builds(
    table,
    st.sampled_from(["classification", "multilabel", "regression"]),
    samples=st.integers(1, 5),
    rows=st.integers(1, 12),
    seed=st.integers(0, 9),
)

# --- constructors ---------------------------------------------------------------------------------------


def test_a_single_model_gets_a_samples_axis() -> None:
    predictions = Predictions.classification(HALVES)
    assert predictions.probs.shape == (1, 4, 2)
    assert Predictions.regression([1.0, 2.0], [1.0, 1.0]).variance.shape == (1, 2)
    assert predictions.member.tolist() == [0]
    assert predictions.id.tolist() == [0, 1, 2, 3]
    assert predictions.classes == ("0", "1")
    assert predictions.target.tolist() == [UNLABELLED] * 4
    assert predictions.partition is None


def test_float32_is_kept_and_nothing_is_copied() -> None:
    probs = np.full((3, 4, 2), 0.5, dtype=np.float32)
    predictions = Predictions.classification(probs)
    assert predictions.probs.dtype == np.float32
    assert np.shares_memory(predictions.probs, probs)
    mean = np.zeros((3, 4), dtype=np.float32)
    assert np.shares_memory(Predictions.regression(mean, mean).mean, mean)


@pytest.mark.parametrize(
    ("given", "kept"), [("f2", "f4"), (">f8", "f8"), ("i8", "f8"), ("u1", "f8"), ("?", "f8"), ("g", "f8")]
)
def test_other_numbers_become_floats(given: str, kept: str) -> None:
    certain = np.eye(3).astype(given)
    predictions = Predictions.classification(certain, [0, 1, 2])
    assert predictions.probs.dtype == np.dtype(kept)
    np.testing.assert_array_equal(predictions.probs[0], np.eye(3))


@pytest.mark.parametrize("transposed", [False, True])
def test_probabilities_may_lie_in_memory_as_they_like(transposed: bool) -> None:
    probs = np.random.default_rng(0).dirichlet(np.ones(3), (5, 70_000)).astype(np.float32)
    probs = np.moveaxis(np.ascontiguousarray(np.moveaxis(probs, 1, 0)), 1, 0) if transposed else probs
    assert Predictions.classification(probs).probs.shape == (5, 70_000, 3)


class Tensor:
    """Like the arrays of torch and JAX."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.full((2, 4, 2), 0.5, dtype=dtype)


def test_frames_and_tensors_are_taken_as_they_are() -> None:
    frame = pd.DataFrame({"target": [0, None, 1, 1], "region": pd.Categorical(["n", "s", None, "n"])})
    frame["name"] = pd.array(["a", "b", "c", "d"], dtype="string")
    predictions = Predictions.classification(
        Tensor(), frame["target"], id=frame["name"], metadata={"region": frame["region"]}
    )
    assert predictions.target.tolist() == [0, UNLABELLED, 1, 1]
    assert predictions.id.tolist() == ["a", "b", "c", "d"]
    assert predictions.metadata["region"].tolist() == ["n", "s", "", "n"]
    series = pl.Series(["in", "in", "shifted", "shifted"])
    assert Predictions.classification(HALVES, partition=series).partition.tolist() == series.to_list()


TARGETS = [
    ([0, 1, 1, 0], {}, [0, 1, 1, 0]),
    ([0.0, np.nan, 1.0, -1.0], {}, [0, UNLABELLED, 1, NOVEL]),
    ([True, False, True, True], {}, [1, 0, 1, 1]),
    ([0, None, 1, -1], {}, [0, UNLABELLED, 1, NOVEL]),
    (pd.array([0, None, 1, -1], dtype="Int64"), {}, [0, UNLABELLED, 1, NOVEL]),
    (["1", "0", "", "-1"], {}, [1, 0, UNLABELLED, NOVEL]),
    (["1", "0", None, "-2"], {}, [1, 0, UNLABELLED, UNLABELLED]),
    (
        ["cat", "dog", "owl", "cow"],
        {"classes": ["dog", "cat"], "novel": ["owl", "cow"]},
        [1, 0, NOVEL, NOVEL],
    ),
    ([1, 2, 2, 1], {"classes": [1, 2]}, [0, 1, 1, 0]),
    ([1, 2, np.nan, -1], {"classes": np.array([2.0, 1.0])}, [1, 0, UNLABELLED, NOVEL]),
    (["7", "3", "", "-1"], {"classes": [3, 7]}, [1, 0, UNLABELLED, NOVEL]),
    ([7, 3, 9, 3], {"classes": [3, 7], "novel": [9]}, [1, 0, NOVEL, 0]),
    ([0, 1, 5, 6], {"novel": [5, 6]}, [0, 1, NOVEL, NOVEL]),
    ([-1, 1, 1, -1], {"classes": [-1, 1]}, [0, 1, 1, 0]),
    ([0, 1, 1, -1], {"classes": ["1", "2"]}, [0, 1, 1, NOVEL]),
    ([False, True, True, False], {"classes": [False, True]}, [0, 1, 1, 0]),
    ([-1, -2, -1, -2], {}, [NOVEL, UNLABELLED, NOVEL, UNLABELLED]),
]


@pytest.mark.parametrize(("target", "options", "codes"), TARGETS)
def test_targets_become_codes(target: Any, options: dict[str, Any], codes: list[int]) -> None:
    found = Predictions.classification(HALVES, target, **options).target
    assert found.dtype == np.int64
    assert found.tolist() == codes


@given(st.lists(st.text(max_size=4), min_size=2, max_size=9, unique=True), st.integers(0, 99))
def test_every_class_is_found_by_its_name(names: list[str], seed: int) -> None:
    names = [f"{name}." for name in names]  # "." keeps trailing NULs, which NumPy drops, and the marks apart
    codes = np.random.default_rng(seed).integers(0, len(names), 20)
    probs = np.full((20, len(names)), 1 / len(names))
    found = Predictions.classification(probs, [names[code] for code in codes], classes=names)
    np.testing.assert_array_equal(found.target, codes)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_columns_of_a_frame_name_the_classes(frame: Any) -> None:
    probs = frame({"cat": [0.25, 0.5], "dog": [0.75, 0.5]})
    named = Predictions.classification(probs, ["dog", "cat"])
    assert (named.classes, named.target.tolist()) == (("cat", "dog"), [1, 0])
    assert Predictions.multilabel(probs).classes == ("cat", "dog")
    assert Predictions.classification(probs, classes=["a", "b"]).classes == ("a", "b")


def test_columns_that_only_count_name_nothing() -> None:
    counted = pd.DataFrame(HALVES)
    assert Predictions.classification(counted, [0, 1, -1, -2]).target.tolist() == [0, 1, -1, -2]
    assert Predictions.classification(counted.add_prefix("")).classes == ("0", "1")
    by_number = Predictions.classification(counted.set_axis([3, 7], axis=1), [7, 3, 3, -1])
    assert (by_number.classes, by_number.target.tolist()) == (("3", "7"), [1, 0, 0, -1])
    two_levels = counted.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]), axis=1)
    assert Predictions.classification(two_levels).classes == ("0", "1")


def test_unlabelled_labels_and_values_are_nan() -> None:
    assert np.isnan(Predictions.multilabel(HALVES).target).all()
    assert np.isnan(Predictions.regression([1.0, 2.0], [1.0, 1.0]).target).all()
    partly = Predictions.multilabel(HALVES[:1], [[np.nan, 1]]).target
    np.testing.assert_array_equal(partly, np.array([[np.nan, 1]], dtype=np.float32))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.arange(4, dtype=">i4"), "i4"),
        (np.arange(4, dtype="f2"), "f4"),
        (np.arange(4, dtype=np.longdouble), "f8"),
        (np.arange(4).astype("M8[Y]"), "M8[s]"),
        (np.arange(4).astype("m8[h]"), "m8[s]"),
        (np.arange(4).astype("M8[D]"), "M8[D]"),
        (["a", None, np.nan, "b"], "U1"),
        ([1, None, 2.5, True], "f8"),
        ([True, False, True, True], "?"),
    ],
)
def test_metadata_takes_a_form_that_files_can_hold(given: Any, kept: str) -> None:
    found = Predictions.classification(HALVES, metadata={"x": given}).metadata["x"]
    assert found.dtype == np.dtype(kept)
    assert found.dtype.isnative


def test_info_takes_numpy_scalars() -> None:
    info = {"seed": np.int64(3), "temperature": np.float32(0.5), "tuned": np.bool_(True), "method": "x"}
    assert dict(Predictions.classification(HALVES, info=info).info) == {
        "seed": 3,
        "temperature": 0.5,
        "tuned": True,
        "method": "x",
    }


def test_ids_of_every_type_may_be_unique() -> None:
    for ids in (
        [3, 1, 2, 0],
        np.array([2**63, 0, 2**64 - 1, 1], dtype=np.uint64),
        [0.5, 1.5, 2.0, 1e300],
        ["a", "b", "ab", "ba"],
        ["ä", "a", "日本", "日"],
        np.arange(4).astype("M8[D]"),
    ):
        assert len(Predictions.classification(HALVES, id=ids).id) == 4


def test_ids_with_equal_keys_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from surefoot.predictions import _identifiers

    monkeypatch.setattr(_identifiers, "_keys", lambda ids: np.zeros(len(ids), dtype=np.int64))
    assert Predictions.classification(HALVES, id=list("abcd")).id.tolist() == list("abcd")
    with pytest.raises(ValueError, match=r"id 'b' occurs more than once \(rows 1 and 3"):
        Predictions.classification(HALVES, id=list("abcb"))


@given(st.lists(st.text("ab01", min_size=1, max_size=5), min_size=2, max_size=30))
def test_repeated_ids_are_found_exactly_when_there_are_some(ids: list[str]) -> None:
    probs = np.full((len(ids), 2), 0.5)
    if len(set(ids)) == len(ids):
        assert Predictions.classification(probs, id=ids).id.tolist() == ids
    else:
        with pytest.raises(ValueError, match="occurs more than once"):
            Predictions.classification(probs, id=ids)


def test_repr_says_what_there_is() -> None:
    assert repr(Predictions.regression([1.0], [1.0])) == "Predictions(regression, 1 row, 1 sample)"
    probs = np.full((4, 2000, 2), 0.5)
    shown = repr(Predictions.classification(probs, member=[0, 0, 1, 1]))
    assert shown == "Predictions(classification, 2,000 rows, 4 samples of 2 members, 2 classes)"


def test_importing_needs_no_arrow() -> None:
    code = "import sys, surefoot.predictions; assert not {'pyarrow', 'scipy', 'sklearn', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# --- members, take, select, batches ---------------------------------------------------------------------


@given(tables)
def test_members_split_the_samples(predictions: Predictions) -> None:
    members = predictions.members()
    assert sum(one.samples for one in members) == predictions.samples
    assert [one.member[0] for one in members] == np.unique(predictions.member).tolist()
    for one in members:
        (number,) = np.unique(one.member)
        assert_same(one, predictions.take(samples=np.flatnonzero(predictions.member == number)))


@given(tables)
def test_a_single_member_equals_itself(predictions: Predictions) -> None:
    for one in predictions.members():
        (again,) = one.members()
        assert_same(again, one)


@given(tables, st.data())
def test_taking_samples_composes(predictions: Predictions, data: st.DataObject) -> None:
    positions = st.lists(st.integers(0, predictions.samples - 1), min_size=1, max_size=6)
    first = np.array(data.draw(positions))
    second = np.array(data.draw(st.lists(st.integers(0, len(first) - 1), min_size=1, max_size=6)))
    twice = predictions.take(samples=first).take(samples=second)
    assert_same(twice, predictions.take(samples=first[second]))
    np.testing.assert_array_equal(twice.data_variance, predictions.data_variance[first[second]])


@given(tables, st.data())
def test_taking_a_number_takes_the_first(predictions: Predictions, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, predictions.samples))
    taken = predictions.take(samples=count)
    assert_same(taken, predictions.take(samples=list(range(count))))
    assert_same(taken, predictions.take(samples=np.int64(count)))
    assert np.shares_memory(taken.data_variance, predictions.data_variance)


@given(tables, st.data())
def test_selecting_rows_composes(predictions: Predictions, data: st.DataObject) -> None:
    rows = st.lists(st.integers(0, len(predictions) - 1), min_size=1, max_size=12, unique=True)
    first = np.array(data.draw(rows))
    second = np.array(data.draw(st.lists(st.integers(0, len(first) - 1), min_size=1, max_size=12)))
    assert_same(predictions.select(first).select(second), predictions.select(first[second]))
    for name, values in columns(predictions.select(first)).items():
        np.testing.assert_array_equal(values, columns(predictions)[name][first])


@given(tables, st.data())
def test_masks_positions_and_slices_select_alike(predictions: Predictions, data: st.DataObject) -> None:
    n = len(predictions)
    start = data.draw(st.integers(0, n - 1))
    stop = data.draw(st.integers(start + 1, n))
    mask = (np.arange(n) >= start) & (np.arange(n) < stop)
    sliced = predictions.select(slice(start, stop))
    assert_same(sliced, predictions.select(mask))
    assert_same(sliced, predictions.select(np.arange(start, stop)))
    assert_same(sliced, predictions.select(np.arange(start, stop) - n))
    assert np.shares_memory(sliced.data_variance, predictions.data_variance)


@given(tables)
def test_rows_and_samples_are_independent(predictions: Predictions) -> None:
    one = predictions.select([0]).take(samples=1)
    assert_same(one, predictions.take(samples=1).select([0]))


@given(tables, st.integers(1, 15))
def test_batches_make_up_the_table(predictions: Predictions, rows: int) -> None:
    batches = list(predictions.batches(rows))
    assert [len(batch) for batch in batches[:-1]] == [rows] * (len(batches) - 1)
    for name, values in columns(predictions).items():
        np.testing.assert_array_equal(np.concatenate([columns(batch)[name] for batch in batches]), values)


def test_batches_stay_small_by_default() -> None:
    many_classes = Predictions.multilabel(np.zeros((4, 3000, 500), dtype=np.float32))
    assert next(len(batch) for batch in many_classes.batches()) == 524
    assert [len(batch) for batch in Predictions.regression(np.zeros(70_000), np.ones(70_000)).batches()] == [
        65_536,
        4_464,
    ]


def test_a_known_class_cannot_be_novel() -> None:
    with pytest.raises(InputError, match="novel names the class 'dog', which the model knows"):
        Predictions.classification(HALVES, ["cat", "dog", "", "dog"], classes=["dog", "cat"], novel=["dog"])
