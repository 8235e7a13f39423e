"""Suites and trials as plain data: what they cross, and what is said about a mistake in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from surefoot import posteriors
from surefoot.bench import Limits, Plan, Trial, read_plan, suite, suite_of, suites
from surefoot.bench import _trial as trial_module
from surefoot.errors import InputError

TOY = {"kind": "trials:KIND", "matrix": {"do": ["nothing", "sleep"], "seed": 3}}


def seen(trials: tuple[Trial, ...]) -> list[tuple[str, int]]:
    return [(one.what.do, one.what.seed) for one in trials]


def test_a_matrix_is_crossed_seed_by_seed():
    assert seen(suite_of(TOY, "toy").trials("")) == [
        (do, seed) for seed in range(3) for do in ("nothing", "sleep")
    ]


def test_include_adds_small_matrices_and_exclude_takes_out_what_agrees():
    content = TOY | {
        "include": [{"do": ["fail", "die"], "seed": [7]}, {"do": "nothing", "seed": 1}],
        "exclude": [{"do": "sleep", "seed": [1, 2]}],
    }
    assert set(seen(suite_of(content, "toy").trials(""))) == {
        ("nothing", 0), ("nothing", 1), ("nothing", 2), ("sleep", 0), ("fail", 7), ("die", 7),
    }  # fmt: skip


def test_a_profile_replaces_axes_fields_and_limits():
    content = TOY | {
        "with": {"size": 5, "group": 1},
        "limits": {"timeout": 60, "gpus": 0.25},
        "profiles": {
            "smoke": {"matrix": {"seed": 1}, "with": {"size": 2}, "limits": {"timeout": 5}},
            "all": None,
        },
    }
    found = suite_of(content, "toy")
    assert found.profiles == ("smoke", "all")
    assert found.usual == "smoke"
    assert [(one.what.size, one.what.group) for one in found.trials("smoke")] == [(2, 1)] * 2
    assert [one.what.size for one in found.trials("all")] == [5] * 6
    assert found.limits("smoke") == Limits(timeout=5, gpus=0.25)
    assert found.limits("all") == Limits(timeout=60, gpus=0.25)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matrx": {}}, "suite toy: matrx is no field; did you mean matrix"),
        ({"kind": None}, "suite toy: kind is missing"),
        ({"kind": "cook"}, "kind must be one of predict, estimate, submitted, or module:NAME"),
        ({"kind": "nowhere:KIND"}, "kind 'nowhere:KIND' cannot be imported"),
        ({"matrix": {"do": []}}, "suite toy: matrix: do is empty"),
        ({"matrix": {"seed": 0}}, "suite toy: matrix: seed must be how many there are"),
        ({"matrix": {"seed": 1, "sise": 1}}, "sise is no field; did you mean size"),
        ({"matrix": {"seed": 1, "size": "large"}}, "size must be a whole number, not 'large'"),
        ({"matrix": {"do": "nothing"}}, "seed is missing"),
        ({"matrix": [1]}, "suite toy: matrix must be a mapping from names to values"),
        ({"include": {"seed": 1}}, "suite toy: include must be a list of mappings"),
        ({"exclude": [{}]}, "suite toy has no trial"),
        ({"limits": {"timeout": -1}}, "suite toy: limits: timeout must be a number above 0"),
        ({"limits": {"gpus": "one"}}, "suite toy: limits: gpus must be a number, not 'one'"),
        ({"limits": {"retries": -1}}, "suite toy: limits: retries must be 0 or more"),
        ({"profiles": {"smoke": {"seeds": 1}}}, "suite toy: profiles: smoke: seeds is no field"),
    ],
)
def test_a_mistake_is_named_by_its_field(change: dict[str, object], message: str):
    with pytest.raises(InputError) as said:
        suite_of(TOY | change, "toy").check()
    assert message in str(said.value)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"task": "covertyp", "method": "forest"}, "did you mean covertype"),
        ({"task": "covertype", "method": "forrest"}, "did you mean forest"),
        (
            {"task": "covertype", "method": {"family": "sklearn-forest", "settings": {"trees": 0}}},
            "settings.trees",
        ),
        ({"task": "wages", "method": "logistic"}, "method: sklearn-logistic cannot do wages"),
        ({"task": "covertype", "method": "forest", "most": 0}, "most must be numbers of rows above 0"),
        ({"task": "covertype", "method": "forest", "seed": -1}, "seed must be 0 or more"),
        ({"task": 3, "method": "forest"}, "trial: task must be a text, not 3"),
        ({"task": "covertype", "method": 3}, "trial: method must be a text or a mapping, not 3"),
    ],
)
def test_trials_of_methods_say_what_is_wrong(what: dict[str, object], message: str):
    with pytest.raises(InputError) as said:
        Trial.of({"kind": "predict", **what})
    assert message in str(said.value)


def test_a_recipe_is_left_out_by_its_name():
    bush = {"name": "bush", "family": "sklearn-forest", "settings": {"trees": 3}}
    suite = suite_of(
        {
            "kind": "predict",
            "matrix": {"task": ["covertype", "adult"], "method": ["forest", bush], "seed": 1},
            "exclude": [{"task": "covertype", "method": "bush"}],
        },
        "toy",
    )
    assert len(suite.trials("")) == 3


def test_a_trial_survives_json_and_yaml():
    recipe = {"name": "bush", "family": "sklearn-forest", "settings": {"trees": 3}}
    trial = Trial.of({"kind": "predict", "task": "covertype", "method": recipe, "most": {"train": 50}})
    assert Trial.of(json.loads(json.dumps(trial.to_dict()))).id == trial.id
    assert Trial.of(yaml.safe_load(yaml.safe_dump(trial.to_dict()))).id == trial.id
    assert str(trial) == "covertype, bush, seed 0"


def test_its_name_follows_specification_data_and_code(monkeypatch: pytest.MonkeyPatch):
    def id(**changes: object) -> str:
        return Trial.of({"kind": "predict", "task": "covertype", "method": "forest", **changes}).id

    before = id()
    assert before == id()
    others = [id(seed=1), id(most=10), id(method="forest-ensemble"), id(task="adult")]
    for place in ("surefoot.bench.kinds.predict.VERSION", "surefoot.bench.kinds._dataset.checksum"):
        with monkeypatch.context() as patch:
            patch.setattr(place, "new" if place.endswith("VERSION") else lambda name: "new")
            others.append(id())
    with monkeypatch.context() as patch:
        patch.setattr(trial_module, "FORMAT", 99)
        others.append(id())
    with monkeypatch.context() as patch:
        newer = replace(posteriors.family("sklearn-forest"), version="99")
        patch.setattr("surefoot.posteriors.family", lambda name: newer)
        others.append(id())
    assert len({before, *others}) == 9
    assert id() == before


def test_a_recipe_that_is_spelt_out_is_known_by_its_content():
    def named(trees: int) -> str:
        recipe = {"family": "sklearn-forest", "settings": {"trees": trees}}
        return Trial.of({"kind": "predict", "task": "covertype", "method": recipe}).named.method

    assert named(3) == named(3) != named(4)
    assert named(3).startswith("sklearn-forest-")


def test_every_suite_of_the_package_is_valid_and_has_its_sizes():
    assert suites()
    for name in suites():
        sizes = suite(name).check()
        assert set(sizes) >= {"smoke", "small", "paper"}
        assert 0 < sizes["smoke"] <= sizes["small"] <= sizes["paper"]
        assert suite(name).about


def test_a_suite_is_read_from_a_file(tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(TOY))
    assert suite(str(path)).name == "mine"
    path.write_text("matrix: [")
    with pytest.raises(InputError, match="is no YAML"):
        suite(str(path))
    with pytest.raises(InputError, match="is no file"):
        suite(str(tmp_path / "none.yaml"))
    with pytest.raises(InputError, match="there is no suite 'none'"):
        suite("none")


def test_a_plan_is_read_as_it_was_written(tmp_path: Path):
    trials = suite_of(TOY, "toy").trials("")
    plan = Plan.of("toy", "small", trials, Limits(timeout=9))
    plan.write(tmp_path)
    assert read_plan(tmp_path) == plan
    assert [one.id for one in read_plan(tmp_path).trials()] == [one.id for one in trials]
    with pytest.raises(InputError, match="nothing was run in"):
        read_plan(tmp_path / "elsewhere")
