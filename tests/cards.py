"""Scorecards made by hand, number by number, for what is said about them."""

from __future__ import annotations

import numpy as np

from surefoot.scorecard import Score, Scorecard


def score(side, metric, value, half=0.01, *, measure=None, n=1000, part=None):
    """A score of the set eval with a symmetric interval; `half=None` for none."""
    low, high = (None, None) if half is None else (value - half, value + half)
    return Score("eval", side, metric, measure, value, n, slice=part, low=low, high=high)


def card(*scores, curves=None, notes=(), **info):
    """A scorecard of classification unless told otherwise."""
    facts = {
        "kind": "classification", "rows": 2000, "samples": 1, "members": 1, "error": "zero_one",
        "uncertainty": "entropy", "threshold": 0.0,
    } | info  # fmt: skip
    return Scorecard(info=facts, rows=tuple(scores), members=(), curves=curves or {}, notes=notes)


def retention(error=0.2, found=0.5):
    """A retention curve between random and perfect, `found` of the way."""
    x = np.linspace(0, 1, 101)
    chance = error * x
    best = np.maximum(0, x - (1 - error))
    return {"fraction": x, "value": chance + found * (best - chance), "random": chance, "optimal": best}


def reliability(confidence, accuracy, n=1000):
    """A reliability curve with one bin in use."""
    return {
        "lower": [0.0, 0.5],
        "upper": [0.5, 1.0],
        "confidence": [None, confidence],
        "accuracy": [None, accuracy],
        "count": [0, n],
    }


def density():
    """Three densities that lie apart."""
    edges = np.linspace(0, 1, 21)
    middle = (edges[1:] + edges[:-1]) / 2
    bumps = {
        name: np.exp(-(((middle - at) / 0.1) ** 2)) for name, at in (("in_correct", 0.2), ("in_wrong", 0.5))
    }
    return {"edges": edges, **bumps, "shifted": np.exp(-(((middle - 0.7) / 0.1) ** 2))}
