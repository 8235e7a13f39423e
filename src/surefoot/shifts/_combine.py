"""Several shifts at once, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from surefoot._columns import Columns, concatenate
from surefoot.errors import InputError
from surefoot.shifts._record import Block, Record, nothing
from surefoot.shifts._shift import Labels, Rows, Shift


@dataclass(frozen=True, kw_only=True)
class NoShift(Shift):
    """Leaves everything as it is: the control of every experiment."""

    sort: ClassVar[str] = "none"

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Give back what came."""
        return columns, y, nothing(self.name, columns.names, len(columns))


@dataclass(frozen=True)
class Mixture(Shift):
    """Several shifts: one after the other, or each on its own share of the rows.

    ``shares`` are fractions of the rows, drawn at random without overlap; what they leave of 1 stays as it was.
    Shifts that replace rows then do so among their own.
    """

    shifts: Sequence[Shift]
    shares: Sequence[float] | None = None

    sort: ClassVar[str] = "mixture"

    def __post_init__(self) -> None:
        if not self.shifts:
            raise InputError("a mixture needs at least one shift")
        if self.shares is None:
            return
        if len(self.shares) != len(self.shifts):
            raise InputError(
                f"there are {len(self.shares)} shares for {len(self.shifts)} shifts; give one each"
            )
        if min(self.shares) < 0 or sum(self.shares) > 1 + 1e-9:
            raise InputError(f"shares must be ≥ 0 and sum to at most 1, not {tuple(self.shares)}")

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Apply every shift, to all rows in turn or to its share."""
        if self.shares is None:
            return self._in_a_row(columns, y, rng)
        return self._side_by_side(columns, y, rng, self.shares)

    def _in_a_row(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        moved, labels = columns, y
        record = nothing(self.name, columns.names, len(columns))
        details = {}
        for key, shift in zip(_keys(self.shifts), self.shifts, strict=True):
            moved, labels, step = shift.move(moved, labels, rng)
            record = record.then(step)
            details[key] = dict(step.details)
        if y is not None and labels is not None:
            record = replace(record, labels=_differs(labels, y[record.source]))
        return moved, labels, replace(record, shift=self.name, details=details)

    def _side_by_side(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator, shares: Sequence[float]
    ) -> tuple[Columns, Labels | None, Record]:
        ends = np.rint(np.cumsum(shares) * len(columns)).astype(np.int64)
        groups: list[Rows] = [np.sort(part) for part in np.split(rng.permutation(len(columns)), ends)]
        source = np.arange(len(columns))
        switched = np.zeros(len(columns), dtype=bool)
        moved_parts, labels, blocks, details = [], None if y is None else y.copy(), [], {}
        for key, shift, rows in zip(_keys(self.shifts), self.shifts, groups[:-1], strict=True):
            part, part_labels, step = shift.move(columns.take(rows), None if y is None else y[rows], rng)
            moved_parts.append(part)
            source[rows] = rows[step.source]
            switched[rows] = step.labels
            if labels is not None and part_labels is not None:
                labels[rows] = part_labels
            for block in step.blocks:
                mask = np.zeros(len(columns), dtype=bool)
                mask[rows[block.rows]] = True
                blocks.append(Block(mask, block.columns))
            details[key] = dict(step.details)
        moved_parts.append(columns.take(groups[-1]))
        back = np.argsort(np.concatenate(groups), kind="stable")
        record = Record(self.name, columns.names, source, tuple(blocks), switched, details)
        return concatenate(moved_parts).take(back), labels, record


def _keys(shifts: Sequence[Shift]) -> list[str]:
    """A name for each shift, numbered where one occurs twice.

    >>> _keys([NoShift(), NoShift()])
    ['no-shift', 'no-shift 2']
    """
    names = [shift.name for shift in shifts]
    places = [names[: i + 1].count(name) for i, name in enumerate(names)]
    return [name if place == 1 else f"{name} {place}" for name, place in zip(names, places, strict=True)]


def _differs(labels: Labels, others: Labels) -> Any:
    """Where two vectors of labels differ; missing equals missing."""
    with np.errstate(invalid="ignore"):
        different = np.asarray(labels != others, dtype=bool)
    return different & ~(np.asarray(labels != labels, dtype=bool) & np.asarray(others != others, dtype=bool))
