"""The page on tasks and methods: it names all of them, and what it shows runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from made import small, table_of
from surefoot import posteriors, tasks
from surefoot.data.partition import assign
from surefoot.posteriors import PARTS, Recipe
from surefoot.posteriors._family import Fitting

PAGE = (Path(__file__).parent.parent / "docs" / "tasks.md").read_text(encoding="utf-8")


def shown(language: str, containing: str) -> str:
    """The one example of the page that contains a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    (found,) = [block for block in blocks if containing in block]
    return found


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(code, "docs/tasks.md", "exec"), names)
    return names


def test_every_task_choice_and_preset_is_on_the_page():
    for task in tasks.tasks():
        assert f"| `{task.name}` | {task.title}" in PAGE
    endings = ("-calibrated", "-ensemble")
    for one in posteriors.presets():
        base = re.sub(f"({'|'.join(endings)})+$", "", one.name)
        assert f"| `{base}` |" in PAGE
    for part, choices in PARTS.items():
        assert f"`{part}`" in PAGE
        assert all(f"`{choice}`" in PAGE for choice in choices)


def test_the_first_example_ends_in_a_scorecard(monkeypatch: pytest.MonkeyPatch):
    task = tasks.task("covertype")
    monkeypatch.setattr(type(task), "load", lambda self, **options: task.of(table_of(task)))
    names = run(shown("python", "posterior = posteriors.fit").replace("forest-ensemble", "majority"))
    sides = {(row.side, row.metric) for row in names["card"].rows}
    assert {("in", "r_auc"), ("shifted", "r_auc")} <= sides


def test_the_recipe_is_one():
    recipe = Recipe.from_dict(yaml.safe_load(shown("yaml", "family:")))
    assert (recipe.members, recipe.after.name, recipe.tune["leaf"]) == (5, "temperature", (2, 5, 20))


def test_the_plan_is_one():
    plan = run(shown("python", "plan = Plan("))["plan"]
    columns = {
        "climate": ["dry", "snow", "polar", "mild"],
        "time": ["2018-10-01", "2019-08-01", "2019-06-01", "2019-04-08"],
    }
    assert assign(columns, plan)[1:].tolist() == ["dev_out", "eval_out", ""]


def test_the_task_is_one():
    task = run(shown("python", 'name="toy"'))["task"]
    assert task.parts == ("train", "dev_in", "dev_out", "eval_in", "eval_out")


def test_the_family_fits():
    family = run(shown("python", 'name="nearest"'))["family"]
    data = small()
    settings = {name: setting.default for name, setting in family.settings.items()}
    recipe = Recipe(family="nearest", settings=settings)
    rows = Fitting(data.kind, data.classes, data.part("train"), data.part("dev_in"))
    member = family.fit(rows, recipe, 0)
    part = data.part("eval_in")
    probs = member.predict(part.X)["probs"]
    assert probs.shape == (1, len(part), 3)
    assert np.mean(probs[0].argmax(axis=1) == part.y) > 0.5
    assert member.parameters > 0
