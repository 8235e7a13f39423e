"""Classification measures of a large ensemble: time in passes over the probabilities, memory besides results."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from _harness import Line, peak_bytes, ratio
from surefoot.measures import classification

SAMPLES, ROWS, CLASSES = 10, 1_137_731, 9
"""The size of the Shifts weather evaluation set."""


def lines() -> Iterator[Line]:
    probs = _probabilities()
    shape = f"{SAMPLES} x {ROWS:,} x {CLASSES}"
    passes = ratio(lambda: classification(probs), probs.sum)
    yield Line(f"classification measures, {shape} float32, over probs.sum()", passes, 10)
    returned = 0

    def measure() -> None:
        nonlocal returned
        returned = sum(values.nbytes for values in classification(probs).values())

    extra = peak_bytes(measure) - returned
    yield Line("classification measures, memory besides the returned arrays", extra / 2**20, 64, "MB")


def _probabilities() -> np.ndarray:
    """Peaked float32 probabilities, filled sample by sample so that nothing larger is ever held."""
    rng = np.random.default_rng(0)
    probs = np.empty((SAMPLES, ROWS, CLASSES), np.float32)
    for sample in probs:
        rng.standard_exponential(out=sample, dtype=np.float32)
        sample **= 3
        sample /= sample.sum(axis=1, keepdims=True)
    return probs
