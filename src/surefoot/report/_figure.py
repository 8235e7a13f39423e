"""What every figure is made of: a chart, what it shows in words, and its numbers for who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot.report import _style
from surefoot.scorecard import Table

Curve = Mapping[str, Any]
"""A curve of a scorecard, as `Scorecard.curves` holds it."""

POINTS = 129
"""Points of a drawn line; more cannot be seen."""


@dataclass(frozen=True)
class Figure:
    """A chart with its title, the numbers that matter in sentences, and a table of numbers."""

    name: str
    """Kind of the figure, also part of its address on a page."""
    title: str
    chart: _style.Chart
    description: str
    numbers: Table | None = None


def column(curve: Curve, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A column of a curve, whether it holds an array or a list with None in it."""
    return np.array(curve[name], dtype=np.float64)  # None becomes NaN


def at(curve: Curve, name: str, fraction: float) -> float:
    """Height of a line of a curve at a fraction, by straight lines between its points."""
    return float(np.interp(fraction, column(curve, "fraction"), column(curve, name)))


def thinned(length: int, points: int = POINTS) -> list[int]:
    """At most so many positions at equal distances, the ends among them.

    >>> thinned(9, 3), thinned(2)
    ([0, 4, 8], [0, 1])
    """
    return [int(i) for i in np.unique(np.linspace(0, length - 1, min(length, points)).round())]


def short(value: float) -> float | None:
    """Five digits, which is more than a screen can show."""
    return float(f"{value:.5g}") if np.isfinite(value) else None
