"""Results as JSON: what JSON cannot hold becomes what it can, and files are written whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

import numpy as np

from surefoot._atomic import atomic


def plain(value: Any) -> Any:
    """Arrays become lists, and numbers that are not finite become None.

    >>> plain({"value": np.array([0.5, np.nan]), "n": np.int64(2)})
    {'value': [0.5, None], 'n': 2}
    """
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, str) or not isinstance(value, Iterable):
        return None if isinstance(value, float) and not np.isfinite(value) else value
    return [plain(item) for item in value]


def to_json(content: Mapping[str, Any], path: str | PathLike[str] | None = None) -> str:
    """JSON text; with a path it is written there as well, completely or not at all."""
    text = json.dumps(content, allow_nan=False)
    if path is not None:
        with atomic(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
    return text
