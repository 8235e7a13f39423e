"""A pickled pandas table is read without pandas, and a pickle that wants anything else is refused."""

from __future__ import annotations

import lzma
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.data._pickled import is_pickled, read_pickled
from surefoot.errors import InputError


def packed(path: Path, value: object) -> Path:
    path.write_bytes(lzma.compress(pickle.dumps(value, protocol=5)))
    return path


def frame(columns: dict[str, list[object]]) -> pd.DataFrame:
    """A frame as older versions of pandas make it: text in columns of objects."""
    made = {
        name: pd.Series(values, dtype=object if any(isinstance(value, str) for value in values) else None)
        for name, values in columns.items()
    }
    return pd.DataFrame(made).set_axis(pd.Index(list(columns), dtype=object), axis=1)


def test_a_table_comes_out_as_it_went_in(tmp_path: Path):
    columns = {
        "count": [1, -2, 3],
        "text": ["a", None, "ß"],
        "real": [0.5, np.nan, 1e300],
        "more": [7, 8, 9],
        "flag": [True, False, True],
        "gaps": [1.0, np.nan, 2.0],
    }
    path = packed(tmp_path / "table.pkl.compress", frame(columns))
    assert is_pickled(path)
    table = read_pickled(path)
    assert table.to_pydict() == {**columns, "real": [0.5, None, 1e300], "gaps": [1.0, None, 2.0]}
    assert [str(table.schema.field(name).type) for name in columns] == [
        *("int64", "string", "double", "int64", "bool", "double")
    ]


@given(
    st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.text(max_size=5), st.floats(allow_nan=False)),
        min_size=1,
        max_size=20,
    )
)
def test_any_values(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, float]]):
    columns = dict(zip("abc", map(list, zip(*rows, strict=True)), strict=True))
    path = packed(tmp_path_factory.getbasetemp() / "any.pkl.compress", frame(columns))
    assert read_pickled(path).to_pydict() == columns


def test_columns_that_are_not_a_run_stay_in_place(tmp_path: Path):
    made = frame({"b": [1.5], "a": [1], "c": [2.5], "d": [2], "e": [3]})
    assert read_pickled(packed(tmp_path / "x", made)).to_pydict() == {
        "b": [1.5], "a": [1], "c": [2.5], "d": [2], "e": [3]
    }  # fmt: skip


class Shell:
    """What a malicious pickle holds: a call of the shell."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (self.command,)


def test_nothing_is_run(tmp_path: Path):
    path = packed(tmp_path / "bad.pkl.compress", {"x": Shell(f"touch {tmp_path / 'ran'}")})
    with pytest.raises(
        InputError, match=r"bad\.pkl\.compress is not a pickled table \(it asks for .*\.system\)"
    ):
        read_pickled(path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "value",
    [
        {"x": [1]},
        3,
        pd.Series([1, 2]),
        frame({"when": [np.datetime64("2020-01-01")]}),
        frame({"kind": [1]}).astype("category"),
    ],
)
def test_other_pickles_are_refused(tmp_path: Path, value: object):
    with pytest.raises(InputError, match="x is not a pickled table"):
        read_pickled(packed(tmp_path / "x", value))


def test_damaged_files_are_refused(tmp_path: Path):
    whole = packed(tmp_path / "x", frame({"a": list(range(1000))})).read_bytes()
    for broken in (whole[: len(whole) // 2], lzma.compress(b"hello"), lzma.compress(b""), b"not xz"):
        (tmp_path / "x").write_bytes(broken)
        with pytest.raises(InputError, match="x is not a pickled table"):
            read_pickled(tmp_path / "x")
    assert not is_pickled(tmp_path / "x")


def test_pandas_is_not_needed(tmp_path: Path):
    path = packed(tmp_path / "x", frame({"a": [1, 2], "b": ["u", "v"]}))
    code = (
        "import importlib.abc, sys\n"
        "class Nowhere(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name.partition('.')[0] == 'pandas': raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Nowhere())\n"
        "from pathlib import Path; from surefoot.data._pickled import read_pickled\n"
        f"print(read_pickled(Path({str(path)!r})).to_pydict())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'a': [1, 2], 'b': ['u', 'v']}"
