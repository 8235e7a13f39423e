"""What can be known before anything is drawn: whether the extra `report` is there, and what a file is to be."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike
from pathlib import Path

from surefoot.errors import InputError

FORMATS = (".pdf", ".svg", ".png")

_NEEDED = {"altair": "altair", "vl_convert": "vl-convert-python"}


def require() -> None:
    """Refuse to go on without the packages that draw."""
    missing = [package for module, package in _NEEDED.items() if not _is_there(module)]
    if missing:
        raise InputError(
            f"reports and figures need {' and '.join(missing)}; install with: pip install 'surefoot[report]'"
        )


def figure_format(path: str | PathLike[str]) -> str:
    """Ending of the file that a figure goes to.

    >>> figure_format("ranks.PDF")
    '.pdf'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise InputError(
            f"{path}: a figure is written as {', '.join(FORMATS)}; give the file one of these endings"
        )
    return suffix


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # set to None in sys.modules
        return False
