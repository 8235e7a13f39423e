"""The families of models: every module in this folder is one, and is imported when it is asked for."""

from __future__ import annotations

from functools import cache

from surefoot import _shelf
from surefoot.posteriors._family import Family


@cache
def names() -> tuple[str, ...]:
    """All files of families; in a family's name hyphens stand for underscores.

    >>> "sklearn_forest" in names()
    True
    """
    return _shelf.modules(__path__)


def family(name: str) -> Family:
    """One family by its name."""
    return _shelf.take(__name__, names(), name, "family", Family, "family")


def families() -> tuple[Family, ...]:
    """All families, sorted by name."""
    return tuple(family(name) for name in names())
