"""Small tables, models and rehearsals that the tests of estimators share."""

from __future__ import annotations

from functools import cache

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from surefoot import estimators
from surefoot._columns import open_columns
from surefoot.estimators._method import trials_of
from surefoot.estimators._model import CLASSIFICATION, codes_of, wrap
from surefoot.estimators._rehearsal import Plan, rehearse
from surefoot.estimators._schema import schema_of
from surefoot.estimators._scores import SCORES, score

SMALL = {"domains": 50, "rows": 80}
"""A rehearsal that takes no time."""

QUICK = estimators.ErrorPredictor(learner="neighbours")
"""An error predictor that takes little time to learn."""

SCALES, CENTRES = np.array([1.0, 10.0, 0.1, 3.0]), np.array([0.0, 50.0, 5.0, -9.0])
"""Columns that differ, so that a swap of two shows."""


def numbers(n, seed, classes=2):
    """A matrix of numbers and class codes that depend on it and on chance."""
    rng = np.random.default_rng(seed)
    plain = rng.normal(size=(n, 4))
    value = plain[:, 0] + 0.7 * plain[:, 1] - 0.5 * plain[:, 2] + 0.8 * rng.normal(size=n)
    edges = {2: [0.0], 3: [-0.7, 0.7]}[classes]
    return plain * SCALES + CENTRES, np.digitize(value, edges)


def mixed(n, seed):
    """A frame with numbers, text, booleans, gaps and codes, and labels in words."""
    X, y = numbers(n, seed)
    rng = np.random.default_rng(seed + 1)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    frame["colour"] = rng.choice(["red", "green", "blue"], n)
    frame.loc[rng.random(n) < 0.1, "colour"] = None
    frame["old"] = rng.random(n) < 0.3
    frame["code"] = rng.integers(1, 5, n)
    frame.loc[rng.random(n) < 0.1, "a"] = np.nan
    return frame, np.where(y == 1, "yes", "no")


def pipeline():
    """A classifier that takes numbers with gaps."""
    return make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())


@cache
def model(classes=2):
    """A classifier trained on rows that nobody uses again."""
    return pipeline().fit(*numbers(1000, 0, classes))


class Encoding:
    """A classifier of mixed frames of any library, which encodes them itself."""

    def __init__(self, frame, labels):
        self.inner = pipeline().fit(self.encoded(frame), labels)
        self.classes_ = self.inner.classes_

    @staticmethod
    def encoded(frame):
        frame = nw.from_native(frame, eager_only=True).to_pandas()
        words = [(frame["colour"] == "red"), (frame["old"] == True)]  # noqa: E712 (gaps are not true)
        return np.column_stack([*(frame[name].astype(float) for name in "abcd"), *words]).astype(float)

    def predict_proba(self, frame):
        return self.inner.predict_proba(self.encoded(frame))


@cache
def mixed_model():
    """A classifier of mixed frames."""
    return Encoding(*mixed(1000, 0))


@cache
def regressor():
    """A regressor with gaps allowed."""
    X, y = numbers(1000, 0, 3)
    return make_pipeline(SimpleImputer(), LinearRegression()).fit(X, y)


@cache
def fitted(method=None, classes=2, **options):
    """An estimator of `model` fitted to 1,000 labelled rows."""
    X, y = numbers(1000, 1, classes)
    return estimators.fit(model(classes), X, y, method=method, **{**SMALL, **options})


def rehearsed(native, X, y, *, domains=50, rows=80, families=None, seed=0, probs=None, weights=None):
    """A rehearsal of a classifier, outside of `fit`."""
    table = open_columns(X)
    known = wrap(native)
    outputs = known(table.to_native()) if probs is None else probs
    target, _ = codes_of(y, known, outputs.shape[1])
    weights = np.ones(len(target)) if weights is None else weights
    plan = Plan(domains, rows, families, seed)
    return rehearse(known, table, schema_of(table), outputs, target, weights, plan)


def tried(rehearsal):
    """Trials of a rehearsal on all scores of classifiers."""
    return trials_of(
        rehearsal, [score(name, CLASSIFICATION) for name in SCORES if SCORES[name].kind == CLASSIFICATION]
    )


def probs_of(n, k, seed, sharpness=1.0):
    """Rows of probabilities as float32."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(k, sharpness), n).astype(np.float32)
