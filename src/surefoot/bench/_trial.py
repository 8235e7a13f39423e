"""A trial is data: its kind and the fields of that. What it is called follows from what would change its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from json import dumps
from typing import Any

from surefoot.bench._fields import made, mapping
from surefoot.bench._kind import Kind, Named, kind_named
from surefoot.errors import InputError

FORMAT = 1
"""Of the store; another one makes all trials new."""


@dataclass(frozen=True)
class Trial:
    """One trial. Make it with `Trial.of`, which checks every field."""

    kind: str
    what: Any

    @classmethod
    def of(cls, given: object, where: str = "trial") -> Trial:
        """A trial out of plain data: `kind` and the fields of that kind."""
        content = dict(mapping(given, where))
        if not isinstance(name := content.pop("kind", None), str):
            raise InputError(f"{where}: kind is missing; give it")
        try:
            kind = kind_named(name)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        what: Any = made(kind.fields, content, where)
        try:
            kind.check(what)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        return cls(name, what)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, out of which `of` makes the same trial."""
        return {"kind": self.kind, **asdict(self.what)}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """All that its results depend on."""
        kind = self._kind
        return {
            "format": FORMAT,
            "trial": self.to_dict(),
            "data": kind.checksum(self.what),
            "code": kind.version(self.what),
        }

    @cached_property
    def id(self) -> str:
        """A name that no trial has whose result may differ, fit for a folder."""
        return sha256(dumps(self.identity, sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def named(self) -> Named:
        """In the words of the tables."""
        return self._kind.named(self.what)

    @property
    def alike(self) -> tuple[str, str]:
        """Trials that take alike long: the same method on the same task."""
        return self.named.task, self.named.method

    @property
    def cost(self) -> str:
        """The symbolic cost, or nothing."""
        return self._kind.cost(self.what)

    @property
    def size(self) -> float:
        """What its time grows with."""
        return self._kind.size(self.what)

    def fetch(self, *, download: bool) -> str:
        """Why its data cannot be had; nothing if they are at hand now."""
        return self._kind.fetch(self.what, download)

    @property
    def _kind(self) -> Kind:
        return kind_named(self.kind)

    def __str__(self) -> str:
        return str(self.named)
