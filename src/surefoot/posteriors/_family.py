"""A family of models: what it can be asked for, and how one member of it is fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from surefoot.posteriors._recipe import PARTS, Recipe
from surefoot.posteriors._setting import Setting

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Family", "Fitting", "Member", "Rows", "Setting", "TrainingRows"]


class Rows(Protocol):
    """Features and targets of some rows."""

    @property
    def X(self) -> pa.Table:
        """The features."""

    @property
    def y(self) -> NDArray[Any]:
        """Codes of classes, or numbers."""


class TrainingRows(Protocol):
    """What `fit` asks of a task's rows: `surefoot.tasks.TaskData` is such a thing."""

    @property
    def kind(self) -> str:
        """``"classification"`` or ``"regression"``."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts."""

    def part(self, *names: str) -> Rows:
        """The rows of a part."""


@dataclass(frozen=True)
class Fitting:
    """All that a family gets to see: rows to train on, and rows to tune and stop by, if there are any."""

    kind: str
    classes: tuple[str, ...]
    train: Rows
    dev_in: Rows | None


class Member(Protocol):
    """A fitted model, or what was recorded around it."""

    def predict(self, table: pa.Table) -> dict[str, NDArray[Any]]:
        """``probs[S, N, K]``, or ``mean[S, N]`` and ``variance[S, N]``."""

    @property
    def parameters(self) -> int:
        """Numbers that were learnt."""

    @property
    def stored_bytes(self) -> int:
        """Bytes of the model as it is stored."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of models.

    Attributes:
        name: by which recipes call it.
        title: a few words.
        kinds: the kinds of tasks it can do.
        settings: its hyper-parameters.
        supports: the choices it supports of the parts of a recipe; of a part that is not named, the first one.
        fit: one member from the rows, the recipe and a seed.
        extra: the extra that must be installed, if any.
        version: of the code; another one makes what was fitted before out of date.
    """

    name: str
    title: str
    kinds: tuple[str, ...]
    settings: Mapping[str, Setting]
    fit: Callable[[Fitting, Recipe, int], Member]
    supports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extra: str | None = None
    version: str = "1"

    def supported(self, part: str) -> tuple[str, ...]:
        """The choices of a part."""
        if part == "after":
            return tuple(PARTS[part])
        return self.supports.get(part, (next(iter(PARTS[part])),))
