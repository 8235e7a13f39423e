"""What every benchmark shares: best-of-n timing, peak memory, and one printed line a measurement."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple


class Line(NamedTuple):
    """One measurement and the bar it is held to (lower is better)."""

    name: str
    value: float
    bar: float
    unit: str = "x"

    @property
    def passed(self) -> bool:
        return self.value <= self.bar

    def __str__(self) -> str:
        verdict = "PASS" if self.passed else "FAIL"
        return (
            f"{self.name:<72} {self.value:9.3f} {self.unit:<3} bar {self.bar:9.3f} {self.unit:<3} {verdict}"
        )


def ratio(ours: Callable[[], Any], bound: Callable[[], Any], repeats: int = 7) -> float:
    """Best time of ``ours`` over best time of ``bound``, taken in turn so that noise meets both."""
    best_ours = best_bound = float("inf")
    for _ in range(repeats):
        best_bound = min(best_bound, seconds(bound))
        best_ours = min(best_ours, seconds(ours))
    return best_ours / best_bound


def seconds(call: Callable[[], Any]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def peak_bytes(call: Callable[[], Any]) -> int:
    """Peak memory allocated while ``call`` runs, its result included (NumPy reports to tracemalloc)."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
