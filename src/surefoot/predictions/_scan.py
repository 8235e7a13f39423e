"""`Scan`: predictions in a file, seen a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from surefoot._checks import Array
from surefoot.predictions._table import Predictions, batch_rows
from surefoot.predictions._validate import Info


@dataclass(frozen=True, eq=False, repr=False)
class Scan:
    """The header of a predictions file, and a way to stream its rows.

    It has what `Predictions` knows without its rows (`kind`, `classes`, `member`, `samples`, `info`,
    `len()`) and the same `batches`, so that whatever reads batches takes either.
    """

    kind: str
    classes: tuple[str, ...]
    member: Array
    info: Info
    rows: int
    read: Callable[[int], Iterator[Predictions]]

    def __len__(self) -> int:
        """Number of inputs N."""
        return self.rows

    def __repr__(self) -> str:
        return (
            f"Scan({self.kind}, {len(self):,} rows, {self.samples} sample{'s' if self.samples > 1 else ''})"
        )

    @property
    def samples(self) -> int:
        """Number of posterior samples S."""
        return len(self.member)

    def batches(self, rows: int | None = None) -> Iterator[Predictions]:
        """Consecutive, checked pieces of at most `rows` rows (by default about 4 MB); reads the file anew."""
        return self.read(batch_rows(rows, self.samples * max(len(self.classes), 1)))
