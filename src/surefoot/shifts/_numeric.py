"""Shifts of numeric cells. x is a value, σ the standard deviation of its column's finite values.

Missing values stay missing. Columns of whole numbers stay whole: new values are rounded and kept in the
range of the column's type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import choice, positive
from surefoot._columns import Column, Columns
from surefoot.errors import InputError
from surefoot.shifts._shift import CellShift, Rows, convention, count

Numbers = NDArray[np.float64]

RELATIVE = {"small": 0.1, "medium": 0.3, "large": 1.0}
"""Standard deviation of the noise, in σ."""

ABSOLUTE = {"small": 1.0, "medium": 10.0, "large": 100.0}
"""Standard deviation of the noise in the published code, in the column's own unit."""


@dataclass(frozen=True, kw_only=True)
class SwappedValues(CellShift):
    """Swaps the values of two columns, as happens when an export changes its order of columns.

    The chosen columns (an even number, at least two) are paired at random. A missing value stays where it is,
    and so does its partner. Paper 002, table II: two randomly selected features, on a share of rows and features.
    ``convention="published"``: always exactly two columns, whatever ``features`` says.
    """

    convention: str = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        convention(self.convention)

    def _draw_columns(self, able: int, rng: np.random.Generator) -> Rows:
        chosen = count(self.features, able)
        pairs = min((chosen + 1) // 2, able // 2)
        if self.convention == "published":
            pairs = min(1, able // 2)
        return rng.permutation(able)[: 2 * pairs]

    def _change(
        self, columns: Columns, positions: list[int], rows: Rows, rng: np.random.Generator
    ) -> tuple[dict[int, NDArray[Any]], dict[str, Any]]:
        cells, pairs = {}, []
        for a, b in zip(positions[::2], positions[1::2], strict=True):
            left, right = (columns.columns[j].values[rows] for j in (a, b))
            absent = np.isnan(left) | np.isnan(right)
            cells[a], cells[b] = np.where(absent, left, right), np.where(absent, right, left)
            pairs.append((columns.names[a], columns.names[b]))
        return cells, {"pairs": pairs}


@dataclass(frozen=True, kw_only=True)
class Scaling(CellShift):
    """Adds a fixed value to the cells of a column, as a changed zero or unit does: x + c.

    c = ± u·σ with u uniform between the two ``spreads``, drawn once a column (paper 002, table II: "add a random
    fixed value"). ``convention="published"`` multiplies instead: x·k with one k out of ``factors`` for all cells.
    """

    spreads: tuple[float, float] = (1.0, 5.0)
    factors: Sequence[float] = (10.0, 100.0, 1000.0)
    convention: str = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        convention(self.convention)
        between("spreads", self.spreads)
        if not len(self.factors):
            raise InputError("factors is empty; give at least one number to multiply by")

    def _change(
        self, columns: Columns, positions: list[int], rows: Rows, rng: np.random.Generator
    ) -> tuple[dict[int, NDArray[Any]], dict[str, Any]]:
        if self.convention == "paper":
            return super()._change(columns, positions, rows, rng)
        factor = float(rng.choice(np.asarray(self.factors, dtype=np.float64)))
        cells = {j: numbers(columns.columns[j], rows) * factor for j in positions}
        return cells, {"factor": factor}

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        value = rng.uniform(*self.spreads) * rng.choice((-1.0, 1.0)) * spread(column)
        return numbers(column, rows) + value, value


@dataclass(frozen=True, kw_only=True)
class Outliers(CellShift):
    """Adds strong normal noise of a different strength in every column: x + N(0, (u·σ)²).

    u is uniform between the two ``spreads``, drawn once a column (paper 002, table II, and the published code).
    """

    spreads: tuple[float, float] = (1.0, 5.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        between("spreads", self.spreads)

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        scale = rng.uniform(*self.spreads) * spread(column)
        return numbers(column, rows) + scale * rng.standard_normal(len(rows)), scale


@dataclass(frozen=True, kw_only=True)
class GaussianNoise(CellShift):
    """Adds normal noise of one strength to all columns: x + N(0, (a·σ)²).

    a is 0.1, 0.3 or 1 for the ``size`` small, medium or large. ``convention="published"`` takes noise of 1, 10 or
    100 in the column's own unit whatever its spread, keeps the result within the column's range, and rounds up
    where the column holds only whole numbers.
    """

    size: str = "small"
    convention: str = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice("size", self.size, tuple(RELATIVE))
        convention(self.convention)

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        noise = rng.standard_normal(len(rows))
        if self.convention == "paper":
            scale = RELATIVE[self.size] * spread(column)
            return numbers(column, rows) + scale * noise, scale
        scale, known = ABSOLUTE[self.size], finite(column)
        moved = numbers(column, rows) + scale * noise
        if not known.size:
            return moved, scale
        if (known == np.rint(known)).all():
            moved = np.ceil(moved)
        return np.clip(moved, known.min(), known.max()), scale


@dataclass(frozen=True, kw_only=True)
class FlipSign(CellShift):
    """Flips the sign of the cells: −x. Columns of unsigned numbers end at zero."""

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        return -numbers(column, rows), None


@dataclass(frozen=True, kw_only=True)
class ConstantNumeric(CellShift):
    """Puts one value into all cells of a column, as a stuck sensor does.

    The value is one of the column's own, drawn at random (paper 002, table II: "a random constant value").
    ``convention="published"`` takes the column's median.
    """

    convention: str = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        convention(self.convention)

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        known, old = finite(column), numbers(column, rows)
        if not known.size:
            return old, None
        value = float(np.median(known) if self.convention == "published" else rng.choice(known))
        return np.where(np.isnan(old), np.nan, value), value


@dataclass(frozen=True, kw_only=True)
class PlusMinusPercent(CellShift):
    """Moves every cell by its own small share of its value: x + x·U(−p, p), p = ``percent`` / 100."""

    percent: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("percent", self.percent)

    def _cells(self, column: Column, rows: Rows, rng: np.random.Generator) -> tuple[Numbers, Any]:
        share = self.percent / 100
        return numbers(column, rows) * (1 + rng.uniform(-share, share, len(rows))), None


def numbers(column: Column, rows: Rows) -> Numbers:
    """These rows of a numeric column as float64."""
    out: Numbers = column.values[rows].astype(np.float64)
    return out


def finite(column: Column) -> Numbers:
    """The values of a numeric column that are numbers."""
    values = column.values
    if values.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(values.sum())  # one pass; it may overflow without a bad entry
        if suspicious:
            values = values[np.isfinite(values)]
    return values.astype(np.float64, copy=False)


def spread(column: Column) -> float:
    """σ: the standard deviation of a column's finite values, 0 where there are none."""
    known = finite(column)
    return float(known.std()) if known.size else 0.0


def between(name: str, limits: Sequence[float]) -> None:
    """Refuse what is not a pair of numbers, 0 ≤ low ≤ high."""
    pair = list(limits) if isinstance(limits, Sequence) else []
    if len(pair) != 2 or not 0 <= pair[0] <= pair[1] < np.inf:
        raise InputError(f"{name} must be two numbers with 0 ≤ low ≤ high, not {limits}")
