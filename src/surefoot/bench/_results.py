"""The results of all finished trials of a run, joined into a few Parquet files.

- `results.parquet`: a row for each trial, set, side, slice, metric and measure, with value, low, high and n;
- `members.parquet`: the same for single ensemble members, with mean, standard deviation and number;
- `trials.parquet`: a row a trial: how it is, what it took, and its specification as JSON;
- a file for every further table that trials leave, such as `batches.parquet` of estimates.

Each is made anew from the trials' folders and renamed into its place. Whoever does so holds a lock, so that of two
runs that end together the second reads all that the first has left.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot._atomic import renamed
from surefoot._lock import locked
from surefoot.bench._plan import Entry, Plan, read_plan
from surefoot.bench._store import PREDICTIONS, SCORECARD, STATUS, Place, State
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

RESULTS, MEMBERS, TRIALS = "results", "members", "trials"

_STAMP = b"surefoot.stamp"

_NAMED = {"trial": "string", "task": "string", "method": "string", "seed": "int64"}
_PLACED = {"set": "string", "side": "string", "metric": "string", "measure": "string"}

COLUMNS: Mapping[str, Mapping[str, str]] = {
    RESULTS: {
        **_NAMED,
        "set": "string",
        "side": "string",
        "slice": "string",
        "metric": "string",
        "measure": "string",
        "value": "double",
        "low": "double",
        "high": "double",
        "n": "int64",
    },
    MEMBERS: {**_NAMED, **_PLACED, "mean": "double", "std": "double", "members": "int64"},
    TRIALS: {
        **_NAMED,
        "suite": "string",
        "profile": "string",
        "kind": "string",
        "state": "string",
        "reason": "string",
        "wall_seconds": "double",
        "cpu_seconds": "double",
        "peak_bytes": "int64",
        "parameters": "int64",
        "stored_bytes": "int64",
        "cost": "string",
        "facts": "string",
        "uncertainty": "string",
        "started": "string",
        "ended": "string",
        "data": "string",
        "code": "string",
        "specification": "string",
    },
}
"""Columns of the files that every suite has, and their types."""


def compact(folder: str | PathLike[str]) -> Mapping[str, Path]:
    """Join the results of the finished trials of the plan; the files by their names.

    If nothing has changed since they were joined, they stay as they are.
    """
    folder = Path(folder)
    read_plan(folder)  # says so if there is none, before a lock is made
    with locked(folder / ".results"):
        plan = read_plan(folder)
        states = plan.states(folder)
        stamp = _stamp(plan, folder, states)
        if _stamp_of(folder) != stamp:
            _join(plan, folder, states, stamp)
    return {path.stem: path for path in sorted(folder.glob("*.parquet"))}


def read_results(folder: str | PathLike[str], name: str = RESULTS) -> pa.Table:
    """One of the joined tables, after they were joined."""
    from pyarrow import parquet

    written = compact(folder)
    if name not in written:
        raise InputError(f"the trials left no table {name}; there are {', '.join(written)}")
    return parquet.read_table(written[name])


def _join(plan: Plan, folder: Path, states: Mapping[str, State], stamp: str) -> None:
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    tables: defaultdict[str, list[pa.Table]] = defaultdict(list)
    for entry in plan.entries:
        place, state = Place(folder / entry.id), states[entry.id]
        named = {"trial": entry.id, **vars(entry.named)}
        card = place.scorecard() if state == "finished" else {}
        rows[RESULTS] += [{**named, **score} for score in card.get("rows", ())]
        rows[MEMBERS] += [{**named, **score} for score in card.get("members", ())]
        uncertainty = card.get("info", {}).get("uncertainty")
        rows[TRIALS].append(
            {**named, **_trial(plan, entry, place), "state": state, "uncertainty": uncertainty}
        )
        if state == "finished":
            for name, table in _tables(place):
                tables[name].append(_with_trial(table, entry.id))
    written = [_file(folder, name, _joined(several)) for name, several in tables.items()]
    for old in set(folder.glob("*.parquet")) - {*written, *(folder / f"{name}.parquet" for name in COLUMNS)}:
        old.unlink()  # of trials that are no longer in the plan
    for name, found in rows.items():  # the table of trials last, as it has the stamp
        table = _of_rows(name, found)
        _file(folder, name, table.replace_schema_metadata({_STAMP: stamp}) if name == TRIALS else table)


def _stamp(plan: Plan, folder: Path, states: Mapping[str, State]) -> str:
    """Different as soon as any trial is."""
    parts: list[object] = [(plan.suite, plan.profile, COLUMNS)]
    for entry in plan.entries:
        times = [_changed(folder / entry.id / name) for name in (STATUS, SCORECARD)]
        parts.append((entry.id, states[entry.id], times))
    return sha256(repr(parts).encode()).hexdigest()


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _stamp_of(folder: Path) -> str:
    """Of the files that are there; nothing if one is not."""
    from pyarrow import ArrowException, parquet

    try:
        if not all((folder / f"{name}.parquet").is_file() for name in COLUMNS):
            return ""
        metadata = parquet.read_schema(folder / f"{TRIALS}.parquet").metadata or {}
    except (OSError, ArrowException):
        return ""
    return str(metadata.get(_STAMP, b""), "ascii")


def _trial(plan: Plan, entry: Entry, place: Place) -> dict[str, Any]:
    """What the table of trials says of one."""
    status, specification = place.status, place.specification
    facts = dict(status.get("facts", {}))
    return {
        "suite": plan.suite,
        "profile": plan.profile,
        "kind": entry.given["kind"],
        "reason": status.get("reason"),
        **status.get("taken", {}),
        "parameters": facts.pop("parameters", None),
        "stored_bytes": facts.pop("stored_bytes", None),
        "cost": _text(facts.pop("cost", None)),
        "facts": _text(facts or None),
        "started": status.get("started"),
        "ended": status.get("ended"),
        "data": specification.get("data"),
        "code": specification.get("code"),
        "specification": _text(entry.given),
    }


def _text(content: Any) -> str | None:
    return content if content is None or isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _tables(place: Place) -> Iterator[tuple[str, pa.Table]]:
    """Further tables of a trial."""
    from pyarrow import parquet

    for name in place.status["files"]:
        if name.endswith(".parquet") and name != PREDICTIONS:
            yield name.removesuffix(".parquet"), parquet.read_table(place.folder / name)


def _with_trial(table: pa.Table, id: str) -> pa.Table:
    import pyarrow as pa

    return table.append_column("trial", pa.array([id] * len(table), pa.string()))


def _joined(several: list[pa.Table]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(several, promote_options="permissive")


def _of_rows(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    schema = pa.schema([(column, pa.type_for_alias(kind)) for column, kind in COLUMNS[name].items()])
    columns = {column: [row.get(column) for row in rows] for column in COLUMNS[name]}
    return pa.table(columns, schema=schema)


def _file(folder: Path, name: str, table: pa.Table) -> Path:
    from pyarrow import parquet

    path = folder / f"{name}.parquet"
    with renamed(path) as temporary:
        parquet.write_table(table, temporary)
    return path
