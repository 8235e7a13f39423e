"""NPZ: arrays under their names (`probs`, `target`, …); any further 1-D array is a metadata column."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.predictions._kinds import Kind, kind_holding, kind_named, no_kind, refuse_misnamed_target
from surefoot.predictions._table import Predictions, build
from surefoot.predictions._targets import refuse_one_hot

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    KeyError,
    RuntimeError,
    MemoryError,
)
_TABLE = ("target", "id", "partition", "member")


def write(predictions: Predictions, path: Path) -> None:
    """Write every array under its own name; `kind` and `info` (as JSON) are texts."""
    arrays: dict[str, Any] = dict(predictions.arrays) | dict(predictions.metadata)
    arrays |= {"target": predictions.target, "id": predictions.id, "member": predictions.member}
    arrays |= {"kind": np.array(predictions.kind), "info": np.array(json.dumps(dict(predictions.info)))}
    if predictions.classes:
        arrays["classes"] = np.array(predictions.classes)
    if predictions.partition is not None:
        arrays["partition"] = predictions.partition
    # As numpy.savez does, which cannot take every name and would pickle objects.
    with zipfile.ZipFile(path, "w") as archive:
        for name, values in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asarray(values), allow_pickle=False)


def read(path: Path) -> Predictions:
    """Read and check; nothing in the file is ever unpickled."""
    arrays = _arrays(path)
    kind = kind_named(str(arrays["kind"])) if "kind" in arrays else _shown_kind(arrays)
    refuse_misnamed_target(arrays)
    own = {name for name in arrays if name in _TABLE or name in kind.arrays}
    columns: dict[str, Any] = {name: arrays[name] for name in own}
    if kind.has_classes:
        columns["classes"] = arrays.get("classes")
    if "info" in arrays:
        columns["info"] = _info(arrays["info"])
    further = set(arrays) - own - {"kind", "classes", "info"}
    columns["metadata"] = {name: arrays[name] for name in arrays if name in further}
    return build(kind.name, columns)


def _arrays(path: Path) -> dict[str, Array]:
    if not zipfile.is_zipfile(path):
        raise InputError("this is not an NPZ archive, or it is truncated; write it with numpy.savez")
    found: dict[str, Array] = {}
    name = ""
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            for name in file.files:
                found[name] = file[name]
    except _DAMAGE as error:
        if "pickle" in str(error):
            raise InputError(
                f"the array {name!r} holds Python objects, which are never unpickled; save numbers or text"
            ) from None
        place = f"the array {name!r}" if name else "the archive"
        raise InputError(f"{place} cannot be read, it is damaged ({error}); write it again") from None
    strange = [name for name, values in found.items() if not isinstance(values, np.ndarray)]
    if strange:
        raise InputError(f"{strange[0]!r} is not a NumPy array; write the archive with numpy.savez")
    return found


def _shown_kind(arrays: dict[str, Array]) -> Kind:
    """Tell the kind of a file that does not state it."""
    several = "target" in arrays and arrays["target"].ndim == 2
    kind = kind_holding(arrays, "NK" if several else "N")
    if kind is None:
        raise no_kind("arrays", arrays)
    if several and kind.target_axes == "NK":
        refuse_one_hot(arrays["target"], arrays["probs"])
    return kind


def _info(stored: Array) -> Any:
    try:
        return json.loads(str(stored))
    except json.JSONDecodeError:
        raise InputError("info is not JSON; write it with json.dumps") from None
