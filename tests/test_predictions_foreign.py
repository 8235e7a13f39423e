"""Files that others wrote, without this package, say the same as tables made here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import foreign
from surefoot.predictions import NOVEL, UNLABELLED, Predictions, load, scan
from surefoot.predictions._kinds import RESERVED

DOCUMENT = Path(__file__).parent.parent / "docs" / "predictions.md"

WRITE_ALL = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("error")
import foreign
paths = {name: str(writer(Path(sys.argv[1]))) for name, writer in foreign.ALL.items()}
assert not any(name.split(".")[0] == "surefoot" for name in sys.modules)
print(json.dumps(paths))
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every foreign file, written by a process that never imports this package."""
    folder = tmp_path_factory.mktemp("foreign")
    done = subprocess.run(
        [sys.executable, "-c", WRITE_ALL, str(folder)],
        cwd=Path(foreign.__file__).parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return {name: Path(path) for name, path in json.loads(done.stdout).items()}


def assert_holds(found: Predictions, expected: dict[str, Any], samples: slice = slice(None)) -> None:
    for name, values in expected.items():
        if name in found.arrays:
            np.testing.assert_allclose(found.arrays[name], values[samples], rtol=1e-6, err_msg=name)
        elif name == "target":
            np.testing.assert_array_equal(found.target, values)
    assert set(found.arrays) == {name for name in ("probs", "mean", "variance") if name in expected}
    np.testing.assert_array_equal(found.id, expected["id"])
    np.testing.assert_array_equal(found.partition, expected["partition"])
    assert set(found.metadata) == {"region", "age"}
    np.testing.assert_array_equal(found.metadata["region"], expected["region"])
    np.testing.assert_array_equal(found.metadata["age"], expected["age"])


def joined(path: Path, rows: int) -> Predictions:
    """What streaming tells, put together again."""
    stream = scan(path)
    batches = list(stream.batches(rows))
    assert sum(map(len, batches)) == len(stream)
    together = {name: np.concatenate([b.arrays[name] for b in batches], axis=1) for name in batches[0].arrays}
    further = {name: np.concatenate([b.metadata[name] for b in batches]) for name in batches[0].metadata}
    return Predictions(
        kind=stream.kind,
        arrays=together,
        target=np.concatenate([b.target for b in batches]),
        id=np.concatenate([b.id for b in batches]),
        partition=np.concatenate([b.partition for b in batches]),
        member=stream.member,
        classes=stream.classes,
        metadata=further,
        info=stream.info,
    )


@pytest.mark.parametrize("name", foreign.CLASSIFICATION)
def test_classification(name: str, paths: dict[str, Path]) -> None:
    found = load(paths[name])
    assert found.kind == "classification"
    assert_holds(found, foreign.classification())
    assert found.classes == (("0", "1", "2") if name in foreign.WITHOUT_CLASSES else foreign.CLASSES)
    if name in foreign.WITHOUT_MEMBER:
        assert (found.member.tolist(), dict(found.info)) == ([0, 1, 2, 3], {})
    else:
        assert (tuple(found.member), dict(found.info)) == (foreign.MEMBER, foreign.INFO)


@pytest.mark.parametrize("name", foreign.SINGLE)
def test_a_single_sample(name: str, paths: dict[str, Path]) -> None:
    found = load(paths[name])
    assert found.kind == "classification"
    assert_holds(found, foreign.classification(), slice(1))


@pytest.mark.parametrize("name", [*foreign.REGRESSION, *foreign.MULTILABEL])
def test_other_kinds(name: str, paths: dict[str, Path]) -> None:
    found = load(paths[name])
    kind = "regression" if name in foreign.REGRESSION else "multilabel"
    assert found.kind == kind
    assert_holds(found, getattr(foreign, kind)())


def test_other_kinds_in_csv(paths: dict[str, Path]) -> None:
    assert_holds(load(paths["pandas_multilabel_csv"]), foreign.multilabel(), slice(1))
    assert_holds(load(paths["pandas_regression_csv"]), foreign.regression(), slice(1))


@pytest.mark.parametrize("rows", [1, 7, 1000])
@pytest.mark.parametrize("name", foreign.ALL)
def test_streaming_says_the_same(name: str, rows: int, paths: dict[str, Path]) -> None:
    if paths[name].suffix != ".parquet":
        converted = paths[name].with_suffix(".converted.parquet")
        load(paths[name]).save(converted)
        paths = {name: converted}
    whole = load(paths[name])
    expected = {**whole.arrays, "target": whole.target, "id": whole.id, "partition": whole.partition}
    assert_holds(joined(paths[name], rows), expected | dict(whole.metadata))


@pytest.mark.parametrize("suffix", [".parquet", ".npz", ".csv"])
@pytest.mark.parametrize("name", foreign.ALL)
def test_conversion_loses_nothing(name: str, suffix: str, paths: dict[str, Path], tmp_path: Path) -> None:
    found = load(paths[name])
    found = found.take(samples=1) if suffix == ".csv" else found
    found.save(tmp_path / f"converted{suffix}")
    again = load(tmp_path / f"converted{suffix}")
    expected = {**found.arrays, "target": found.target, "id": found.id, "partition": found.partition}
    assert_holds(again, expected | dict(found.metadata))
    assert (again.kind, again.classes) == (found.kind, found.classes)
    if suffix != ".csv":
        assert (tuple(again.member), dict(again.info)) == (tuple(found.member), dict(found.info))


def test_the_documented_examples_write_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    for language, code in re.findall(r"```(python|sql)\n(.*?)```", DOCUMENT.read_text(), flags=re.DOTALL):
        if language == "python":
            exec(compile(code, str(DOCUMENT), "exec"), namespace)
        else:
            with duckdb.connect() as connection:
                connection.execute(code)
    ours = load("surefoot.parquet")
    assert ours.target.tolist() == [0, 1, NOVEL, UNLABELLED]
    assert {path.name for path in tmp_path.iterdir()} == {
        "numpy.npz",
        "pandas.parquet",
        "polars.parquet",
        "duckdb.parquet",
        "surefoot.parquet",
    }
    for path in tmp_path.iterdir():
        theirs = load(path)
        np.testing.assert_allclose(theirs.probs, ours.probs, rtol=1e-6)
        for name in ("target", "id", "partition", "member"):
            np.testing.assert_array_equal(getattr(theirs, name), getattr(ours, name), err_msg=path.name)
        np.testing.assert_array_equal(theirs.metadata["age"], ours.metadata["age"])
        assert (theirs.kind, theirs.classes, theirs.info) == (ours.kind, ours.classes, ours.info)
    assert capsys.readouterr().out.count("[") >= 2
    assert [len(one.member) for one in (namespace["first"], namespace["second"])] == [2, 1]
    assert namespace["shifted"].id.tolist() == ["c", "d"]


def test_the_documented_csv_is_read(tmp_path: Path) -> None:
    (table,) = re.findall(r"```\n(id,partition.*?)```", DOCUMENT.read_text(), flags=re.DOTALL)
    (tmp_path / "documented.csv").write_text(table)
    found = load(tmp_path / "documented.csv")
    assert (found.classes, found.target.tolist()) == (("cat", "dog"), [0, 1, NOVEL])
    assert found.metadata["age"].tolist() == [3, 5, 4]


def test_every_reserved_name_is_documented() -> None:
    text = DOCUMENT.read_text()
    (listed,) = re.findall(r"Metadata may not be called (.*?)\.", text, flags=re.DOTALL)
    assert set(re.findall(r"`(\w+)`", listed)) == RESERVED
