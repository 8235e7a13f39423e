"""Plain data into dataclasses, with sentences that name the field that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from surefoot.errors import InputError

T = TypeVar("T")

_WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    Mapping: "a mapping",
}


def made(cls: type[T], given: object, where: str) -> T:
    """A dataclass out of a mapping of its fields; ``where`` begins what is said about a wrong one.

    >>> from surefoot.bench._limits import Limits
    >>> made(Limits, {"timeout": 60}, "limits").timeout
    60.0
    >>> made(Limits, {"timout": 60}, "limits")
    Traceback (most recent call last):
    surefoot.errors.InputError: limits: timout is no field; did you mean timeout? There are timeout, ...
    """
    content = mapping(given, where)
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    refuse_unknown(content, known, where)
    lacking = [
        name
        for name, field in known.items()
        if name not in content and field.default is MISSING and field.default_factory is MISSING
    ]
    if lacking:
        raise InputError(f"{where}: {lacking[0]} is missing; give it")
    types = get_type_hints(cls)
    values = {name: _value(types[name], value, f"{where}: {name}") for name, value in content.items()}
    try:
        return cls(**values)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def mapping(given: object, where: str) -> Mapping[str, Any]:
    """Refuse what is no mapping from names."""
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise InputError(f"{where} must be a mapping from names to values, not {shown(given)}")
    return given


def refuse_unknown(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuse names that nobody reads, which are slips more often than not."""
    known = list(known)
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise InputError(f"{where}: {name} is no field{hint} There are {', '.join(known)}")


def shown(given: object) -> str:
    """A value, short enough for a sentence."""
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _value(wanted: Any, given: Any, where: str) -> Any:
    """A value of the type that a field has."""
    options = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    for option in options:
        found = _as(option, given)
        if found is not MISSING:
            return found
    words = " or ".join(_words(option) for option in options if option is not type(None))
    raise InputError(f"{where} must be {words}, not {shown(given)}")


def _as(wanted: Any, given: Any) -> Any:
    """The value if it is of this type, a whole number where a number is wanted, a list where a tuple is."""
    origin = get_origin(wanted) or wanted
    if wanted is Any:
        return given
    if origin is tuple:
        if not isinstance(given, list | tuple):
            return MISSING
        items = [_as(get_args(wanted)[0], item) for item in given]
        return MISSING if MISSING in items else tuple(items)
    if isinstance(given, bool) and origin is not bool:
        return MISSING
    if origin is float and isinstance(given, int | float):
        return float(given)
    return given if isinstance(given, origin) else MISSING


def _words(wanted: Any) -> str:
    origin = get_origin(wanted) or wanted
    return "a list" if origin is tuple else _WORDS.get(origin, str(getattr(origin, "__name__", origin)))
