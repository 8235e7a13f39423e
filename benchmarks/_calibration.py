"""Calibration error with the two proper scores, against torchmetrics' calibration error alone."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from _harness import Line, ratio
from surefoot.metrics._calibration import ece
from surefoot.metrics._proper import brier, log_likelihood


def lines() -> Iterator[Line]:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torchmetrics.functional.classification import multiclass_calibration_error

    rng = np.random.default_rng(0)
    logits = 2 * rng.standard_normal((1_000_000, 10), dtype=np.float32)
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    target = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)

    def ours() -> tuple[float, float, float]:
        return ece(probs, target), brier(probs, target), log_likelihood(probs, target)

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        tensors = torch.from_numpy(probs), torch.from_numpy(target)
        value = ratio(ours, lambda: multiclass_calibration_error(*tensors, num_classes=10, n_bins=15))
    finally:
        torch.set_num_threads(threads)
    yield Line("ECE + Brier + log-likelihood, 1,000,000 x 10, over torchmetrics' ECE", value, 1.5)
