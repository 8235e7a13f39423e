"""Save, load and scan predictions; the suffix of a path says which format."""

from __future__ import annotations

import os
from collections.abc import Collection
from importlib import import_module
from os import PathLike
from pathlib import Path
from types import ModuleType

from surefoot._atomic import atomic
from surefoot.errors import InputError
from surefoot.predictions._scan import Scan
from surefoot.predictions._table import Predictions
from surefoot.predictions._validate import naming

_FORMATS = {".parquet": "_parquet", ".npz": "_npz", ".csv": "_csv"}


def save(predictions: Predictions, path: str | PathLike[str]) -> None:
    """Write predictions to `.parquet`, `.npz` or `.csv`: a crash leaves the old file or the new one."""
    final = Path(path)
    module = _format(final)
    try:
        with naming(path), atomic(final) as temporary:
            module.write(predictions, temporary)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(
            f"{path} cannot be written ({reason}); free some space or choose another place"
        ) from None


def load(path: str | PathLike[str]) -> Predictions:
    """Read predictions from `.parquet`, `.npz` or `.csv`, with every check of the constructors."""
    file = _readable(path)
    module = _format(file)
    with naming(path):
        predictions: Predictions = module.read(file)
    return predictions


def source_of(path: str | PathLike[str], metadata: Collection[str] | None = None) -> Predictions | Scan:
    """A Parquet file to be streamed, or another file read whole: whatever takes batches takes either."""
    return scan(path, metadata) if Path(path).suffix.lower() == ".parquet" else load(path)


def scan(path: str | PathLike[str], metadata: Collection[str] | None = None) -> Scan:
    """Open a Parquet file to be streamed in batches of rows, so that its size does not matter.

    The ids of the whole file are checked at once, everything else batch by batch. `metadata` names the
    further columns to read along (default: all).
    """
    file = _readable(path)
    if file.suffix.lower() != ".parquet":
        raise InputError(f"{path} cannot be streamed; convert it first: surefoot convert {path} out.parquet")
    from surefoot.predictions import _parquet

    with naming(path):
        return _parquet.scan(file, metadata)


def _format(path: Path) -> ModuleType:
    module = _FORMATS.get(path.suffix.lower())
    if module is None:
        raise InputError(f"{path} has the unknown suffix {path.suffix!r}; use one of {', '.join(_FORMATS)}")
    return import_module(f"surefoot.predictions.{module}")


def _readable(path: str | PathLike[str]) -> Path:
    file = Path(path)
    _format(file)
    if not file.is_file():
        raise InputError(f"{path} is not a file; check the path")
    if not os.access(file, os.R_OK):
        raise InputError(f"{path} may not be read; change its permissions")
    if file.stat().st_size == 0:
        raise InputError(f"{path} is empty (0 bytes); write it again")
    return file
