"""What every shift is: a small frozen recipe that moves a table, and tells what it moved."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import choice
from surefoot._columns import Column, Columns, Kind, fitted, open_columns
from surefoot.errors import InputError
from surefoot.shifts._record import Block, Record, nothing
from surefoot.shifts._targets import close_targets, open_targets

Labels = NDArray[Any]
Rows = NDArray[np.int64]

CONVENTIONS = ("paper", "published")


class Shift(ABC):
    """A way for data to move.

    Calling it moves a table of any kind; `move` does the same to opened columns and is what repeated use calls.
    """

    name: ClassVar[str]
    """In kebab case: ``"flip-sign"`` for `FlipSign`."""
    sort: ClassVar[str]
    """What moves: ``"covariate"`` (cells), ``"subpopulation"`` (rows), ``"label"`` (how common each class is),
    ``"concept"`` (what a class means), ``"mixture"`` or ``"none"``."""
    kinds: ClassVar[tuple[Kind, ...]] = ()
    """Which kinds of columns it works on; of none in particular if empty."""
    labelled: ClassVar[bool] = False
    """Whether it needs labels."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    @abstractmethod
    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Move opened columns and their labels (an array or None); neither is changed in place."""

    def __call__(
        self,
        X: Any,
        y: Any = None,
        rng: np.random.Generator | int = 0,
        *,
        categorical: Iterable[str] = (),
    ) -> tuple[Any, Any, Record]:
        """Move a table and its labels; they come back in the kind they came in, types kept.

        ``categorical`` names numeric columns whose numbers are only names. ``rng`` is a generator or a seed.
        """
        opened = open_columns(X, categorical=categorical)
        targets = open_targets(y, len(opened))
        moved, labels, record = self.move(opened, targets, np.random.default_rng(rng))
        return moved.to_native(), close_targets(y, targets, labels, record), record

    def _stay(self, columns: Columns, y: Labels | None, note: str) -> tuple[Columns, Labels | None, Record]:
        """Nothing moves, and the record says why."""
        return columns, y, nothing(self.name, columns.names, len(columns), note)

    def _resample(
        self, columns: Columns, y: Labels | None, source: Rows, details: Mapping[str, Any]
    ) -> tuple[Columns, Labels | None, Record]:
        """Rows of the input in another number or order."""
        record = Record(self.name, columns.names, source, details=details)
        return columns.take(source), None if y is None else y[source], record

    def _labels(self, y: Labels | None) -> Labels:
        if y is None:
            raise InputError(f"{self.name} moves labels: give y (on the command line: --target)")
        return y


@dataclass(frozen=True, kw_only=True)
class CellShift(Shift):
    """A shift that puts other values into some cells: the same rows in each of the columns it draws.

    ``samples`` is the share of rows and ``features`` that of columns that move, both rounded up; ``columns``
    restricts it to columns of these names.
    """

    samples: float = 0.5
    features: float = 0.5
    columns: Sequence[str] | None = None

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    sort: ClassVar[str] = "covariate"

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        fraction("features", self.features)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Draw rows and columns, and change their cells."""
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        rows = draw(rng, len(columns), self.samples)
        positions = [able[i] for i in self._draw_columns(len(able), rng)]
        if not rows.size or not positions:
            return self._stay(columns, y, "no rows or no columns were asked for")
        cells, details = self._change(columns, positions, rows, rng)
        new = {j: written(columns.columns[j], rows, values) for j, values in cells.items()}
        mask = np.zeros(len(columns), dtype=bool)
        mask[rows] = True
        blocks = (Block(mask, tuple(sorted(cells))),)
        record = Record(self.name, columns.names, np.arange(len(columns)), blocks, details=details)
        return columns.replace(new), y, record

    def _draw_columns(self, able: int, rng: np.random.Generator) -> Rows:
        return draw(rng, able, self.features)

    def _change(
        self, columns: Columns, positions: list[int], rows: Rows, rng: np.random.Generator
    ) -> tuple[dict[int, NDArray[Any]], dict[str, Any]]:
        """New values of these rows for each column, and what was drawn."""
        cells, details = {}, {}
        for j in positions:
            column = columns.columns[j]
            cells[j], detail = self._cells(column, rows, rng)
            if detail is not None:
                details[column.name] = detail
        return cells, details

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[NDArray[Any], Any]:
        """New values of these rows of one column, and what was drawn for it."""
        raise NotImplementedError


def written(column: Column, rows: Rows, cells: NDArray[Any]) -> NDArray[Any]:
    """The column with new cells in these rows, of the type it had."""
    out = column.values.copy()
    if column.kind == "numeric" and out.dtype.kind in "iu" and np.isnan(cells).any():
        out = out.astype(np.float64)  # whole numbers have no way to say "missing"
    out[rows] = fitted(cells, out.dtype, whole=column.whole)
    return out


def applicable(columns: Columns, kinds: Sequence[Kind], names: Sequence[str] | None = None) -> list[int]:
    """Positions of the columns of these kinds, and of these names where names are given.

    >>> applicable(open_columns(np.array([[1.0, 2.0]])), ("numeric",), ["1"])
    [1]
    """
    able = columns.of_kind(*kinds)
    if names is None:
        return able
    if isinstance(names, str):
        names = (names,)
    if strange := [name for name in names if name not in columns.names]:
        raise InputError(
            f"there is no column {', '.join(strange)}; the table has {', '.join(columns.names[:20])}"
        )
    return [j for j in able if columns.columns[j].name in names]


def lacking(kinds: Sequence[Kind]) -> str:
    """Why nothing moves in a table without columns of these kinds."""
    return f"the table has no {' or '.join(kinds)} column that may move"


def fraction(name: str, value: float) -> float:
    """Return a number between 0 and 1, or say that it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise InputError(f"{name} is a share between 0 and 1, not {value!r}")
    return float(value)


def convention(value: str) -> str:
    """Return ``"paper"`` or ``"published"``."""
    return choice("convention", value, CONVENTIONS)


def count(share: float, total: int) -> int:
    """A share of a number, rounded up; 0.1 · 30 is 3, whatever its last bit says.

    >>> count(0.1, 30), count(0.25, 10)
    (3, 3)
    """
    return math.ceil(share * total - 1e-9)


def draw(rng: np.random.Generator, total: int, share: float) -> Rows:
    """A share of 0 … total − 1 without replacement, rounded up, in order."""
    return np.sort(rng.choice(total, count(share, total), replace=False, shuffle=False))
