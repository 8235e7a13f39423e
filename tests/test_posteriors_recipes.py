"""Recipes are data: every preset survives JSON, and what is wrong is named by its field."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from surefoot import posteriors
from surefoot.errors import InputError
from surefoot.posteriors import PARTS, Choice, Cost, Recipe, cost, preset, presets


@pytest.mark.parametrize("one", presets(), ids=lambda one: one.name)
def test_presets_survive_json_and_yaml(one: posteriors.Preset):
    recipe = preset(one.name)
    assert Recipe.from_dict(json.loads(str(recipe))) == recipe
    assert Recipe.from_dict(yaml.safe_load(yaml.safe_dump(recipe.to_dict()))) == recipe
    assert recipe.to_dict() == json.loads(str(recipe))
    assert one.about


def test_every_family_has_a_preset():
    assert {preset(one.name).family for one in presets()} == {one.name for one in posteriors.families()}
    names = [one.name for one in presets()]
    assert len(set(names)) == len(names)


def test_a_recipe_says_only_what_is_not_the_default():
    recipe = Recipe.from_dict({"family": "majority", "noise": "none", "members": 1})
    assert recipe.to_dict() == {"family": "majority"}
    assert recipe.around == Choice("point")
    virtual = Recipe.from_dict({"family": "catboost", "around": "virtual-ensemble"})
    assert virtual.to_dict()["around"] == {"virtual-ensemble": {"count": 10}}


def test_settings_are_merged():
    recipe = preset("boosting").having(settings={"leaves": 7}, members=2)
    assert (recipe.settings["leaves"], recipe.settings["rate"], recipe.members) == (7, 0.1, 2)
    assert preset("boosting").settings["leaves"] == 31


def test_whole_numbers_are_numbers():
    assert Recipe.from_dict({"family": "sklearn-logistic", "settings": {"l2": 2}}).settings["l2"] == 2.0


FOREST = {"family": "sklearn-forest"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            None,
            "a recipe is a mapping with family, settings, noise, head, around, at_test, after, members, tune",
        ),
        ({}, "family is missing"),
        (
            {"family": "sklearn-forrest"},
            "no family named 'sklearn-forrest'; did you mean sklearn_forest",
        ),
        ({"family": 3}, "there is no family named 3"),
        (FOREST | {"member": 2}, "a recipe has no field member; its fields are family"),
        (FOREST | {"members": 0}, "members is 0; give a whole number of at least 1"),
        (FOREST | {"members": 2.5}, "members is 2.5; give a whole number"),
        (FOREST | {"members": True}, "members is True; give a whole number"),
        (FOREST | {"settings": {"tree": 3}}, "settings.tree is no setting here; there are trees, leaf"),
        (
            FOREST | {"settings": {"trees": "many"}},
            "settings.trees is 'many'; give a whole number of at least 1",
        ),
        (
            FOREST | {"settings": {"features": "most"}},
            "settings.features is 'most'; give one of sqrt, log2, all",
        ),
        (FOREST | {"settings": {"share": 2.0}}, "settings.share is 2.0; give a number from 0.01 to 1"),
        (
            FOREST | {"settings": {"share": float("nan")}},
            "settings.share is nan; give a number from 0.01 to 1",
        ),
        (FOREST | {"settings": []}, r"settings is \[\]; give a mapping with trees"),
        ({"family": "majority", "settings": {"a": 1}}, "settings.a is no setting here; there are none"),
        (FOREST | {"noise": "drop"}, "noise is 'drop'; choose from none, dropout, concrete-dropout"),
        (
            FOREST | {"noise": {"dropout": {"rate": 2.0}}},
            "noise.dropout.rate is 2.0; give a number from 0 to 1",
        ),
        (FOREST | {"noise": {"dropout": {"p": 0.1}}}, "noise.dropout.p is no setting here; there are rate"),
        (FOREST | {"noise": {"a": 1, "b": 2}}, "noise is {'a': 1, 'b': 2}; choose from none"),
        (
            FOREST | {"noise": "dropout"},
            "noise is dropout, which sklearn-forest does not support; it supports none",
        ),
        (FOREST | {"head": "random-feature-gp"}, "head is random-feature-gp, which sklearn-forest does not"),
        (
            FOREST | {"around": "swag"},
            "around is swag, which sklearn-forest does not support; it supports point",
        ),
        ({"family": "catboost", "around": "swag"}, "it supports point, virtual-ensemble"),
        (
            FOREST | {"at_test": "monte-carlo"},
            "at_test is monte-carlo, which sklearn-forest does not support",
        ),
        (FOREST | {"after": "scaling"}, "after is 'scaling'; choose from none, temperature"),
        (FOREST | {"tune": {"trees": 5}}, "tune.trees is 5; give a list of values to try"),
        (FOREST | {"tune": {"trees": []}}, r"tune.trees is \[\]; give a list"),
        (FOREST | {"tune": {"trees": [5, 0]}}, "tune.trees is 0; give a whole number of at least 1"),
        (FOREST | {"tune": {"wood": [5]}}, "tune.wood is no setting here; there are trees"),
        (FOREST | {"tune": [1]}, r"tune is \[1\]; give a mapping from settings to lists of values"),
    ],
)
def test_mistakes_name_the_field(content: Any, message: str):
    with pytest.raises(InputError, match=message):
        Recipe.from_dict(content)


def test_presets_that_are_not_there():
    with pytest.raises(InputError, match="no preset named 'forrest'; did you mean forest"):
        preset("forrest")


@given(
    st.sampled_from([one.name for one in presets()]),
    st.integers(1, 40),
    st.sampled_from(list(PARTS["after"])),
)
def test_costs_grow_with_the_members(name: str, members: int, after: str):
    recipe = preset(name).having(members=members, after=after)
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert (cost(recipe).training, cost(recipe).storage) == (members, members)


def made(**parts: Choice) -> Recipe:
    return Recipe(family="network", members=parts.pop("members", 1), **parts)


PASSES = Choice("monte-carlo", {"passes": 10})


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (made(), Cost(1, 1, 1)),
        (made(noise=Choice("dropout", {"rate": 0.5}), at_test=PASSES), Cost(1, 10, 1)),
        (made(at_test=PASSES, members=5), Cost(5, 50, 5)),
        (made(head=Choice("heteroscedastic", {"draws": 10})), Cost(1, 1, 1, 9)),
        (made(around=Choice("cyclical-sgld", {"cycles": 4, "draws": 3})), Cost(1, 12, 12)),
        (made(around=Choice("snapshots", {"cycles": 5}), members=2), Cost(2, 10, 10)),
        (made(around=Choice("swag", {"rank": 20, "draws": 30})), Cost(1, 30, 22)),
        (made(around=Choice("laplace", {"draws": 10})), Cost(1, 10, 2)),
        (made(around=Choice("virtual-ensemble", {"count": 10})), Cost(1, 1, 1)),
    ],
)
def test_costs_of_table_4(recipe: Recipe, expected: Cost):
    assert cost(recipe) == expected


def test_costs_in_words():
    both = made(head=Choice("heteroscedastic", {"draws": 10}), members=5)
    assert str(cost(both)) == "training 5 m, inference 5 m + 45 l, storage 5 m"
