"""A lock that other processes respect, and that the system releases by itself if its holder dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

STALE_SECONDS = 2 * 60 * 60
"""When a lock that no system releases by itself counts as left behind."""

FOREVER = float("inf")


class Held(Exception):
    """Another process holds the lock, and did so for as long as this one was ready to wait."""


def _nothing() -> None: ...


@contextmanager
def locked(
    path: Path, *, waiting: Callable[[], None] = _nothing, patience: float = FOREVER
) -> Iterator[None]:
    """Hold the lock of this file, which is made for it and stays.

    If another process holds it, ``waiting`` is called once; after ``patience`` seconds of that, `Held` is raised.
    """
    if sys.platform == "win32":
        with _by_existence(path.with_suffix(".held"), waiting, patience):
            yield
    else:
        import fcntl

        with path.open("a") as handle:

            def taken() -> bool:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return False
                return True

            try:
                _wait(taken, waiting, patience)
            except OSError:  # some network file systems know no flock
                with _by_existence(path.with_suffix(".held"), waiting, patience):
                    yield
                return
            yield


@contextmanager
def _by_existence(path: Path, waiting: Callable[[], None], patience: float) -> Iterator[None]:
    """The lock of systems without ``flock``: whoever creates the file holds it."""

    def taken() -> bool:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            if _age(path) <= STALE_SECONDS:
                return False
            path.unlink(missing_ok=True)
            return taken()
        return True

    _wait(taken, waiting, patience)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file was written; 0 if it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _wait(
    taken: Callable[[], bool], waiting: Callable[[], None], patience: float, pause: float = 0.05
) -> None:
    """Try until it is taken, or patience is at its end."""
    if taken():
        return
    waiting()
    end = time.monotonic() + patience
    while not taken():
        if time.monotonic() >= end:
            raise Held
        time.sleep(pause)
