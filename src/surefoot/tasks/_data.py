"""The rows of a task in their parts; what a model sees and what only analysis sees are two tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import NOVEL, rows
from surefoot.data.partition import FITTED, PartStatistics, Plan, assign, split_hash, statistics
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows: features, targets, the part of each, and what annotates them."""

    X: pa.Table
    y: NDArray[Any]
    id: NDArray[Any]
    partition: NDArray[np.str_]
    annotations: pa.Table

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True, eq=False)
class TaskData:
    """All rows of a task.

    Attributes:
        name: the task.
        kind: ``"classification"`` or ``"regression"``.
        X: the features, all that a model sees.
        y: codes of classes (−1: a class without a row to train on) or numbers.
        partition: the part of every row.
        id: an identifier of every row, which is its place in the dataset.
        annotations: columns that annotate the shift, such as a time or the split variable: for analysis only.
        classes: the names of the codes; empty for regression.
        split_hash: SHA-256 over ids × parts × targets.
        statistics: what is in each part.
    """

    name: str
    kind: str
    X: pa.Table
    y: NDArray[Any]
    partition: NDArray[np.str_]
    id: NDArray[Any]
    annotations: pa.Table
    classes: tuple[str, ...]
    split_hash: str
    statistics: Mapping[str, PartStatistics]

    def __len__(self) -> int:
        return len(self.y)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that have rows."""
        return tuple(self.statistics)

    def part(self, *names: str) -> Part:
        """The rows of one part, or of several in the order of the table."""
        lacking = [name for name in names if name not in self.statistics]
        if lacking or not names:
            what = ", ".join(lacking) or "no name"
            raise InputError(f"{self.name} has no part {what}; it has {', '.join(self.parts)}")
        there = np.flatnonzero(np.isin(self.partition, names))
        return Part(
            X=self.X.take(there),
            y=self.y[there],
            id=self.id[there],
            partition=self.partition[there],
            annotations=self.annotations.take(there),
        )

    def fitting(self) -> TaskData:
        """The parts that a method may see: train to learn from and dev_in to tune on, without annotations."""
        there = np.flatnonzero(np.isin(self.partition, FITTED))
        return replace(
            self,
            X=self.X.take(there),
            y=self.y[there],
            partition=self.partition[there],
            id=self.id[there],
            annotations=self.annotations.take(there).select([]),
            statistics={name: found for name, found in self.statistics.items() if name in FITTED},
        )


def task_data(
    name: str,
    kind: str,
    table: pa.Table,
    *,
    target: str,
    features: Sequence[str],
    annotations: Sequence[str] = (),
    plan: Plan,
    most: Mapping[str, int] | None = None,
    seed: int = 0,
) -> TaskData:
    """Cut a table into the parts of a plan.

    Rows without a target and rows of no part are left out. The classes are those of the rows to train on; others are
    novel.
    """
    told = sorted({target, *annotations, *plan.columns} & set(features))
    if told:
        raise InputError(
            f"{', '.join(told)} of {name} is the target or annotates the shift, and cannot be a feature"
        )
    table = table.append_column("", [np.arange(table.num_rows)])
    table = table.filter(table[target].is_valid())
    columns = {column: table[column] for column in dict.fromkeys((*plan.columns, *annotations))}
    plan = replace(plan, most=plan.most if most is None else most)
    partition = assign(columns, plan, seed)
    there = np.flatnonzero(partition != "")
    table, partition = table.take(there), partition[there]
    if not (partition == "train").any():
        raise InputError(
            f"{name} has no rows to train on; the plan leaves {len(partition)} rows in other parts"
        )
    y, classes = _target(kind, table[target], partition == "train")
    ids = table[""].to_numpy()
    return TaskData(
        name=name,
        kind=kind,
        X=table.select(list(features)),
        y=y,
        partition=partition,
        id=ids,
        annotations=table.select(list(annotations)),
        classes=classes,
        split_hash=split_hash(ids, partition, y),
        statistics=statistics(partition, y, classes=classes, id=ids),
    )


def _target(
    kind: str, column: pa.ChunkedArray, train: NDArray[np.bool_]
) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Codes and names of the classes of the rows to train on, or numbers."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if kind == "regression":
        numbers = column.cast(pa.float64()).to_numpy()
        if not np.isfinite(numbers).all():
            raise InputError(f"the target is not finite in {rows(~np.isfinite(numbers))}")
        return numbers, ()
    encoded = column.combine_chunks().dictionary_encode()
    codes, values = encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()
    known = sorted((values[code] for code in np.unique(codes[train])), key=_order)
    if len(known) < 2:
        raise InputError(f"the rows to train on have the class {known[0]!r} only; at least two are needed")
    place = {value: code for code, value in enumerate(known)}
    renamed = np.array([place.get(value, NOVEL) for value in values], dtype=np.int64)
    return renamed[codes], tuple(str(value) for value in known)


def _order(value: Any) -> tuple[bool, Any]:
    """Numbers by size, and text after them by its letters."""
    return isinstance(value, str), value
