"""Intervals of every score of a scorecard: 10 samples, 9 classes, as the Shifts weather data."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from _harness import Line
from surefoot import Predictions, evaluate

BARS = {100_000: 5.0, 1_137_731: 30.0}
SAMPLES, CLASSES = 10, 9


def lines() -> Iterator[Line]:
    for rows, bar in BARS.items():
        predictions = _predictions(rows)
        start = time.perf_counter()
        evaluate(predictions)
        yield Line(
            f"every score with its interval, {rows:,} rows: time", time.perf_counter() - start, bar, "s"
        )


def _predictions(rows: int) -> Predictions:
    """An ensemble that is surer in-domain than on shifted rows."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, CLASSES, rows)
    shifted = rng.random(rows) < 0.5
    probs = rng.standard_normal((SAMPLES, rows, CLASSES), dtype=np.float32)
    probs[:, np.arange(rows), target] += np.where(shifted, 1.0, 2.5)
    np.exp(probs, out=probs)
    probs /= probs.sum(axis=2, keepdims=True)
    partition = np.where(shifted, "eval_out", "eval_in")
    return Predictions.classification(probs, target, partition=partition)
