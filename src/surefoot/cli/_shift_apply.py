"""`surefoot shift apply`: move a table on purpose; what does not move is written as it was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from surefoot._atomic import writable
from surefoot._json import plain, to_json
from surefoot.cli._tables import index_columns, is_csv, read_table, write_table
from surefoot.errors import InputError
from surefoot.shifts import Mixture, Record, Shift, find_kind, kind

if TYPE_CHECKING:
    import pyarrow as pa


@click.command("apply")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--kind",
    "names",
    multiple=True,
    required=True,
    metavar="KIND",
    help="Kind of shift, or how its name starts (surefoot shift list); repeated: one after the other.",
)
@click.option("--samples", type=float, metavar="SHARE", help="Share of the rows that move (default: 0.5).")
@click.option(
    "--features", type=float, metavar="SHARE", help="Share of the columns that move (default: 0.5)."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--target", metavar="COLUMN", help="Column of labels: it moves only where labels do.")
@click.option("--columns", multiple=True, metavar="COLUMN", help="Move only this column; may be repeated.")
@click.option(
    "--categorical",
    multiple=True,
    metavar="COLUMN",
    help="Column whose numbers are only names; may be repeated.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="A further option of the kind, such as size=large; may be repeated.",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="File to write: .csv or .parquet."
)
@click.option(
    "--record",
    "record_path",
    type=click.Path(path_type=Path),
    help="Write what moved to a file: .json or .parquet.",
)
def command(
    data: Path,
    names: tuple[str, ...],
    samples: float | None,
    features: float | None,
    seed: int,
    target: str | None,
    columns: tuple[str, ...],
    categorical: tuple[str, ...],
    options: tuple[str, ...],
    out: Path,
    record_path: Path | None,
) -> None:
    """Move the table in DATA (.csv or .parquet) on purpose and write it to another file.

    Example: surefoot shift apply data.csv --kind missing --samples 0.5 --target y -o moved.csv
    """
    shared = {"samples": samples, "features": features, "columns": columns or None}
    given = {key: value for key, value in shared.items() if value is not None} | dict(map(_option, options))
    shift = _shift(names, given)
    for path in (out, record_path):
        if path is not None:
            writable(path)
    if record_path is not None and record_path.suffix.lower() not in (".json", ".parquet"):
        raise InputError(f"{record_path.name} must end in .json or .parquet")
    moved, record = _moved(data, shift, seed, target, categorical, spelled=is_csv(out))
    write_table(moved, out)
    if record_path is not None:
        about = {"kinds": [find_kind(name).name for name in names], "options": given, "seed": seed}
        _write_record(record, about, record_path)
    click.echo(_summary(record, target) + f" → {out}")


def _option(text: str) -> tuple[str, Any]:
    """``size=large``, ``percent=5`` or ``shares={"yes": 1, "no": 3}``."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise InputError(f"--option {text!r} is not KEY=VALUE, such as size=large")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


def _shift(names: tuple[str, ...], given: dict[str, Any]) -> Shift:
    """One kind, or several after each other, each with the options that it has."""
    entries = [find_kind(name) for name in names]
    for option in given:
        if not any(option in entry.options for entry in entries):
            kind(entries[0].name, **{option: given[option]})  # says which options there are
    made = [
        kind(entry.name, **{key: value for key, value in given.items() if key in entry.options})
        for entry in entries
    ]
    return made[0] if len(made) == 1 else Mixture(made)


def _moved(
    data: Path, shift: Shift, seed: int, target: str | None, categorical: tuple[str, ...], *, spelled: bool
) -> tuple[pa.Table, Record]:
    """The table with its columns in their order, and what moved; ``spelled``: a CSV stays one."""
    table = read_table(data)
    if target is not None and target not in table.column_names:
        raise InputError(f"there is no column {target}; {data.name} has {', '.join(table.column_names[:20])}")
    index = index_columns(table)
    beside = [*index, *([target] if target is not None else [])]
    features = table.drop_columns(beside)
    y = None if target is None else table[target]
    X, labels, record = shift(features, y, seed, categorical=categorical)
    parts = {name: X[name] for name in X.column_names} | {
        name: table[name].take(record.source) for name in index
    }
    if target is not None:
        parts[target] = labels
    if spelled and is_csv(data):
        parts = _as_read(data, table, parts, record, target)
    made = {name: parts[name] for name in table.column_names}
    schema_metadata = None if is_csv(data) else table.schema.metadata
    return _table(made, schema_metadata), record


def _as_read(
    data: Path, table: pa.Table, parts: dict[str, pa.ChunkedArray], record: Record, target: str | None
) -> dict[str, pa.ChunkedArray]:
    """The columns as texts: what did not move is spelled as in the file, such as 007 or 1.50."""
    import pyarrow as pa
    import pyarrow.compute as pc

    raw = read_table(data, types={name: pa.string() for name in table.column_names})
    out = {}
    cells, places = record.cells, {name: j for j, name in enumerate(record.names)}
    for name, moved in parts.items():
        mask = record.labels if name == target else cells[:, places[name]]
        before = raw[name].take(pa.array(record.source))
        if not mask.any():
            out[name] = before
        elif name == target or pa.types.is_boolean(moved.type):
            out[name] = pc.if_else(pa.array(mask), _respelled(moved, table[name], raw[name]), before)
        else:
            out[name] = pc.if_else(pa.array(mask), pc.cast(moved, pa.string()), before)
    return out


def _respelled(moved: pa.ChunkedArray, typed: pa.ChunkedArray, raw: pa.ChunkedArray) -> pa.Array:
    """Values that occurred in the file as they were spelled there first, others by Arrow."""
    import pyarrow as pa

    spelling: dict[Any, Any] = {}
    for value, text in zip(typed.to_pylist(), raw.to_pylist(), strict=True):
        spelling.setdefault(value, text)
    plainly = {True: "true", False: "false"}
    return pa.array([spelling.get(value, plainly.get(value)) for value in moved.to_pylist()], pa.string())


def _table(columns: dict[str, Any], metadata: dict[bytes, bytes] | None) -> pa.Table:
    import pyarrow as pa

    return pa.table(columns).replace_schema_metadata(metadata)


def _write_record(record: Record, about: dict[str, Any], path: Path) -> None:
    if path.suffix.lower() == ".json":
        to_json({**record.to_dict(), **about}, path)
        return
    n = len(record.source)
    each = {
        key: value
        for key, value in record.details.items()
        if isinstance(value, np.ndarray) and len(value) == n
    }
    columns = {"source": record.source, "moved": record.rows, "label": record.labels}
    cells = record.cells
    columns |= {f"cell:{name}": cells[:, record.names.index(name)] for name in record.columns}
    columns |= {f"detail:{key}": value for key, value in each.items()}
    rest = {key: value for key, value in record.details.items() if key not in each}
    stored = {"shift": record.shift, "note": record.note, "details": rest, **about}
    write_table(_table(columns, {b"surefoot": json.dumps(plain(stored)).encode()}), path)


def _summary(record: Record, target: str | None) -> str:
    """What moved, in one line."""
    if not record.moved:
        return f"{record.shift}: nothing moved" + (f", {record.note}" if record.note else "")
    total = len(record.source)
    replaced = int((record.source != np.arange(total)).sum())
    parts = []
    if record.columns:
        shown = ", ".join(record.columns[:5]) + (" …" if len(record.columns) > 5 else "")
        rows = int(np.logical_or.reduce([block.rows for block in record.blocks]).sum())
        wide = "column" if len(record.columns) == 1 else "columns"
        parts.append(f"cells of {rows:,} of {total:,} rows in {len(record.columns)} {wide} ({shown})")
    if replaced:
        parts.append(f"{replaced:,} of {total:,} rows replaced by others")
    if record.labels.any():
        parts.append(f"{int(record.labels.sum()):,} labels in {target}")
    return f"{record.shift}: {'; '.join(parts)}"
