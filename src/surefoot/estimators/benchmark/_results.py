"""Per-batch results as the tables read them: columns as arrays, of all rows or of some."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from surefoot.errors import InputError
from surefoot.metrics import acc_ci, interval_coverage, mae_ci

SCHEMA = pa.schema(
    {
        "experiment": pa.string(),
        "dataset": pa.string(),
        "seed": pa.int64(),
        "method": pa.string(),
        "training_kinds": pa.string(),
        "training_domains": pa.int64(),
        "set": pa.string(),
        "kind": pa.string(),
        "severity": pa.float64(),
        "features": pa.float64(),
        "batch": pa.int64(),
        "n": pa.int64(),
        "truth": pa.float64(),
        "reference": pa.float64(),
        "estimate": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "error": pa.float64(),
        "fit_seconds": pa.float64(),
        "estimate_seconds": pa.float64(),
    }
)
"""Columns of the results; ``error`` is the estimate minus the truth, of the accuracy as of its drop."""

EMPTY = SCHEMA.empty_table()


@dataclass(frozen=True)
class Results:
    """Results of some batches: every column an array, names among them as codes.

    ``names`` holds what the codes of a column stand for, in the order in which they came up.
    """

    columns: Mapping[str, NDArray[Any]]
    names: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.columns["truth"])

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.columns[column]

    def there(self, column: str) -> tuple[str, ...]:
        """The names of a column that are among these rows."""
        codes = np.unique(self[column])
        return tuple(self.names[column][code] for code in codes)

    def take(self, rows: NDArray[Any]) -> Results:
        """Some rows."""
        return Results({name: values[rows] for name, values in self.columns.items()}, self.names)

    def where(self, **wanted: str | Collection[str]) -> Results:
        """Rows whose columns hold this name, or one of these."""
        kept = np.ones(len(self), dtype=bool)
        for column, names in wanted.items():
            several = (names,) if isinstance(names, str) else names
            codes = [code for code, name in enumerate(self.names[column]) if name in several]
            kept &= np.isin(self[column], codes)
        return self.take(kept)

    def by(self, *columns: str) -> Iterator[tuple[tuple[Any, ...], Results]]:
        """Rows with the same values in these columns, with the values, in the order of codes and numbers."""
        if not len(self):
            return
        order = np.lexsort([self[column] for column in reversed(columns)])
        sorted_ = self.take(order)
        changes = [np.diff(sorted_[column]) != 0 for column in columns]
        starts = np.flatnonzero(np.concatenate([[True], np.any(changes, axis=0)]))
        for start, end in zip(starts, [*starts[1:], len(self)], strict=True):
            key = tuple(self._named(column, sorted_[column][start]) for column in columns)
            yield key, sorted_.take(np.arange(start, end))

    def _named(self, column: str, value: Any) -> Any:
        return self.names[column][value] if column in self.names else value.item()

    @property
    def mae(self) -> float:
        """Mean absolute error."""
        return float(np.abs(self["error"]).mean())

    @property
    def mae_ci(self) -> float:
        """Equation 2 of the paper, at 0.05."""
        return mae_ci(self["truth"], self["estimate"], self["n"])

    @property
    def acc_ci(self) -> float:
        """Share of estimates inside the interval of the truth."""
        return acc_ci(self["truth"], self["estimate"], self["n"])

    @property
    def picp(self) -> float:
        """Share of truths inside the interval of the estimate."""
        return interval_coverage(self["low"], self["high"], self["truth"])

    @property
    def mpiw(self) -> float:
        """Mean width of the intervals."""
        return float((self["high"] - self["low"]).mean())


def read(path: str | PathLike[str]) -> Results:
    """Results out of the file that a run has joined."""
    if not Path(path).is_file():
        raise InputError(f"{path} is no file; give the Parquet file that surefoot estimate benchmark wrote")
    try:
        table = parquet.read_table(path)
    except pa.ArrowException as error:
        raise InputError(f"{path} is no Parquet file ({str(error).splitlines()[0]})") from None
    return of_table(table, str(path))


def of_table(table: pa.Table, name: str = "the table") -> Results:
    """Results out of a table."""
    if lacking := [column for column in SCHEMA.names if column not in table.column_names]:
        raise InputError(
            f"{name} has no column {', '.join(lacking)}; give the results of surefoot estimate benchmark"
        )
    if not table.num_rows:
        raise InputError(f"{name} holds no results; no trial has come to its end")
    columns, names = {}, {}
    for field in SCHEMA:
        column = table[field.name].combine_chunks()
        if pa.types.is_string(field.type):
            encoded = column.dictionary_encode()
            columns[field.name] = encoded.indices.to_numpy(zero_copy_only=False)
            names[field.name] = tuple(encoded.dictionary.to_pylist())
        else:
            columns[field.name] = column.to_numpy(zero_copy_only=False)
    return Results(columns, names)
