"""Every named method holds to the protocol: one generic test of each promise, on a made-up task with gaps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from made import held_out, small
from surefoot import Predictions, metrics, posteriors
from surefoot.errors import InputError
from surefoot.metrics import fit_temperature
from surefoot.posteriors import Draws, Posterior, Recipe, fit, presets
from surefoot.posteriors._fit import member_seed
from surefoot.tasks import TaskData

QUICK = {
    "sklearn-forest": {"trees": 20, "leaf": 5},
    "sklearn-boosting": {"iterations": 12},
    "sklearn-mlp": {"width": 8, "epochs": 12, "rate": 0.01},
    "catboost": {"iterations": 30, "depth": 3},
}


def quick(recipe: Recipe) -> Recipe:
    """The same with little work."""
    settings = QUICK.get(recipe.family, {})
    return recipe.having(settings=settings, members=min(recipe.members, 2))


CASES = [
    pytest.param(quick(one.recipe), kind, id=f"{one.name}-{kind}")
    for one in presets()
    for kind in posteriors.family(one.recipe.family).kinds
    if kind == "classification" or one.recipe.after.name == "none"
]
EVERY = pytest.mark.parametrize(("recipe", "kind"), CASES)
FAMILIES = pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        pytest.param(quick(Recipe.from_dict({"family": one.name})), kind, id=f"{one.name}-{kind}")
        for one in posteriors.families()
        for kind in one.kinds
    ],
)


@cache
def rows(kind: str) -> TaskData:
    return small(kind)


@cache
def fitted(recipe: str, kind: str, seed: int = 0) -> Posterior:
    """Fits are shared by the tests, since nothing changes them."""
    import json

    return fit(Recipe.from_dict(json.loads(recipe)), rows(kind), seed)


def posterior(recipe: Recipe, kind: str, seed: int = 0) -> Posterior:
    return fitted(str(recipe), kind, seed)


def same(a: Draws, b: Draws) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a.arrays) and np.array_equal(a.member, b.member)


def predictions(draws: Draws, of: Any, classes: tuple[str, ...]) -> Predictions:
    if classes:
        return Predictions.classification(
            draws["probs"], of.y, classes=classes, member=draws.member, id=of.id
        )
    return Predictions.regression(draws["mean"], draws["variance"], of.y, member=draws.member, id=of.id)


def likelihood(draws: Draws, y: np.ndarray) -> float:
    if "probs" in draws.arrays:
        return metrics.log_likelihood(draws["probs"].mean(axis=0), y)
    mean, variance = draws["mean"], draws["variance"]
    return -metrics.gaussian_nll(mean.mean(axis=0), variance.mean(axis=0) + mean.var(axis=0), y)


@EVERY
def test_draws_are_predictions_of_every_part(recipe: Recipe, kind: str):
    data, found = rows(kind), posterior(recipe, kind)
    samples = int(recipe.around.settings.get("count", 1))
    for name in ("dev_in", "dev_out", "eval_in", "eval_out"):
        part = data.part(name)
        draws = found.predict(part.X)
        assert len(predictions(draws, part, data.classes)) == len(part)
        assert_array_equal(draws.member, np.repeat(np.arange(recipe.members), samples))
        if kind == "regression":
            assert (draws["variance"] > 0).all()


@EVERY
def test_an_ensemble_of_one_is_its_member(recipe: Recipe, kind: str):
    table = rows(kind).part("eval_in").X
    plain = recipe.having(after="none")
    one, many = posterior(plain.having(members=1), kind), posterior(plain.having(members=2), kind)
    assert same(one.predict(table), Draws(one.members[0].predict(table), one.predict(table).member))
    first = one.predict(table)
    ensemble = many.predict(table)
    for name in first.arrays:
        assert_array_equal(first[name], ensemble[name][ensemble.member == 0])


@EVERY
def test_the_same_seed_gives_the_same_and_members_differ(recipe: Recipe, kind: str):
    table = rows(kind).part("eval_out").X
    first = posterior(recipe, kind).predict(table)
    assert same(first, fit(recipe, rows(kind), 0).predict(table))
    if recipe.family != "majority":
        assert not same(first, posterior(recipe, kind, 1).predict(table))
        for array in first.arrays.values():
            assert recipe.members == 1 or not np.array_equal(array[0], array[-1])


@EVERY
def test_a_row_does_not_depend_on_the_others(recipe: Recipe, kind: str):
    table, found = rows(kind).part("eval_in").X, posterior(recipe, kind)
    whole, some = found.predict(table), found.predict(table.take([5, 3, 11]))
    for name in whole.arrays:
        assert_allclose(whole[name][:, [5, 3, 11]], some[name], rtol=1e-6, atol=1e-12)


@EVERY
def test_sizes_add_up(recipe: Recipe, kind: str):
    found = posterior(recipe, kind)
    assert found.parameters == sum(member.parameters for member in found.members) > 0
    assert found.stored_bytes == sum(member.stored_bytes for member in found.members) > 0
    assert found.cost.training == recipe.members
    assert (found.kind, found.classes, found.recipe) == (kind, rows(kind).classes, recipe)


@FAMILIES
def test_only_train_and_dev_in_are_looked_at(recipe: Recipe, kind: str):
    """With the judged parts and every annotation made nonsense, nothing changes."""
    data = rows(kind)
    judged = ~np.isin(data.partition, ("train", "dev_in"))
    rng = np.random.default_rng(5)
    mixed = np.where(judged, rng.permutation(len(judged)), np.arange(len(judged)))
    X = pa.table({name: data.X[name].take(mixed) for name in data.X.column_names})
    y = np.where(judged, data.y[0], data.y)
    other = replace(data, X=X, y=y, annotations=data.annotations.select([]))
    tune = {"tune": {"leaf": [1, 20]}} if recipe.family == "sklearn-forest" else {}
    after = {"after": "temperature"} if kind == "classification" else {}
    asked = recipe.having(**tune, **after)
    table = data.part("eval_in").X
    whole = fit(asked, data, 0)
    assert same(whole.predict(table), fit(asked, other, 0).predict(table))
    assert same(whole.predict(table), fit(asked, data.fitting(), 0).predict(table))


@FAMILIES
def test_it_learns(recipe: Recipe, kind: str):
    if recipe.family == "majority":
        return
    part = rows(kind).part("eval_in", "eval_out")
    baseline = posterior(Recipe.from_dict({"family": "majority"}), kind).predict(part.X)
    assert likelihood(posterior(recipe, kind).predict(part.X), part.y) > likelihood(baseline, part.y) + 0.1


@FAMILIES
def test_new_categories_gaps_and_columns_of_one_kind(recipe: Recipe, kind: str):
    data, found = rows(kind), posterior(recipe, kind)
    table = data.part("eval_in").X
    strange = pa.array(["blue"] * table.num_rows).dictionary_encode()
    gaps = pa.nulls(table.num_rows, pa.float64())
    moved = table.set_column(2, "colour", strange).set_column(0, "x", gaps)
    assert np.isfinite(next(iter(found.predict(moved).arrays.values()))).all()
    for columns in (["x", "z"], ["colour"]):
        few = replace(data, X=data.X.select(columns))
        draws = fit(recipe, few, 0).predict(few.part("eval_in").X)
        assert len(predictions(draws, few.part("eval_in"), data.classes)) == table.num_rows


@FAMILIES
def test_a_column_that_is_all_gaps(recipe: Recipe, kind: str):
    data = rows(kind)
    for empty in (pa.nulls(len(data), pa.float64()), pa.nulls(len(data), pa.string()).dictionary_encode()):
        holed = replace(data, X=data.X.append_column("empty", empty))
        draws = fit(recipe, holed, 0).predict(holed.part("eval_out").X)
        assert np.isfinite(next(iter(draws.arrays.values()))).all()


@FAMILIES
def test_rare_classes_are_no_obstacle(recipe: Recipe, kind: str):
    if kind == "regression":
        return
    data = rows(kind)
    train = np.flatnonzero(data.partition == "train")
    y = data.y.copy()
    y[train] = np.where(np.arange(len(train)) == 7, 2, np.arange(len(train)) % 2)
    few = replace(data, y=y)
    draws = fit(recipe.having(members=2), few, 0).predict(few.part("eval_in").X)
    assert draws["probs"].shape[-1] == 3
    assert_allclose(draws["probs"].sum(axis=-1), 1, atol=1e-6)


@FAMILIES
def test_novel_rows_in_dev_in_do_not_disturb(recipe: Recipe, kind: str):
    if kind == "regression":
        return
    data = small(plan=held_out())
    y = data.y.copy()
    y[np.flatnonzero(data.partition == "dev_in")[:5]] = -1
    found = fit(recipe.having(after="temperature"), replace(data, y=y), 0)
    assert found.predict(data.part("eval_out").X)["probs"].shape[-1] == 2


@pytest.mark.parametrize("family", ["sklearn-forest", "sklearn-boosting", "sklearn-mlp", "catboost"])
def test_the_variance_follows_the_noise(family: str):
    data = small("regression", 4000, seed=3)
    part = data.part("eval_in", "eval_out")
    draws = fit(Recipe.from_dict({"family": family}), data, 0).predict(part.X)
    noisy = part.X["z"].to_numpy() > 0
    variance = draws["variance"][0]
    assert np.median(variance[noisy]) > 2 * np.median(variance[~noisy])
    assert 0.5 < np.mean(np.square(part.y - draws["mean"][0]) / variance) < 2


def test_one_temperature_makes_dev_in_likelier():
    data = rows("classification")
    dev = data.part("dev_in")
    for members in (1, 3):
        recipe = quick(posteriors.preset("forest")).having(members=members)
        plain, scaled = fit(recipe, data, 0), fit(recipe.having(after="temperature"), data, 0)
        assert scaled.temperature != 1
        assert likelihood(scaled.predict(dev.X), dev.y) > likelihood(plain.predict(dev.X), dev.y)
        for factor in (0.9, 1.1):
            other = replace(scaled, temperature=scaled.temperature * factor)
            assert likelihood(other.predict(dev.X), dev.y) < likelihood(scaled.predict(dev.X), dev.y)
        if members == 1:
            logits = np.log(plain.predict(dev.X)["probs"][0] + 1e-10)
            assert scaled.temperature == fit_temperature(logits, dev.y)


def test_tuning_takes_what_dev_in_finds_likeliest():
    data = rows("regression")
    recipe = quick(posteriors.preset("forest"))
    dev = data.part("dev_in")
    losses = {}
    for leaf in (1, 5, 120):
        draws = fit(recipe.having(settings={"leaf": leaf}), data, 0).predict(dev.X)
        losses[leaf] = -likelihood(draws, dev.y)
    tuned = fit(recipe, data, 0, tune={"leaf": [1, 5, 120]})
    assert tuned.recipe.settings["leaf"] == min(losses, key=losses.__getitem__)
    assert fit(recipe.having(tune={"leaf": [1, 5, 120]}), data, 0).recipe.settings == tuned.recipe.settings


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(
        InputError, match="sklearn-logistic is for classification, and this task is a regression"
    ):
        fit(posteriors.preset("logistic"), rows("regression"))
    with pytest.raises(InputError, match="after is temperature, which scales probabilities"):
        fit(posteriors.preset("forest-calibrated"), rows("regression"))
    data = rows("classification")
    there = np.flatnonzero(data.partition == "train")
    only = {"train": data.statistics["train"]}
    part = data.part("train")
    alone = replace(data, X=part.X, y=part.y, partition=data.partition[there], id=part.id, statistics=only)
    with pytest.raises(InputError, match="after needs the part dev_in"):
        fit(posteriors.preset("forest-calibrated"), alone)
    with pytest.raises(InputError, match="tune needs the part dev_in"):
        fit(posteriors.preset("forest"), alone, tune={"leaf": [1, 2]})
    with pytest.raises(InputError, match="tune.leaves is no setting here"):
        fit(posteriors.preset("forest"), data, tune={"leaves": [1, 2]})
    assert fit(quick(posteriors.preset("catboost")), alone).predict(part.X)["probs"].shape[1] == len(part)


def test_seeds_of_members_are_their_own():
    seeds = {member_seed(seed, number) for seed in range(20) for number in range(20)}
    assert len(seeds) == 400


def test_catboost_that_is_not_installed(monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, "catboost", None)
    with pytest.raises(
        InputError, match=r"catboost is not installed; run: pip install 'surefoot\[tabular\]'"
    ):
        fit(posteriors.preset("catboost"), rows("classification"))
