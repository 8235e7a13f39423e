"""Predictions files that must be refused, each with what the message has to say.

`BAD_FILES` holds (name, a function that writes the file into a folder and returns its path, a pattern of the
message: what is wrong, in which rows or columns, and what to do).
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Writer = Callable[[Path], Path]

ROWS = 8


def _classifier(**changes: Any) -> dict[str, Any]:
    """Columns of a good file with 8 rows, one sample and 2 classes, with some of them replaced or added."""
    probs = [[0.25, 0.75]] * ROWS
    columns = {"id": list(range(ROWS)), "partition": ["in"] * 4 + ["shifted"] * 4, "target": [0, 1] * 4}
    return {**columns, "probs": probs, **changes}


def _regressor(**changes: Any) -> dict[str, Any]:
    columns = {"target": [0.5] * ROWS, "mean": [0.25] * ROWS, "variance": [1.0] * ROWS}
    return {"id": list(range(ROWS)), **columns, **changes}


def _labeller(**changes: Any) -> dict[str, Any]:
    return _classifier(**{"target": [[1.0, 1.0]] * ROWS, "probs": [[0.9, 0.8]] * ROWS, **changes})


def _but(good: list[Any], row: int, value: Any) -> list[Any]:
    return [*good[:row], value, *good[row + 1 :]]


def _bad_probs(value: list[float] | None) -> dict[str, Any]:
    return _classifier(probs=_but([[0.25, 0.75]] * ROWS, 3, value))


def _parquet(columns: dict[str, Any], header: Any = None) -> Writer:
    def write(folder: Path) -> Path:
        table = pa.table(columns)
        if header is not None:
            stored = header if isinstance(header, str) else json.dumps(header)
            table = table.replace_schema_metadata({"surefoot": stored})
        pq.write_table(table, folder / "bad.parquet")
        return folder / "bad.parquet"

    return write


def _header(**changes: Any) -> dict[str, Any]:
    return {"format": 1, "kind": "classification", "samples": 1, "classes": ["cat", "dog"], **changes}


def _npz(**arrays: Any) -> Writer:
    def write(folder: Path) -> Path:
        np.savez(folder / "bad.npz", **arrays)
        return folder / "bad.npz"

    return write


def _csv(*lines: str) -> Writer:
    return _text("bad.csv", "".join(f"{line}\n" for line in lines))


def _text(name: str, content: str | bytes) -> Writer:
    def write(folder: Path) -> Path:
        stored = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(stored)
        return folder / name

    return write


def _cut(writer: Writer, share: float) -> Writer:
    def write(folder: Path) -> Path:
        path = writer(folder)
        content = path.read_bytes()
        path.write_bytes(content[: int(share * len(content))])
        return path

    return write


def _twice_the_same_name(folder: Path) -> Path:
    columns = [pa.array(values) for values in (*_classifier().values(), [1] * ROWS, [2] * ROWS)]
    pq.write_table(pa.Table.from_arrays(columns, [*_classifier(), "age", "age"]), folder / "bad.parquet")
    return folder / "bad.parquet"


def _npy_called_npz(folder: Path) -> Path:
    with (folder / "bad.npz").open("wb") as file:
        np.save(file, np.ones((3, 2)) / 2)
    return folder / "bad.npz"


def _zip_of_a_text(folder: Path) -> Path:
    _npz(probs=np.full((ROWS, 2), 0.5))(folder)
    with zipfile.ZipFile(folder / "bad.npz", "a") as archive:
        archive.writestr("README", "not an array")
    return folder / "bad.npz"


def _flipped_bytes(folder: Path) -> Path:
    path = _npz(probs=np.full((1000, 2), 0.5))(folder)
    content = bytearray(path.read_bytes())
    content[5000:5010] = b"\xff" * 10
    path.write_bytes(content)
    return path


def _missing(folder: Path) -> Path:
    return folder / "nowhere.parquet"


def _folder(folder: Path) -> Path:
    (folder / "folder.parquet").mkdir()
    return folder / "folder.parquet"


_PROBS = np.full((ROWS, 2), 0.5)
_GOOD_CSV = ("id,target,p_cat,p_dog", "a,cat,0.5,0.5", "b,dog,0.25,0.75")

BAD_FILES: list[tuple[str, Writer, str]] = [
    # values
    (
        "NaN",
        _parquet(_bad_probs([np.nan, 0.5])),
        r"probs has NaN or infinite values in row 3; remove or repair",
    ),
    (
        "infinity",
        _parquet(_bad_probs([np.inf, 0.0])),
        r"probs has NaN or infinite values in row 3; remove or",
    ),
    (
        "negative",
        _parquet(_bad_probs([-0.5, 1.5])),
        r"probs has negative values in row 3; .* apply a softmax",
    ),
    (
        "unnormalised",
        _parquet(_bad_probs([0.5, 0.6])),
        r"sum to 1 in row 3 \(.*1\.1, tolerance 0\.001\); normalise",
    ),
    (
        "samples without a header",
        _parquet(_classifier(probs=[[0.25, 0.75, 0.5, 0.5]] * ROWS)),
        r"probs does not sum to 1 in row 0, but to 2; .* state so in the schema metadata .* or .*\[S\]\[K\]",
    ),
    (
        "samples that the header does not state",
        _parquet(_classifier(probs=[[0.25, 0.75, 0.5, 0.5]] * ROWS), {"format": 1, "kind": "classification"}),
        r"probs does not sum to 1 in row 0, but to 2; .* 2 samples, state so in .* \(samples: 2\)",
    ),
    (
        "sigmoids",
        _parquet(_classifier(probs=[[0.75, 0.5]] * ROWS)),
        r"probs does not sum to 1 in rows .*; normalise with .*, or treat sigmoid outputs .* as multilabel",
    ),
    (
        "positive logits",
        _parquet(_classifier(probs=[[7.5, 1.25]] * ROWS)),
        r"does not sum to 1 in rows .*; values go up to 7\.5: are these logits\? Then apply a softmax",
    ),
    (
        "ragged lists",
        _parquet(_bad_probs([1.0])),
        r"probs has lists of different lengths: 2 .* row 3; write S·K",
    ),
    ("missing list", _parquet(_bad_probs(None)), r"probs is missing in row 3; remove or fill"),
    (
        "missing number",
        _parquet(_bad_probs([None, 1.0])),
        r"probs has NaN or infinite values in row 3; remove or repair",
    ),
    (
        "texts for probabilities",
        _parquet(_classifier(probs=[["a", "b"]] * ROWS)),
        r"probs has type list<.*string>; write numbers",
    ),
    (
        "a class too many",
        _parquet(_classifier(target=_but([0] * ROWS, 5, 2))),
        r"target lies outside the 2 classes \(codes 0 … 1\) in row 5; mark .* -1 .* -2",
    ),
    (
        "a strange code",
        _parquet(_classifier(target=_but([0] * ROWS, 5, -3))),
        r"target lies outside the 2 classes .* in row 5; mark .* -1",
    ),
    (
        "half a class",
        _parquet(_classifier(target=_but([0.0] * ROWS, 5, 0.5))),
        r"target is not a whole number in row 5; give class codes",
    ),
    (
        "an unknown class name",
        _parquet(_classifier(target=_but(["cat"] * ROWS, 5, "cow")), _header()),
        r"target holds 'cow' in row 5, .* 'cat', 'dog'; mark .* -1 .* empty",
    ),
    (
        "an unknown class number",
        _parquet(_classifier(target=_but([10] * ROWS, 5, 0)), _header(classes=[10, 20])),
        r"target holds 0 in row 5, .* '10', '20'; mark .* -1",
    ),
    (
        "targets that are dates",
        _parquet(_classifier(target=np.array(["2020-01-01"] * ROWS, dtype="M8[D]"))),
        r"target has dtype datetime64\[D\]; give class codes or class names",
    ),
    (
        "a negative variance",
        _parquet(_regressor(variance=_but([1.0] * ROWS, 6, -1.0))),
        r"variance is negative in row 6; variances are ≥ 0 \(.* exponential",
    ),
    (
        "NaN mean",
        _parquet(_regressor(mean=_but([1.0] * ROWS, 6, np.nan))),
        r"mean has NaN or infinite values in row 6; remove or repair",
    ),
    (
        "a missing mean",
        _parquet(_regressor(mean=_but([1.0] * ROWS, 6, None))),
        r"mean has NaN or infinite values in row 6; remove or repair",
    ),
    (
        "an infinite target",
        _parquet(_regressor(target=_but([1.0] * ROWS, 6, np.inf))),
        r"target is infinite in row 6; remove these rows or set them to NaN",
    ),
    (
        "regression targets as text",
        _parquet(_regressor(target=["warm"] * ROWS)),
        r"target has dtype <U4, not numbers; convert",
    ),
    (
        "labels above 1",
        _parquet(_labeller(probs=_but([[0.9, 0.8]] * ROWS, 2, [1.5, 0.0]))),
        r"probs lies outside \[0, 1\] in row 2; .* apply a sigmoid",
    ),
    (
        "labels that are not 0 or 1",
        _parquet(_labeller(target=_but([[1.0, 0.0]] * ROWS, 2, [2.0, 0.0]))),
        r"target must be 0, 1 or NaN \(unlabelled\) for every label; row 2",
    ),
    (
        "too many labels",
        _parquet(_labeller(target=[[1.0, 0.0, 0.0]] * ROWS)),
        r"target holds 3 numbers a row, but there are 2 classes; write one",
    ),
    # ids, partitions, metadata
    (
        "a repeated number",
        _parquet(_classifier(id=[0, 1, 2, 3, 4, 5, 6, 2])),
        r"id 2 occurs more than once \(rows 2 and 7; .*\); give every input its own id",
    ),
    (
        "a repeated text",
        _parquet(_classifier(id=list("abcdefga"))),
        r"id 'a' occurs more than once \(rows 0 and 7; .*\); give every input its own id",
    ),
    (
        "a missing id",
        _parquet(_classifier(id=[0, 1, None, 3, 4, 5, 6, 7])),
        r"id is missing in row 2; give every input an id",
    ),
    (
        "a missing text id",
        _parquet(_classifier(id=[*"abcdefg", None])),
        r"id is missing in row 7; give every input an id",
    ),
    (
        "a missing partition",
        _parquet(_classifier(partition=_but(["in"] * ROWS, 4, None))),
        r"partition is missing in row 4; name the part",
    ),
    (
        "partitions by number",
        _parquet(_classifier(partition=[1] * ROWS)),
        r"partition has dtype int64; give names such as dev_in",
    ),
    (
        "a column of lists",
        _parquet(_classifier(embedding=[[1.0, 2.0]] * ROWS)),
        r"column 'embedding' has type list<.*>, not one value a row; drop or convert",
    ),
    (
        "a reserved column name",
        _parquet(_classifier(info=["x"] * ROWS)),
        r"metadata column 'info' has a reserved name; rename it",
    ),
    (
        "an array of another kind",
        _parquet(_classifier(mean=[0.5] * ROWS)),
        r"metadata column 'mean' has a reserved name; rename it",
    ),
    (
        "a column there twice",
        _twice_the_same_name,
        r"the column 'age' is there more than once; rename one",
    ),
    # headers
    (
        "columns of something else",
        _parquet({"x": [1.0], "y": [2.0]}),
        r"the columns are x, y, but probs, or mean and variance are needed; rename",
    ),
    (
        "no variance",
        _parquet({"mean": [1.0], "target": [2.0]}),
        r"variance \[S, N\] is missing; .* mean and variance: if the model gives none, .* mean squared error",
    ),
    (
        "a column a class",
        _parquet({"p_cat": [0.5], "p_dog": [0.5], "target": ["cat"]}),
        r"the columns are p_cat, .*; one column a class .* is for CSV: write one column probs, a list",
    ),
    (
        "a target by another name",
        _parquet({"probs": [[0.5, 0.5]], "Label": [1]}),
        r"there is no target; the column Label looks like one: rename it to target \(or drop it to evaluate",
    ),
    (
        "one-hot targets in lists",
        _parquet({"probs": [[0.5, 0.5]] * 3, "target": [[1, 0], None, [0, 1]]}),
        r'the target looks one-hot: give class codes \(target\.argmax\(1\)\), or state kind="multilabel"',
    ),
    (
        "one-hot targets beside samples",
        _parquet({"probs": [[[0.5, 0.5], [0.25, 0.75]]] * 2, "target": [[1.0, 0.0], [0.0, 1.0]]}),
        r"the target looks one-hot",
    ),
    (
        "a header for another kind",
        _parquet(_classifier(), {"format": 1, "kind": "regression", "samples": 1}),
        r"the column 'mean' is missing, which regression predictions need; add it",
    ),
    (
        "no rows",
        _parquet({"probs": pa.array([], pa.list_(pa.float32()))}),
        r"there are no rows; give at least one",
    ),
    (
        "a header that is no JSON",
        _parquet(_classifier(), "{"),
        r"key 'surefoot' is not JSON \(.*\); write JSON with",
    ),
    (
        "a header that is no object",
        _parquet(_classifier(), "[1]"),
        r"'surefoot' lacks format or kind; write JSON with",
    ),
    (
        "a header without kind",
        _parquet(_classifier(), {"format": 1}),
        r"lacks format or kind; write JSON with format",
    ),
    (
        "a later format",
        _parquet(_classifier(), _header(format=2)),
        r"the format is 2, .* reads 1; update surefoot",
    ),
    (
        "an unknown kind",
        _parquet(_classifier(), _header(kind="ranking")),
        r"kind must be one of classification, multilabel, regression, not 'ranking'",
    ),
    (
        "samples that do not divide the lists",
        _parquet(_classifier(), _header(samples=3)),
        r"probs holds 2 numbers a row, which are not 3 samples; mend the header",
    ),
    (
        "too few class names",
        _parquet(_classifier(), _header(classes=["cat"])),
        r"classes names 1 classes, but the predictions have 2; name each column",
    ),
    (
        "a class name given twice",
        _parquet(_classifier(), _header(classes=["cat", "cat"])),
        r"classes names cat twice or not at all; give each its own name",
    ),
    (
        "members of other samples",
        _parquet(_classifier(), _header(member=[0, 1])),
        r"member holds 2 values of int64, but there are 1 samples; give one whole number",
    ),
    (
        "facts that are not plain",
        _parquet(_classifier(), _header(info={"seeds": [1, 2]})),
        r"info\['seeds'\] is list; give a string, a number or a boolean",
    ),
    # foreign and damaged files
    (
        "a text called .parquet",
        _text("bad.parquet", "id,probs\n1,2\n"),
        r"not a Parquet file, .*; write it again",
    ),
    (
        "a truncated Parquet file",
        _cut(_parquet(_classifier()), 0.7),
        r"not a Parquet file, .*; write it again",
    ),
    (
        "a text called .npz",
        _text("bad.npz", "not an archive"),
        r"not an NPZ archive, .* write it with numpy\.savez",
    ),
    ("an array called .npz", _npy_called_npz, r"not an NPZ archive, .* write it with numpy\.savez"),
    (
        "a truncated NPZ archive",
        _cut(_npz(probs=_PROBS), 0.7),
        r"not an NPZ archive, or it is truncated; write it",
    ),
    (
        "a damaged NPZ archive",
        _flipped_bytes,
        r"the array 'probs' cannot be read, it is damaged \(.*\); write it again",
    ),
    (
        "an archive with a text",
        _zip_of_a_text,
        r"'README' is not a NumPy array; write the archive with numpy\.savez",
    ),
    (
        "objects in an archive",
        _npz(probs=_PROBS, age=np.array([1, None] * 4, dtype=object)),
        r"the array 'age' holds Python objects, which are never unpickled; save numbers or text",
    ),
    (
        "an archive of something else",
        _npz(x=_PROBS),
        r"the arrays are x, but probs, or mean and variance are needed",
    ),
    (
        "empty arrays",
        _npz(probs=np.ones((0, 2))),
        r"probs is empty \(shape \(1, 0, 2\)\); give at least one row",
    ),
    (
        "mismatched lengths",
        _npz(probs=_PROBS, target=np.zeros(7, dtype=int)),
        r"target has 7 rows, but the predictions have 8; give one per row",
    ),
    (
        "wrong rank",
        _npz(probs=np.full((2, 2, ROWS, 2), 0.5)),
        r"probs has shape \(2, 2, 8, 2\), but \[S, N, K\] is needed, or \[N, K\] .*; reshape",
    ),
    (
        "metadata of two axes",
        _npz(probs=_PROBS, embedding=np.ones((ROWS, 3))),
        r"column 'embedding' has shape \(8, 3\), but one value per row is needed; reshape or drop",
    ),
    (
        "arrays that disagree",
        _npz(probs=_PROBS, logits=np.zeros((ROWS, 3))),
        r"logits has shape \(1, 8, 3\), but probs has \(1, 8, 2\); their samples, rows and classes must agree",
    ),
    (
        "samples after rows",
        _npz(probs=np.full((ROWS, 3, 2), 0.5), target=np.zeros(ROWS, dtype=int)),
        r"target has 8 rows, but the predictions have 3: probs has shape \(8, 3, 2\); .* order \[S, N, K\]",
    ),
    (
        "classes before rows",
        _npz(probs=_PROBS.T, target=np.zeros(ROWS, dtype=int)),
        r"target has 8 rows, but the predictions have 2: probs has shape \(2, 8\); .* or \[N, K\] of a single",
    ),
    (
        "classes before rows without targets",
        _npz(probs=np.full((3, 2, ROWS), 0.5)),
        r"does not sum to 1 in rows 0, 1 .*; the axis of length 2 does: the classes must be the last axis",
    ),
    (
        "regression samples after rows",
        _npz(mean=np.ones((ROWS, 3)), variance=np.ones((ROWS, 3)), target=np.ones(ROWS)),
        r"target has 8 rows, but the predictions have 3: mean has shape \(8, 3\); .* order \[S, N\], or \[N\]",
    ),
    (
        "regression targets in a column",
        _npz(mean=np.ones(ROWS), variance=np.ones(ROWS), target=np.ones((ROWS, 1))),
        r"target has shape \(8, 1\), but \[N\] is needed; flatten it with target\.ravel\(\)",
    ),
    (
        "class codes in a column",
        _npz(probs=_PROBS, target=np.ones((ROWS, 1))),
        r"target has 1 columns, .* 2 labels; give one each, or, if these are class codes, flatten it",
    ),
    (
        "one-hot targets",
        _npz(probs=_PROBS, target=np.eye(2)[[0, 1] * 4]),
        r'the target looks one-hot: give class codes \(target\.argmax\(1\)\), or state kind="multilabel"',
    ),
    (
        "one-hot targets of stated classes",
        _npz(probs=_PROBS, target=np.eye(2)[[0, 1] * 4], kind="classification"),
        r"target has shape \(8, 2\), but one class per row is needed; .* target\.argmax\(axis=1\)",
    ),
    (
        "classes counted from 1",
        _npz(probs=_PROBS, target=np.array([1, 2, -1, -2, 1, 2, 1, 2])),
        r"outside the 2 classes .* in rows 1, 5, 7; count classes from 0, or give classes=\[1, 2\]; mark",
    ),
    (
        "logits only",
        _npz(logits=_PROBS, target=np.zeros(ROWS, dtype=int)),
        r"probs \[S, N, K\] is missing; .* apply a softmax to the logits .* store the result as probs",
    ),
    (
        "no mean",
        _npz(variance=np.ones(ROWS)),
        r"mean \[S, N\] is missing; regression predictions need mean and variance$",
    ),
    (
        "a target array by another name",
        _npz(probs=_PROBS, y_true=np.zeros(ROWS, dtype=int)),
        r"there is no target; the column y_true looks like one: rename it to target",
    ),
    ("a single column", _npz(probs=np.ones((ROWS, 1))), r"probs has one column; give one per class"),
    (
        "info that is no JSON",
        _npz(probs=_PROBS, info="seed 1"),
        r"info is not JSON; write it with json\.dumps",
    ),
    ("info that is no object", _npz(probs=_PROBS, info="[1]"), r"info is list; give a dict of strings"),
    (
        "a kind that does not fit",
        _npz(probs=_PROBS, kind="regression"),
        r"mean \[S, N\] is missing; regression predictions need mean and variance",
    ),
    # CSV
    ("a header only", _csv(_GOOD_CSV[0]), r"there is a header but no rows; give at least one row"),
    ("no bytes", _text("bad.csv", ""), r"is empty \(0 bytes\); write it again"),
    (
        "blank lines",
        _text("bad.csv", "\n\n"),
        r"the header is a single column, ''; separate columns by commas",
    ),
    (
        "semicolons",
        _csv(*(line.replace(",", ";") for line in _GOOD_CSV)),
        r"the header is a single column, 'id;target;p_cat;p_dog'; separate columns by commas",
    ),
    (
        "decimal commas",
        _csv("id,target,p_cat,p_dog", 'a,cat,"0,5","0,5"'),
        r"column 'p_cat' holds '0,5' in row 0; write numbers with a decimal point",
    ),
    (
        "text among the probabilities",
        _csv(*_GOOD_CSV, "c,cat,high,low"),
        r"column 'p_cat' holds 'high' in row 2; write numbers with a decimal point",
    ),
    (
        "dates among the probabilities",
        _csv("id,p_cat,p_dog", "a,2020-01-01,0.5"),
        r"column 'p_cat' holds '2020-01-01' in row 0; write numbers",
    ),
    (
        "an empty cell",
        _csv(*_GOOD_CSV, "c,cat,,1.0"),
        r"probs has NaN or infinite values in row 2; remove or repair",
    ),
    (
        "a column without a class",
        _csv(*_GOOD_CSV, "c,owl,0.5,0.5"),
        r"target holds 'owl' in row 2, .*; mark .* -1",
    ),
    (
        "class codes that became floats for a gap in them",
        _csv("target,p_0,p_1", "0.0,0.5,0.5", ",0.2,0.8", "1.0,0.2,0.8"),
        r"target holds '0.0', '1.0' in rows 0, 2, .*; write numbers without a point \(pandas: .*Int64.*\), or mark",
    ),
    (
        "a label without its target",
        _csv("id,target_cat,p_cat,p_dog", "a,1,0.5,0.5"),
        r"the column 'target_dog' is missing; write target_<class> for every p_<class>",
    ),
    (
        "no class columns",
        _csv("id,target,cat,dog", "a,cat,0.5,0.5"),
        r"the columns are id, target, cat, dog, but probs, .* p_<class>.*; rename",
    ),
    (
        "a target column by another name",
        _csv(_GOOD_CSV[0].replace("target", "target_class"), *_GOOD_CSV[1:]),
        r"there is no target; the column target_class looks like one: rename it to target",
    ),
    (
        "logit columns only",
        _csv("target,logit_cat,logit_dog", "cat,1.5,0.5"),
        r"probs \[S, N, K\] is missing; .* apply a softmax to the logits",
    ),
    (
        "one class column",
        _csv("id,target,p_cat", "a,cat,1.0"),
        r"probs has one column; give one per class",
    ),
    (
        "a header name given twice",
        _csv("id,target,p_cat,p_cat", "a,cat,0.5,0.5"),
        r"the column 'p_cat' is there more than once; rename one",
    ),
    (
        "a column without a name",
        _csv(",target,p_cat,p_dog", "0,cat,0.5,0.5"),
        r"column 1 has no name; name or drop it \(pandas: index=False",
    ),
    (
        "a short row",
        _csv(*_GOOD_CSV, "c,cat,0.5"),
        r"cannot be read as CSV \(.*4 columns, got 3.*\); check that it is",
    ),
    (
        "a CSV file that is no text",
        _text("bad.csv", b"id,p_a\n\xff\xfe,1\n"),
        r"not a CSV file in UTF-8 \(.*\); write",
    ),
    (
        "a damaged number far down in CSV",
        _text("bad.csv", b"p_a,p_b\n" + b"0.5,0.5\n" * 2000 + b"0.\xff,0.5\n"),
        r"column 'p_a' is not UTF-8 in row 2000; write the file again in UTF-8",
    ),
    (
        "metadata in another encoding far down in CSV",
        _text("bad.csv", b"city,p_a,p_b\n" + b"Bonn,0.5,0.5\n" * 2000 + b"K\xf6ln,0.5,0.5\n"),
        r"column 'city' is not UTF-8 in row 2000; write the file again in UTF-8",
    ),
    (
        "repeated ids in CSV",
        _csv(*_GOOD_CSV, "a,cat,0.5,0.5"),
        r"id 'a' occurs more than once \(rows 0 and 2",
    ),
    # paths
    ("no such file", _missing, r"nowhere\.parquet is not a file; check the path"),
    ("a folder", _folder, r"folder\.parquet is not a file; check the path"),
    (
        "an unknown suffix",
        _text("predictions.json", "{}"),
        r"unknown suffix '\.json'; use one of \.parquet, \.npz, \.csv",
    ),
    ("no suffix", _text("predictions", "{}"), r"unknown suffix ''; use one of \.parquet, \.npz, \.csv"),
]
