"""Shifts that choose rows by their distance from others.

Distances are Euclidean over numeric columns, each in units of its spread; a missing value counts as the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Columns, Kind
from surefoot.shifts._distance import positions, squares
from surefoot.shifts._labels import classes
from surefoot.shifts._numeric import numbers
from surefoot.shifts._record import Block, Record
from surefoot.shifts._shift import Labels, Rows, Shift, applicable, count, fraction, lacking, written

_CANDIDATES = 32
"""Among how many rows of its class a row looks for its neighbour."""

_CHUNK = 1 << 13


@dataclass(frozen=True, kw_only=True)
class NearestNeighbours(Shift):
    """Removes the rows nearest to a random one, or those furthest from it, and refills with what is left.

    A share ``samples`` of the rows goes: the nearest ones with probability ``near``, else the furthest. (The
    published code measures distances in the columns' own units.)
    """

    samples: float = 0.5
    near: float = 0.5
    columns: Sequence[str] | None = None

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    sort: ClassVar[str] = "subpopulation"

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        fraction("near", self.near)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace rows on one side of a random row by rows of the other side."""
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        total = len(columns)
        gone = min(count(self.samples, total), total - 1)
        if gone < 1:
            return self._stay(columns, y, "no rows were asked for")
        centre, side = int(rng.integers(total)), "near" if rng.random() < self.near else "far"
        points = positions(columns, able, dtype=np.float32)
        distance = squares(points - points[:, [centre]])
        order = np.argsort(distance if side == "near" else -distance, kind="stable")
        source = np.arange(total)
        source[order[:gone]] = rng.choice(order[gone:], gone)
        return self._resample(columns, y, source, {"centre": centre, "removed": side})


@dataclass(frozen=True, kw_only=True)
class UnderSample(Shift):
    """Keeps the rows of each class that are nearest to the rarest class, and refills with these.

    A share ``samples`` of every class goes: the rows furthest from the rarest class's mean, which is the same as
    furthest from its members on average (in squares); two rows a class stay at least. The published code (NearMiss
    of the second kind) averages the distances to the three furthest members.
    """

    samples: float = 0.5
    columns: Sequence[str] | None = None

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    sort: ClassVar[str] = "subpopulation"
    labelled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("samples", self.samples)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace the rows far from the rarest class."""
        y = self._labels(y)
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        points = positions(columns, able, dtype=np.float32)
        source = np.arange(len(y))
        if parts := _near_the_rarest(points, y, self.samples):
            kept, gone = (np.concatenate(rows) for rows in zip(*parts, strict=True))
            source[gone] = rng.choice(kept, len(gone))
        return self._resample(columns, y, source, {})


@dataclass(frozen=True, kw_only=True)
class OverSample(Shift):
    """Keeps the rows of each class nearest to the rarest one, and fills the gaps with rows in between them.

    What `UnderSample` removes is replaced by x + u·(x′ − x), where x is a row of the same class that stayed, x′ its
    nearest neighbour among 32 random ones of them and u uniform in (0, 1), as SMOTE does with the five nearest;
    columns that are not numeric, and cells where x or x′ is missing, are those of x. The classes keep their sizes.
    """

    samples: float = 0.5
    columns: Sequence[str] | None = None

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    sort: ClassVar[str] = "subpopulation"
    labelled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("samples", self.samples)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace the rows far from the rarest class by interpolated ones."""
        y = self._labels(y)
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        points = positions(columns, able, dtype=np.float32)
        source, partner = np.arange(len(y)), np.arange(len(y))
        for kept, gone in _near_the_rarest(points, y, self.samples):
            source[gone] = rng.choice(kept, len(gone))
            partner[gone] = _neighbours(points, source[gone], kept, rng)
        made = source != np.arange(len(y))
        rows = np.flatnonzero(made)
        step = rng.random(len(rows))
        new: dict[int, NDArray[Any]] = {}
        for j in able:
            column = columns.columns[j]
            here, there = numbers(column, source[rows]), numbers(column, partner[rows])
            with np.errstate(invalid="ignore"):  # between two infinities; such a cell stays
                between = here + step * (there - here)
            new[j] = written(column, rows, np.where(np.isfinite(between), between, here))
        blocks = (Block(made, tuple(able)),)
        record = Record(self.name, columns.names, source, blocks, details={"neighbour": partner})
        return columns.take(source).replace(new), y[source], record


def _near_the_rarest(points: NDArray[np.float32], y: Labels, samples: float) -> list[tuple[Rows, Rows]]:
    """For each class its rows that stay, near the rarest class, and those that go; none if nothing goes."""
    codes, known = classes(y)
    if not known:
        return []  # nothing is labelled
    counts = np.bincount(codes[codes >= 0], minlength=len(known))
    rarest = codes == counts.argmin()
    distance = squares(points - points[:, rarest].mean(axis=1, keepdims=True))
    parts = []
    for code in range(len(known)):
        inside = np.flatnonzero(codes == code)
        order = inside[np.argsort(distance[inside], kind="stable")]
        stay = max(len(inside) - count(samples, len(inside)), min(2, len(inside)))
        parts.append((order[:stay], order[stay:]))
    return parts


def _neighbours(points: NDArray[np.float32], rows: Rows, kept: Rows, rng: np.random.Generator) -> Rows:
    """For every row the nearest other one among a few random rows of those that stayed."""
    candidates = rng.choice(kept, min(_CANDIDATES, len(kept)), replace=False)
    others = points[:, candidates]
    size = squares(others)[:, None]
    out = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        distance = size - 2 * (others.T @ points[:, part])  # the square of the row itself changes no order
        distance[candidates[:, None] == part] = np.inf
        out[start : start + _CHUNK] = candidates[distance.argmin(axis=0)]
    return out
