"""Where a trial ran: versions of what it may have used, the machine, the commit."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import surefoot

PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pyarrow",
    "narwhals",
    "joblib",
    "catboost",
    "torch",
    "transformers",
    "ray",
)


@cache
def environment() -> dict[str, Any]:
    """The same for all trials of a process."""
    return {
        "surefoot": surefoot.__version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "host": platform.node(),
        "processors": os.cpu_count(),
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The commit of the package's source, if it is used out of a repository of its own."""
    home = Path(surefoot.__file__).resolve().parents[2]
    if not (home / ".git").exists():
        return None
    try:
        asked = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=home,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip() or None
