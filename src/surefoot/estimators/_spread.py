"""How the values of a column are spread, kept in place of the labelled rows themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.shifts.detectors._change import PERCENTILES

LEVELS = 65
"""Points that a column of numbers is known at: what lies between two of them is under 1/64 of the rows."""


@dataclass(frozen=True)
class Spread:
    """Rows under and up to each of some points: the values themselves if they are few, else quantiles.

    ``present`` rows have a value and ``absent`` ones a gap. Of categories ``counts`` has the rows of each.
    """

    present: int = 0
    absent: int = 0
    points: tuple[float, ...] = ()
    under: tuple[int, ...] = ()
    up_to: tuple[int, ...] = ()
    percentiles: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Spread:
        """The way back from JSON."""
        return cls(
            int(content["present"]),
            int(content["absent"]),
            *(tuple(content[name]) for name in ("points", "under", "up_to", "percentiles", "counts")),
        )


NO_ROWS = Spread()
"""The spread of nothing."""


def spread_of(values: NDArray[np.float32]) -> Spread:
    """The spread of a column of numbers; NaN is a gap."""
    ordered = np.sort(values[~np.isnan(values)])
    points = np.unique(ordered)
    if len(points) > LEVELS:
        points = np.unique(ordered[_places(np.linspace(0, 1, LEVELS), len(ordered))])
    under, up_to = counted(ordered, points)
    return Spread(
        present=len(ordered),
        absent=len(values) - len(ordered),
        points=tuple(points.tolist()),
        under=tuple(under.tolist()),
        up_to=tuple(up_to.tolist()),
        percentiles=tuple(percentiles(ordered).tolist()),
    )


def counted(ordered: NDArray[np.float32], points: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of the values are under each point, and how many are at most that."""
    return ordered.searchsorted(points, "left"), ordered.searchsorted(points, "right")


def percentiles(ordered: NDArray[np.float32]) -> NDArray[np.float32]:
    """The `PERCENTILES` that words are made of; none where there are no values."""
    return ordered[_places(np.array(PERCENTILES) / 100, len(ordered))] if len(ordered) else ordered


def _places(shares: Array, n: int) -> NDArray[np.int64]:
    """Positions of the nearest values at these shares of n in order."""
    places: NDArray[np.int64] = np.rint(shares * (n - 1)).astype(np.int64)
    return places
