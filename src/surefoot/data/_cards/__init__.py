"""The shelf of cards: every module in this folder is a dataset, found by its file name."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from surefoot.data._card import Card
from surefoot.errors import InputError


@cache
def names() -> tuple[str, ...]:
    """All dataset names, sorted.

    >>> "covertype" in names()
    True
    """
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def card(name: str) -> Card:
    """Return the card of one dataset; hyphens and capitals in the name do not matter.

    >>> card("credit-default").rows
    30000
    """
    key = name.strip().lower().replace("-", "_")
    if key not in names():
        near = get_close_matches(key, names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no dataset named {name!r}{hint} (there are: {', '.join(names())})")
    found = import_module(f"{__name__}.{key}").card
    assert isinstance(found, Card)
    return found


def cards() -> tuple[Card, ...]:
    """All cards, sorted by name.

    >>> [card.target for card in cards() if card.name == "covertype"]
    ['Cover_Type']
    """
    return tuple(card(name) for name in names())
