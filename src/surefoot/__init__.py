"""Surefoot: know how your model holds its footing when the data shifts.

>>> import surefoot
>>> p = surefoot.Predictions.classification([[0.9, 0.1], [0.4, 0.6]], [0, 0])
>>> surefoot.evaluate(p)["accuracy"]
0.5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surefoot.errors import DownloadError, InputError, SurefootError
    from surefoot.predictions import Predictions, load, scan
    from surefoot.scorecard import Scorecard, choose_threshold, evaluate

__version__ = "0.1.0"

_HOMES = {
    "DownloadError": "surefoot.errors",
    "InputError": "surefoot.errors",
    "SurefootError": "surefoot.errors",
    "Predictions": "surefoot.predictions",
    "load": "surefoot.predictions",
    "scan": "surefoot.predictions",
    "Scorecard": "surefoot.scorecard",
    "choose_threshold": "surefoot.scorecard",
    "evaluate": "surefoot.scorecard",
}

_PACKAGES = (
    "compare",
    "data",
    "errors",
    "estimators",
    "measures",
    "metrics",
    "predictions",
    "report",
    "shifts",
)

__all__ = [
    "DownloadError",
    "InputError",
    "Predictions",
    "Scorecard",
    "SurefootError",
    "choose_threshold",
    "evaluate",
    "load",
    "scan",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for only when it is asked for, so that `import surefoot` stays quick."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _PACKAGES:
        return import_module(f"surefoot.{name}")
    raise AttributeError(f"module 'surefoot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_PACKAGES])
