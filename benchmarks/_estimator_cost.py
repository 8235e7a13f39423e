"""What fitting an estimator and asking it cost, besides the model's own predictions; one thread."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from _harness import Line, peak_bytes, seconds
from surefoot import estimators

LABELLED, BATCH, MANY = 5_000, 1_000, 1_000_000

FIT_SECONDS = {20: 12.0, 50: 20.0}
"""Bars by number of columns, of 500 domains of 500 rows."""


class Timed:
    """A model that takes note of how long its predictions take."""

    def __init__(self, native: Any) -> None:
        self.native, self.classes_, self.seconds = native, native.classes_, 0.0

    def predict_proba(self, table: Any) -> np.ndarray:
        start = perf_counter()
        said = self.native.predict_proba(table)
        self.seconds += perf_counter() - start
        return said


def lines() -> Iterator[Line]:
    with threadpool_limits(1):
        for columns, bar in FIT_SECONDS.items():
            X, y = _rows(2 * LABELLED, columns)
            forest = RandomForestClassifier(min_samples_leaf=5, random_state=0)
            model = Timed(forest.fit(X[:LABELLED], y[:LABELLED]))
            start = perf_counter()
            estimator = estimators.fit(model, X[LABELLED:], y[LABELLED:])
            took = perf_counter() - start - model.seconds
            yield Line(f"fit, 500 domains of 500 rows, {columns} columns", took, bar, "s")
            yield from _asked(estimator, model, columns)


def _asked(estimator: estimators.Estimator, model: Timed, columns: int) -> Iterator[Line]:
    batch, _ = _rows(BATCH, columns, seed=1)
    own = 1e3 * min(seconds(lambda: model.predict_proba(batch)) for _ in range(10))
    took = 1e3 * min(seconds(lambda: estimator.estimate(batch)) for _ in range(10))
    yield Line(
        f"estimate, {BATCH:,} rows, {columns} columns, the model's own work included",
        took,
        max(2 * own, 20),
        "ms",
    )
    if columns == min(FIT_SECONDS):
        many, _ = _rows(MANY, columns, seed=2)
        probs = np.full((MANY, 2), 0.5, dtype=np.float32)
        probs[:, 0] += np.random.default_rng(0).uniform(-0.4, 0.4, MANY).astype(np.float32)
        probs[:, 1] = 1 - probs[:, 0]
        peak = peak_bytes(lambda: estimator.estimate(many, probs=probs))
        yield Line(
            f"estimate, {MANY:,} rows, {columns} columns: memory, of the table's", peak / many.nbytes, 1.0
        )


def _rows(n: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns; the label depends on some of them and on chance."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 0).astype(np.int64)
