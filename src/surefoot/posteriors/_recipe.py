"""A recipe: how to get a distribution over models, as data.

The parts compose: noise inside the network, the head and its loss, what is recorded around one mode, what happens
at test time, how many independent members there are, and the temperature after training. A family of models
supports some choices of each part; any other is refused with a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from surefoot.errors import InputError
from surefoot.posteriors._setting import Setting, Value, checked_settings

_RATE = Setting(0.5, 0.0, 1.0, about="share of units that are dropped")
_DRAWS = Setting(10, 1, about="samples that are drawn")

PARTS: Mapping[str, Mapping[str, Mapping[str, Setting]]] = {
    "noise": {
        "none": {},
        "dropout": {"rate": _RATE},
        "concrete-dropout": {},
    },
    "head": {
        "likelihood": {},  # categorical, Bernoulli or Gaussian, as the task's kind wants
        "heteroscedastic": {"draws": _DRAWS},
        "random-feature-gp": {"features": Setting(1024, 1), "spectral_norm": Setting(0.95, 0.0)},
    },
    "around": {
        "point": {},
        "virtual-ensemble": {"count": Setting(10, 2, about="truncations of one boosted model")},
        "swag": {"rank": Setting(20, 1), "draws": _DRAWS},
        "laplace": {"draws": _DRAWS},
        "mean-field": {"draws": _DRAWS},
        "snapshots": {"cycles": Setting(5, 1)},
        "fge": {"cycles": Setting(5, 1)},
        "cyclical-sgld": {"cycles": Setting(4, 1), "draws": Setting(3, 1, about="samples a cycle")},
    },
    "at_test": {
        "one-pass": {},
        "monte-carlo": {"passes": Setting(10, 1)},
        "augmentation": {"passes": Setting(10, 1)},
    },
    "after": {
        "none": {},
        "temperature": {},
    },
}
"""The choices of every part with their settings; the first is what a recipe does if it does not say."""

MEMBERS = Setting(1, 1)


@dataclass(frozen=True)
class Choice:
    """One choice of a part, with its settings."""

    name: str
    settings: Mapping[str, Value] = field(default_factory=dict)

    def plain(self) -> Any:
        """The name, or the name and its settings."""
        return {self.name: dict(self.settings)} if self.settings else self.name


_FIRST = {name: Choice(next(iter(choices))) for name, choices in PARTS.items()}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to get a distribution over models.

    Make one with `Recipe.from_dict` or `preset`, which check everything.

    Attributes:
        family: the family of models, such as ``"sklearn-forest"``.
        settings: its hyper-parameters, all of them.
        noise, head, around, at_test, after: a choice for each part.
        members: independent members, each of all of the above.
        tune: values to try of some settings; the likelihood of dev_in decides.
    """

    family: str
    settings: Mapping[str, Value] = field(default_factory=dict)
    noise: Choice = _FIRST["noise"]
    head: Choice = _FIRST["head"]
    around: Choice = _FIRST["around"]
    at_test: Choice = _FIRST["at_test"]
    after: Choice = _FIRST["after"]
    members: int = 1
    tune: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Recipe:
        """Check a document; what is wrong is named by its field.

        >>> Recipe.from_dict({"family": "sklearn-forest", "settings": {"trees": 50}, "members": 3}).settings["trees"]
        50
        >>> Recipe.from_dict({"family": "sklearn-forest", "noise": {"dropout": {"rate": 0.1}}})
        Traceback (most recent call last):
        surefoot.errors.InputError: noise is dropout, which sklearn-forest does not support; it supports none
        """
        from surefoot.posteriors._families import family

        if not isinstance(content, Mapping):
            raise InputError(f"a recipe is a mapping with {', '.join(_FIELDS)}, not {type(content).__name__}")
        strange = [str(name) for name in content if name not in _FIELDS]
        if strange:
            raise InputError(f"a recipe has no field {strange[0]}; its fields are {', '.join(_FIELDS)}")
        if "family" not in content:
            raise InputError("family is missing; a recipe names the family of its models")
        models = family(content["family"])
        choices = {name: _choice(name, content.get(name)) for name in PARTS}
        for name, chosen in choices.items():
            allowed = models.supported(name)
            if chosen.name not in allowed:
                raise InputError(
                    f"{name} is {chosen.name}, which {models.name} does not support; it supports {', '.join(allowed)}"
                )
        settings = checked_settings("settings", models.settings, content.get("settings", {}))
        return cls(
            family=models.name,
            settings=settings,
            members=int(MEMBERS.checked("members", content.get("members", MEMBERS.default))),
            tune=checked_tuning(models.settings, content.get("tune", {})),
            **choices,
        )

    def to_dict(self) -> dict[str, Any]:
        """The document, as JSON and YAML can hold it; parts that are left as they are by default are left out."""
        parts = {name: getattr(self, name) for name in PARTS}
        content: dict[str, Any] = {"family": self.family, "settings": dict(self.settings)}
        content |= {name: one.plain() for name, one in parts.items() if one != _FIRST[name]}
        content["members"] = self.members
        content["tune"] = {name: list(values) for name, values in self.tune.items()}
        return {name: value for name, value in content.items() if value not in ({}, 1)}

    def having(self, **changes: Any) -> Recipe:
        """The same recipe with other fields, checked; settings are merged.

        >>> Recipe.from_dict({"family": "majority"}).having(members=2).members
        2
        """
        content = self.to_dict()
        if "settings" in changes:
            changes["settings"] = {**self.settings, **changes["settings"]}
        return Recipe.from_dict({**content, **changes})

    def __str__(self) -> str:
        return json.dumps(self.to_dict())


_FIELDS = tuple(one.name for one in fields(Recipe))


def checked_tuning(known: Mapping[str, Setting], given: Any) -> dict[str, tuple[Value, ...]]:
    """The values to try, each of which the setting allows."""
    if not isinstance(given, Mapping):
        raise InputError(f"tune is {given!r}; give a mapping from settings to lists of values")
    tried = {}
    for name, values in given.items():
        if name not in known:
            raise InputError(f"tune.{name} is no setting here; there are {', '.join(known) or 'none'}")
        if isinstance(values, str) or not hasattr(values, "__iter__") or not list(values):
            raise InputError(f"tune.{name} is {values!r}; give a list of values to try")
        tried[name] = tuple(known[name].checked(f"tune.{name}", value) for value in values)
    return tried


def _choice(part: str, given: Any) -> Choice:
    """A choice written as its name, or as {name: its settings}."""
    choices = PARTS[part]
    if given is None:
        return _FIRST[part]
    name, settings = (
        next(iter(given.items())) if isinstance(given, Mapping) and len(given) == 1 else (given, {})
    )
    if not isinstance(name, str) or name not in choices:
        raise InputError(f"{part} is {name!r}; choose from {', '.join(choices)}")
    return Choice(name, checked_settings(f"{part}.{name}", choices[name], settings))
