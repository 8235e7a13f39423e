"""Shelves: folders in which every module is one thing, found by its file name."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TypeVar

from surefoot.errors import InputError

T = TypeVar("T")


def modules(path: Iterable[str]) -> tuple[str, ...]:
    """The names of all modules of a folder, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path)))


def take(package: str, names: tuple[str, ...], name: object, attribute: str, kind: type[T], what: str) -> T:
    """The thing of a name, from its module; hyphens and capitals in the name do not matter.

    A name that is not there is refused with the nearest one that is.
    """
    key = str(name).strip().lower().replace("-", "_")
    if key not in names:
        near = get_close_matches(key, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no {what} named {name!r}{hint} (there are: {', '.join(names)})")
    found = getattr(import_module(f"{package}.{key}"), attribute)
    assert isinstance(found, kind)
    return found
