"""What enters a comparison: files or tables of predictions, each with a method's and a dataset's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.predictions import Predictions, Scan, source_of
from surefoot.predictions._validate import Info
from surefoot.scorecard import error_columns
from surefoot.scorecard._errors import ErrorRule, error_rule
from surefoot.scorecard._rows import RowTable, default_uncertainty, tables
from surefoot.scorecard._sides import Sides

Given = Predictions | Scan | str | PathLike[str]

UNNAMED_DATASET = "data"


@dataclass(frozen=True, eq=False)
class Candidate:
    """One of the predictions to compare."""

    method: str
    dataset: str
    source: Predictions | Scan

    @property
    def facts(self) -> dict[str, Any]:
        """The run's facts as the guard reads them: with the method's name, and the members that are there."""
        members = len(np.unique(self.source.member))
        return {
            **self.source.info,
            "method": self.method,
            "members": self.source.info.get("members", members),
        }


def candidates(
    given: Sequence[Given], names: Sequence[str] | None, error: str | ArrayLike | None
) -> tuple[Candidate, ...]:
    """Open files, and find out which method and dataset each of the predictions is of."""
    if isinstance(given, str | PathLike | Predictions | Scan) or len(given) < 2:
        raise InputError("predictions must list at least two files or tables: there is nothing to compare")
    if names is not None and len(names) != len(given):
        raise InputError(f"names has {len(names)} entries for {len(given)} predictions; give one each")
    if not isinstance(error, str | None) and np.ndim(error) == 1:
        raise InputError(
            "error is one number a row, but rows of different files may stand in another order; put it into a "
            "metadata column of each and give the column's name"
        )
    sources = [opened(one, error) for one in given]
    datasets = _datasets([source.info for source in sources])
    methods = list(names) if names is not None else _methods(given, sources, datasets)
    twice = [key for key, count in Counter(zip(methods, datasets, strict=True)).items() if count > 1]
    if twice:
        raise InputError(
            f"method {twice[0][0]!r} is there more than once on dataset {twice[0][1]!r}; give each of the "
            "predictions its own name: names= in Python, --name on the command line"
        )
    if len(set(methods)) < 2:
        raise InputError(f"all predictions are of the method {methods[0]!r}: there is nothing to compare")
    return tuple(map(Candidate, methods, datasets, sources))


def opened(one: Given, error: str | ArrayLike | None) -> Predictions | Scan:
    """Predictions as they are; a Parquet file to be streamed, another file read."""
    if isinstance(one, Predictions | Scan):
        return one
    return source_of(one, metadata=error_columns(error))


def _datasets(infos: Sequence[Info]) -> list[str]:
    """The dataset each one names; one that names none belongs to the only dataset there is."""
    named = [str(info["dataset"]) if "dataset" in info else None for info in infos]
    known = list(dict.fromkeys(name for name in named if name is not None)) or [UNNAMED_DATASET]
    if None in named and len(known) > 1:
        raise InputError(
            f"predictions number {named.index(None) + 1} do not say their dataset, but others are of "
            f"{', '.join(known)}; put it into their info: info={{'dataset': …}}"
        )
    return [name or known[0] for name in named]


def _methods(
    given: Sequence[Given], sources: Sequence[Predictions | Scan], datasets: Sequence[str]
) -> list[str]:
    """The methods that the predictions name; where these do not tell them apart, the files' stems."""
    stems = [
        f"model {i + 1}" if isinstance(one, Predictions | Scan) else Path(one).stem
        for i, one in enumerate(given)
    ]
    named = [str(source.info.get("method", stem)) for source, stem in zip(sources, stems, strict=True)]
    counts = Counter(zip(named, datasets, strict=True))
    clash = {method for (method, _), count in counts.items() if count > 1}
    return [stem if method in clash else method for method, stem in zip(named, stems, strict=True)]


@dataclass(frozen=True, eq=False)
class Rows:
    """Predictions reduced to a table of rows in the order of their ids, so that files compare row by row."""

    candidate: Candidate
    ids: Array
    truth: Array
    """Target codes [N] counted in the classes' names in alphabetic order, labels [N, K], or values [N]."""
    table: RowTable
    rule: ErrorRule
    uncertainty: str

    def select(self, kept: Array) -> Rows:
        """Only the rows of a mask, or those at some positions, in their order."""
        columns = {name: values[kept] for name, values in self.table.columns.items()}
        return replace(
            self, ids=self.ids[kept], truth=self.truth[kept], table=replace(self.table, columns=columns)
        )


def reduced(
    candidate: Candidate,
    error: str | ArrayLike | None,
    threshold: float | None,
    uncertainty: str | None,
    sides: Sides,
) -> Rows:
    """Read predictions once, and put their rows in the order of the ids."""
    source = candidate.source
    rule = error_rule(error, threshold, source.kind, len(source), len(source.classes))
    record = _Recorded(source)
    table = next(tables(record, rule, sides, members=False))
    ids, truth = np.concatenate(record.ids), np.concatenate(record.targets)
    rows = Rows(
        candidate, ids, _in_alphabetic_classes(truth, source), table, rule,
        uncertainty or default_uncertainty(source.kind, source.samples),
    )  # fmt: skip
    return rows if (ids[1:] > ids[:-1]).all() else rows.select(np.argsort(ids))


class _Recorded:
    """A source whose ids and targets are kept as its batches go by."""

    def __init__(self, source: Predictions | Scan) -> None:
        self.kind, self.classes, self.info = source.kind, source.classes, source.info
        self.samples, self.member = source.samples, source.member
        self.ids: list[Array] = []
        self.targets: list[Array] = []
        self._source = source

    def __len__(self) -> int:
        return len(self._source)

    def batches(self) -> Iterator[Predictions]:
        self.ids, self.targets = [], []
        for batch in self._source.batches():
            self.ids.append(batch.id)
            self.targets.append(batch.target)
            yield batch


def _in_alphabetic_classes(truth: Array, source: Predictions | Scan) -> Array:
    """Targets so counted that models with the same classes in another order agree."""
    if not source.classes:
        return truth
    order = np.argsort(source.classes)
    if truth.ndim == 2:
        return truth[:, order]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return np.where(truth >= 0, place[truth], truth)


def by_dataset(everyone: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Candidates grouped by dataset, in the order in which the datasets occur."""
    groups: dict[str, list[Candidate]] = {}
    for one in everyone:
        groups.setdefault(one.dataset, []).append(one)
    return groups
