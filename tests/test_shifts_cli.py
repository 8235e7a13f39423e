"""`surefoot shift apply` and `list` as a user meets them."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from surefoot.cli import main
from surefoot.shifts import FlipSign, kinds

TEXT = """id,age,price,ok,city,day,y
007,31,1.50,True,Bern,2024-01-01,yes
008,45,2.5,False,"Basel, West",2024-01-02,no
009,,3.00,True,Bern,2024-01-03,yes
010,28,4.125,True,,2024-01-04,no
"""


def run(*arguments):
    """Exit code of a command run in this process."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(TEXT)
    return path


@pytest.fixture
def parquet(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "data.parquet"
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=50),
            "i": rng.integers(0, 5, 50, "int16"),
            "c": pd.Categorical(rng.choice(list("abc"), 50)),
            "y": rng.choice(["yes", "no"], 50),
        },
        index=np.arange(100, 150),
    )
    frame.to_parquet(path)
    return path


def test_every_kind_is_listed_and_explained(capsys):
    assert run("shift", "list") == 0
    shown = capsys.readouterr().out
    assert all(kind.name in shown for kind in kinds())
    assert run("shift", "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in listed] == [kind.name for kind in kinds()]
    assert listed[4]["options"]["size"] == "small"
    assert run("shift", "list", "gauss") == 0
    shown = capsys.readouterr().out
    assert "gaussian-noise: Adds normal noise" in shown
    assert "class: surefoot.shifts.GaussianNoise" in shown
    assert run("shift", "list", "nope") == 2


def test_what_does_not_move_is_written_as_it_was_read(data, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert run("shift", "apply", data, "--kind", "flip", "--columns", "price", "--seed", 1, "-o", out) == 0
    shown = capsys.readouterr().out
    assert shown == f"flip-sign: cells of 2 of 4 rows in 1 column (price) → {out}\n"
    before, after = TEXT.splitlines(), out.read_text().splitlines()
    assert len(after) == 5
    changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert len(changed) == 2
    for i in changed:
        price = pd.read_csv(data)["price"][i - 1]
        assert after[i] == before[i].replace(before[i].split(",", 2)[2].split(",")[0], f"{-price:g}", 1)


@pytest.mark.parametrize("kind", [kind.name for kind in kinds()])
def test_every_kind_applies_to_csv_and_parquet(kind, data, parquet, tmp_path):
    for source, out in ((data, tmp_path / "out.csv"), (parquet, tmp_path / "out.parquet")):
        assert run("shift", "apply", source, "--kind", kind, "--target", "y", "-o", out) == 0
    before, after = pd.read_csv(data, dtype=str), pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert after.shape == before.shape
    assert set(after["y"]) <= {"yes", "no"}
    assert set(after["ok"].dropna()) <= {"True", "False"}
    before, after = pd.read_parquet(parquet), pd.read_parquet(tmp_path / "out.parquet")
    assert after.shape == before.shape
    assert after["c"].dtype == before["c"].dtype
    assert after.columns.tolist() == before.columns.tolist()
    assert set(after.index) <= set(before.index)


def test_the_command_does_what_the_class_does(parquet, tmp_path):
    out = tmp_path / "out.parquet"
    arguments = ("--kind", "flip-sign", "--samples", 0.3, "--features", 1, "--seed", 7, "--target", "y")
    assert run("shift", "apply", parquet, *arguments, "-o", out) == 0
    frame = pd.read_parquet(parquet)
    expected, _, _ = FlipSign(samples=0.3, features=1.0)(frame.drop(columns="y"), None, 7)
    pd.testing.assert_frame_equal(pd.read_parquet(out).drop(columns="y"), expected)


def test_formats_may_change(data, parquet, tmp_path):
    assert run("shift", "apply", data, "--kind", "no-shift", "-o", tmp_path / "out.parquet") == 0
    assert pl.read_parquet(tmp_path / "out.parquet").schema["age"] == pl.Int64
    assert run("shift", "apply", parquet, "--kind", "no-shift", "-o", tmp_path / "out.csv") == 0
    moved = pl.read_csv(tmp_path / "out.csv")  # pandas reads some numbers an ulp off
    np.testing.assert_array_equal(moved["x"], pd.read_parquet(parquet)["x"])


def test_labels_move_only_where_they_should(data, tmp_path):
    out = tmp_path / "out.csv"
    arguments = ("--kind", "label-switch", "--samples", 1, "--target", "y", "-o", out)
    assert run("shift", "apply", data, *arguments) == 0
    before, after = pd.read_csv(data, dtype=str), pd.read_csv(out, dtype=str)
    assert after["y"].tolist() == ["no", "yes", "no", "yes"]
    pd.testing.assert_frame_equal(after.drop(columns="y"), before.drop(columns="y"))


def test_options_reach_the_kind(parquet, tmp_path):
    out, record = tmp_path / "out.parquet", tmp_path / "record.json"
    given = ("--option", 'shares={"yes": 4, "no": 1}', "--target", "y", "--record", record)
    assert run("shift", "apply", parquet, "--kind", "rebalance", *given, "-o", out) == 0
    assert (pd.read_parquet(out)["y"] == "yes").sum() == 40
    stored = json.loads(record.read_text())
    assert stored["details"]["shares"] == {"no": 0.2, "yes": 0.8}
    assert stored["options"] == {"shares": {"yes": 4, "no": 1}}
    assert stored["kinds"] == ["rebalance"]


def test_numbers_that_are_names(parquet, tmp_path):
    out = tmp_path / "out.parquet"
    given = ("--categorical", "i", "--columns", "i", "--samples", 1)
    assert run("shift", "apply", parquet, "--kind", "switch", *given, "-o", out) == 0
    before, after = pd.read_parquet(parquet)["i"], pd.read_parquet(out)["i"]
    assert after.dtype == "int16"
    assert (after != before).all()
    assert set(after) <= set(before)


def test_several_kinds_follow_each_other(parquet, tmp_path, capsys):
    out = tmp_path / "out.parquet"
    kinds_ = ("--kind", "flip", "--kind", "label-switch", "--samples", 1, "--features", 1)
    assert run("shift", "apply", parquet, *kinds_, "--target", "y", "-o", out) == 0
    before, after = pd.read_parquet(parquet), pd.read_parquet(out)
    assert (after["x"] == -before["x"]).all()
    assert (after["y"] != before["y"]).all()
    assert "mixture: cells of 50 of 50 rows in 2 columns (x, i); 50 labels in y" in capsys.readouterr().out


def test_the_record_tells_every_row_and_cell(parquet, tmp_path):
    out, record = tmp_path / "out.parquet", tmp_path / "record.parquet"
    shared = ("--target", "y", "-o", out, "--record", record)
    assert run("shift", "apply", parquet, "--kind", "missing", "--features", 0.6, *shared) == 0
    stored, frame = pd.read_parquet(record), pd.read_parquet(out).drop(columns="y").reset_index(drop=True)
    moved = {name.removeprefix("cell:"): stored[name] for name in stored if name.startswith("cell:")}
    assert len(moved) == 2
    for name, cells in moved.items():
        assert frame[name].isna().tolist() == cells.tolist()
    assert stored["source"].tolist() == list(range(50))
    assert not stored["label"].any()
    about = json.loads(pq.read_schema(record).metadata[b"surefoot"])
    assert about["shift"] == "missing-values"
    assert about["seed"] == 0
    assert run("shift", "apply", parquet, "--kind", "joint", *shared) == 0
    kept = pd.read_parquet(record)
    assert ((kept["detail:kept"] > 0) & (kept["detail:kept"] <= 1)).all()


def test_where_nothing_can_move_it_says_why(tmp_path, capsys):
    (tmp_path / "data.csv").write_text("a,b\nx,y\nz,w\n")
    out = tmp_path / "out.csv"
    assert run("shift", "apply", tmp_path / "data.csv", "--kind", "flip", "-o", out) == 0
    assert (
        "flip-sign: nothing moved, the table has no numeric column that may move" in capsys.readouterr().out
    )
    assert out.read_text() == "a,b\nx,y\nz,w\n"


def test_a_single_column_with_a_missing_value_survives(tmp_path):
    path, out = tmp_path / "data.csv", tmp_path / "out.csv"
    path.write_text('a\n1\n""\n3\n')
    assert run("shift", "apply", path, "--kind", "no-shift", "-o", out) == 0
    assert pd.read_csv(out, skip_blank_lines=False)["a"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kind", "flop"], "'flop' names no kind of shift"),
        (["--kind", "flip", "--samples", "2"], "samples is a share between 0 and 1, not 2.0"),
        (["--kind", "flip", "--option", "size"], "--option 'size' is not KEY=VALUE"),
        (["--kind", "flip", "--option", "size=large"], "flip-sign has no option size"),
        (["--kind", "no-shift", "--samples", "1"], "no-shift has no option samples; it has none"),
        (["--kind", "flip", "--columns", "nope"], "there is no column nope; the table has id, age"),
        (["--kind", "flip", "--target", "nope"], "there is no column nope; data.csv has id, age"),
        (["--kind", "knock"], "knock-out moves labels: give y (on the command line: --target)"),
        (["--kind", "flip", "--categorical", "q"], "categorical names q, but the columns are"),
        (["--kind", "flip", "--record", "r.txt"], "r.txt must end in .json or .parquet"),
        (["--kind", "flip", "--record", "/nowhere/r.json"], "the folder does not exist"),
    ],
)
def test_slips_get_a_sentence_and_leave_no_file(arguments, message, data, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert run("shift", "apply", data, *arguments, "-o", out) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.csv", None, "is no file"),
        ("data.txt", "a\n1\n", "data.txt must end in .parquet or .csv"),
        ("data.parquet", "not at all", "data.parquet is not a Parquet file, or it is damaged"),
        ("data.csv", "a,b\n1\n", "data.csv is not a CSV file, or it is damaged"),
        ("twice.csv", "a,a\n1,2\n", "several columns called a"),
    ],
)
def test_files_that_cannot_be_read(name, content, message, tmp_path, capsys):
    if content is not None:
        (tmp_path / name).write_text(content)
    assert run("shift", "apply", tmp_path / name, "--kind", "flip", "-o", tmp_path / "out.csv") == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["out.txt", "out.csv.gz", "nowhere/out.csv"])
def test_files_that_cannot_be_written(name, data, tmp_path, capsys):
    assert run("shift", "apply", data, "--kind", "flip", "-o", tmp_path / name) == 2
    assert "out" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


def test_lists_do_not_fit_into_csv(tmp_path, capsys):
    pl.DataFrame({"a": [[1], [2]], "b": [1.0, 2.0]}).write_parquet(tmp_path / "data.parquet")
    arguments = ("shift", "apply", tmp_path / "data.parquet", "--kind", "flip", "-o")
    assert run(*arguments, tmp_path / "out.csv") == 2
    assert "out.csv cannot hold this table" in capsys.readouterr().err
    assert run(*arguments, tmp_path / "out.parquet") == 0
    assert pl.read_parquet(tmp_path / "out.parquet")["a"].to_list() == [[1], [2]]


def test_nothing_heavy_is_loaded(data, tmp_path):
    script = (
        "import sys; from surefoot.cli import main\n"
        f"try: main(['shift', 'apply', {str(data)!r}, '--kind', 'flip', '-o', {str(tmp_path / 'o.csv')!r}])\n"
        "except SystemExit as stop: assert not stop.code\n"
        "heavy = [name for name in ('torch', 'catboost', 'polars', 'sklearn', 'scipy') if name in sys.modules]\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
