"""Curves of a scorecard: retention with its baselines, and reliability, thinned for storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.metrics import _calibration
from surefoot.scorecard._views import View, retention_curves

POINTS = 512


def view_curves(view: View, measure: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Curves by name: error and F1 retention of a measure, and reliability."""
    if view.size("scored"):
        retained = retention_curves(view, "scored", measure)
        view.forget(measure)  # the ranking has served, and the baselines need the room
        yield "error_retention", _thinned(retained.error) | {"measure": measure}
        if view.threshold is not None:
            yield "f1_retention", _thinned(retained.f1) | {"measure": measure}
    if view.holds("confidence") and view.size("known"):
        reliability = _calibration.reliability_from(
            view.column("confidence", "known"), view.column("correct", "known")
        )
        yield (
            "reliability",
            {
                "lower": reliability.lower,
                "upper": reliability.upper,
                "confidence": reliability.confidence,
                "accuracy": reliability.accuracy,
                "count": reliability.count,
            },
        )


def _thinned(curve: Any) -> dict[str, Array]:
    """At most 512 points at equal distances, the ends among them."""
    rows = len(curve.value) - 1
    kept = np.unique(np.linspace(0, rows, min(rows + 1, POINTS)).round().astype(np.intp))
    return {
        "fraction": kept / rows,
        "value": curve.value[kept],
        "random": curve.random_value[kept],
        "optimal": curve.optimal_value[kept],
    }
