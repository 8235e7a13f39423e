"""Reference values of the papers' published code (`tests/data/golden`), one parametrised case each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "data" / "golden"

TOLERANCE = {"rtol": 1e-7, "atol": 1e-9}


class Case(NamedTuple):
    """Seeded inputs and what the published code returned for them."""

    name: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]
    derived: dict[str, Any]


def cases(name: str) -> list[Case]:
    """All cases of one file."""
    stored = json.loads((FOLDER / f"{name}.json").read_text())["cases"]
    return [Case(c["name"], c["inputs"], c["outputs"], c.get("derived_not_reference") or {}) for c in stored]
