"""Saving, loading and streaming: nothing gets lost, and a crash leaves the old file or the new one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot._atomic import atomic
from surefoot.errors import InputError
from surefoot.predictions import NOVEL, UNLABELLED, Predictions, _parquet, load, save, scan
from test_predictions_table import assert_same, columns, table

KINDS = ["classification", "multilabel", "regression"]
SUFFIXES = [".parquet", ".npz", ".csv"]

METADATA = {
    "text": np.array(["a", "", 'quoted, "twice"', "日本 ñ", "two\nlines"]),
    "flag": np.array([True, False, True, True, False]),
    "whole": np.array([1, -2, 3, 2**60, 5]),
    "small": np.array([1, 2, 3, 4, 5], dtype=np.uint8),
    "real": np.array([0.1, np.nan, 1e-300, -0.0, np.inf]),
    "half": np.array([0.1, 0.2, np.nan, 3, 4], dtype=np.float32),
    "day": np.array(["2020-01-01", "NaT", "1969-12-31", "2020-02-29", "2100-01-01"], dtype="M8[D]"),
    "second": np.array(["2020-01-01T01:02:03"] * 4 + ["NaT"], dtype="M8[s]"),
    "instant": np.array(["2020-01-01T01:02:03.000004"] * 5, dtype="M8[us]"),
    "a/b": np.array([1, 2, 3, 4, 5]),
    "file": np.array([1, 2, 3, 4, 5]),
    "allow_pickle": np.array([1, 2, 3, 4, 5]),
    'with.dot, and "quotes"': np.array([1, 2, 3, 4, 5]),
}


def five_rows(kind: str, samples: int) -> Predictions:
    metadata = METADATA if samples == 1 else METADATA | {"wait": np.arange(5).astype("m8[s]")}
    return table(kind, samples, 5, metadata=metadata)


def one_precision(predictions: Predictions) -> Predictions:
    """What a Parquet file keeps: class arrays in float32."""
    arrays = {
        name: values.astype(np.float32) if values.ndim == 3 else values
        for name, values in predictions.arrays.items()
    }
    return Predictions(**{**vars(predictions), "arrays": arrays})


def assert_close(found: Predictions, expected: Predictions) -> None:
    """Equal but for the type of numbers, which text does not tell."""
    ours, theirs = columns(found), columns(expected)
    assert set(ours) == set(theirs)
    for name, values in theirs.items():
        if values.dtype == np.float32:
            np.testing.assert_allclose(ours[name], values, rtol=1e-7, err_msg=name)
        else:
            np.testing.assert_array_equal(ours[name], values, err_msg=name)


# --- round trips ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("samples", [1, 4])
def test_npz_is_exact(kind: str, samples: int, tmp_path: Path) -> None:
    predictions = five_rows(kind, samples)
    predictions.save(tmp_path / "p.npz")
    assert_same(load(tmp_path / "p.npz"), predictions)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("samples", [1, 4])
def test_parquet_is_exact_in_float32(kind: str, samples: int, tmp_path: Path) -> None:
    predictions = one_precision(five_rows(kind, samples))
    predictions.save(tmp_path / "p.parquet")
    found = load(tmp_path / "p.parquet")
    assert found.metadata["second"].dtype == np.dtype("M8[ms]")  # Parquet has no seconds
    found.metadata["second"] = found.metadata["second"].astype("M8[s]")
    assert_same(found, predictions)


@pytest.mark.parametrize("kind", KINDS)
def test_csv_keeps_values(kind: str, tmp_path: Path) -> None:
    predictions = five_rows(kind, 1)
    predictions.save(tmp_path / "p.csv")
    found = load(tmp_path / "p.csv")
    assert_close(found, predictions)
    assert (found.kind, found.classes, dict(found.info)) == (kind, predictions.classes, {})


@given(
    kind=st.sampled_from(KINDS), samples=st.integers(1, 4), rows=st.integers(1, 9), seed=st.integers(0, 99)
)
def test_formats_agree(kind: str, samples: int, rows: int, seed: int, folder: Path) -> None:
    predictions = one_precision(table(kind, samples, rows, seed))
    paths = [folder / f"p{suffix}" for suffix in SUFFIXES[: 2 if samples > 1 else 3]]
    for path in paths:
        predictions.save(path)
    for path in paths[:2]:
        assert_same(load(path), predictions)
    for path in paths[2:]:
        for name, values in columns(load(path)).items():
            expected = columns(predictions)[name]
            close = (
                np.testing.assert_allclose if expected.dtype.kind == "f" else np.testing.assert_array_equal
            )
            close(values, expected)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples of a property."""
    return tmp_path_factory.mktemp("files")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_special_targets_survive(suffix: str, tmp_path: Path) -> None:
    probs = np.full((4, 3), 1 / 3)
    names = ["", "a,b", '"'] if suffix != ".csv" else ["x", "a,b", '"']
    names = [name or "-1" for name in names]
    target = [NOVEL, UNLABELLED, 1, 2] if suffix != ".csv" else [UNLABELLED, NOVEL, 1, 0]
    Predictions.classification(probs, target, classes=names).save(tmp_path / f"p{suffix}")
    found = load(tmp_path / f"p{suffix}")
    assert found.classes == tuple(names)
    assert found.target.tolist() == target


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_missing_labels_survive(suffix: str, tmp_path: Path) -> None:
    labels = np.array([[1, np.nan], [np.nan, np.nan], [0, 1]], dtype=np.float32)
    Predictions.multilabel(np.full((3, 2), 0.5), labels).save(tmp_path / f"p{suffix}")
    np.testing.assert_array_equal(load(tmp_path / f"p{suffix}").target, labels)
    values = np.array([np.nan, 1.5, np.nan])
    Predictions.regression(np.ones(3), np.ones(3), values).save(tmp_path / f"r{suffix}")
    np.testing.assert_array_equal(load(tmp_path / f"r{suffix}").target, values)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_labels_may_look_one_hot_where_the_kind_is_stated(suffix: str, tmp_path: Path) -> None:
    Predictions.multilabel(np.full((2, 2), 0.5), np.eye(2)).save(tmp_path / f"p{suffix}")
    assert load(tmp_path / f"p{suffix}").kind == "multilabel"


@pytest.mark.parametrize(
    ("probs", "labels"),
    [
        ([[0.5, 0.5], [0.5, 0.5]], [[1, 0], [1, 1]]),
        ([[0.5, 0.5], [0.5, 0.5]], [[1, 0], [0, 0]]),
        ([[0.5, 0.5], [0.5, 0.5]], [[np.nan, np.nan], [np.nan, np.nan]]),
        ([[0.5, 0.5], [0.5, 0.75]], [[1, 0], [0, 1]]),
    ],
)
def test_labels_that_are_not_one_hot_are_multilabel(probs: Any, labels: Any, tmp_path: Path) -> None:
    np.savez(tmp_path / "p.npz", probs=probs, target=labels)
    pq.write_table(pa.table({"probs": probs, "target": labels}), tmp_path / "p.parquet")
    for suffix in (".npz", ".parquet"):
        found = load(tmp_path / f"p{suffix}")
        assert found.kind == "multilabel"
        np.testing.assert_array_equal(found.target, labels)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_column_like_a_label_is_metadata_beside_a_target(suffix: str, tmp_path: Path) -> None:
    labelled = Predictions.classification(np.full((2, 2), 0.5), [0, 1], metadata={"label": [1, 2]})
    labelled.save(tmp_path / f"p{suffix}")
    assert load(tmp_path / f"p{suffix}").metadata["label"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "name", ["labels", "Y", "y_true", "CLASS", "true", "Truth", "ground_truth", " target"]
)
def test_a_target_by_any_other_name_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"p_a,p_b,{name}\n0.5,0.5,a\n")
    with pytest.raises(InputError, match=f"the column {name} looks like one: rename it to target"):
        load(tmp_path / "p.csv")


def test_a_file_may_have_no_target(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("p_a,p_b,year\n0.5,0.5,2020\n")
    assert load(tmp_path / "p.csv").target.tolist() == [UNLABELLED]


def test_the_layout_is_as_documented(tmp_path: Path) -> None:
    predictions = table("classification", 2, 5)
    predictions.save(tmp_path / "p.parquet")
    file = pq.ParquetFile(tmp_path / "p.parquet")
    assert file.schema_arrow.field("probs").type.equals(pa.list_(pa.float32(), 6))
    assert file.schema_arrow.field("logits").type.equals(pa.list_(pa.float32(), 6))
    assert file.schema_arrow.field("data_variance").type.equals(pa.list_(pa.float64(), 2))
    assert json.loads(file.schema_arrow.metadata[b"surefoot"]) == {
        "format": 1,
        "kind": "classification",
        "samples": 2,
        "classes": ["0", "1", "2"],
        "member": predictions.member.tolist(),
        "info": {"method": "ensemble", "seed": 0},
    }
    stored = file.read().to_pydict()
    np.testing.assert_array_equal(
        np.array(stored["probs"]).reshape(5, 2, 3), np.moveaxis(predictions.probs, 0, 1).astype(np.float32)
    )
    assert stored["target"] == [None if code == UNLABELLED else code for code in predictions.target.tolist()]


def test_row_groups_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = Predictions.regression(
        np.zeros((1, 150_000), dtype=np.float32), np.ones((1, 150_000), dtype=np.float32)
    )
    long.save(tmp_path / "long.parquet")
    groups = pq.ParquetFile(tmp_path / "long.parquet").metadata
    assert [groups.row_group(i).num_rows for i in range(3)] == [65_536, 65_536, 150_000 - 2 * 65_536]
    monkeypatch.setattr(_parquet, "_ROW_GROUP_VALUES", 100)
    table("classification", 4, 20).save(tmp_path / "wide.parquet")
    assert pq.ParquetFile(tmp_path / "wide.parquet").metadata.row_group(0).num_rows == 8


def test_suffixes_may_be_capitals(tmp_path: Path) -> None:
    predictions = table("regression", 2, 3)
    predictions.save(tmp_path / "P.NPZ")
    assert_same(load(str(tmp_path / "P.NPZ")), predictions)


def test_a_regression_may_have_metadata_named_like_a_class_in_csv(tmp_path: Path) -> None:
    values = {"p_value": [0.3, 0.04], "p_order": [3, 4], "logit_shift": [1.5, 2.5]}
    Predictions.regression([1.0, 2.0], [1.0, 1.0], [1.2, 1.9], metadata=values).save(tmp_path / "x.csv")
    back = load(tmp_path / "x.csv")
    assert back.kind == "regression"
    assert {name: column.tolist() for name, column in back.metadata.items()} == values


def test_columns_of_a_long_csv_change_their_type_late(tmp_path: Path) -> None:
    """More than one block of the reader holds whole numbers before the first half, and a text, come."""
    n = 60_000
    certain = np.tile([1.0, 0.0], (n, 1))
    certain[-1] = [0.25, 0.75]
    note = np.array(["7"] * (n - 1) + ["seven"])
    Predictions.classification(certain, np.zeros(n, dtype=int), metadata={"note": note}).save(
        tmp_path / "p.csv"
    )
    assert (tmp_path / "p.csv").stat().st_size > 1 << 20
    found = load(tmp_path / "p.csv")
    np.testing.assert_array_equal(found.probs[0], certain)
    np.testing.assert_array_equal(found.metadata["note"], note)


def test_nothing_is_ever_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    objects = np.array([Trap()] * 4, dtype=object)
    np.savez(tmp_path / "p.npz", probs=np.full((4, 2), 0.5), trap=objects)
    with pytest.raises(InputError, match="never unpickled"):
        load(tmp_path / "p.npz")
    assert not (tmp_path / "sprung").exists()


# --- streaming ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["ours", "theirs"])
def streamed(request: pytest.FixtureRequest, folder: Path) -> Path:
    """A file of 200 rows, in one row group or in row groups of 17 rows."""
    path = folder / f"{request.param}.parquet"
    random = np.random.default_rng(5)
    metadata = {
        "age": random.integers(0, 9, 200),
        "text": random.choice(["a", "b", "ccc"], 200),
        "day": random.integers(0, 9, 200).astype("M8[D]"),
    }
    table("classification", 3, 200, metadata=metadata).save(path)
    if request.param == "theirs":
        pq.write_table(pq.read_table(path), path, row_group_size=17)
    return path


@given(rows=st.integers(1, 250))
def test_streaming_equals_loading_for_any_batch_size(rows: int, streamed: Path) -> None:
    stream, whole = scan(streamed), load(streamed)
    header = (stream.kind, stream.classes, dict(stream.info), len(stream), stream.samples)
    assert header == (whole.kind, whole.classes, dict(whole.info), len(whole), whole.samples)
    np.testing.assert_array_equal(stream.member, whole.member)
    start = 0
    for batch in stream.batches(rows):
        assert 1 <= len(batch) <= rows
        assert_same(batch, whole.select(slice(start, start + len(batch))))
        start += len(batch)
    assert start == len(whole)


def test_streaming_may_be_repeated_and_interrupted(streamed: Path) -> None:
    stream = scan(streamed)
    assert repr(stream) == "Scan(classification, 200 rows, 3 samples)"
    first = next(iter(stream.batches(100)))
    again = next(iter(stream.batches(100)))
    assert_same(first, again)
    assert sum(map(len, stream.batches())) == 200


def test_streaming_reads_only_the_metadata_asked_for(streamed: Path) -> None:
    assert next(set(b.metadata) for b in scan(streamed, metadata=["age"]).batches(90)) == {"age"}
    assert next(set(b.metadata) for b in scan(streamed, metadata=[]).batches(90)) == set()
    assert next(set(b.metadata) for b in scan(streamed).batches(90)) == {"age", "text", "day"}


def test_ids_count_on_where_a_file_has_none(tmp_path: Path) -> None:
    pq.write_table(pa.table({"mean": [0.5] * 10, "variance": [1.0] * 10}), tmp_path / "p.parquet")
    assert [b.id.tolist() for b in scan(tmp_path / "p.parquet").batches(4)] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]


def test_ids_are_checked_across_batches(tmp_path: Path) -> None:
    n = 70_000
    for ids in (np.arange(n), np.array([f"row {i}" for i in range(n)])):
        ids[-1] = ids[3]
        plain = {"id": ids, "mean": np.zeros(n), "variance": np.ones(n)}
        pq.write_table(pa.table(plain), tmp_path / "p.parquet")
        for read in (scan, load):
            with pytest.raises(
                InputError, match=r"p\.parquet: id .* more than once \(rows 3 and 69999; 1 rep"
            ):
                read(tmp_path / "p.parquet")


def test_columns_with_gaps_have_one_type_in_all_batches(tmp_path: Path) -> None:
    columns = {
        "age": pa.array([1, 2, 3, 4, None, 6], pa.int32()),
        "flag": pa.array([True, None, True, False, True, True]),
        "town": pa.array(["a", None, "b", "a", "a", "b"]).dictionary_encode(),
        "rank": pa.array([1, 2, None, 2, 1, 1]).dictionary_encode(),
        "price": pa.array([1, None, 2, 3, 4, 5], pa.decimal128(5, 2)),
        "day": pa.array([0, 1, None, 3, 4, 5], pa.date32()),
        "none": pa.nulls(6),
        "full": pa.array([1, 2, 3, 4, 5, 6], pa.int8()),
    }
    zone = pa.array([0, 1, 2, 3, 4, 5], pa.timestamp("s", tz="Europe/Berlin"))
    plain = {"mean": [0.0] * 6, "variance": [1.0] * 6, "zone": zone}
    pq.write_table(pa.table(plain | columns), tmp_path / "p.parquet", row_group_size=2)
    expected = {
        "zone": np.arange(6).astype("M8[s]").astype("M8[ms]"),
        "age": np.array([1, 2, 3, 4, np.nan, 6]),
        "flag": np.array([1, np.nan, 1, 0, 1, 1]),
        "town": np.array(["a", "", "b", "a", "a", "b"]),
        "rank": np.array([1, 2, np.nan, 2, 1, 1]),
        "price": np.array([1, np.nan, 2, 3, 4, 5]),
        "day": np.array([0, 1, "NaT", 3, 4, 5], dtype="M8[D]"),
        "none": np.full(6, np.nan),
        "full": np.arange(1, 7, dtype=np.int8),
    }
    whole = load(tmp_path / "p.parquet").metadata
    for rows in (1, 4, 6):
        batches = [batch.metadata for batch in scan(tmp_path / "p.parquet").batches(rows)]
        for name, values in expected.items():
            np.testing.assert_array_equal(whole[name], values, err_msg=name, strict=True)
            parts = [batch[name] for batch in batches]
            np.testing.assert_array_equal(np.concatenate(parts), values, err_msg=name)
            assert {part.dtype.kind for part in parts} == {values.dtype.kind}, name


# --- atomic saving --------------------------------------------------------------------------------------

FULL_DISK = OSError(28, "No space left on device")

WRITERS: list[tuple[str, Any, str]] = [
    (".parquet", pq.ParquetWriter, "write_table"),
    (".npz", np.lib.format, "write_array"),
    (".csv", pyarrow.csv, "write_csv"),
]


def failing(write: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    def half_way(*arguments: Any, **options: Any) -> None:
        write(*arguments, **options)
        raise error

    return half_way


@pytest.mark.parametrize("error", [FULL_DISK, RuntimeError("bug"), KeyboardInterrupt()])
@pytest.mark.parametrize(("suffix", "module", "name"), WRITERS)
@pytest.mark.parametrize("before", [True, False])
def test_a_writer_that_fails_leaves_the_old_file(
    suffix: str,
    module: Any,
    name: str,
    error: BaseException,
    before: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / f"p{suffix}"
    if before:
        table("regression", 1, 3).save(path)
    content = path.read_bytes() if before else None
    monkeypatch.setattr(module, name, failing(getattr(module, name), error))
    expected = InputError if error is FULL_DISK else type(error)
    with pytest.raises(expected, match=r"cannot be written \(No space left|bug|^$"):
        table("regression", 1, 300).save(path)
    assert [file.name for file in tmp_path.iterdir()] == ([path.name] if before else [])
    if before:
        assert path.read_bytes() == content


KILLED = """
import sys, time
import surefoot._atomic
from test_predictions_table import table

def hang(descriptor):
    print("written", flush=True)
    time.sleep(600)

surefoot._atomic.os.fsync = hang
table("classification", 1, 1000).save(sys.argv[1])
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_killed_process_leaves_no_half_file(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"p{suffix}"
    old = table("classification", 1, 3)
    old.save(path)
    content = path.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.send_signal(signal.SIGKILL)
    assert path.read_bytes() == content
    old.save(path)
    assert [file.suffix for file in sorted(tmp_path.iterdir())] == [".tmp", suffix]


def crash(path: Path) -> None:
    with atomic(path) as temporary:
        temporary.write_text("other")
        raise ZeroDivisionError


def test_atomic_replaces_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    with atomic(path) as temporary:
        temporary.write_text("half")
        assert not path.exists()
        assert temporary.parent == path.parent
    assert path.read_text() == "half"
    with pytest.raises(ZeroDivisionError):
        crash(path)
    assert path.read_text() == "half"
    assert list(tmp_path.iterdir()) == [path]


def test_atomic_takes_names_of_any_length_and_the_usual_rights(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".txt")
    with atomic(path) as temporary:
        temporary.write_text("x")
    (tmp_path / "plain").write_text("x")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_atomic_follows_links(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "p.npz", tmp_path / "link.npz"
    link.symlink_to(target)
    predictions = table("regression", 2, 3)
    save(predictions, link)
    assert link.is_symlink()
    assert_same(load(target), predictions)


# --- damaged files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("suffix", [".parquet", ".npz"])
def test_truncated_files_are_refused_wherever_they_end(suffix: str, share: float, tmp_path: Path) -> None:
    path = tmp_path / f"p{suffix}"
    table("classification", 2, 200).save(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * (len(content) - 1))])
    with pytest.raises(
        InputError, match=r"is empty \(0 bytes\)|not a Parquet file|not an NPZ archive"
    ) as refusal:
        load(path)
    assert "write it again" in str(refusal.value) or "write it with numpy.savez" in str(refusal.value)


@pytest.mark.parametrize("cells", [1, 3, 5])
def test_a_csv_file_cut_inside_a_row_is_refused(cells: int, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    table("classification", 1, 200).save(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:50], ",".join(lines[50].split(",")[:cells])]))
    with pytest.raises(InputError, match=rf"cannot be read as CSV .* got {cells}.*; check that it is whole"):
        load(path)


@pytest.mark.parametrize("suffix", [".parquet", ".npz"])
def test_a_damaged_byte_is_harmless_or_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"p{suffix}"
    table("classification", 2, 40).save(path)
    content = path.read_bytes()
    # Arrow itself may end the process over a damaged footer, so only the pages before it are tried.
    footer = 8 + int.from_bytes(content[-8:-4], "little") if suffix == ".parquet" else 0
    refusals: list[str] = []
    for position in range(5, len(content) - footer, len(content) // 60):
        damaged = bytearray(content)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        with suppress_refusal(refusals):
            load(path)
    assert all(refusal.startswith(str(path)) for refusal in refusals)
    assert len(refusals) > 5


@contextmanager
def suppress_refusal(refusals: list[str]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        refusals.append(str(error))
