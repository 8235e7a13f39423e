"""Results for SQL: DuckDB reads the Parquet files; nothing is ever written through it. Needs the extra `bench`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.bench._results import compact
from surefoot.errors import InputError

if TYPE_CHECKING:
    import duckdb


def open_results(folder: str | Path) -> duckdb.DuckDBPyConnection:
    """A connection with a view on every joined table of a run: `results`, `members`, `trials` and further ones.

    ``open_results("runs/tabular").sql("select method, avg(value) from results where metric = 'accuracy' group by 1")``
    """
    try:
        import duckdb
    except ImportError:
        raise InputError("SQL over results needs DuckDB; pip install 'surefoot[bench]'") from None
    connection = duckdb.connect()
    for name, path in compact(Path(folder)).items():
        quoted = str(path.resolve()).replace("'", "''")
        connection.execute(f"create view \"{name}\" as select * from read_parquet('{quoted}')")
    return connection
