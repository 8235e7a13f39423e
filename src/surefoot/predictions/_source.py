"""A Parquet file of known layout, read in batches of rows as NumPy arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.predictions._arrow import is_text, nested, plain_column, readable
from surefoot.predictions._kinds import refuse_misnamed_target
from surefoot.predictions._layout import Layout, layout
from surefoot.predictions._table import Predictions, build

_VECTORS = ("id", "partition", "target")


@dataclass(frozen=True)
class Source:
    """Where the rows are, which columns count, and how to read them."""

    path: Path
    layout: Layout
    rows: int
    columns: tuple[str, ...]
    categories: tuple[str, ...]
    """Columns of text that repeats, which is faster to read as categories."""
    with_gaps: frozenset[str]
    """Whole numbers and booleans missing somewhere in the file: they are floats in every batch."""

    def batches(self, columns: Collection[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Batches of at most `rows` rows of some columns."""
        found = 0
        with _open(self.path, self.categories) as file:
            for batch in file.iter_batches(rows, columns=list(columns), use_threads=False):
                if batch.num_rows:
                    found += batch.num_rows
                    yield batch
        pa.default_memory_pool().release_unused()  # Arrow would keep what the batches took
        if found != self.rows:
            raise InputError(
                f"there are {found} rows, not the {self.rows} of the footer; write the file again"
            )

    def arrays(self, batch: pa.RecordBatch) -> dict[str, Array]:
        """The model's outputs, samples axis first."""
        axes = self.layout.kind.arrays
        return {name: self._samples_first(name, batch) for name in self.columns if name in axes}

    def _samples_first(self, name: str, batch: pa.RecordBatch) -> Array:
        values = nested(name, batch.column(name))
        stated = self.layout
        several = "K" in stated.kind.arrays[name]
        shape = (len(values), stated.samples, *([len(stated.classes)] if several else []))
        if values.size != np.prod(shape):
            wanted = f"{stated.samples} samples" + (f" × {len(stated.classes)} classes" if several else "")
            raise InputError(
                f"{name} holds {values.size // len(values)} numbers a row, but {wanted} are needed; "
                "write the header and every row alike"
            )
        return np.ascontiguousarray(np.moveaxis(values.reshape(shape), 1, 0))

    def vectors(self, batch: pa.RecordBatch) -> dict[str, Array]:
        """Everything else: id, partition, target and metadata, rows first."""
        names = [name for name in batch.schema.names if name in self.columns]
        with readable("Parquet"):
            return {name: self._vector(name, batch) for name in names if name not in self.layout.kind.arrays}

    def _vector(self, name: str, batch: pa.RecordBatch) -> Array:
        if name == "target" and self.layout.kind.target_axes == "NK":
            return self._labels(batch)
        return plain_column(name, batch.column(name), as_float=name in self.with_gaps)

    def _labels(self, batch: pa.RecordBatch) -> Array:
        column = batch.column("target")
        labels = np.full((len(column), len(self.layout.classes)), np.nan, dtype=np.float32)
        present = np.asarray(column.is_valid().to_numpy(zero_copy_only=False))
        if present.any():
            known = nested("target", column.drop_null())
            if known.shape[1:] != labels.shape[1:]:
                raise InputError(
                    f"target holds {known[0].size} numbers a row, but there are {labels.shape[1]} classes; "
                    "write one number for each"
                )
            labels[present] = known
        return labels

    def build(self, arrays: Mapping[str, Array], vectors: Mapping[str, Array]) -> Predictions:
        """Check what was read, and make the table of it."""
        columns: dict[str, Any] = {**arrays, "member": self.layout.member, "info": self.layout.info}
        columns |= {name: vectors[name] for name in _VECTORS if name in vectors}
        if self.layout.kind.has_classes:
            columns["classes"] = self.layout.class_labels or self.layout.classes
        metadata = {name: values for name, values in vectors.items() if name not in _VECTORS}
        return build(self.layout.kind.name, {**columns, "metadata": metadata})


def source(path: Path, metadata: Collection[str] | None = None) -> Source:
    """Open a file and read its header; `metadata` names the further columns to read (default: all)."""
    with _open(path) as file:
        schema = file.schema_arrow
        names = schema.names
        if file.metadata.num_rows == 0:
            raise InputError("there are no rows; give at least one row")
        if len(set(names)) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InputError(f"the column {twice[0]!r} is there more than once; rename one of them")
        stated = layout(file)
        refuse_misnamed_target(names)
        own = [name for name in names if name in _VECTORS or name in stated.kind.arrays]
        further = [name for name in names if name not in own and not name.startswith("__index_level_")]
        unknown = [name for name in metadata or () if name not in further]
        if unknown:
            raise InputError(
                f"there is no metadata column {unknown[0]!r}; there is {', '.join(further) or 'none'}"
            )
        return Source(
            path=path,
            layout=stated,
            rows=file.metadata.num_rows,
            columns=(*own, *(name for name in further if metadata is None or name in metadata)),
            categories=tuple(name for name in names if name != "id" and is_text(schema.field(name).type)),
            with_gaps=_with_gaps(file.metadata),
        )


def _with_gaps(footer: pq.FileMetaData) -> frozenset[str]:
    """Columns that have missing values, or may have: the file's statistics do not say."""
    chunks = (
        footer.row_group(group).column(place)
        for group in range(footer.num_row_groups)
        for place in range(footer.num_columns)
    )
    return frozenset(
        chunk.path_in_schema
        for chunk in chunks
        if chunk.statistics is None or not chunk.statistics.has_null_count or chunk.statistics.null_count
    )


@contextmanager
def _open(path: Path, categories: Collection[str] = ()) -> Iterator[pq.ParquetFile]:
    """Open a file to be streamed."""
    # The default settings buffer whole row groups ahead; these hold about one column chunk.
    settings = {"pre_buffer": False, "buffer_size": 1 << 20, "read_dictionary": list(categories)}
    with readable("Parquet"), pq.ParquetFile(path, **settings) as file:
        yield file
