"""What a test of two samples gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from surefoot.errors import InputError


class Outcome(Protocol):
    """What every test has: how far apart the two samples are, and how likely that is without a shift."""

    @property
    def statistic(self) -> float:
        """How far apart the samples are; the docstring of the test says in which unit."""

    @property
    def p_value(self) -> float:
        """Probability of a statistic at least as large where nothing moved."""

    def drifted(self, alpha: float = 0.05) -> bool:
        """Whether the batch moved, at a false-alarm rate of ``alpha``."""


@dataclass(frozen=True)
class ShiftTest:
    """Outcome of one test of whether a batch still looks like the reference.

    >>> ShiftTest(statistic=0.31, p_value=0.002, n_reference=80, n_batch=60).drifted(alpha=0.01)
    True
    """

    statistic: float
    p_value: float
    n_reference: int
    n_batch: int

    def drifted(self, alpha: float = 0.05) -> bool:
        """Whether the batch moved, at a false-alarm rate of ``alpha``."""
        return self.p_value <= level(alpha)


def level(alpha: float) -> float:
    """A false-alarm rate, strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be a false-alarm rate between 0 and 1, not {alpha}")
    return float(alpha)


def bonferroni(p_value: float, tests: int) -> float:
    """The p-value of the best of several tests, whatever their dependence."""
    return float(np.minimum(p_value * max(tests, 1), 1.0))
