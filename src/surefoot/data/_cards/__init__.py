"""The shelf of cards: every module in this folder is a dataset, found by its file name."""

from __future__ import annotations

from functools import cache

from surefoot import _shelf
from surefoot.data._card import Card


@cache
def names() -> tuple[str, ...]:
    """All dataset names, sorted.

    >>> "covertype" in names()
    True
    """
    return _shelf.modules(__path__)


def card(name: str) -> Card:
    """Return the card of one dataset; hyphens and capitals in the name do not matter.

    >>> card("credit-default").rows
    30000
    """
    return _shelf.take(__name__, names(), name, "card", Card, "dataset")


def cards() -> tuple[Card, ...]:
    """All cards, sorted by name.

    >>> [card.target for card in cards() if card.name == "covertype"]
    ['Cover_Type']
    """
    return tuple(card(name) for name in names())
