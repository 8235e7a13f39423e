"""Kinds of trials: what describes one, and the pure function that does its work."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from surefoot.predictions import Predictions
    from surefoot.scorecard import Scorecard


@dataclass(frozen=True)
class Outcome:
    """What comes out of a trial.

    ``tables`` are further results, which the store joins over trials by their names. ``facts`` are numbers and texts
    about the run; ``parameters``, ``stored_bytes`` and ``cost`` (the symbolic one) are columns of the table of trials.
    """

    predictions: Predictions | None = None
    scorecard: Scorecard | None = None
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Named:
    """A trial in the words of the tables."""

    task: str
    method: str
    seed: int

    def __str__(self) -> str:
        return f"{self.task}, {self.method}, seed {self.seed}"


def _none(_: Any) -> None:
    return None


def _no_words(_: Any) -> str:
    return ""


def _one(_: Any) -> float:
    return 1.0


def _at_hand(_: Any, __: bool) -> str:
    return ""


@dataclass(frozen=True)
class Kind:
    """What the bench has to know of a kind of trials. Functions take ``what``: the ``fields`` of one.

    Attributes:
        fields: a frozen dataclass of plain data.
        work: (what, data, folder of its own) → outcome; the same for the same ``what``, whoever calls it. In the
            folder it may keep further folders, to go on from if it is stopped.
        named: a trial in the words of the tables.
        version: of the code behind it; a new one makes its stored trials outdated.
        checksum: of the data behind it, without loading them.
        together: trials with the same answer share what ``load`` gives, and run after each other where they can.
        load: the data; loaded once a process, or put once into the object store.
        rescore: predictions → scorecard, as ``work`` makes it.
        cost: the symbolic cost, for the dry run.
        size: what the time it takes grows with, for the dry run.
        fetch: (what, whether to download) → why the data cannot be had; an empty text if they are at hand.
        check: refuse fields that name what does not exist.
    """

    name: str
    fields: type
    work: Callable[[Any, Any, Path], Outcome]
    named: Callable[[Any], Named]
    version: Callable[[Any], str]
    checksum: Callable[[Any], str]
    together: Callable[[Any], Hashable] = _none
    load: Callable[[Any], Any] = _none
    rescore: Callable[[Any, Any], Scorecard] | None = None
    cost: Callable[[Any], str] = _no_words
    size: Callable[[Any], float] = _one
    fetch: Callable[[Any, bool], str] = _at_hand
    check: Callable[[Any], None] = _none


KINDS = {
    "predict": "surefoot.bench.kinds.predict",
    "estimate": "surefoot.bench.kinds.estimate",
    "submitted": "surefoot.bench.kinds.submitted",
}
"""Where the kinds are: each module has a `KIND`."""


def kind_named(name: str) -> Kind:
    """The kind of this name; ``module:NAME`` is one that somebody else has written."""
    module, _, attribute = name.partition(":")
    if not attribute:
        module, attribute = KINDS.get(name, ""), "KIND"
    if not module:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, or module:NAME of your own, not {name!r}")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"kind {name!r} cannot be imported ({error}); is its package installed, or its folder in PYTHONPATH?"
        ) from None
    if not isinstance(found, Kind):
        raise InputError(f"kind {name!r} is no surefoot.bench.Kind; name one")
    return found
