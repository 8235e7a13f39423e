"""The lock between processes: one holder at a time, patience, and what is left behind by the dead."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from surefoot import _lock
from surefoot._lock import Held, locked

HOLDS = """
import sys, time
from pathlib import Path
from surefoot._lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_is_released_by_the_system_when_its_holder_is_killed(tmp_path: Path):
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, path], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        waited: list[str] = []
        with pytest.raises(Held), locked(path, waiting=lambda: waited.append("once"), patience=0.2):
            pass
        assert waited == ["once"]
        holder.kill()
        holder.wait()
        with locked(path, patience=0):
            pass


def test_a_lock_is_free_again_after_an_error_in_its_block(tmp_path: Path):
    with pytest.raises(ValueError, match="inside"), locked(tmp_path / "lock"):
        raise ValueError("inside")
    with locked(tmp_path / "lock", patience=0):
        pass


def test_the_lock_of_systems_without_flock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    lock = tmp_path / "held"
    naps: list[float] = []

    def release(pause: float) -> None:
        naps.append(pause)
        if len(naps) == 3:
            lock.unlink()

    lock.touch()
    monkeypatch.setattr("surefoot._lock.time.sleep", release)
    waited: list[str] = []
    with _lock._by_existence(lock, lambda: waited.append("once"), _lock.FOREVER):
        assert lock.exists()
    assert not lock.exists()
    assert (len(naps), waited) == (3, ["once"])
    lock.touch()
    long_ago = time.time() - _lock.STALE_SECONDS - 1
    os.utime(lock, (long_ago, long_ago))
    with _lock._by_existence(lock, lambda: waited.append("twice"), 0):
        assert time.time() - lock.stat().st_mtime < 60
    assert (len(naps), waited) == (3, ["once"])


def test_a_file_system_without_flock_gets_the_other_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr("fcntl.flock", refused)
    with ExitStack() as held:
        held.enter_context(locked(tmp_path / "lock"))
        assert (tmp_path / "lock.held").exists()
        with pytest.raises(Held), locked(tmp_path / "lock", patience=0):
            pass
    assert not (tmp_path / "lock.held").exists()
