"""From a recipe and a task's rows to a posterior. Only train and dev_in are ever looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from surefoot.errors import InputError
from surefoot.metrics import gaussian_nll, log_likelihood
from surefoot.posteriors._calibration import best_temperature
from surefoot.posteriors._families import family
from surefoot.posteriors._family import Family, Fitting, TrainingRows
from surefoot.posteriors._posterior import Posterior, drawn
from surefoot.posteriors._recipe import Recipe, checked_tuning
from surefoot.posteriors._setting import Value

_LARGEST_SEED = 2**31 - 1


def fit(
    recipe: Recipe,
    data: TrainingRows,
    seed: int = 0,
    *,
    tune: Mapping[str, Sequence[Value]] | None = None,
) -> Posterior:
    """Fit every member on the rows to train on; dev_in tunes, stops and calibrates.

    ``tune`` replaces the recipe's own values to try. The same recipe, rows and seed give the same posterior, and
    the first members of a larger ensemble are the members of a smaller one.
    """
    models = family(recipe.family)
    if data.kind not in models.kinds:
        raise InputError(f"{models.name} is for {' and '.join(models.kinds)}, and this task is a {data.kind}")
    if recipe.after.name == "temperature" and data.kind != "classification":
        raise InputError(
            f"after is temperature, which scales probabilities; a {data.kind} has none: use none"
        )
    dev = data.part("dev_in") if "dev_in" in data.parts else None
    rows = Fitting(data.kind, data.classes, data.part("train"), dev)
    tried = recipe.tune if tune is None else checked_tuning(models.settings, tune)
    if dev is None and (tried or recipe.after.name == "temperature"):
        raise InputError(f"{'tune' if tried else 'after'} needs the part dev_in, which this task has not")
    if tried:
        recipe = _tuned(models, recipe, rows, seed, tried)
    members = tuple(models.fit(rows, recipe, member_seed(seed, number)) for number in range(recipe.members))
    temperature = 1.0
    if recipe.after.name == "temperature" and dev is not None:
        temperature = best_temperature(drawn(members, dev.X)["probs"], dev.y)
    return Posterior(recipe, data.kind, data.classes, members, temperature, seed)


def member_seed(seed: int, number: int) -> int:
    """The seed of one member: members differ, and the first ones do not depend on how many there are."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0] % _LARGEST_SEED)


def _tuned(
    models: Family, recipe: Recipe, rows: Fitting, seed: int, tried: Mapping[str, Sequence[Value]]
) -> Recipe:
    """The recipe with the settings under which a single member gives dev_in the highest likelihood."""
    best, lowest = recipe, np.inf
    for values in product(*tried.values()):
        candidate = replace(recipe, settings={**recipe.settings, **dict(zip(tried, values, strict=True))})
        loss = _loss(models, candidate, rows, seed)
        if loss < lowest:
            best, lowest = candidate, loss
    return best


def _loss(models: Family, recipe: Recipe, rows: Fitting, seed: int) -> float:
    """The mean negative log-likelihood of one member on dev_in."""
    assert rows.dev_in is not None
    found = models.fit(rows, recipe, member_seed(seed, 0)).predict(rows.dev_in.X)
    target = rows.dev_in.y
    if rows.kind == "classification":
        known = target >= 0
        return -log_likelihood(found["probs"].mean(axis=0)[known], target[known])
    mean = found["mean"].mean(axis=0)
    return gaussian_nll(mean, found["variance"].mean(axis=0) + found["mean"].var(axis=0), target)
