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
    with renamed(Path(os.path.realpath(path))) as temporary:
        yield temporary
        with temporary.open("rb+") as handle:
            os.fsync(handle.fileno())


@contextmanager
def renamed(path: Path) -> Iterator[Path]:
    """The same for a path that is known to be good, without waiting for the disk.

    A process that is killed still leaves no half of a file; a loss of power may.
    """
    temporary = path.with_name(f".surefoot-{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
