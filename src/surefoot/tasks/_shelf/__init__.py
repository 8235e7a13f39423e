"""The shelf of tasks: every module in this folder is a task, found by its file name."""

from __future__ import annotations

from functools import cache

from surefoot import _shelf
from surefoot.tasks._task import Task


@cache
def names() -> tuple[str, ...]:
    """All task names, sorted.

    >>> "covertype" in names()
    True
    """
    return _shelf.modules(__path__)


def task(name: str) -> Task:
    """Return one task; hyphens and capitals in the name do not matter.

    >>> task("Covertype").kind
    'classification'
    """
    return _shelf.take(__name__, names(), name, "task", Task, "task")


def tasks() -> tuple[Task, ...]:
    """All tasks, sorted by name."""
    return tuple(task(name) for name in names())
