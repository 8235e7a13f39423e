"""Rows ranked from the most to the least certain: the one sort behind every curve over uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import Array, array, choice, finite

Floats = NDArray[np.float64]

CONVENTIONS = ("paper", "published")
"""The definition in the paper, or what the paper's published code computes."""


class _Ties(NamedTuple):
    """Runs of two or more tied rows, and the positions that lie inside them."""

    start: NDArray[np.intp]
    size: NDArray[np.intp]
    inside: NDArray[np.intp]
    step: Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """One uncertainty, sorted. Functions that take an uncertainty take its ranking too, and skip the sort.

    Attributes:
        uncertainty: the values that were ranked, one a row.
        order: row numbers, most certain first.
        bounds: positions 0 … N that do not split a tie; all of them if no two rows tie.
        first: which row of a tie comes first: ``any``, or the ``earlier`` or the ``later`` in the input.
    """

    uncertainty: Array
    order: NDArray[np.intp]
    bounds: NDArray[np.intp]
    first: str = "any"

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.order)

    @property
    def tied(self) -> bool:
        """Whether any two rows tie."""
        return len(self.bounds) <= len(self)

    def arrange(self, values: Array) -> Array:
        """Return ``values`` in order of rising uncertainty."""
        return values.take(self.order)

    def running(self, arranged: Array, *, spread: bool = True) -> Floats:
        """Return the sums of the first k arranged values for k = 0 … N, accumulated in float64.

        With ``spread``, tied rows share their sum evenly (a straight line across the tie): the expected sum
        if ties were broken at random, which does not depend on the order of the input.
        """
        total = np.zeros(len(arranged) + 1)
        np.cumsum(arranged, dtype=np.float64, out=total[1:])
        if spread and self.tied:
            start, size, inside, step = self._ties
            base = total.take(start)
            slope = (total.take(start + size) - base) / size
            line = np.repeat(slope, size - 1)
            line *= step
            line += np.repeat(base, size - 1)
            total[inside] = line
        return total

    @cached_property
    def _ties(self) -> _Ties:
        size = np.diff(self.bounds)
        tied = np.flatnonzero(size > 1)
        start, size = self.bounds.take(tied), size.take(tied)
        inner = size - 1
        step = np.arange(1, inner.sum() + 1)
        step -= np.repeat(np.cumsum(inner) - inner, inner)
        inside = np.repeat(start, inner)
        inside += step
        return _Ties(start, size, inside, step.astype(np.float64))


def rank(uncertainty: ArrayLike | Ranking, *, first: str = "any") -> Ranking:
    """Rank rows by rising uncertainty; a ranking passes through unless its ties stand in another order.

    Make it once where several metrics share one uncertainty.

    >>> rank([0.3, 0.1, 0.2]).order
    array([1, 2, 0])
    >>> rank([0.1, 0.1, 0.2], first="later").order
    array([1, 0, 2])
    """
    choice("first", first, ("any", "earlier", "later"))
    if isinstance(uncertainty, Ranking):
        if first in ("any", uncertainty.first) or not uncertainty.tied:
            return uncertainty
        values = uncertainty.uncertainty
    else:
        values = finite("uncertainty", uncertainty)
    if first == "any":
        order = np.argsort(values)
    elif first == "earlier":
        order = np.argsort(values, kind="stable")
    else:
        order = np.argsort(-values, kind="stable")[::-1]
    return Ranking(values, order, _bounds(values.take(order)), first)


def error_of_rows(errors: ArrayLike) -> Array:
    """Return finite errors, one a row; 0/1 errors given as booleans stay so, at an eighth of the memory.

    >>> error_of_rows([True, False]).dtype
    dtype('bool')
    """
    values = array("errors", errors, 1)
    return values if values.dtype == np.bool_ else finite("errors", values)


def trapezoid(value: Floats, intervals: int) -> float:
    """Return the area under equally spaced points, ``intervals`` of which fill the axis from 0 to 1."""
    return float((value.sum() - (value[0] + value[-1]) / 2) / intervals)


def _bounds(arranged: Array) -> NDArray[np.intp]:
    """Return the positions 0 … N between unequal neighbours, the two ends included."""
    apart = np.ones(len(arranged) + 1, dtype=np.bool_)
    np.not_equal(arranged[1:], arranged[:-1], out=apart[1:-1])
    return np.flatnonzero(apart)
