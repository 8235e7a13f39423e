"""Shifts of the labels: how common each class is, or what a class means.

Rows stay in their places where they can: what is removed is replaced by other rows, drawn with replacement.
A row whose label is missing (NaN, None) belongs to no class and stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import positive
from surefoot._columns import MISSING, Columns, column_of_array, encoded
from surefoot.errors import InputError
from surefoot.shifts._categorical import another
from surefoot.shifts._record import Record
from surefoot.shifts._shift import Labels, Rows, Shift, convention, count, draw, fraction
from surefoot.shifts._subsample import category, occurring

_ONE_CLASS = "all labels are of one class"


@dataclass(frozen=True, kw_only=True)
class KnockOut(Shift):
    """Removes a share ``samples`` of one class and draws rows of the other classes in their place.

    ``label`` is the class, the most frequent one if None (paper 002, table II). ``convention="published"`` removes
    the first rows of the class, their number rounded up to an even one, draws all rows of the other classes anew
    and shuffles the result.
    """

    samples: float = 0.5
    label: Any = None
    convention: str = "paper"

    sort: ClassVar[str] = "label"
    labelled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        convention(self.convention)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace rows of the class."""
        y = self._labels(y)
        codes, known = classes(y)
        if len(known) < 2:
            return self._stay(columns, y, _ONE_CLASS)
        code = (
            int(np.bincount(codes[codes >= 0]).argmax()) if self.label is None else _code(self.label, known)
        )
        inside, others = np.flatnonzero(codes == code), np.flatnonzero((codes != code) & (codes >= 0))
        if self.convention == "published":
            source = _published_knock_out(rng, inside, others, self.samples, len(y))
        else:
            gone = inside[draw(rng, len(inside), self.samples)]
            source = np.arange(len(y))
            source[gone] = rng.choice(others, len(gone))
        return self._resample(columns, y, source, {"label": known[code]})


def _published_knock_out(
    rng: np.random.Generator, inside: Rows, others: Rows, samples: float, total: int
) -> Rows:
    removed = count(samples, len(inside))
    left = inside[removed + removed % 2 :]
    return rng.permutation(np.concatenate([left, rng.choice(others, total - len(left))]))


@dataclass(frozen=True, kw_only=True)
class OnlyOne(Shift):
    """Leaves one class: rows of all others are replaced by rows of it. ``label`` is drawn at random if None."""

    label: Any = None

    sort: ClassVar[str] = "label"
    labelled: ClassVar[bool] = True

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace rows of the other classes."""
        y = self._labels(y)
        codes, known = classes(y)
        if len(known) < 2:
            return self._stay(columns, y, _ONE_CLASS)
        code = int(rng.integers(len(known))) if self.label is None else _code(self.label, known)
        others = np.flatnonzero((codes != code) & (codes >= 0))
        source = np.arange(len(y))
        source[others] = rng.choice(np.flatnonzero(codes == code), len(others))
        return self._resample(columns, y, source, {"label": known[code]})


@dataclass(frozen=True, kw_only=True)
class Rebalance(Shift):
    """Gives the classes other proportions: rows of a class that shrinks are replaced by rows of one that grows.

    ``shares`` maps classes to their proportions (or lists them in the order of the sorted classes); they are
    divided by their sum, and a class left out gets none. Without them they are drawn from a Dirichlet distribution
    with parameter ``concentration`` for every class: at 1 every proportion is equally likely, small ones give a
    few large classes. The published code draws from the rows left when the scarcest class sets the size.
    """

    shares: Mapping[Any, float] | Sequence[float] | None = None
    concentration: float = 1.0

    sort: ClassVar[str] = "label"
    labelled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive("concentration", self.concentration)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Replace rows of classes that shrink by rows of classes that grow."""
        y = self._labels(y)
        codes, known = classes(y)
        if len(known) < 2:
            return self._stay(columns, y, _ONE_CLASS)
        if self.shares is None:
            shares = rng.dirichlet(np.full(len(known), self.concentration))
        else:
            shares = _shares(self.shares, known)
        counts = np.bincount(codes[codes >= 0], minlength=len(known))
        wanted = _apportion(shares, int(counts.sum()))
        source = np.arange(len(y))
        gone, new = [], []
        for code, (has, wants) in enumerate(zip(counts, wanted, strict=True)):
            inside = np.flatnonzero(codes == code)
            gone.append(rng.choice(inside, max(has - wants, 0), replace=False))
            new.append(rng.choice(inside, max(wants - has, 0)))
        source[np.concatenate(gone)] = rng.permutation(np.concatenate(new))
        drawn = dict(zip(known, shares.tolist(), strict=True))
        return self._resample(columns, y, source, {"shares": drawn})


@dataclass(frozen=True, kw_only=True)
class LabelSwitch(Shift):
    """Gives a share ``samples`` of the rows another label, each of the others equally likely; no cell moves.

    ``convention="published"`` rounds the number of rows down instead of up.
    """

    samples: float = 0.5
    convention: str = "paper"

    sort: ClassVar[str] = "concept"
    labelled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("samples", self.samples)
        convention(self.convention)

    def move(
        self, columns: Columns, y: Labels | None, rng: np.random.Generator
    ) -> tuple[Columns, Labels | None, Record]:
        """Draw rows and switch their labels."""
        y = self._labels(y)
        codes, known = classes(y)
        if len(known) < 2:
            return self._stay(columns, y, _ONE_CLASS)
        labelled = np.flatnonzero(codes >= 0)
        if self.convention == "published":
            size = int(self.samples * len(labelled) + 1e-9)
            rows = rng.choice(labelled, size, replace=False)
        else:
            rows = labelled[draw(rng, len(labelled), self.samples)]
        holder = np.zeros(len(known), dtype=np.int64)  # a row that has each label
        holder[codes[labelled]] = labelled
        moved = y.copy()
        moved[rows] = y[holder[another(codes[rows], np.arange(len(known)), rng)]]
        switched = np.zeros(len(y), dtype=bool)
        switched[rows] = True
        return columns, moved, Record(self.name, columns.names, np.arange(len(y)), labels=switched)


def classes(y: Labels) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Class codes of labels (−1 for a missing one) and the classes that occur, sorted where they can be.

    >>> classes(np.array(["b", "a", "b"]))
    (array([1, 0, 1], dtype=int32), ('a', 'b'))
    """
    column = encoded(column_of_array("y", y))
    present = [(category(column, code), code) for code in occurring(column)]
    with suppress(TypeError):  # labels of several types have no order
        present.sort()
    place = np.full(max(len(column.categories), 2) + 1, MISSING, dtype=np.int32)  # the last one: missing
    place[[code for _, code in present]] = np.arange(len(present))
    return place[column.values], tuple(label for label, _ in present)


def _code(label: Any, known: tuple[Any, ...]) -> int:
    """Position of a label, which the command line knows only as a text."""
    for match in (lambda one: one == label, lambda one: str(one) == str(label)):
        for code, one in enumerate(known):
            if match(one):
                return code
    listed = ", ".join(map(repr, known[:20]))
    raise InputError(f"label {label!r} does not occur in y, which holds {listed}")


def _shares(given: Mapping[Any, float] | Sequence[float], known: tuple[Any, ...]) -> NDArray[np.float64]:
    """The proportion of every class."""
    shares = np.zeros(len(known))
    if isinstance(given, Mapping):
        for label, share in given.items():
            shares[_code(label, known)] = share
    elif len(given) != len(known):
        raise InputError(f"shares has {len(given)} numbers for {len(known)} classes; give one a class")
    else:
        shares[:] = given
    if not (np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0):
        raise InputError(f"shares must be numbers ≥ 0 that are not all 0, not {given!r}")
    shares /= shares.sum()
    return shares


def _apportion(shares: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    """Whole numbers in these proportions that sum to the total, the largest remainders rounded up."""
    exact = shares * total
    counts = np.floor(exact).astype(np.int64)
    counts[np.argsort(counts - exact, kind="stable")[: total - counts.sum()]] += 1
    return counts
