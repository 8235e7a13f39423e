"""Retention curves against one sort: time and memory at the sizes of the weather task."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from _harness import Line, peak_bytes, ratio
from surefoot.metrics._retention import Retention, retention

BARS = {1_137_731: 4.5, 10_000_000: 3.0}
MEMORY_BAR = 12.0


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(0)
    for rows, bar in BARS.items():
        errors = rng.exponential(size=rows)
        uncertainties = {
            "continuous": rng.random(rows),
            "10,000 distinct": rng.integers(0, 10_000, rows) / 10_000,
            "float32-rounded": rng.random(rows).astype(np.float32).astype(np.float64),
        }
        times, memory = {}, {}
        for kind, uncertainty in uncertainties.items():
            score = partial(_score, errors, uncertainty)
            times[kind] = ratio(score, partial(np.argsort, uncertainty))
            memory[kind] = peak_bytes(score) / (8 * rows)
        slow, large = max(times, key=times.__getitem__), max(memory, key=memory.__getitem__)
        yield Line(f"retention, N = {rows:,}, worst: {slow}, of one argsort", times[slow], bar)
        yield Line(f"retention, N = {rows:,}, worst: {large}, extra memory", memory[large], MEMORY_BAR, "8N")
        both = _score(errors, uncertainties["continuous"])
        start = time.perf_counter()
        _ = both.error.optimal_area, both.f1.optimal_area
        seconds = time.perf_counter() - start
        yield Line(f"retention, N = {rows:,}, optimal areas on request", seconds, float("inf"), "s")


def _score(errors: np.ndarray, uncertainty: np.ndarray) -> Retention:
    both = retention(errors, uncertainty, threshold=1.0)
    _ = both.error.area, both.f1.area
    return both
