"""Write a file so that a crash leaves either the old one or the new one, never half of one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from surefoot.errors import InputError


def writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no file can be written to, before the work that fills it."""
    if Path(path).is_dir():
        raise InputError(f"{path} is a folder; give the name of a file in it")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"{path} cannot be written: the folder does not exist; make it first")


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary name beside ``path``; rename it to ``path`` if the block succeeds, else remove it.

    A link is followed, so that what it points to is replaced and the link stays. A process that is killed
    inside the block leaves a file `.surefoot-….tmp`, which may be deleted.
    """
    writable(path)
    final = Path(os.path.realpath(path))
    temporary = final.with_name(f".surefoot-{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as handle:
            os.fsync(handle.fileno())
        temporary.replace(final)
    finally:
        temporary.unlink(missing_ok=True)
