"""The steps that readers share: delimited text to a table, the card's columns in the card's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def only(paths: Sequence[Path]) -> Path:
    """The one file of a dataset that is a single file."""
    if len(paths) != 1:
        raise InputError(f"one file is needed, not {len(paths)}: {', '.join(path.name for path in paths)}")
    return paths[0]


def starts_with(path: Path, text: str) -> bool:
    """Whether a text file (plain or gzipped) starts with ``text``, quotes and byte-order mark apart."""
    import pyarrow as pa

    with pa.input_stream(str(path)) as stream:
        start: bytes = stream.read(len(text) + 4)
    return start.decode("utf-8", "replace").lstrip("\ufeff\"' ").startswith(text)


def read_csv(
    path: Path,
    *,
    names: Sequence[str] | None = None,
    types: Mapping[str, pa.DataType] | None = None,
    delimiter: str = ",",
    missing: Sequence[str] = ("",),
    skip: int = 0,
) -> pa.Table:
    """Delimited text (plain or gzipped) as a table; ``names`` for files without a header line."""
    from pyarrow import csv

    _refuse_binary(path)
    return csv.read_csv(
        path,
        read_options=csv.ReadOptions(column_names=names, skip_rows=skip),
        parse_options=csv.ParseOptions(delimiter=delimiter),
        convert_options=csv.ConvertOptions(
            column_types=types, null_values=list(missing), strings_can_be_null=True
        ),
    )


def _refuse_binary(path: Path) -> None:
    """Refuse what cannot be text before its bytes get into a message."""
    import pyarrow as pa

    with pa.input_stream(str(path)) as stream:
        start: bytes = stream.read(1 << 12)
    if b"\0" in start:
        what = "a Parquet file" if start.startswith(b"PAR1") else "a binary file"
        raise InputError(f"{path.name} is {what}, not delimited text; give the original file")


def categorical(table: pa.Table, columns: Iterable[str]) -> pa.Table:
    """The same table with these columns of text dictionary-encoded."""
    for column in columns:
        values = table[column].combine_chunks().dictionary_encode()
        table = table.set_column(table.column_names.index(column), column, values)
    return table


def unquoted(table: pa.Table) -> pa.Table:
    r"""The same table without spaces and quotes around names and text, such as '\'low\'' out of ARFF."""
    import pyarrow as pa
    from pyarrow import compute

    marks = " '\"\\"
    columns = [
        compute.utf8_trim(column, marks) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=[name.strip(marks) for name in table.column_names])


def typed(
    table: pa.Table, *, integers: Iterable[str] = (), numbers: Iterable[str] = (), texts: Iterable[str] = ()
) -> pa.Table:
    """The same table with these columns as whole numbers, numbers, and dictionary-encoded text.

    What a file leaves open (a column of whole numbers with gaps, say, or one that is all missing) is settled
    here, so that a dataset has the same types whatever it was read from.
    """
    import pyarrow as pa

    wanted = dict.fromkeys(integers, pa.int64()) | dict.fromkeys(numbers, pa.float64())
    wanted |= dict.fromkeys(texts, pa.string())
    table = select(table, list(wanted)).cast(pa.schema(wanted.items()))
    return categorical(table, texts)


def decades(years: pa.ChunkedArray) -> pa.ChunkedArray:
    """The decade of each year as text: 1975 is in the 1970s."""
    from pyarrow import compute

    start = compute.multiply(compute.divide(years, 10), 10)
    return compute.binary_join_element_wise(start.cast("string"), "s", "")


def delimiter(path: Path, choices: str = ",;\t") -> str:
    """What separates the columns of a text file (plain or gzipped): the commonest choice in its first line."""
    import pyarrow as pa

    with pa.input_stream(str(path)) as stream:
        start: bytes = stream.read(1 << 16)
    line = start.partition(b"\n")[0].decode("utf-8", "replace")
    return max(choices, key=line.count)


def select(table: pa.Table, columns: Sequence[str]) -> pa.Table:
    """These columns in this order, or a sentence naming the ones that are not there."""
    lacking = [column for column in columns if column not in table.column_names]
    if lacking:
        raise InputError(
            f"columns {', '.join(lacking)} are missing; the file has {', '.join(table.column_names[:12])}"
            + (" …" if table.num_columns > 12 else "")
        )
    return table.select(list(columns))
