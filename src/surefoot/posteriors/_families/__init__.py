"""The families of models: every module in this folder is one, and is imported when it is asked for."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from surefoot.errors import InputError
from surefoot.posteriors._family import Family


@cache
def names() -> tuple[str, ...]:
    """All families; the name is that of the file.

    >>> "sklearn-forest" in names()
    True
    """
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def family(name: str) -> Family:
    """One family by its name."""
    if name not in names():
        near = get_close_matches(str(name), names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"family is {name!r}, which is not known{hint} (there are: {', '.join(names())})")
    found = import_module(f"{__name__}.{name.replace('-', '_')}").family
    assert isinstance(found, Family)
    return found


def families() -> tuple[Family, ...]:
    """All families, sorted by name."""
    return tuple(family(name) for name in names())
