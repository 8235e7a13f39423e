"""CSV: one sample; `p_<class>` columns or `mean` and `variance`, a `target`, and metadata columns.

Class names come from the `p_` columns, in their order; `target` is matched against them as a text. For
multilabel predictions `target_<class>` columns hold 0, 1 or nothing. Run-level facts do not fit in: use
Parquet or NPZ to keep them.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from surefoot._checks import NOVEL, UNLABELLED, Array, rows
from surefoot.errors import InputError
from surefoot.predictions._arrow import is_text, plain_column
from surefoot.predictions._kinds import kind_holding, kind_named, no_kind, refuse_misnamed_target
from surefoot.predictions._table import Predictions, build

_PREFIX = {"probs": "p_", "logits": "logit_", "target": "target_"}


def write(predictions: Predictions, path: Path) -> None:
    """Write predictions of a single sample; more samples do not fit into a CSV file."""
    if predictions.samples > 1:
        raise InputError(
            f"CSV holds one sample, but there are {predictions.samples}; save as .parquet or .npz, "
            "or take one sample first: .take(samples=1)"
        )
    columns: dict[str, Any] = {"id": predictions.id}
    if predictions.partition is not None:
        columns["partition"] = predictions.partition
    columns |= _target_columns(predictions)
    for name, (values,) in predictions.arrays.items():
        columns |= _spread(name, values, predictions.classes) if values.ndim == 2 else {name: values}
    taken = tuple(_PREFIX.values()) if predictions.classes else ()
    for name in predictions.metadata:
        if name in columns or name.startswith(taken):
            raise InputError(f"metadata column {name!r} would be taken for a prediction in CSV; rename it")
    table = {
        name: pa.array(values, from_pandas=True)  # NaN becomes an empty cell
        for name, values in (columns | dict(predictions.metadata)).items()
    }
    pa.csv.write_csv(pa.table(table), path)


def _target_columns(predictions: Predictions) -> dict[str, Array]:
    target, classes = predictions.target, predictions.classes
    if target.ndim == 2:
        return _spread("target", target, classes)
    if not classes:
        return {"target": target}
    clash = {str(NOVEL), str(UNLABELLED)} & set(classes)
    if clash and (target < 0).any():
        raise InputError(
            f"a class is called {clash.pop()!r}, which in CSV marks novel or unlabelled rows; save as .parquet"
        )
    labels = np.array([*classes, "", str(NOVEL)])  # the codes −2 and −1 count from the end
    return {"target": labels[target]}


def _spread(name: str, values: Array, classes: Sequence[str]) -> dict[str, Array]:
    return {f"{_PREFIX[name]}{label}": values[:, k] for k, label in enumerate(classes)}


def read(path: Path) -> Predictions:
    """Read and check; the columns tell the kind."""
    names = _header(path)
    gaussian = set(kind_named("regression").required) <= set(names)  # a column p_value is metadata then
    classes = () if gaussian else tuple(name.removeprefix("p_") for name in names if name.startswith("p_"))
    several = bool(classes) and f"target_{classes[0]}" in names
    kind = kind_holding([*names, "probs"] if classes else names, "NK" if several else "N")
    if kind is None:
        logits = ["logits"] if any(name.startswith(_PREFIX["logits"]) for name in names) else []
        raise no_kind("columns", [*names, *logits], " (probs as p_<class>, one column a class)")
    if not several:
        refuse_misnamed_target(names)
    labelled = bool(classes) and not several
    table = _table(path, text=("partition", "target") if labelled else ("partition",))
    columns: dict[str, Any] = {
        name: plain_column(name, table[name]) for name in ("id", "partition") if name in names
    }
    taken = set(columns)
    for name, axes in {**kind.arrays, "target": kind.target_axes}.items():
        own = _columns_of(name, axes, classes, names)
        if own and name == "target" and labelled:
            columns[name] = plain_column(name, table[name])
        elif own:
            values = [_numbers(table, label) for label in own]
            columns[name] = np.stack(values, axis=1) if "K" in axes else values[0]
        taken.update(own)
    if kind.has_classes:
        columns["classes"] = classes
    columns["metadata"] = {name: plain_column(name, table[name]) for name in names if name not in taken}
    return build(kind.name, columns)


def _columns_of(name: str, axes: str, classes: Sequence[str], names: Sequence[str]) -> list[str]:
    """The columns that hold one array; none at all is fine, some missing is not."""
    wanted = [f"{_PREFIX[name]}{label}" for label in classes] if "K" in axes else [name]
    missing = [column for column in wanted if column not in names]
    if missing and len(missing) < len(wanted):
        raise InputError(
            f"the column {missing[0]!r} is missing; write {_PREFIX[name]}<class> for every p_<class>"
        )
    return [] if missing else wanted


def _numbers(table: pa.Table, name: str) -> Array:
    """A column as floats, NaN where a cell is empty."""
    column = table[name]
    if not is_text(column.type) and not pa.types.is_temporal(column.type):
        return np.asarray(column.cast(pa.float64(), safe=False).to_numpy())
    cells = [str(cell or "") for cell in column.to_pylist()]
    strange = np.array([not _is_number(cell) for cell in cells])
    if strange.any():
        raise InputError(
            f"column {name!r} holds {cells[int(strange.argmax())]!r} in {rows(strange)}; "
            "write numbers with a decimal point, or leave the cell empty"
        )
    return np.array([float(cell or "nan") for cell in cells])


def _is_number(cell: str) -> bool:
    try:
        float(cell or "nan")
    except ValueError:
        return False
    return True


def _header(path: Path) -> list[str]:
    """The column names, each once."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            names = next(csv.reader(file), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"this is not a CSV file in UTF-8 ({error}); write it again") from None
    if len(names) < 2:
        raise InputError(
            f"the header is a single column, {''.join(names)[:80]!r}; separate columns by commas"
        )
    if "" in names:
        raise InputError(
            f"column {names.index('') + 1} has no name; name or drop it (pandas: index=False, R: row.names=FALSE)"
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"the column {twice[0]!r} is there more than once; rename one of them")
    return names


def _table(path: Path, text: Sequence[str]) -> pa.Table:
    try:
        table = pa.csv.read_csv(
            path,
            parse_options=pa.csv.ParseOptions(newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(column_types=dict.fromkeys(text, pa.string())),
        )
    except pa.ArrowInvalid as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"this cannot be read as CSV ({reason}); check that it is whole and separated by commas"
        ) from None
    if table.num_rows == 0:
        raise InputError("there is a header but no rows; give at least one row")
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_binary(column.type):  # what Arrow makes of bytes that are no text
            broken = np.array([not _is_text(cell or b"") for cell in column.to_pylist()])
            raise InputError(f"column {name!r} is not UTF-8 in {rows(broken)}; write the file again in UTF-8")
    return table


def _is_text(cell: bytes) -> bool:
    try:
        cell.decode()
    except UnicodeDecodeError:
        return False
    return True
