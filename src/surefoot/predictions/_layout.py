"""The shape of every row of a Parquet file: what its header states, and what its first row shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot._checks import NORMALISATION_TOLERANCE, Array
from surefoot.errors import InputError
from surefoot.predictions import _validate as validate
from surefoot.predictions._arrow import nested
from surefoot.predictions._kinds import Kind, kind_holding, kind_named, no_kind
from surefoot.predictions._table import batch_rows
from surefoot.predictions._targets import refuse_one_hot

FORMAT = 1
KEY = b"surefoot"


@dataclass(frozen=True)
class Layout:
    """What one row of a file consists of."""

    kind: Kind
    samples: int
    classes: tuple[str, ...]
    class_labels: Sequence[object] | None
    """The classes as the header states them: numbers there name a target of numbers."""
    member: Array
    info: validate.Info

    @property
    def values_a_row(self) -> int:
        """How many numbers the largest array holds for one input."""
        return self.samples * max(len(self.classes), 1)


def header(kind: str, classes: Sequence[str], member: Array, info: validate.Info) -> dict[bytes, bytes]:
    """The schema metadata that states a layout."""
    facts = {"format": FORMAT, "kind": kind, "samples": len(member), "classes": list(classes)}
    return {KEY: json.dumps(facts | {"member": member.tolist(), "info": dict(info)}).encode()}


def layout(file: pq.ParquetFile) -> Layout:
    """Read the header, and let the first row fill in what it does not state."""
    stated = _stated((file.metadata.metadata or {}).get(KEY))
    kind = kind_named(stated["kind"]) if stated else _shown_kind(file.schema_arrow)
    name = kind.required[0]
    if name not in file.schema_arrow.names:
        raise InputError(f"the column {name!r} is missing, which {kind.name} predictions need; add it")
    first_row = next(file.iter_batches(1, columns=[name]))
    (values,) = nested(name, first_row.column(name))
    shape, size = np.shape(values), np.size(values)
    # Without a header, a list is one sample and a list of lists is one sample each.
    shown = shape[0] if len(shape) == len(kind.arrays[name]) - 1 else 1
    samples = stated.get("samples", shown)
    if not isinstance(samples, int) or samples < 1 or size % samples:
        raise InputError(
            f"{name} holds {size} numbers a row, which are not {samples} samples; mend the header"
        )
    if not stated and kind.target_axes == "NK":
        _refuse_one_hot(file, name, batch_rows(None, size))
    if "samples" not in stated and samples == 1 and kind.has_classes and kind.target_axes == "N":
        _refuse_unstated_samples(name, np.ravel(values))
    labels = stated.get("classes") or None
    return Layout(
        kind=kind,
        samples=samples,
        classes=validate.class_names(labels, size // samples) if kind.has_classes else (),
        class_labels=labels,
        member=validate.members(stated.get("member"), samples),
        info=validate.run_facts(stated.get("info")),
    )


def _refuse_unstated_samples(name: str, first_row: Array) -> None:
    """A row that sums to 10 is most likely ten samples of which nothing tells."""
    total = first_row.sum()
    samples = round(total) if np.isfinite(total) else 0
    each_sums_to_1 = abs(total - samples) <= samples * NORMALISATION_TOLERANCE
    if samples > 1 and each_sums_to_1 and first_row.size % samples == 0 and first_row.min() >= 0:
        raise InputError(
            f"{name} does not sum to 1 in row 0, but to {total:.4g}; if a row holds {samples} samples, state so in "
            f"the schema metadata key 'surefoot' (samples: {samples}), or write lists of lists [S][K]; "
            "else normalise it"
        )


def _refuse_one_hot(file: pq.ParquetFile, name: str, rows: int) -> None:
    """Look at the first rows: a multilabel file, of which only the lists of its target tell, may mean classes."""
    first_rows = next(file.iter_batches(rows, columns=[name, "target"]))
    first_rows = first_rows.filter(first_rows.column("target").is_valid())
    if first_rows.num_rows:
        probs = nested(name, first_rows.column(name))
        target = nested("target", first_rows.column("target"))
        refuse_one_hot(target, probs if probs.ndim == 2 else np.moveaxis(probs, 1, 0))


def _stated(stored: bytes | None) -> Mapping[str, Any]:
    if stored is None:
        return {}
    remedy = "write JSON with format and kind, and samples, classes, member, info as documented"
    try:
        stated = json.loads(stored)
    except ValueError as error:
        raise InputError(f"the schema metadata key 'surefoot' is not JSON ({error}); {remedy}") from None
    if not isinstance(stated, dict) or not {"format", "kind"} <= set(stated):
        raise InputError(f"the schema metadata key 'surefoot' lacks format or kind; {remedy}")
    if stated["format"] != FORMAT:
        raise InputError(
            f"the format is {stated['format']}, but this release reads {FORMAT}; update surefoot"
        )
    return stated


def _shown_kind(schema: pa.Schema) -> Kind:
    several = "target" in schema.names and pa.types.is_nested(schema.field("target").type)
    kind = kind_holding(schema.names, "NK" if several else "N")
    if kind is None:
        flat = [name for name in schema.names if name.startswith("p_")]
        if flat:
            raise InputError(
                f"the columns are {', '.join(schema.names)}; one column a class (p_<class>) is for CSV: write one "
                "column probs, a list of the classes' probabilities in every row, or save the table as .csv"
            )
        raise no_kind("columns", schema.names)
    return kind
