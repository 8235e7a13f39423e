"""Names of columns: texts, and each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from surefoot.errors import InputError


def unique(labels: Iterable[object]) -> list[str]:
    """The names as texts, or a sentence about those that occur twice.

    >>> unique(["age", 1])
    ['age', '1']
    """
    names = [str(label) for label in labels]
    if not names:
        raise InputError("the table has no columns")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InputError(f"the table has several columns called {', '.join(twice[:5])}; rename them first")
    return names
