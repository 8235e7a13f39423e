"""Every bad input is refused with a sentence: what is wrong, in which rows or columns, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from bad_files import BAD_FILES
from surefoot.errors import InputError
from surefoot.predictions import Predictions, load, save, scan

Call = Callable[[Path], object]

GOOD = np.full((2, 8, 3), 1 / 3)


def _good() -> Predictions:
    return Predictions.classification(GOOD, np.zeros(8, dtype=int))


def _probs(row: int, value: list[float]) -> np.ndarray:
    probs = GOOD.copy()
    probs[1, row] = value
    return probs


def _call(function: Callable[..., object], *arguments: object, **options: object) -> Call:
    return lambda folder: function(*arguments, **options)


def classify(*arguments: object, **options: object) -> Call:
    return _call(Predictions.classification, *arguments, **options)


def regress(*arguments: object, **options: object) -> Call:
    return _call(Predictions.regression, *arguments, **options)


def label(*arguments: object, **options: object) -> Call:
    return _call(Predictions.multilabel, *arguments, **options)


BAD_CALLS: list[tuple[str, Call, str]] = [
    # values of the second sample
    ("NaN", classify(_probs(4, [np.nan, 0.5, 0.5])), r"probs has NaN or infinite values in row 4; remove"),
    (
        "infinity",
        classify(_probs(4, [np.inf, 0.5, 0.5])),
        r"probs has NaN or infinite values in row 4; remove",
    ),
    (
        "minus infinity",
        classify(_probs(4, [-np.inf, np.inf, 1])),
        r"probs has NaN or infinite values in row 4",
    ),
    ("negative", classify(_probs(4, [-0.5, 0.5, 1.0])), r"probs has negative values in row 4; .*softmax"),
    (
        "sum",
        classify(_probs(4, [0.5, 0.5, 0.002])),
        r"does not sum to 1 in row 4 \(.*1\.002, tolerance 0\.001\)",
    ),
    (
        "logits",
        classify(GOOD, logits=_probs(6, [np.nan, 1, 2])),
        r"logits has NaN or infinite values in row 6",
    ),
    (
        "every row",
        classify(GOOD * 2),
        r"does not sum to 1 in rows 0, 1, 2, 3, 4 and 3 more .* normalise with",
    ),
    (
        "variance",
        regress(np.zeros((2, 4)), [[1] * 4, [1, 1, -1, 1]]),
        r"variance is negative in row 2; .*exponential",
    ),
    (
        "mean",
        regress([[1, 2, 3], [1, 2, np.inf]], np.ones((2, 3))),
        r"mean has NaN or infinite values in row 2; rem",
    ),
    (
        "data variance",
        regress(np.zeros((2, 4)), np.ones((2, 4)), data_variance=[[1] * 4, [1, -1, 1, 1]]),
        r"data_variance is negative in row 1; variances are ≥ 0",
    ),
    (
        "label probability",
        label([[0.5, 0.5], [1.5, 0.0]]),
        r"probs lies outside \[0, 1\] in row 1; .*sigmoid",
    ),
    ("label NaN", label([[0.5, 0.5], [np.nan, 0.0]]), r"probs has NaN or infinite values in row 1; remove"),
    (
        "swapped single sample",
        classify([[0.25, 0.5, 1.0], [0.75, 0.5, 0.0]]),
        r"does not sum to 1 in rows 0, 1 .*; the axis of length 2 does: the classes must be the last axis",
    ),
    # shapes and types
    (
        "a gradient",
        classify(torch.full((4, 2), 0.5, requires_grad=True)),
        r"probs does not become a NumPy array \(.*grad.*\); call \.detach\(\)\.float\(\)\.numpy\(\) first",
    ),
    (
        "bfloat16",
        classify(torch.full((4, 2), 0.5, dtype=torch.bfloat16)),
        r"probs does not become a NumPy array \(.*BFloat16\); call \.detach\(\)\.float\(\)\.numpy\(\) first",
    ),
    (
        "a target with a gradient",
        regress([1.0, 2.0], [1.0, 1.0], torch.ones(2, requires_grad=True)),
        r"target does not become a NumPy array \(.*grad.*\); call \.detach\(\)",
    ),
    (
        "a target of bfloat16",
        classify(GOOD, torch.zeros(8, dtype=torch.bfloat16)),
        r"target does not become a NumPy array \(.*\); call \.detach\(\)",
    ),
    (
        "swapped axes",
        classify(np.moveaxis(GOOD, 0, 1), [0] * 8),
        r"target has 8 rows, but the predictions have 2: probs has shape \(8, 2, 3\); .* \[S, N, K\]",
    ),
    (
        "rank 1",
        classify([0.5, 0.5]),
        r"probs has shape \(2,\), but \[S, N, K\] is needed, or \[N, K\] .*; reshape",
    ),
    (
        "rank 3",
        regress(np.ones((2, 3, 4)), np.ones((2, 3, 4))),
        r"mean has shape \(2, 3, 4\), but \[S, N\] is needed",
    ),
    ("empty", classify(np.ones((0, 3))), r"probs is empty \(shape \(1, 0, 3\)\); give at least one row"),
    ("no samples", classify(np.ones((0, 4, 3))), r"probs is empty \(shape \(0, 4, 3\)\); give at least one"),
    ("ragged", classify([[0.5, 0.5], [1.0]]), r"probs is not rectangular .* give rows of equal length"),
    ("one column", classify([[1.0], [1.0]]), r"probs has one column; .* np\.stack\(\[1 - p, p\]"),
    (
        "objects",
        classify(np.array([[0.5, None]] * 2, dtype=object)),
        r"probs has dtype object, not numbers; convert",
    ),
    ("complex", classify(GOOD.astype(complex)), r"probs has dtype complex128, not numbers; convert"),
    ("text", classify([["high", "low"]]), r"probs has dtype <U4, not numbers; convert"),
    (
        "logits of others",
        classify(GOOD, logits=GOOD[:, :5]),
        r"logits has shape \(2, 5, 3\), but probs has \(2, 8, 3\)",
    ),
    (
        "variance of others",
        regress([1.0, 2.0], [1.0]),
        r"variance has shape \(1, 1\), but mean has \(1, 2\); their",
    ),
    (
        "no variance",
        regress([1.0, 2.0], None),
        r"variance \[S, N\] is missing; regression predictions need mean and",
    ),
    # targets
    ("length", classify(GOOD, [0] * 7), r"target has 7 rows, but the predictions have 8; give one per row"),
    (
        "target rank",
        classify(GOOD, [[0]] * 8),
        r"target has shape \(8, 1\), but one class per row is needed; flatten",
    ),
    ("a lone target", classify(GOOD, np.array(1)), r"target has shape \(\), but one class per row is needed"),
    (
        "one-hot target",
        classify(GOOD, np.eye(3)[[0] * 8]),
        r"target has shape \(8, 3\), but one class per row .* target\.argmax\(axis=1\)",
    ),
    (
        "classes from 1",
        classify(GOOD, [1, 2, 3, 1, 1, 1, -1, -2]),
        r"in row 2; count classes from 0, or give classes=\[1, …, 3\]; mark",
    ),
    (
        "outside",
        classify(GOOD, [0, 3, 0, 9, 0, 0, 0, 0]),
        r"outside the 3 classes \(codes 0 … 2\) in rows 1, 3; mark",
    ),
    (
        "unmarked",
        classify(GOOD, ["0"] * 7 + ["cow"]),
        r"target holds 'cow' in row 7, .* '0', '1', '2'; mark .* -1",
    ),
    (
        "unnamed classes",
        classify(GOOD, ["cat", "dog", "owl", "cat", "", "", "-1", "-2"]),
        r"none of the classes '0', '1', '2'; name the classes, in the order of .* \(classes=\), or mark",
    ),
    ("infinite target", classify(GOOD, [0.0] * 7 + [np.inf]), r"target is not a whole number in row 7; give"),
    (
        "mixed objects",
        classify(GOOD, np.array([0, "cat"] * 4, dtype=object)),
        r"target holds Python objects; convert it to numbers, .*text",
    ),
    ("label codes", label([[0.5, 0.5]], [1]), r"target has shape \(1,\), but \[N, K\] is needed"),
    (
        "label width",
        label([[0.5, 0.5]], [[1, 0, 0]]),
        r"target has 3 columns, but the predictions have 2 labels; give",
    ),
    (
        "label value",
        label([[0.5, 0.5]] * 2, [[1, 0], [0, 3]]),
        r"target must be 0, 1 or NaN .*; row 1 are not",
    ),
    (
        "label length",
        label([[0.5, 0.5]] * 2, [[1, 0]]),
        r"target has 1 rows, but the predictions have 2; give one",
    ),
    ("infinite value", regress([1.0, 2.0], [1.0, 1.0], [0, np.inf]), r"target is infinite in row 1; remove"),
    (
        "value rank",
        regress([1.0, 2.0], [1.0, 1.0], [[0, 1]]),
        r"target has shape \(1, 2\), but \[N\] is needed",
    ),
    ("ragged values", regress([1.0, 2.0], [1.0, 1.0], [[0], [0, 1]]), r"target is not rectangular .*; give"),
    (
        "value objects",
        regress([1.0, 2.0], [1.0, 1.0], [0, None]),
        r"target has dtype object, not numbers; convert",
    ),
    # names and columns
    (
        "few classes",
        classify(GOOD, classes=["cat"]),
        r"classes names 1 classes, but the predictions have 3; name each",
    ),
    (
        "same classes",
        classify(GOOD, classes=list("aab")),
        r"classes names a twice or not at all; give each its own",
    ),
    (
        "empty class",
        classify(GOOD, classes=["a", "b", ""]),
        r"classes names the empty text twice or not at all; give",
    ),
    (
        "repeated id",
        classify(GOOD, id=[0, 1, 2, 3, 4, 5, 3, 7]),
        r"id 3 occurs more than once \(rows 3 and 6; .* give",
    ),
    (
        "repeated name",
        classify(GOOD, id=list("abcdefgb")),
        r"id 'b' occurs more than once \(rows 1 and 7; .* give",
    ),
    (
        "missing id",
        classify(GOOD, id=["a", None, *"cdefgh"]),
        r"id is missing in row 1; give every input an id",
    ),
    (
        "NaN id",
        classify(GOOD, id=[0, 1, 2, np.nan, 4, 5, 6, 7]),
        r"id is missing in row 3; give every input an id",
    ),
    ("no ids", classify(GOOD, id=[]), r"id has 0 rows, but the predictions have 8; give one per row"),
    ("short id", classify(GOOD, id=[1, 2]), r"id has 2 rows, but the predictions have 8; give one per row"),
    (
        "id rank",
        classify(GOOD, id=[[1, 2]]),
        r"id has shape \(1, 2\), but one value per row is needed; reshape",
    ),
    ("ragged id", classify(GOOD, id=[[1, 2], [3]]), r"id is not rectangular .*; give one value per row"),
    ("partition", classify(GOOD, partition=[0] * 8), r"partition has dtype int64; give names such as dev_in"),
    (
        "no partition",
        classify(GOOD, partition=["in"] * 7 + [""]),
        r"partition is missing in row 7; name the part",
    ),
    (
        "member count",
        classify(GOOD, member=[0]),
        r"member holds 1 values of int64, but there are 2 samples; give one",
    ),
    (
        "member type",
        classify(GOOD, member=[0.0, 1.0]),
        r"member holds 2 values of float64, .*; give one whole number",
    ),
    (
        "metadata length",
        classify(GOOD, metadata={"age": [1]}),
        r"age has 1 rows, but the predictions have 8; give one",
    ),
    (
        "metadata name",
        classify(GOOD, metadata={"target": [1] * 8}),
        r"column 'target' has a reserved name; rename it",
    ),
    (
        "metadata key",
        classify(GOOD, metadata={3: [1] * 8}),
        r"metadata column 3 has no name; name it with a text",
    ),
    (
        "metadata rank",
        classify(GOOD, metadata={"x": np.ones((8, 2))}),
        r"column 'x' has shape \(8, 2\), but one value",
    ),
    (
        "metadata objects",
        classify(GOOD, metadata={"x": [{}] * 8}),
        r"column 'x' holds Python objects; convert it",
    ),
    (
        "metadata type",
        classify(GOOD, metadata={"x": [1j] * 8}),
        r"column 'x' has dtype complex128; convert it",
    ),
    (
        "info value",
        classify(GOOD, info={"seeds": [1, 2]}),
        r"info\['seeds'\] is list; give a string, a number or",
    ),
    ("info type", classify(GOOD, info=[1]), r"info is list; give a dict of strings, numbers and booleans"),
    # use
    (
        "absent array",
        lambda folder: _good().mean,
        r"these classification predictions hold no mean; they hold probs",
    ),
    ("take nothing", lambda folder: _good().take(samples=0), r"samples must be a number of samples above 0"),
    (
        "take beyond",
        lambda folder: _good().take(samples=3),
        r"asks for position 2, .* 2 samples; ask for 0 … 1",
    ),
    (
        "take below",
        lambda folder: _good().take(samples=[-1]),
        r"asks for position -1, .* 2 samples; ask for 0 … 1",
    ),
    (
        "take halves",
        lambda folder: _good().take(samples=[0.5]),
        r"samples must be .* or a list of their positions",
    ),
    (
        "select nothing",
        lambda folder: _good().select([]),
        r"rows selects nothing; at least one row must stay",
    ),
    (
        "select a slice",
        lambda folder: _good().select(slice(9, 12)),
        r"rows selects nothing; at least one row",
    ),
    (
        "select beyond",
        lambda folder: _good().select([0, 8]),
        r"rows asks for positions beyond the 8 rows; .* 0 … 7",
    ),
    (
        "short mask",
        lambda folder: _good().select([True]),
        r"rows is a mask of 1 entries, but there are 8 rows; give",
    ),
    (
        "select names",
        lambda folder: _good().select(["a"]),
        r"rows is <U1 of shape \(1,\); give a boolean mask",
    ),
    ("no batch", lambda folder: list(_good().batches(0)), r"rows must be a number of rows above 0, not 0"),
    # saving
    (
        "save suffix",
        lambda folder: _good().save(folder / "x.pkl"),
        r"unknown suffix '\.pkl'; use one of \.parquet, ",
    ),
    (
        "save nowhere",
        lambda folder: _good().save(folder / "no" / "x.npz"),
        r"the folder does not exist; make it first",
    ),
    (
        "save on a folder",
        lambda folder: _good().save(_made(folder)),
        r"made\.npz is a folder; give the name of a file in it",
    ),
    (
        "save samples as CSV",
        lambda folder: _good().save(folder / "x.csv"),
        r"CSV holds one sample, .* 2; save as",
    ),
    (
        "save a reserved name as CSV",
        lambda folder: _single(metadata={"p_cow": [1] * 8}).save(folder / "x.csv"),
        r"metadata column 'p_cow' would be taken for a prediction in CSV; rename",
    ),
    (
        "save an ambiguous class as CSV",
        lambda folder: _single([-1, 0] * 4, classes=["-1", "0", "1"]).save(folder / "x.csv"),
        r"a class is called '-1', which in CSV marks novel or unlabelled rows; save as",
    ),
    (
        "scan CSV",
        lambda folder: scan(_saved(folder / "x.csv")),
        r"cannot be streamed; convert it first: surefoot con",
    ),
    (
        "scan NPZ",
        lambda folder: scan(_saved(folder / "x.npz")),
        r"cannot be streamed; convert it first: surefoot con",
    ),
    (
        "scan a missing column",
        lambda folder: scan(_saved(folder / "x.parquet"), metadata=["age"]),
        r"there is no metadata column 'age'; there is region",
    ),
    (
        "scan empty batches",
        lambda folder: list(scan(_saved(folder / "x.parquet")).batches(0)),
        r"rows must be a number of rows above 0, not 0",
    ),
]


def _single(target: object = None, **options: object) -> Predictions:
    return Predictions.classification(GOOD[0], target, **options)


def _saved(path: Path) -> Path:
    _single(metadata={"region": ["north"] * 8}).save(path)
    return path


def _made(folder: Path) -> Path:
    (folder / "made.npz").mkdir()
    return folder / "made.npz"


def _loading(writer: Callable[[Path], Path]) -> Call:
    return lambda folder: load(writer(folder))


CASES = [
    *(pytest.param(call, pattern, id=f"call: {name}") for name, call, pattern in BAD_CALLS),
    *(pytest.param(_loading(writer), pattern, id=f"file: {name}") for name, writer, pattern in BAD_FILES),
]


@pytest.mark.parametrize(("call", "pattern"), CASES)
def test_bad_input_is_refused_with_a_sentence(call: Call, pattern: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=pattern) as refusal:
        call(tmp_path)
    assert "\n" not in str(refusal.value)
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


@pytest.mark.parametrize(
    ("writer", "pattern"),
    [pytest.param(writer, pattern, id=name) for name, writer, pattern in BAD_FILES],
)
def test_streaming_refuses_what_loading_refuses(writer: Call, pattern: str, tmp_path: Path) -> None:
    path = writer(tmp_path)
    pattern = pattern if path.suffix == ".parquet" else r"unknown suffix|cannot be streamed|is empty"
    with pytest.raises(InputError, match=pattern) as refusal:
        list(scan(path).batches())
    assert str(refusal.value).startswith(str(path))
    assert f"{path}: {path}" not in str(refusal.value)


def test_names_of_cases_are_unique() -> None:
    for names in ([name for name, _, _ in BAD_CALLS], [name for name, _, _ in BAD_FILES]):
        assert len(set(names)) == len(names)


def test_rows_of_a_later_batch_are_counted_from_its_start(tmp_path: Path) -> None:
    probs = np.full((2, 100, 3), 1 / 3)
    path = tmp_path / "late.parquet"
    good = Predictions.classification(probs)
    good.arrays["probs"][1, 71] = 2.0
    save(good, path)
    with pytest.raises(InputError, match=r"late\.parquet, counting rows from 64: probs .* in row 7 "):
        list(scan(path).batches(32))
    with pytest.raises(InputError, match=r"late\.parquet: probs .* in row 71 "):
        load(path)
