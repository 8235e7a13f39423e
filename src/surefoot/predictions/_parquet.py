"""Parquet: one row an input, arrays as lists of constant length, facts of the run in the schema's metadata.

`probs` is a list of S·K numbers, sample by sample; `mean`, `variance`, `data_variance` are lists of S. The
schema metadata key `surefoot` holds JSON `{format, kind, samples, classes, member, info}`. Files without it
are read too: plain lists then mean one sample, and lists of lists mean [S][K].
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot._checks import UNLABELLED, Array
from surefoot.predictions._arrow import is_text
from surefoot.predictions._identifiers import refuse_repeated
from surefoot.predictions._layout import header
from surefoot.predictions._scan import Scan
from surefoot.predictions._source import source
from surefoot.predictions._table import Predictions, batch_rows
from surefoot.predictions._validate import naming

_ROW_GROUP = 65_536
_ROW_GROUP_VALUES = 1 << 25


def write(predictions: Predictions, path: Path) -> None:
    """Write row groups of 65,536 rows (fewer if one would exceed 128 MB), so that a reader may stream them."""
    values_a_row = predictions.samples * max(len(predictions.classes), 1)
    rows = max(1, min(_ROW_GROUP, _ROW_GROUP_VALUES // values_a_row))
    tables = map(_table, predictions.batches(rows))
    first = next(tables)
    stated = header(predictions.kind, predictions.classes, predictions.member, predictions.info)
    schema = first.schema.with_metadata(stated)
    repeating = [field.name for field in schema if is_text(field.type) and field.name != "id"]
    with pq.ParquetWriter(path, schema, use_dictionary=repeating) as writer:
        writer.write_table(first, rows)
        for table in tables:
            writer.write_table(table, rows)


def _table(batch: Predictions) -> pa.Table:
    columns: dict[str, Any] = {"id": batch.id}
    if batch.partition is not None:
        columns["partition"] = batch.partition
    columns["target"] = _target_column(batch)
    for name, values in batch.arrays.items():
        by_row = np.moveaxis(values, 1, 0).reshape(len(batch), -1)
        columns[name] = _lists(by_row.astype(np.float32, copy=False) if values.ndim == 3 else by_row)
    return pa.table(columns | dict(batch.metadata))


def _target_column(batch: Predictions) -> pa.Array:
    if batch.target.ndim == 2:
        return _lists(batch.target)
    return pa.array(
        batch.target, mask=batch.target == UNLABELLED if batch.classes else np.isnan(batch.target)
    )


def _lists(values: Array) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(values).ravel()), values.shape[1])


def read(path: Path) -> Predictions:
    """Read and check the whole file piece by piece, which needs little memory beside the table itself."""
    file = source(path)
    arrays: dict[str, Array] = {}
    vectors: list[dict[str, Array]] = []
    start = 0
    for batch in file.batches(file.columns, batch_rows(None, file.layout.values_a_row)):
        for name, values in file.arrays(batch).items():
            if name not in arrays:
                arrays[name] = np.empty((len(values), file.rows, *values.shape[2:]), dtype=values.dtype)
            arrays[name][:, start : start + batch.num_rows] = values
        vectors.append(file.vectors(batch))
        start += batch.num_rows
    joined = {name: np.concatenate([part[name] for part in vectors]) for name in vectors[0]}
    return file.build(arrays, joined)


def scan(path: Path, metadata: Collection[str] | None = None) -> Scan:
    """Check the header and the ids, and stream the rest on demand."""
    file = source(path, metadata)
    if "id" in file.columns:
        refuse_repeated(lambda: (file.vectors(batch)["id"] for batch in file.batches(["id"], _ROW_GROUP)))

    def read_batches(rows: int) -> Iterator[Predictions]:
        start = 0
        with naming(path):
            for batch in file.batches(file.columns, rows):
                with naming(f"{path}, counting rows from {start}" if start else path):
                    vectors = file.vectors(batch)
                    # The ids of the whole file are checked already: they need no second look.
                    ids = vectors.pop("id", start + np.arange(batch.num_rows))
                    checked = file.build(file.arrays(batch), vectors)
                yield replace(checked, id=ids)
                start += batch.num_rows

    stated = file.layout
    return Scan(stated.kind.name, stated.classes, stated.member, stated.info, file.rows, read_batches)
