"""Tasks: complete, cut without leaks, and no model sees what annotates the shift or the parts it is judged by."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pytest

from made import held_out, small, table_of
from surefoot import data, measures, posteriors, tasks
from surefoot.data.partition import FITTED, PARTITIONS, Plan, Rule, Span, assign, by_value, split_hash
from surefoot.errors import DownloadError, InputError
from surefoot.scorecard._errors import DEFAULT_ERROR
from surefoot.tasks import Task, task_data

EVERY = pytest.mark.parametrize("task", tasks.tasks(), ids=lambda task: task.name)
NAMES = (
    *("abortion_attitudes", "acs_employment", "adult", "bank", "census_income", "covertype", "crash"),
    *("credit_default", "electricity", "flights", "hotel_rates", "lending_club", "meps", "police_stops"),
    *("daily_weather", "digits", "storms", "trump_vote", "wages"),
)


def test_the_shelf():
    assert set(NAMES) <= set(tasks.names())
    assert tasks.task("Hotel-Rates") is tasks.task("hotel_rates")
    with pytest.raises(InputError, match="no task named 'covertyp'; did you mean covertype"):
        tasks.task("covertyp")


@EVERY
def test_tasks_are_complete(task: Task):
    assert task.name in tasks.names()
    assert task.title
    assert task.about.endswith(".")
    assert set(task.plan.columns) <= set(task.card.columns)
    assert {"train", "dev_in", "eval_in"} <= set(task.parts) <= set(PARTITIONS)
    assert task.error == DEFAULT_ERROR[task.kind]
    assert (task.threshold > 0) == (task.kind == "regression")
    for measure in (task.uncertainty, task.ensemble_uncertainty):
        assert measures.describe(measure, task.kind).speaks_of == "total"
    assert task.kind in posteriors.family(posteriors.preset(task.method).family).kinds
    assert task.licence == task.card.licence
    assert task.citation == task.card.citation
    assert int(task.version) >= 1


@EVERY
def test_no_model_sees_what_annotates_the_shift(task: Task):
    loaded = task.of(table_of(task))
    seen, shown = set(loaded.X.column_names), set(loaded.annotations.column_names)
    assert seen
    assert not seen & shown
    assert task.card.target not in seen | shown
    assert set(task.plan.columns) - {task.card.target} <= shown
    assert set(task.card.extra) <= shown
    same = {name for column in shown for name in task.card.splits.get(column, ())}
    assert not seen & same
    assert seen <= set(task.card.features)


@EVERY
def test_no_annotation_moves_a_feature_or_a_target(task: Task):
    """With every annotation that decides nothing overwritten, the same rows are in the same parts."""
    table = table_of(task)
    first = task.of(table)
    for name in set(task.annotations) - set(task.plan.columns):
        table = table.set_column(table.column_names.index(name), name, [np.zeros(table.num_rows)])
    again = task.of(table)
    assert again.X.equals(first.X)
    assert again.split_hash == first.split_hash


@EVERY
def test_every_row_is_in_one_part_and_groups_do_not_straddle(task: Task):
    loaded = task.of(table_of(task))
    assert set(loaded.parts) == set(task.parts)
    assert sum(len(loaded.part(name)) for name in loaded.parts) == len(loaded)
    assert len(np.unique(loaded.id)) == len(loaded)
    if task.plan.group:
        of = list(zip(*(loaded.annotations[name].to_pylist() for name in task.plan.group), strict=True))
        fitted = np.isin(loaded.partition, FITTED)
        groups = [
            {one for one, inside in zip(of, fitted == side, strict=True) if inside} for side in (True, False)
        ]
        assert not groups[0] & groups[1]


@EVERY
def test_a_method_gets_train_and_dev_in_without_annotations(task: Task):
    whole = task.of(table_of(task))
    fitting = whole.fitting()
    assert set(fitting.partition) == set(fitting.parts) == {"train", "dev_in"}
    assert fitting.annotations.column_names == []
    assert fitting.part("train").X.equals(whole.part("train").X)
    assert (fitting.part("dev_in").y == whole.part("dev_in").y).all()
    with pytest.raises(InputError, match="has no part eval_out; it has train, dev_in"):
        fitting.part("eval_out")


def test_the_same_seed_gives_the_same_rows_and_another_moves_them():
    task = tasks.task("covertype")
    table = table_of(task)
    first, again, other = task.of(table), task.of(table), task.of(table, 1)
    assert first.split_hash == again.split_hash != other.split_hash
    assert first.X.equals(again.X)
    assert (first.part("eval_out").id == other.part("eval_out").id).all()


def test_fewer_rows_are_some_of_the_same():
    task = tasks.task("adult")
    table = table_of(task)
    few, many = task.of(table, most={"train": 50, "eval_in": 20}), task.of(table)
    assert {name: len(few.part(name)) for name in ("train", "eval_in")} == {"train": 50, "eval_in": 20}
    for name in few.parts:
        assert set(few.part(name).id) <= set(many.part(name).id)


def test_a_plan_of_ones_own_takes_its_columns_out_of_the_features():
    task = tasks.task("crash")
    table = table_of(task)
    speeds = ["slow", "fast"] * (table.num_rows // 2)
    table = table.set_column(table.column_names.index("airbag"), "airbag", [speeds])
    own = task.of(table, plan=by_value("airbag", source="slow"))
    assert "airbag" in task.features
    assert {"airbag", "abcat", "deploy"}.isdisjoint(own.X.column_names)
    assert "airbag" in own.annotations.column_names
    assert set(own.annotations["airbag"].filter(own.partition == "train").to_pylist()) == {"slow"}


def test_a_class_held_out_is_novel():
    loaded = small(plan=held_out())
    assert loaded.classes == ("low", "middle")
    assert set(loaded.part("eval_out").y) == {-1}
    assert set(loaded.part("eval_in").y) == {0, 1}
    found = loaded.statistics["eval_out"]
    assert found.novel == found.rows > 0


def test_classes_keep_the_order_of_their_values():
    loaded = tasks.task("covertype").of(table_of(tasks.task("covertype")))
    assert loaded.classes == tuple("1234567")
    assert loaded.statistics["train"].classes["7"] == (loaded.part("train").y == 6).sum()


def test_targets_of_numbers():
    loaded = small("regression")
    assert loaded.classes == ()
    assert loaded.y.dtype == np.float64
    train = loaded.part("train").y
    assert loaded.statistics["train"].mean == pytest.approx(train.mean())


def test_the_hash_is_of_ids_parts_and_targets():
    loaded = small()
    assert loaded.split_hash == split_hash(loaded.id, loaded.partition, loaded.y)
    part = loaded.part("eval_out")
    assert loaded.statistics["eval_out"].sha256 == split_hash(part.id, ["eval_out"] * len(part), part.y)


TABLE = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "day": [0, 1, 2, 3], "y": ["a", "b", "a", None]})


def test_rows_without_a_target_are_left_out():
    plan = Plan(rules=(Rule({"day": Span(high=2)}, {"train": 1}),), rest={"eval_out": 1})
    loaded = task_data("t", "classification", TABLE, target="y", features=["x"], plan=plan)
    assert loaded.partition.tolist() == ["train", "train", "eval_out"]
    assert loaded.id.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": ["x", "day"], "annotations": ["day"]}, "day of t is the target or annotates the shift"),
        ({"features": ["x", "y"]}, "y of t is the target or annotates the shift"),
        ({"plan": Plan(rules=(Rule({"day": 0}, {"eval_in": 1}),))}, "t has no rows to train on"),
        ({"plan": Plan(rules=(Rule({"day": 0}, {"train": 1}),))}, "have the class 'a' only"),
    ],
)  # fmt: skip
def test_mistakes(changes, message: str):
    given = {"kind": "classification", "table": TABLE, "target": "y", "features": ["x"]}
    given |= {"plan": Plan(rules=(Rule({"day": Span(high=9)}, {"train": 1}),))} | changes
    with pytest.raises(InputError, match=message):
        task_data("t", given.pop("kind"), given.pop("table"), **given)


def test_a_target_that_is_no_number_is_refused():
    table = pa.table({"y": [float("nan"), 1.0], "day": [0, 1], "x": [1, 2]})
    plan = Plan(rules=(Rule({"day": Span(high=9)}, {"train": 1}),))
    with pytest.raises(InputError, match="not finite in row 0"):
        task_data("t", "regression", table, target="y", features=["x"], plan=plan)


def test_a_column_of_the_plan_cannot_be_a_feature():
    plan = by_value("day", source=(0, 1))
    with pytest.raises(InputError, match="day of t is the target or annotates the shift"):
        task_data("t", "classification", TABLE, target="y", features=["x", "day"], plan=plan)


def test_nothing_is_downloaded_unless_asked(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    with pytest.raises(DownloadError, match="run: surefoot data fetch adult"):
        tasks.task("adult").load()


def test_a_task_is_a_plan_over_a_card():
    task = tasks.task("wages")
    other = replace(task, plan=by_value("smsa", source="yes"), annotates=("region",))
    assert {"smsa", "region"} == set(task.card.features) - set(other.features)
    assert {one.name for one in fields(Task)} >= {
        "name",
        "title",
        "dataset",
        "plan",
        "threshold",
        "method",
        "version",
    }


def test_tasks_and_posteriors_import_no_torch_and_no_catboost():
    code = "import surefoot.tasks as t, surefoot.posteriors as p, sys; t.tasks(); p.families(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"torch", "catboost", "sklearn", "pandas", "pyarrow"} & set(loaded.split())


HASHES = {
    ("daily_weather", "1"): "8e98c9bb35b2846a",
    ("digits", "1"): "880cf3dffbc5d94f",
    ("abortion_attitudes", "1"): "734a0e8d82ca5475",
    ("acs_employment", "1"): "42aec98e610a75c8",
    ("adult", "1"): "9785b5ab12b6afff",
    ("bank", "1"): "fc14e9e91522f7b3",
    ("census_income", "1"): "19f7e2b57dd89b0f",
    ("covertype", "1"): "70a54b3371fd0b52",
    ("crash", "1"): "c0a0117ee0d534c8",
    ("credit_default", "1"): "d0439c0af2814dcd",
    ("electricity", "1"): "bc704e463261a125",
    ("flights", "1"): "2c03a0dc66d3fabc",
    ("hotel_rates", "1"): "891c9244a521de93",
    ("lending_club", "1"): "2ee9fe747cddc80f",
    ("meps", "1"): "8df0d43b4337fae2",
    ("police_stops", "1"): "ffc6dd3e17716edc",
    ("storms", "1"): "ef16ef8c6c7434e3",
    ("trump_vote", "1"): "6eb85598717546b4",
    ("wages", "1"): "de5ef41ae32478c5",
}
"""The published version of every task's parts, seed 0."""


@pytest.mark.slow
@EVERY
def test_the_published_parts(task: Task):
    loaded = task.load(download=True)
    assert set(loaded.parts) == set(task.parts)
    assert loaded.split_hash[:16] == HASHES[task.name, task.version]
    whole = data.load(task.dataset)
    rows = assign({name: whole[name] for name in task.plan.columns}, task.plan)
    assert (rows[loaded.id] == loaded.partition).all()
