"""Made-up copies of two datasets in a cache of their own, and made-up results, for the tests of the benchmark."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from surefoot.data._fetch import import_with_notes
from surefoot.estimators._rehearsal import FAMILIES
from surefoot.estimators.benchmark import KINDS
from surefoot.estimators.benchmark._entrants import (
    ABLATION,
    DOMAINS_OF,
    KINDS_OF,
    METHODS,
    NUMBERS,
    OURS,
    PREDICTOR,
    PUBLISHED,
)
from surefoot.estimators.benchmark._results import SCHEMA, of_table
from surefoot.estimators.benchmark._setting import setting
from surefoot.estimators.benchmark._trial import CLOCKS

NUMERIC, MIXED = "heart", "bank_deposit"
"""A dataset of numbers alone, split by gender, and one with text, split by marital."""


def heart(n=3000, seed=0):
    """Persons, of whom three fifths are women; ``weight`` is different in every row and tells which one it is."""
    rng = np.random.default_rng(seed)
    pressure, age = rng.normal(130, 20, n).round(), rng.normal(19_000, 2_500, n).round()
    risk = (pressure - 130) / 20 + (age - 19_000) / 5_000 + rng.normal(0, 0.8, n)
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "age": age.astype(int),
            "gender": np.where(rng.random(n) < 0.6, 1, 2),
            "height": rng.normal(168, 8, n).round().astype(int),
            "weight": 40 + np.arange(n) / 100,
            "ap_hi": pressure.astype(int),
            "ap_lo": (pressure * 0.6 + rng.normal(0, 5, n)).round().astype(int),
            **{name: rng.integers(1, 4, n) for name in ("cholesterol", "gluc")},
            **{name: rng.integers(0, 2, n) for name in ("smoke", "alco", "active")},
            "cardio": (risk > 0).astype(int),
        }
    )


def bank_deposit(n=3000, seed=1):
    """Clients, a few of them widowed; ``balance`` is different in every row."""
    rng = np.random.default_rng(seed)
    balance, loan = rng.permutation(np.arange(-n // 2, n - n // 2)), rng.random(n) < 0.4
    risk = -balance / n + loan + rng.normal(0, 0.4, n)
    words = {
        "job": ["clerk", "retired", "student", "technician"],
        "education": ["primary", "secondary", "tertiary", "unknown"],
        "contact": ["cellular", "telephone"],
        "month": ["jan", "may", "nov"],
        "poutcome": ["failure", "success", "unknown"],
        "housing": ["no", "yes"],
        "deposit": ["no", "yes"],
    }
    marital = rng.choice(["married", "single", "divorced", "widowed"], n, p=[0.6, 0.3, 0.08, 0.02])
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "balance": balance,
            **{name: rng.integers(1, 60, n) for name in ("day", "duration", "campaign", "pdays", "previous")},
            **{name: rng.choice(values, n) for name, values in words.items()},
            "loan": np.where(loan, "yes", "no"),
            "marital": marital,
            "default": np.where(risk > 0.6, "yes", "no"),
        }
    )


MADE = {NUMERIC: heart, MIXED: bank_deposit}


@contextmanager
def imported(folder, **frames):
    """A cache that holds these frames as datasets of these names, as if their originals had been imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUREFOOT_CACHE", str(folder))
        setting.cache_clear()
        for name, frame in frames.items():
            path = folder / f"{name}.csv"
            frame.to_csv(path, index=False)
            import_with_notes(name, path)
        yield folder
        setting.cache_clear()


@contextmanager
def made_up(folder):
    """A cache with both datasets."""
    with imported(folder, **{name: make() for name, make in MADE.items()}):
        yield folder


def assert_same(one, other):
    """Two tables of results hold the same, but for the seconds that it took."""
    pd.testing.assert_frame_equal(*(table.drop_columns(CLOCKS).to_pandas() for table in (one, other)))


def result(**given):
    """One row of results: a batch of 400 rows of which 300 were right, as was estimated."""
    row = {
        "experiment": "published",
        "dataset": "alpha",
        "seed": 0,
        "method": "ErrorPredictorRF",
        "training_kinds": "scaling+outliers",
        "training_domains": 20,
        "set": "no_shift",
        "kind": "no_shift",
        "severity": np.nan,
        "features": np.nan,
        "batch": 0,
        "n": 400,
        "truth": 0.75,
        "reference": 0.8,
        "estimate": 0.75,
        "fit_seconds": 1.0,
        "estimate_seconds": 0.001,
    }
    row.update(given)
    around = {
        "low": row["estimate"] - 0.05,
        "high": row["estimate"] + 0.05,
        "error": row["estimate"] - row["truth"],
    }
    return {**around, **row, **given}


def results(*rows):
    """Rows as results."""
    return of_table(pa.Table.from_pylist(list(rows), schema=SCHEMA))


def everything(datasets=2, seeds=2, batches=4):
    """Results of a whole run that never was: every experiment, method and test set."""
    rng = np.random.default_rng(0)
    tests = [(name, kind.name, b) for name, kinds in KINDS.items() for kind in kinds for b in range(batches)]
    tests += [("natural", value, 0) for value in ("there", "elsewhere")]
    tests += [("no_shift", "no_shift", b) for b in range(batches)]
    rows = []
    for d in range(datasets):
        for seed in range(seeds):
            truth = np.clip(rng.normal(0.75, 0.06, len(tests)), 0.5, 0.95)
            for experiment, method, kinds, domains, spread in _entered(closer=d < 3):
                said = np.clip(truth + rng.normal(0, spread, len(tests)), 0, 1)
                rows += [
                    result(
                        experiment=experiment, dataset=f"dataset {d}", seed=seed, method=method, set=name, kind=kind,
                        training_kinds="+".join(kinds), training_domains=domains, batch=i, n=500, severity=0.5,
                        features=0.5, truth=truth[i], estimate=said[i],
                    )
                    for i, (name, kind, _) in enumerate(tests)
                ]  # fmt: skip
    return results(*rows)


def _entered(closer):
    every = tuple(FAMILIES)
    for name in (PUBLISHED, OURS, *([ABLATION] if closer else [])):
        for i, method in enumerate(METHODS[name]):
            yield name, method, every, 100, 0.02 + 0.01 * i
    if closer:
        for k in range(1, 6):
            yield KINDS_OF, PREDICTOR, every[:k], 20, 0.08 - 0.01 * k
        for number in NUMBERS:
            yield DOMAINS_OF, PREDICTOR, every, number, 0.03 + 0.02 / number
