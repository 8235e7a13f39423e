"""`Detection`: what all tests together say about a batch, to be printed, saved and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from surefoot._json import plain, to_json
from surefoot.errors import InputError

FORMAT = 1


@dataclass(frozen=True)
class NamedTest:
    """One of the tests.

    Attributes:
        name: of the test.
        unit: what the statistic is.
        statistic: how far the batch moved.
        p_value: of this test alone.
        adjusted: times the number of tests, at most 1.
        drifted: whether ``adjusted`` is at most alpha.
        n_reference: rows of the reference that were used.
        n_batch: rows of the batch that were used.
    """

    name: str
    unit: str
    statistic: float
    p_value: float
    adjusted: float
    drifted: bool
    n_reference: int
    n_batch: int


@dataclass(frozen=True)
class ColumnMove:
    """How one column moved.

    Attributes:
        name: of the column.
        kind: numeric, categorical or boolean.
        moved: whether ``p_value`` is at most alpha.
        moved_by: the larger of ``effect`` and the change in the share of missing values.
        effect: KS distance of numbers, total variation of categories, between 0 and 1.
        p_value: smaller one of values and missingness, adjusted for all columns and all tests.
        missing_reference: share of missing values in the reference.
        missing_batch: share of missing values in the batch.
        unseen: share of the batch's rows with a category that the reference never has.
        importance: AUROC that the domain classifier loses without the column; None where it was not run.
        change: what moved, in words.
    """

    name: str
    kind: str
    moved: bool
    moved_by: float
    effect: float
    p_value: float
    missing_reference: float
    missing_batch: float
    unseen: float
    importance: float | None
    change: str


@dataclass(frozen=True, repr=False)
class Detection:
    """What `detect` found.

    Attributes:
        drifted: whether any test says so, each at alpha divided by their number.
        alpha: the false-alarm rate of the whole.
        tests: every test that was run.
        columns: every column; those that moved come first, the largest move at the top.
        notes: what to know before reading the numbers, a sentence each.
        info: rows and columns, seed, version, and what was asked for.
    """

    drifted: bool
    alpha: float
    tests: tuple[NamedTest, ...]
    columns: tuple[ColumnMove, ...]
    notes: tuple[str, ...]
    info: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Detection({self.verdict})"

    def __getitem__(self, test: str) -> NamedTest:
        for one in self.tests:
            if one.name == test:
                return one
        raise InputError(f"{test!r} was not tested; there are {', '.join(one.name for one in self.tests)}")

    @property
    def moved(self) -> tuple[ColumnMove, ...]:
        """The columns that moved, the largest move first."""
        return tuple(column for column in self.columns if column.moved)

    @property
    def verdict(self) -> str:
        """One sentence: whether the batch moved, and what moved most."""
        if not self.drifted:
            return (
                f"No drift found: the {len(self.tests)} test{'s' if len(self.tests) > 1 else ''} of "
                f"{len(self.columns)} column{'s' if len(self.columns) > 1 else ''} found nothing that chance "
                f"does not bring (alpha {self.alpha:g})"
            )
        if not self.moved:
            found = ", ".join(
                f"{one.name} ({one.unit} {one.statistic:.3g})" for one in self.tests if one.drifted
            )
            return f"The batch has moved, though no single column shows it: found by {found}"
        first = self.moved[0]
        how = f" ({first.change})" if first.change else ""
        return (
            f"The batch has moved: {len(self.moved)} of {len(self.columns)} columns, "
            f"most of all {first.name}{how}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists; NaN and infinite values become None."""
        content = {
            "format": FORMAT,
            "drifted": self.drifted,
            "alpha": self.alpha,
            "verdict": self.verdict,
            "tests": [asdict(one) for one in self.tests],
            "columns": [asdict(one) for one in self.columns],
            "notes": self.notes,
            "info": self.info,
        }
        found: dict[str, Any] = plain(content)
        return found

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """JSON text; with a path it is written there as well, completely or not at all."""
        return to_json(self.to_dict(), path)
