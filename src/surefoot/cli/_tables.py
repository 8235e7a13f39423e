"""Tables of any columns as files: Parquet and CSV, read through Arrow and written whole."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot._atomic import atomic
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def read_table(path: Path, *, types: Mapping[str, pa.DataType] | None = None) -> pa.Table:
    """Read a Parquet or CSV file; ``types`` are those of columns of a CSV that are not to be guessed."""
    from pyarrow import parquet

    from surefoot.data._convert import read_csv

    if not path.is_file():
        raise InputError(f"{path} is no file; give a Parquet or CSV file")
    with _readable(path):
        return read_csv(path, types=types) if is_csv(path) else parquet.read_table(path)


def write_table(table: pa.Table, path: Path) -> None:
    """Write a Parquet or CSV file, completely or not at all."""
    import pyarrow as pa
    from pyarrow import parquet

    as_csv = is_csv(path)
    if as_csv and path.suffix.lower() != ".csv":
        raise InputError(f"{path.name} cannot be written compressed; end it in .csv or .parquet")
    with atomic(path) as temporary:
        try:
            if as_csv:
                _write_csv(table, temporary)
            else:
                parquet.write_table(table, temporary)
        except pa.ArrowException as error:  # lists in a CSV, for instance
            reason = str(error).splitlines()[0].rstrip(".")
            raise InputError(f"{path.name} cannot hold this table ({reason}); try .parquet") from None


def is_csv(path: Path) -> bool:
    """Whether a file is CSV by its name, plain or compressed; refuses what is neither CSV nor Parquet."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] in ([".parquet"], [".pq"]):
        return False
    if suffixes[-1:] == [".csv"] or suffixes[-2:] == [".csv", ".gz"]:
        return True
    raise InputError(f"{path.name} must end in .parquet or .csv (or .csv.gz)")


def index_columns(table: pa.Table) -> list[str]:
    """Columns that are the unnamed index of a pandas frame, which Parquet files carry along."""
    return [name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)]


def _write_csv(table: pa.Table, path: Path) -> None:
    """Quotes only where they are needed, which Arrow's writer puts around every text or around none."""
    import pyarrow as pa
    from pyarrow.csv import WriteOptions, write_csv

    if table.num_columns > 1:  # an empty line would not be read as a row of one missing value
        try:
            with path.open("wb") as file:
                file.write((",".join(table.column_names) + "\n").encode())
                write_csv(table, file, WriteOptions(include_header=False, quoting_style="none"))
        except pa.ArrowInvalid:  # a text holds a comma, a quote or a line break
            pass
        else:
            if not any(set(name) & set(',"\r\n') for name in table.column_names):
                return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.column_names)
        for batch in table.to_batches(max_chunksize=1 << 14):
            texts = [column.cast(pa.string()).to_pylist() for column in batch.columns]
            writer.writerows(zip(*texts, strict=True))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except pa.ArrowException as error:
        kind, reason = "CSV" if is_csv(path) else "Parquet", str(error).splitlines()[0].rstrip(".")
        raise InputError(f"{path.name} is not a {kind} file, or it is damaged ({reason})") from None
