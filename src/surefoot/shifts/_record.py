"""What a shift did: which row every output row was, and which of its cells and labels moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._json import plain

FORMAT = 1


@dataclass(frozen=True)
class Block:
    """Cells that moved together: these rows (a mask) in these columns (positions)."""

    rows: NDArray[np.bool_]
    columns: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Record:
    """The trace of a shift.

    Outside `cells`, output row i equals input row ``source[i]``; where `labels` is false, so does its label.
    A cell that was moved may come out as it was (zero with its sign flipped, for instance).
    """

    shift: str
    """Name of the kind, such as ``"flip-sign"``."""
    names: tuple[str, ...]
    """Names of all columns of the table."""
    source: NDArray[np.int64]
    """Input row of every output row."""
    blocks: tuple[Block, ...] = ()
    labels: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    """Which output rows have another label than their input row."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What was drawn: constants, factors, kept probabilities."""
    note: str = ""
    """Why nothing moved, where nothing could."""

    def __post_init__(self) -> None:
        if self.labels.size == 0:
            object.__setattr__(self, "labels", np.zeros(len(self.source), dtype=bool))

    @property
    def rows(self) -> NDArray[np.bool_]:
        """Output rows that are not the input row of the same place as it was."""
        moved: NDArray[np.bool_] = self.labels | (self.source != np.arange(len(self.source)))
        for block in self.blocks:
            if block.columns:
                moved |= block.rows
        return moved

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in which cells moved, in the table's order."""
        touched = {j for block in self.blocks if block.rows.any() for j in block.columns}
        return tuple(name for j, name in enumerate(self.names) if j in touched)

    @property
    def cells(self) -> NDArray[np.bool_]:
        """Which cells moved, [rows, columns], against input row ``source[i]``."""
        out = np.zeros((len(self.source), len(self.names)), dtype=bool)
        for block in self.blocks:
            for j in block.columns:
                out[:, j] |= block.rows
        return out

    @property
    def moved(self) -> bool:
        """Whether anything did."""
        return bool(self.rows.any())

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON can hold it: rows by number, cells by column."""
        cells = self.cells
        touched = {name: cells[:, self.names.index(name)] for name in self.columns}
        content: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "shift": self.shift,
                "note": self.note,
                "columns": self.names,
                "source": self.source,
                "rows": np.flatnonzero(self.rows),
                "cells": {name: np.flatnonzero(mask) for name, mask in touched.items()},
                "labels": np.flatnonzero(self.labels),
                "details": self.details,
            }
        )
        return content

    def then(self, later: Record) -> Record:
        """The trace of this shift and another one after it."""
        earlier = tuple(Block(block.rows[later.source], block.columns) for block in self.blocks)
        return Record(
            f"{self.shift}, {later.shift}",
            self.names,
            self.source[later.source],
            earlier + later.blocks,
            self.labels[later.source] | later.labels,
        )


def nothing(shift: str, names: tuple[str, ...], rows: int, note: str = "") -> Record:
    """The record of a shift that moved nothing, and why.

    >>> nothing("flip-sign", ("colour",), 2, "the table has no numeric column").moved
    False
    """
    return Record(shift, names, np.arange(rows), note=note)
