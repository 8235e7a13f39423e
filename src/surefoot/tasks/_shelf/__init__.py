"""The shelf of tasks: every module in this folder is a task, found by its file name."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from surefoot.errors import InputError
from surefoot.tasks._task import Task


@cache
def names() -> tuple[str, ...]:
    """All task names, sorted.

    >>> "covertype" in names()
    True
    """
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def task(name: str) -> Task:
    """Return one task; hyphens and capitals in the name do not matter.

    >>> task("Covertype").kind
    'classification'
    """
    key = name.strip().lower().replace("-", "_")
    if key not in names():
        near = get_close_matches(key, names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no task named {name!r}{hint} (there are: {', '.join(names())})")
    found = import_module(f"{__name__}.{key}").task
    assert isinstance(found, Task)
    return found


def tasks() -> tuple[Task, ...]:
    """All tasks, sorted by name."""
    return tuple(task(name) for name in names())
