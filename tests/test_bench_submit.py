"""Rows that others add: predictions and a manifest, checked against the task and scored here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot import evaluate, tasks
from surefoot.bench import Place, read_plan, read_results, submit
from surefoot.errors import InputError
from surefoot.predictions import Predictions
from surefoot.tasks import TaskData
from test_bench_cli import bench, written

TASK, MOST = "electricity", 200
SUITE = {
    "kind": "predict",
    "matrix": {"task": [TASK], "method": ["logistic"], "seed": 1},
    "with": {"most": MOST},
    "limits": {"timeout": 120},
}
PARTS = ("dev_in", "dev_out", "eval_in", "eval_out")


@pytest.fixture(scope="module")
def data() -> TaskData:
    return tasks.task(TASK).load(most=dict.fromkeys(("train", *PARTS), MOST), download=True)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder in which a suite was run at its smallest."""
    assert bench("run", written(tmp_path, SUITE), "--runs", tmp_path / "runs") == 0
    return tmp_path / "runs"


def predictions(data: TaskData, skill: float = 1.0, **columns: Any) -> Predictions:
    """What some model says of all parts that are judged."""
    rows = data.part(*PARTS)
    rng = np.random.default_rng(0)
    logit = skill * (2 * rows.y - 1) + rng.normal(size=len(rows))
    p = 1 / (1 + np.exp(-logit))
    given = {"target": rows.y, "id": rows.id, "partition": rows.partition, "classes": data.classes} | columns
    return Predictions.classification(np.stack([1 - p, p], axis=1), **given)


def manifest(folder: Path, data: TaskData, **fields: Any) -> Path:
    path = folder / "manifest.json"
    content = {"task": TASK, "method": "ours", "split_hash": data.split_hash, "training_data": "train"}
    path.write_text(json.dumps({k: v for k, v in (content | fields).items() if v is not None}))
    return path


def handed_in(folder: Path, given: Predictions) -> Path:
    path = folder / "predictions.parquet"
    given.save(path)
    return path


def test_a_row_is_scored_from_its_predictions_and_kept_like_a_trial(runs, data, tmp_path, capsys):
    whole = predictions(data)
    shuffled = whole.select(np.random.default_rng(1).permutation(len(whole)))
    claim = manifest(tmp_path, data, scores={"accuracy": 1.0}, about="A test.")
    assert bench("submit", handed_in(tmp_path, shuffled), claim, "--runs", runs) == 0
    assert "electricity, ours, seed 0, shifted: mean error" in capsys.readouterr().out
    entry = read_plan(runs / "mine").entries[-1]
    assert (str(entry.named), entry.submitted) == ("electricity, ours, seed 0", True)
    place = Place(runs / "mine" / entry.id)
    assert place.finished
    assert place.status["facts"]["training_data"] == "train"
    card = evaluate(whole, "zero_one", 0.0, tasks.task(TASK).uncertainty)
    accuracy = [
        row["value"]
        for row in read_results(runs / "mine").to_pylist()
        if (row["method"], row["set"], row["side"], row["metric"]) == ("ours", "eval", "all", "accuracy")
    ]
    assert accuracy == [card["accuracy"]]
    assert accuracy[0] < 1


def test_its_row_is_marked_on_the_leaderboard(runs, data, tmp_path):
    submit(handed_in(tmp_path, predictions(data)), manifest(tmp_path, data), runs)
    assert bench("report", "mine", "--runs", runs, "-o", tmp_path / "site") == 0
    page = (tmp_path / "site" / "tasks" / f"{TASK}.html").read_text()
    assert "ours<small>submitted</small>" in page
    assert "logistic<small>submitted</small>" not in page
    assert '<span class="chip unknown">submitted</span>' in page


def test_it_stays_when_the_suite_runs_again_and_can_be_rescored(runs, data, tmp_path):
    submit(handed_in(tmp_path, predictions(data)), manifest(tmp_path, data), runs)
    assert bench("run", written(tmp_path, SUITE), "--runs", runs) == 0
    assert bench("resume", "mine", "--runs", runs) == 0
    entries = read_plan(runs / "mine").entries
    assert [entry.named.method for entry in entries] == ["logistic", "ours"]
    place = Place(runs / "mine" / entries[-1].id)
    before = place.scorecard()
    place.write("scorecard.json", before | {"rows": []})
    assert bench("rescore", "mine", "--runs", runs) == 0
    assert place.scorecard()["rows"] == before["rows"]


def test_better_predictions_of_the_same_method_replace_those_before(runs, data, tmp_path):
    for skill in (0.5, 2.0):
        submit(handed_in(tmp_path, predictions(data, skill)), manifest(tmp_path, data), runs)
    submit(handed_in(tmp_path, predictions(data)), manifest(tmp_path, data, seed=1), runs)
    entries = read_plan(runs / "mine").entries
    assert [str(entry.named) for entry in entries[1:]] == [
        "electricity, ours, seed 0",
        "electricity, ours, seed 1",
    ]
    scores = {
        row["seed"]: row["value"]
        for row in read_results(runs / "mine").to_pylist()
        if (row["method"], row["set"], row["side"], row["metric"]) == ("ours", "eval", "all", "accuracy")
    }
    assert scores[0] > scores[1]


def test_predictions_without_targets_get_those_of_the_task(runs, data, tmp_path):
    given = predictions(data, target=None)
    _, _, card = submit(handed_in(tmp_path, given), manifest(tmp_path, data), runs)
    assert any(row["metric"] == "accuracy" for row in card["rows"])


def refused(runs: Path, folder: Path, data: TaskData, given: Predictions, **fields: Any) -> str:
    """The sentence with which predictions are refused; nothing of them is kept."""
    before = sorted(runs.rglob("*"))
    with pytest.raises(InputError) as problem:
        submit(handed_in(folder, given), manifest(folder, data, **fields), runs)
    assert sorted(runs.rglob("*")) == before
    return str(problem.value)


def test_a_wrong_split_hash_is_refused_with_the_rows_that_differ(runs, data, tmp_path):
    other = tasks.task(TASK).load(seed=1, most=dict.fromkeys(("train", *PARTS), MOST))
    said = refused(runs, tmp_path, other, predictions(other))
    assert said.startswith(
        f"The split hash {other.split_hash[:16]}… of the manifest is not that of electricity"
    )
    assert data.split_hash in said
    wanted, ids = data.part(*PARTS).id, other.part(*PARTS).id
    lacking, extra = np.setdiff1d(wanted, ids), np.setdiff1d(ids, wanted)
    assert f"{len(lacking)} rows (" in said
    assert f"{len(extra)} ids (" in said
    assert "load(most={'train': 200, 'dev_in': 200" in said


def test_a_wrong_split_hash_with_the_right_rows_tells_that_training_differs(runs, data, tmp_path):
    said = refused(runs, tmp_path, data, predictions(data), split_hash="0" * 64)
    assert "it is the rows to train on that differ" in said


def test_rows_that_do_not_match_are_refused(runs, data, tmp_path):
    whole = predictions(data)
    ids = whole.id.copy()
    ids[:2] = [10**9, 10**9 + 1]
    said = refused(runs, tmp_path, data, replace(whole, id=ids))
    assert "2 rows (" in said
    assert "2 ids (1000000000, 1000000001) are no row" in said
    target = whole.target.copy()
    target[7] = 1 - target[7]
    said = refused(runs, tmp_path, data, replace(whole, target=target))
    assert f"1 row ({whole.id[7]}) is of another target in electricity" in said
    part = whole.partition.copy()
    where = np.flatnonzero(part == "dev_in")[:3]
    part[where] = "eval_in"
    said = refused(runs, tmp_path, data, replace(whole, partition=part))
    assert "3 rows (" in said
    assert "of another part" in said
    said = refused(runs, tmp_path, data, whole.select(whole.partition != "eval_out"))
    rows = np.count_nonzero(whole.partition == "eval_out")
    assert said == f"The part eval_out is lacking: predict its {rows} rows too."
    assert "do not say which part" in refused(runs, tmp_path, data, replace(whole, partition=None))


def test_other_classes_or_another_kind_are_refused(runs, data, tmp_path):
    turned = predictions(data, classes=data.classes[::-1], target=None)
    assert "give them these names, in this order" in refused(runs, tmp_path, data, turned)
    rows = data.part(*PARTS)
    numbers = Predictions.regression(
        np.zeros(len(rows)), np.ones(len(rows)), rows.y.astype(float), id=rows.id, partition=rows.partition
    )
    assert "of the kind regression, but electricity is a classification" in refused(
        runs, tmp_path, data, numbers
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"method": None}, "method is missing"),
        ({"method": "<b>"}, "method must be a name of up to 80"),
        ({"method": "logistic"}, "is a method that the suite runs itself"),
        ({"seed": -1}, "seed must be a number from 0"),
        ({"training_data": " "}, "say what the method was trained on"),
        ({"about": "ask me@example.org"}, "leave out what people can be reached by"),
        ({"link": "javascript:alert(1)"}, "link must begin with https://"),
        ({"accuracy": 1.0}, "accuracy is no field"),
        ({"task": "electricty"}, "electricty"),
        ({"task": "covertype"}, "no suite in"),
        ({"suite": "others"}, "nothing was run in"),
    ],
)
def test_a_manifest_is_read_with_care(fields, message, data, shared_runs, tmp_path):
    assert message in refused(shared_runs, tmp_path, data, predictions(data), **fields)


@pytest.fixture(scope="module")
def shared_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("bench")
    assert bench("run", written(home, SUITE), "--runs", home / "runs") == 0
    return home / "runs"
