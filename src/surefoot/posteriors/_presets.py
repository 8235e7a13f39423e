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


_ALL = (*_single_and_ensembles("forest", "a random forest", {"family": "sklearn-forest"}),)


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
