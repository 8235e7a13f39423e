"""What a piece of work takes of this process: wall time, processor time, peak memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@contextmanager
def measured() -> Iterator[dict[str, float | None]]:
    """Fill the mapping when the block ends, however it ends.

    The peak is that of the whole process during the block where the system can forget earlier ones (Linux), elsewhere
    since its start; on Windows nobody tells.
    """
    taken: dict[str, float | None] = {}
    forgotten = _forget_peak()
    start, before = perf_counter(), _processor()
    try:
        yield taken
    finally:
        taken["wall_seconds"] = perf_counter() - start
        taken["cpu_seconds"] = _processor() - before
        taken["peak_bytes"] = _peak(forgotten)


def _processor() -> float:
    """Seconds of processor time of this process and of children that have ended."""
    if sys.platform == "win32":
        return process_time()
    from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _forget_peak() -> bool:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return False
    return True


def _peak(forgotten: bool) -> int | None:
    if forgotten:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * getrusage(RUSAGE_SELF).ru_maxrss
