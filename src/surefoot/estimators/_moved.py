"""Which columns moved over several batches: each once, where it moved most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from surefoot.estimators._estimate import Estimate
from surefoot.shifts.detectors import ColumnMove


@dataclass(frozen=True)
class Moved:
    """A column that moved: in how many batches, in which of them most, and how it moved there."""

    column: ColumnMove
    batch: str
    batches: int


def moved_most(found: Mapping[str, Estimate]) -> tuple[Moved, ...]:
    """The columns that moved in any of the batches, the largest move first."""
    moves: dict[str, list[tuple[ColumnMove, str]]] = {}
    for batch, estimate in found.items():
        for column in estimate.moved:
            moves.setdefault(column.name, []).append((column, batch))
    most = [Moved(*max(each, key=lambda one: one[0].moved_by), batches=len(each)) for each in moves.values()]
    return tuple(sorted(most, key=lambda one: -one.column.moved_by))
