"""Shifts that leave some kinds of rows behind: the cells stay as they are, the mixture of rows changes.

Every row has a probability to be kept, and N rows are drawn with replacement in proportion to it. (The
published code first throws a coin for every row and then draws N of the rows left, with the same expectation.)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Column, Columns, Kind
from surefoot.shifts._distance import positions, squares
from surefoot.shifts._numeric import finite
from surefoot.shifts._record import Record
from surefoot.shifts._shift import Labels, Rows, Shift, applicable, convention, draw, fraction, lacking

Numbers = NDArray[np.float64]

_NEVER = 1e-12
"""Stands for a probability of 0, so that rows are left where nobody is to be kept."""


@dataclass(frozen=True, kw_only=True)
class JointSubsampling(Shift):
    """Keeps a row with a probability that falls with its distance d from the mean of all rows: ½^(d / q).

    q is the distance that a share ``samples`` of the rows exceeds; these far rows are kept with a probability
    under ½. Distances are Euclidean over numeric columns, each in units of its spread; a missing value counts
    as the mean. ``convention="published"`` takes the columns in their own units, so that those with large numbers
    decide alone, and its documentation says that near rows are removed, where its code removes far ones.
    """

    samples: float = 0.5
    columns: Sequence[str] | None = None
    convention: str = "paper"

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    sort: ClassVar[str] = "subpopulation"

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        convention(self.convention)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Draw rows, near ones more often."""
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        if not len(columns):
            return self._stay(columns, y, "the table has no rows")
        distance = np.sqrt(squares(positions(columns, able, scaled=self.convention == "paper")))
        quantile = np.quantile(distance, 1 - self.samples) or distance.max()
        if not quantile:
            return self._stay(columns, y, "all rows are the same")
        kept = 0.5 ** (distance / quantile)
        return self._resample(columns, y, pick(rng, kept), {"kept": kept})


@dataclass(frozen=True, kw_only=True)
class _SubsampleColumns(Shift):
    """Keeps the rows on one side of a column with a low probability, for each of several columns.

    ``samples`` is the share of that side that goes, so it is kept with probability 1 − ``samples``; a row on this
    side of several columns is kept with the product. With ``one_side=False`` the other side is thinned too, with
    probability ``samples``. ``convention="published"``: ``samples`` is the probability to be kept, so that a
    higher severity moves less.
    """

    samples: float = 0.5
    features: float = 0.5
    columns: Sequence[str] | None = None
    one_side: bool = True
    convention: str = "paper"

    kinds: ClassVar[tuple[Kind, ...]]
    sort: ClassVar[str] = "subpopulation"

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        fraction("features", self.features)
        convention(self.convention)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Draw rows, those on the thinned side less often."""
        able = applicable(columns, self.kinds, self.columns)
        if not able:
            return self._stay(columns, y, lacking(self.kinds))
        chosen = [able[i] for i in draw(rng, len(able), self.features)]
        if not len(columns) or not chosen:
            return self._stay(columns, y, "no rows or no columns were asked for")
        p = self.samples if self.convention == "published" else 1 - self.samples
        side_kept, other_kept = np.log(max(p, _NEVER)), 0.0 if self.one_side else np.log(max(1 - p, _NEVER))
        kept = np.zeros(len(columns))
        details: dict[str, Any] = {}
        for j in chosen:
            column = columns.columns[j]
            side, details[column.name] = self._side(column, rng)
            kept += np.where(side, side_kept, np.where(column.missing, 0.0, other_kept))
        kept = np.exp(kept - kept.max())
        return self._resample(columns, y, pick(rng, kept), {"kept": kept, "columns": details})

    @abstractmethod
    def _side(self, column: Column, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Any]:
        """Which rows are on the side that is thinned, and where it ends."""


@dataclass(frozen=True, kw_only=True)
class SubsampleNumeric(_SubsampleColumns):
    """Keeps rows with a low value (up to the column's median) with a low probability, in several columns.

    ``samples`` is the share of the low rows that goes, so a low row is kept with probability 1 − ``samples``, and
    one that is low in several columns with the product; a missing value is not low. With ``one_side=False`` the
    high rows are thinned too, with probability ``samples``. ``convention="published"``: ``samples`` is the
    probability to be kept, so that a higher severity moves less.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)

    def _side(self, column: Column, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Any]:
        known = finite(column)
        if not known.size:
            return np.zeros(len(column.values), dtype=bool), None
        median = float(np.median(known))
        return column.values <= median, median


@dataclass(frozen=True, kw_only=True)
class SubsampleCategorical(_SubsampleColumns):
    """Keeps rows in a random half of the categories with a low probability, in several columns.

    ``samples`` is the share of these rows that goes, so they are kept with probability 1 − ``samples``, and a row
    that is in the half of several columns with the product; a missing value is in no half. With
    ``one_side=False`` the other half is thinned too, with probability ``samples``. ``convention="published"``:
    ``samples`` is the probability to be kept, so that a higher severity moves less.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("categorical", "boolean")

    def _side(self, column: Column, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Any]:
        present = occurring(column)
        half = rng.permutation(present)[: (len(present) + 1) // 2]
        chosen = np.zeros(max(len(column.categories), 2) + 1, dtype=bool)  # the last one: missing
        chosen[half] = True
        return chosen[column.values], [category(column, code) for code in half]


def pick(rng: np.random.Generator, kept: Numbers) -> Rows:
    """As many rows as there are, with replacement, in proportion to the probability to be kept; in order."""
    total = np.cumsum(kept)
    drawn = np.searchsorted(total, np.sort(rng.random(len(kept))) * total[-1], side="right")
    return np.asarray(np.minimum(drawn, len(kept) - 1))  # a product may round up to the very end


def occurring(column: Column) -> Rows:
    """Codes that occur in a categorical or boolean column."""
    width = max(len(column.categories), 2)
    return np.flatnonzero(np.bincount(column.values + 1, minlength=width + 1)[1:])


def category(column: Column, code: int) -> Any:
    """What a code stands for."""
    return column.categories[code] if column.kind == "categorical" else bool(code)
