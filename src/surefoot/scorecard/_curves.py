"""Curves of a scorecard: retention with its baselines, densities and reliability, thinned for storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from surefoot._checks import Array
from surefoot.metrics import _calibration
from surefoot.scorecard._sides import SHIFTED
from surefoot.scorecard._views import View, retention_curves

POINTS = 512

BINS = 64
"""At most so many bins show how an uncertainty is spread."""


def view_curves(view: View, measure: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Curves by name: error and F1 retention and the densities of a measure, and reliability."""
    densities = _densities(view, measure)
    if len(densities) > 1:
        yield "density", densities | {"measure": measure}
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


def _densities(view: View, measure: str) -> dict[str, Array]:
    """The spread of a measure where predictions are right and wrong in-domain, and on the shifted side.

    Fractions of each group that fall into common bins of equal width between the 0.5 % and 99.5 % quantile of
    all; what lies outside is in the first and the last. Groups without rows are left out, and without a
    threshold or a notion of "correct" so are the two in-domain ones.
    """
    values = view.column(measure, "all")
    low, high = np.quantile(values, [0.005, 0.995]).astype(np.float64)
    if low == high:
        low, high = float(values.min()), float(values.max())
    if low == high:
        return {}
    bins = int(np.clip(np.sqrt(len(values)), 8, BINS))
    code = np.clip((values - low) * (bins / (high - low)), 0, bins - 1).astype(np.intp)
    out = {"edges": np.linspace(low, high, bins + 1)}
    for name, chosen in _right_wrong_shifted(view):
        count = np.bincount(code[chosen], minlength=bins)
        if count.any():
            out[name] = count / count.sum()
    return out


def _right_wrong_shifted(view: View) -> Iterator[tuple[str, Array]]:
    """The three groups, each a mask over all rows of the view."""
    shifted = view.column("side", "all") == SHIFTED
    in_domain = view.column("labelled", "all") & ~shifted
    if view.holds("correct"):
        right = view.column("correct", "all")
        yield "in_correct", in_domain & right
        yield "in_wrong", in_domain & ~right
    elif view.threshold is not None:
        error = view.column("error", "all")
        yield "in_correct", in_domain & (error <= view.threshold)
        yield "in_wrong", in_domain & (error > view.threshold)
    yield "shifted", shifted


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
