"""`surefoot bench` as a user meets it: real trials, exit codes, files, and nothing heavy loaded."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from pyarrow import parquet

from surefoot import evaluate, load, tasks
from surefoot.bench import Place, open_results, read_plan, read_results
from surefoot.cli import main

SUITE = {
    "kind": "predict",
    "matrix": {
        "task": ["electricity"],
        "method": ["forest", {"name": "bushes", "family": "sklearn-forest", "members": 3}],
        "seed": 2,
    },
    "with": {"most": 200},
    "limits": {"timeout": 120},
}


def bench(*arguments: object) -> int:
    """Exit code of a command run in this process."""
    try:
        main(["bench", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def written(folder: Path, content: dict[str, object], name: str = "mine") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a suite of real trials was run."""
    home = tmp_path_factory.mktemp("bench")
    assert bench("run", written(home, SUITE), "--runs", home / "runs") == 0
    return home / "runs"


def test_real_trials_keep_predictions_that_give_their_scorecards(runs: Path):
    plan = read_plan(runs / "mine")
    assert [str(entry.named) for entry in plan.entries] == [
        f"electricity, {method}, seed {seed}" for seed in (0, 1) for method in ("forest", "bushes")
    ]
    task = tasks.task("electricity")
    for entry in plan.entries:
        place = Place(runs / "mine" / entry.id)
        predictions = load(place.folder / "predictions.parquet")
        ensemble = entry.named.method == "bushes"
        assert predictions.samples == (3 if ensemble else 1)
        assert set(np.unique(predictions.partition)) == {"dev_in", "dev_out", "eval_in", "eval_out"}
        assert set(predictions.metadata) == set(task.annotations)
        uncertainty = task.ensemble_uncertainty if ensemble else task.uncertainty
        card = evaluate(predictions, task.error, task.threshold, uncertainty)
        kept = place.scorecard()
        assert [row["value"] for row in kept["rows"]] == pytest.approx(
            [row.value for row in card.rows], nan_ok=True
        )
        assert kept["info"]["uncertainty"] == uncertainty


def test_the_table_of_trials_has_costs_beside_the_symbolic_one(runs: Path):
    rows = {(row["method"], row["seed"]): row for row in read_results(runs / "mine", "trials").to_pylist()}
    assert rows["forest", 0]["cost"] == "training m, inference m, storage m"
    assert rows["bushes", 0]["cost"] == "training 3 m, inference 3 m, storage 3 m"
    for row in rows.values():
        assert row["state"] == "finished"
        assert min(row["wall_seconds"], row["cpu_seconds"], row["parameters"], row["stored_bytes"]) > 0
        assert 50e6 < row["peak_bytes"] < 5e9
        assert json.loads(row["facts"])["split_hash"]
    assert rows["bushes", 0]["stored_bytes"] > 2 * rows["forest", 0]["stored_bytes"]


def test_single_members_are_in_the_results_too(runs: Path):
    members = read_results(runs / "mine", "members").to_pylist()
    assert {row["method"] for row in members if row["members"] == 3} == {"bushes"}


def test_duckdb_reads_the_results(runs: Path):
    found = open_results(runs / "mine").sql(
        "select method, count(distinct trial), avg(value) from results "
        "where metric = 'accuracy' and set = 'eval' and side = 'all' group by method order by method"
    )
    rows = found.fetchall()
    assert [(method, count) for method, count, _ in rows] == [("bushes", 2), ("forest", 2)]
    table = read_results(runs / "mine").to_pylist()
    values = [
        row["value"]
        for row in table
        if (row["method"], row["metric"], row["set"], row["side"]) == ("forest", "accuracy", "eval", "all")
    ]
    assert rows[1][2] == pytest.approx(np.mean(values))


def test_a_second_run_does_nothing(runs: Path, capsys: pytest.CaptureFixture[str]):
    before = {path: path.stat().st_mtime_ns for path in runs.glob("mine/*/status.json")}
    assert bench("run", written(runs.parent, SUITE), "--runs", runs) == 0
    assert bench("resume", "mine", "--runs", runs) == 0
    assert "[1/" not in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in runs.glob("mine/*/status.json")} == before


def test_rescore_reads_predictions_only(runs: Path, capsys: pytest.CaptureFixture[str]):
    place = Place(runs / "mine" / read_plan(runs / "mine").entries[0].id)
    before = place.scorecard()
    place.write("scorecard.json", before | {"rows": []})
    status = (place.folder / "status.json").read_bytes()
    assert bench("rescore", "mine", "--runs", runs) == 0
    assert "[4/4] electricity, bushes, seed 1" in capsys.readouterr().err
    assert place.scorecard()["rows"] == before["rows"]
    assert (place.folder / "status.json").read_bytes() == status


def test_a_dry_run_tells_trials_and_costs_and_runs_nothing(runs: Path, capsys: pytest.CaptureFixture[str]):
    larger = SUITE | {"with": {"most": 1000}}
    path = written(runs.parent, larger, "larger")
    assert bench("run", path, "--runs", runs, "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "training 3 m, inference 3 m, storage 3 m" in shown
    assert "4 trials on 2 processes" in shown  # timed by the smaller trials of the same methods
    assert not (runs / "larger").exists()
    assert bench("run", path, "--runs", runs.parent / "nowhere", "--dry-run") == 0
    assert "nobody has timed any of the 4 trials yet" in capsys.readouterr().out


def test_export_writes_csv_markdown_and_latex(runs: Path, tmp_path: Path):
    assert bench("export", "mine", "--format", "csv", "-o", tmp_path / "t.csv", "--runs", runs) == 0
    with (tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == read_results(runs / "mine").num_rows
    assert rows[0]["task"] == "electricity"
    assert bench("export", "mine", "--format", "md", "-o", tmp_path / "t.md", "--runs", runs) == 0
    text = (tmp_path / "t.md").read_text()
    assert "**electricity**" in text
    assert "| method | in.mean_error ↓ | shifted.mean_error ↓ | all.r_auc ↓ |" in text
    assert text.count(" ± ") == 10
    asked = ("--metric", "eval.all.ece", "--metric", "dev.shifted.r_auc@entropy")
    assert bench("export", "mine", "--format", "latex", "-o", tmp_path / "t.tex", *asked, "--runs", runs) == 0
    assert (
        r"method & all.ece $\downarrow$* & dev.shifted.r\_auc@entropy $\downarrow$ \\"
        in (tmp_path / "t.tex").read_text()
    )


def test_export_says_what_it_cannot_do(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "t.md"
    for arguments, message in (
        (("mine", "--format", "md", "-o", out, "--metric", "accuracy"), "not of the form set.side.metric"),
        (("mine", "--format", "csv", "-o", out), "must end in .csv"),
        (("none", "--format", "md", "-o", out), "nothing was run in"),
        (("mine", "--format", "csv", "-o", tmp_path / "t.csv", "--table", "x"), "left no table x; there are"),
    ):
        assert bench("export", *arguments, "--runs", runs) == 2
        assert message in capsys.readouterr().err


def test_some_failed_trials_exit_with_3_and_status_tells_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = written(tmp_path, {"kind": "trials:KIND", "matrix": {"do": ["fail", "nothing"], "seed": 1}})
    assert bench("run", path, "--runs", tmp_path / "runs") == 3
    assert "Failed: toy, fail, seed 0: it was meant to fail" in capsys.readouterr().err
    assert bench("status", "--runs", tmp_path / "runs") == 0
    shown = capsys.readouterr().out
    assert "Failed: toy, fail, seed 0: it was meant to fail" in shown
    assert bench("status", "mine", "--json", "--runs", tmp_path / "runs") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["finished"], row["failed"], row["missing"]) == (1, 1, 0)
    assert bench("resume", "mine", "--runs", tmp_path / "runs") == 3
    assert "[1/1] toy, fail, seed 0: failed" in capsys.readouterr().err


def test_a_limited_run_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = written(tmp_path, {"kind": "trials:KIND", "matrix": {"seed": 5}})
    assert bench("run", path, "--limit", 2, "--workers", 1, "--runs", tmp_path / "runs") == 0
    path.unlink()
    assert "[2/2]" in capsys.readouterr().err
    assert parquet.read_table(tmp_path / "runs" / "mine" / "numbers.parquet").num_rows == 2
    assert bench("resume", "mine", "--runs", tmp_path / "runs") == 0
    assert "[3/3]" in capsys.readouterr().err
    assert parquet.read_table(tmp_path / "runs" / "mine" / "numbers.parquet").num_rows == 5


def test_list_and_validate(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert bench("list", "--json") == 0
    names = [one["name"] for one in json.loads(capsys.readouterr().out)]
    assert bench("validate", *names) == 0
    shown = capsys.readouterr().out
    assert "tabular, paper: " in shown
    path = written(tmp_path, SUITE | {"matrix": {"task": "electricty", "method": "forest", "seed": 1}})
    assert bench("validate", path) == 2
    assert "did you mean electricity?" in capsys.readouterr().err


def test_an_unknown_profile_is_refused(capsys: pytest.CaptureFixture[str]):
    assert bench("run", "tabular", "--profile", "huge", "--dry-run") == 2
    assert "profile must be one of smoke, small, paper, not 'huge'" in capsys.readouterr().err


def test_nothing_heavy_is_loaded_before_it_is_needed(runs: Path):
    for command in (["list"], ["status", "mine", "--runs", str(runs)], ["export", "--help"]):
        code = (
            "import sys\nfrom surefoot.cli import main\n"
            f"try:\n    main(['bench', *{command!r}])\nexcept SystemExit:\n    pass\n"
            "heavy = [name for name in ('torch', 'catboost', 'ray', 'duckdb', 'joblib') if name in sys.modules]\n"
            "assert not heavy, heavy\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    code = "import sys, surefoot.bench; print(*{'ray', 'duckdb', 'yaml', 'catboost', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
