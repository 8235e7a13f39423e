"""Recipes with names."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from surefoot.errors import InputError
from surefoot.posteriors._recipe import Recipe

MEMBERS = 5
"""Members of an ensemble: Van Landeghem et al. 2022 find five plenty (appendix B)."""


@dataclass(frozen=True)
class Preset:
    """A recipe with a name, and a sentence on when to take it."""

    name: str
    about: str
    content: dict[str, Any]

    @property
    def recipe(self) -> Recipe:
        """The recipe."""
        return Recipe.from_dict(self.content)


def _single_and_ensembles(
    name: str, about: str, content: dict[str, Any], members: int = MEMBERS
) -> list[Preset]:
    """The single model, the calibrated one, and the ensemble, plain and calibrated."""
    ensemble = content | {"members": members}
    calibrated = {"after": "temperature"}
    many = f"{members} of them from independent seeds"
    return [
        Preset(name, about, content),
        Preset(f"{name}-calibrated", f"{about}; then temperature scaling", content | calibrated),
        Preset(f"{name}-ensemble", f"{about}; {many}", ensemble),
        Preset(
            f"{name}-ensemble-calibrated", f"{about}; {many}; then temperature scaling", ensemble | calibrated
        ),
    ]


_ALL = (
    Preset(
        "majority", "the shares of the classes or the mean, whatever the features", {"family": "majority"}
    ),
    *_single_and_ensembles("logistic", "logistic regression", {"family": "sklearn-logistic"}),
    *_single_and_ensembles("forest", "a random forest", {"family": "sklearn-forest"}),
    *_single_and_ensembles("boosting", "gradient boosting", {"family": "sklearn-boosting"}),
    *_single_and_ensembles("mlp", "a network of two hidden layers", {"family": "sklearn-mlp"}),
    *_single_and_ensembles("catboost", "CatBoost", {"family": "catboost"}),
    *_single_and_ensembles(
        "catboost-virtual",
        "CatBoost by Langevin boosting, ten truncations of one model as its samples",
        {"family": "catboost", "around": "virtual-ensemble"},
    ),
    Preset(
        "catboost-weather-regression",
        "ten CatBoost models of the temperature as in Malinin et al. 2021 (Shifts), appendix C.4",
        {"family": "catboost", "settings": {"depth": 8, "iterations": 20_000, "rate": 0.3}, "members": 10},
    ),
    Preset(
        "catboost-weather-classification",
        "ten CatBoost models of the precipitation class as in Malinin et al. 2021 (Shifts), appendix C.4",
        {"family": "catboost", "settings": {"depth": 6, "iterations": 10_000, "rate": 0.4}, "members": 10},
    ),
)


def presets() -> tuple[Preset, ...]:
    """All named recipes."""
    return _ALL


def preset(name: str) -> Recipe:
    """The recipe of a name.

    >>> preset("forest").members
    1
    """
    known = {one.name: one for one in _ALL}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no preset named {name!r}{hint} (there are: {', '.join(known)})")
    return known[name].recipe
