"""A suite is plain data: what to cross, what to add and to leave out, and how large each profile of it is.

    about: Methods on real tables with a shift.
    kind: predict
    matrix: {task: [adult, electricity], method: [catboost, catboost-ensemble], seed: 3}
    include: [{task: adult, method: forest, seed: [0, 1]}]
    exclude: [{task: electricity, method: catboost}]
    with: {rows: 5000}
    limits: {timeout: 600}
    profiles:
      smoke: {matrix: {task: [adult], seed: 1}, with: {rows: 500}}

`seed: 3` is 0, 1, 2. Each entry of `include` is a matrix of its own; an entry of `exclude` takes out the trials that
agree with all its fields. `with` holds for all trials. A profile replaces axes, fields and limits by its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from surefoot._checks import choice
from surefoot.bench._fields import made, mapping, refuse_unknown, shown
from surefoot.bench._limits import Limits
from surefoot.bench._trial import Trial
from surefoot.errors import InputError

SUFFIXES = (".yaml", ".yml", ".json")

_PART = ("matrix", "include", "exclude", "with", "limits")
_WHOLE = ("name", "about", "kind", *_PART, "profiles")


@dataclass(frozen=True)
class Suite:
    """A suite of some name; ``content`` is the plain data that `read` has checked."""

    name: str
    content: Mapping[str, Any]

    @property
    def about(self) -> str:
        """What it is for, in a sentence."""
        return str(self.content.get("about", ""))

    @property
    def profiles(self) -> tuple[str, ...]:
        """Names of its sizes; a suite without any has one, without a name."""
        return tuple(self.content.get("profiles", {"": {}}))

    @property
    def usual(self) -> str:
        """The profile that is taken if none is named: small, else the first."""
        return "small" if "small" in self.profiles else self.profiles[0]

    def trials(self, profile: str) -> tuple[Trial, ...]:
        """All trials of a profile, each once, seed by seed, so that a run that is stopped has some of everything."""
        part = self._part(profile)
        where = f"suite {self.name}"
        shared = {"kind": self.content["kind"], **_mapping(part, "with", where)}
        given = [*_crossed(_mapping(part, "matrix", where), f"{where}: matrix")]
        for i, extra in enumerate(_list(part, "include", where)):
            given += _crossed(mapping(extra, f"{where}: include[{i}]"), f"{where}: include[{i}]")
        left_out = _list(part, "exclude", where)
        for i, one in enumerate(left_out):
            mapping(one, f"{where}: exclude[{i}]")
        kept = [fields for fields in given if not any(_agrees(fields, one) for one in left_out)]
        kept.sort(key=lambda fields: fields["seed"] if isinstance(fields.get("seed"), int) else 0)
        trials = [Trial.of({**shared, **fields}, f"{where}: trial {shown(fields)}") for fields in kept]
        if not trials:
            raise InputError(f"{where} has no trial in the profile {profile or 'it has'}; give a matrix")
        return tuple({trial.id: trial for trial in trials}.values())

    def limits(self, profile: str) -> Limits:
        """What a trial of a profile may take."""
        where = f"suite {self.name}"
        return made(Limits, _mapping(self._part(profile), "limits", where), f"{where}: limits")

    def check(self) -> Mapping[str, int]:
        """Read every profile; the number of trials of each."""
        return {profile: len(self.trials(profile)) for profile in self.profiles if self.limits(profile)}

    def _part(self, profile: str) -> Mapping[str, Any]:
        choice("profile", profile, self.profiles)
        mine = self.content.get("profiles", {}).get(profile) or {}
        joined = {name: self.content[name] for name in _PART if name in self.content}
        for name, value in mine.items():
            both = isinstance(value, Mapping) and isinstance(joined.get(name), Mapping)
            joined[name] = {**joined[name], **value} if both else value
        return joined


def suite_of(content: object, name: str) -> Suite:
    """A suite out of plain data."""
    where = f"suite {name}"
    given = mapping(content, where)
    refuse_unknown(given, _WHOLE, where)
    if not isinstance(given.get("kind"), str):
        raise InputError(f"{where}: kind is missing; give it, for instance kind: predict")
    for profile, part in _mapping(given, "profiles", where).items():
        if part is not None:
            refuse_unknown(
                mapping(part, f"{where}: profiles: {profile}"), _PART, f"{where}: profiles: {profile}"
            )
    return Suite(str(given.get("name", name)), given)


def suite(name: str) -> Suite:
    """A suite of the package by its name, or one of the user's by its path."""
    path = Path(name)
    if path.suffix in SUFFIXES:
        if not path.is_file():
            raise InputError(f"{name} is no file; give a YAML file, or one of {', '.join(suites())}")
        return suite_of(_parsed(path.read_text(encoding="utf-8"), name), path.stem)
    if name not in suites():
        raise InputError(
            f"there is no suite {name!r}; choose from {', '.join(suites())}, or give a YAML file"
        )
    text = files("surefoot.bench").joinpath("suites", f"{name}.yaml").read_text(encoding="utf-8")
    return suite_of(_parsed(text, name), name)


def suites() -> tuple[str, ...]:
    """Names of the package's suites."""
    there = files("surefoot.bench").joinpath("suites").iterdir()
    return tuple(sorted(path.name.removesuffix(".yaml") for path in there if path.name.endswith(".yaml")))


def _parsed(text: str, name: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise InputError("suites are read with PyYAML; pip install 'surefoot[bench]'") from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{name} is no YAML ({' '.join(str(error).split())})") from None


def _crossed(matrix: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Every combination of the values on the axes."""
    axes = {name: _axis(name, values, where) for name, values in matrix.items()}
    if axes:
        yield from (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))


def _axis(name: str, values: Any, where: str) -> Sequence[Any]:
    """Values on an axis: a list, one value, or for seeds how many there are."""
    if isinstance(values, list):
        if not values:
            raise InputError(f"{where}: {name} is empty; give at least one value")
        return values
    if name != "seed":
        return [values]
    if isinstance(values, bool) or not isinstance(values, int) or values < 1:
        raise InputError(f"{where}: seed must be how many there are, or a list of them, not {shown(values)}")
    return range(values)


def _agrees(fields: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a trial has all these values; a mapping, such as a recipe, is known by its name as well."""

    def has(name: str, values: Any) -> bool:
        own = fields.get(name)
        several = values if isinstance(values, list) else [values]
        return own in several or (isinstance(own, Mapping) and own.get("name", ()) in several)

    return all(has(name, values) for name, values in wanted.items())


def _mapping(given: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    return mapping(given.get(name) or {}, f"{where}: {name}")


def _list(given: Mapping[str, Any], name: str, where: str) -> Sequence[Any]:
    values = given.get(name) or []
    if not isinstance(values, list):
        raise InputError(f"{where}: {name} must be a list of mappings, not {shown(values)}")
    return values
