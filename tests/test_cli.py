"""The command line as a user meets it: exit codes, sentences instead of tracebacks, nothing heavy loaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from bad_files import BAD_FILES
from surefoot import evaluate, load
from surefoot.cli import main
from surefoot.cli.metrics import command as list_metrics
from surefoot.metrics import REGISTRY
from tables import KINDS, classification


def run(*arguments):
    """Exit code of a command run in this process."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "p.parquet"
    classification().save(path)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".npz", ".csv"])
@pytest.mark.parametrize("kind", KINDS)
def test_evaluate_prints_and_writes_the_scorecard(kind, suffix, tmp_path, capsys):
    path = tmp_path / f"p{suffix}"
    KINDS[kind](samples=1).save(path)
    assert run("evaluate", path, "--json", tmp_path / "card.json") == 0
    shown = capsys.readouterr().out
    stored = json.loads((tmp_path / "card.json").read_text())
    expected = evaluate(load(path)).to_dict()["rows"]
    assert [row["metric"] for row in stored["rows"]] == [row["metric"] for row in expected]
    values = [
        [row["value"] for row in rows if row["value"] is not None] for rows in (stored["rows"], expected)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-6)
    assert "f1_auc ↑" in shown
    assert "eval: scores" in shown


def test_options_reach_the_scorecard(parquet, tmp_path):
    assert run("evaluate", parquet, "--uncertainty", "entropy", "--threshold", "0.5",
               "--json", tmp_path / "card.json") == 0  # fmt: skip
    info = json.loads((tmp_path / "card.json").read_text())["info"]
    assert (info["uncertainty"], info["threshold"]) == ("entropy", 0.5)


def test_a_metadata_column_can_be_the_error(tmp_path):
    harm = np.random.default_rng(0).random(400)
    classification(metadata={"harm": harm}).save(tmp_path / "p.parquet")
    assert run("evaluate", tmp_path / "p.parquet", "--error", "harm", "--json", tmp_path / "card.json") == 0
    assert json.loads((tmp_path / "card.json").read_text())["info"]["error"] == "harm"


def test_a_failed_gate_exits_with_1(parquet, capsys):
    assert run("evaluate", parquet, "--fail-on", "accuracy<0.1") == 0
    assert (
        run("evaluate", parquet, "--fail-on", "accuracy<0.1", "--fail-on", "eval.shifted.f1_auc@entropy<2")
        == 1
    )
    assert "Gate failed: eval.shifted.f1_auc@entropy < 2 (it is " in capsys.readouterr().err


@pytest.mark.parametrize("gate", ["accuracy", "nonsense<1", "eval.nowhere.accuracy<1", "f1_auc@doubt<1"])
def test_a_gate_that_cannot_be_read_exits_with_2(gate, parquet, capsys):
    assert run("evaluate", parquet, "--fail-on", gate) == 2
    assert capsys.readouterr().err.startswith("Error: ")


def test_sides_are_named_with_repeated_options(tmp_path):
    cities = np.array(["york", "bath", "hull"])[np.arange(400) % 3]
    classification(partition=cities).save(tmp_path / "p.parquet")
    assert run("evaluate", tmp_path / "p.parquet") == 2
    assert (
        run("evaluate", tmp_path / "p.parquet", "--in", "york", "--shifted", "bath", "--shifted", "hull") == 0
    )


ONLY_IN_METADATA = {"a column of lists", "a reserved column name", "an array of another kind"}
"""Faults of columns that `evaluate` does not read."""


@pytest.mark.parametrize(("name", "write", "pattern"), BAD_FILES, ids=[case[0] for case in BAD_FILES])
def test_bad_files_exit_with_2_and_a_sentence(name, write, pattern, tmp_path, capsys):
    path = write(tmp_path)
    for arguments in (["evaluate", path], ["convert", path, tmp_path / "out.npz"]):
        if arguments[0] == "evaluate" and name in ONLY_IN_METADATA:
            continue
        assert run(*arguments) == 2
        captured = capsys.readouterr()
        assert re.fullmatch(r"Error: [^\n]+\n", captured.err)
        assert re.search(pattern, captured.err)
    assert not (tmp_path / "out.npz").exists()


def test_a_terminal_is_told_that_work_goes_on(parquet, capfd):
    terminal, ours = os.openpty()
    command = [sys.executable, "-m", "surefoot", "evaluate", str(parquet)]
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=ours, check=True, env=os.environ | {"TERM": "xterm"}
    )
    os.close(ours)
    assert "Scoring 400 rows …" in os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert capfd.readouterr().err == ""


def test_debug_shows_the_traceback_and_keeps_the_exit_code(tmp_path, capsys):
    assert run("--debug", "evaluate", tmp_path / "none.parquet") == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert re.search(r"^Error: .* is not a file; check the path$", shown, re.MULTILINE)


def test_convert_goes_round(parquet, tmp_path):
    assert run("convert", parquet, tmp_path / "p.npz") == 0
    assert run("convert", tmp_path / "p.npz", tmp_path / "q.parquet") == 0
    np.testing.assert_array_equal(load(tmp_path / "q.parquet").probs, load(parquet).probs)
    assert run("convert", parquet, tmp_path / "p.csv") == 2  # five samples do not fit into CSV
    assert not (tmp_path / "p.csv").exists()


def test_metrics_lists_every_entry_with_its_direction():
    shown = CliRunner().invoke(list_metrics).output
    for metric in REGISTRY.values():
        ranks = "yes" if metric.comparable and metric.direction else "no"
        assert [metric.name, metric.direction or "–", ranks, *metric.meaning.split()] in map(
            str.split, shown.splitlines()
        )
    assert run("metrics", "ece") == 0
    assert run("metrics", "no_such_metric") == 2


@pytest.mark.parametrize(
    "arguments", [["--help"], ["evaluate", "--help"], ["data", "--help"], ["demo", "--help"]]
)
def test_help(arguments, capsys):
    assert run(*arguments) == 0
    assert "Usage: surefoot" in capsys.readouterr().out


@pytest.mark.slow
def test_the_demonstration_shows_a_fall_of_accuracy(tmp_path, capsys):
    assert run("demo", "--out", tmp_path) == 0
    card = evaluate(load(tmp_path / "predictions.parquet"))
    assert card["in.accuracy"] - card["shifted.accuracy"] >= 0.05
    assert card["auroc@entropy"] > 0.8
    assert card.info["dataset"] == "covertype"
    stored = json.loads((tmp_path / "scorecard.json").read_text())
    assert {row["slice"] for row in stored["rows"]} > {None, "wilderness_area=Rawah"}
    assert (tmp_path / "report.html").stat().st_size < 2_000_000
    assert str(tmp_path / "report.html") in capsys.readouterr().out


HEAVY = ("torch", "transformers", "catboost", "polars", "duckdb", "matplotlib", "altair")


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "p.parquet"],
        ["threshold", "p.parquet", "--on", "eval", "--max-rejected", "0.1"],
        ["convert", "p.parquet", "q.npz"],
        ["metrics"],
        ["data", "list"],
        ["data", "show", "adult"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_core_commands_never_load_torch(arguments, parquet):
    script = (
        "import sys; from surefoot.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        f"loaded = [name for name in {HEAVY} if name in sys.modules]\n"
        "assert not loaded, loaded"
    )
    subprocess.run(
        [sys.executable, "-c", script, *arguments], check=True, cwd=parquet.parent, capture_output=True
    )


def test_import_loads_nothing_heavy():
    script = (
        "import sys, surefoot\n"
        "from surefoot import metrics, measures, predictions, data, evaluate\n"
        "heavy = [name for name in ('sklearn', 'scipy.stats', 'pyarrow', 'rich', 'click') if name in sys.modules]\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unlabelled_file_with_a_gate_is_bad_input_not_a_failed_gate(tmp_path, capsys):
    (tmp_path / "p.csv").write_text("p_a,p_b\n0.4,0.6\n0.7,0.3\n")
    assert run("evaluate", tmp_path / "p.csv", "--fail-on", "accuracy<0.5") == 2
    assert "there is nothing to score" in capsys.readouterr().err


def test_a_gate_on_the_shift_says_when_no_rows_are_shifted(tmp_path, capsys):
    classification(partition=np.full(400, "eval_in")).save(tmp_path / "p.parquet")
    assert run("evaluate", tmp_path / "p.parquet", "--fail-on", "auroc<0.6") == 2
    assert "Set eval has no shifted side" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["nowhere/card.json", "."])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(place, parquet, tmp_path, capsys):
    assert run("evaluate", parquet, "--json", tmp_path / place) == 2
    captured = capsys.readouterr()
    assert str(tmp_path / place) in captured.err
    assert not captured.out


def test_an_interrupt_is_not_a_failed_gate(parquet, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("surefoot.cli.evaluate.evaluate", interrupted)
    assert run("evaluate", parquet) == 130


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["evaluate", "p.parquet"], 0),
        (["evaluate", "p.parquet", "--fail-on", "accuracy>=0"], 1),
        (["metrics"], 0),
        (["data", "list", "--json"], 0),
    ],
)
def test_a_reader_that_leaves_early_is_not_a_failed_gate(arguments, code, parquet):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        command = [sys.executable, "-m", "surefoot", *arguments]
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, cwd=parquet.parent, check=False)
    assert done.returncode == code
    assert b"pipe" not in done.stderr


def test_a_terminal_without_arrows_gets_the_numbers(parquet):
    command = [sys.executable, "-m", "surefoot", "metrics"]
    done = subprocess.run(
        command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"}, check=True
    )
    assert b"f1_auc" in done.stdout


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
def test_no_number_is_cut_on_a_narrow_terminal(columns, parquet, capsys, monkeypatch):
    monkeypatch.setattr("surefoot.cli._show.console", lambda: Console(width=columns, highlight=False))
    assert run("evaluate", parquet) == 0
    shown = capsys.readouterr().out
    assert "…" not in shown
    card = evaluate(load(parquet))
    digits = 4 if columns < 100 else 3  # beside an interval one less
    assert f"{card['f1_auc']:.{digits}f}" in shown
    assert max(map(len, shown.splitlines())) <= columns
