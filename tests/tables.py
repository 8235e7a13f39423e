"""Seeded predictions of every kind, as tests need them."""

from __future__ import annotations

import numpy as np

from surefoot.predictions import Predictions

PARTS = np.array(["dev_in", "dev_out", "eval_in", "eval_out"])


def classification(n: int = 400, samples: int = 5, k: int = 4, seed: int = 0, **columns) -> Predictions:
    """An ensemble that is better and surer in-domain than on shifted rows."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, k, n)
    part = PARTS[rng.integers(0, 4, n)]
    logits = rng.normal(size=(samples, n, k))
    logits[:, np.arange(n), target] += np.where(np.char.endswith(part, "out"), 0.8, 2.5)
    probs = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    given = {"partition": part, "classes": [f"c{i}" for i in range(k)]} | columns
    return Predictions.classification(probs.astype(np.float32), given.pop("target", target), **given)


def regression(n: int = 400, samples: int = 5, seed: int = 0, **columns) -> Predictions:
    """Gaussian predictions whose error grows on shifted rows."""
    rng = np.random.default_rng(seed)
    part = PARTS[rng.integers(0, 4, n)]
    target = rng.normal(size=n) * 3
    spread = np.where(np.char.endswith(part, "out"), 1.6, 0.5)
    mean = target + rng.normal(size=(samples, n)) * spread
    variance = spread**2 * rng.uniform(0.5, 1.5, size=(samples, n))
    given = {"partition": part} | columns
    return Predictions.regression(mean, variance, given.pop("target", target), **given)


def multilabel(n: int = 400, samples: int = 5, k: int = 6, seed: int = 0, **columns) -> Predictions:
    """Sigmoid outputs for k labels."""
    rng = np.random.default_rng(seed)
    part = PARTS[rng.integers(0, 4, n)]
    target = (rng.random((n, k)) < 0.25).astype(float)
    spread = np.where(np.char.endswith(part, "out"), 2.0, 0.8)[:, None]
    logits = 2.0 * (2 * target - 1) + rng.normal(size=(samples, n, k)) * spread
    given = {"partition": part} | columns
    return Predictions.multilabel(
        (1 / (1 + np.exp(-logits))).astype(np.float32), given.pop("target", target), **given
    )


KINDS = {"classification": classification, "regression": regression, "multilabel": multilabel}
