"""Five-times-two-fold temperature cross-validation, against one log-sum-exp over the same logits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from _harness import Line, peak_bytes, ratio
from surefoot.metrics._proper import log_likelihood
from surefoot.metrics._temperature import calibrated


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(0)
    n, k = 50_000, 1000
    logits = 3 * rng.standard_normal((n, k), dtype=np.float32)
    target = rng.integers(0, k, n)
    logits[np.arange(n), target] += rng.normal(6, 3, n).astype(np.float32)

    value = ratio(
        lambda: calibrated(log_likelihood, logits, target), lambda: logsumexp(logits, axis=1), repeats=5
    )
    yield Line("calibrated log-likelihood, 5 x 2 folds of 50,000 x 1,000, over logsumexp", value, 8)
    memory = peak_bytes(lambda: calibrated(log_likelihood, logits, target)) / 2**20
    yield Line("the same, peak memory", memory, 256, "MiB")
