"""How often each method beats, ties with and loses to each other method over datasets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.compare._scores import Floats, sign, table
from surefoot.errors import InputError

Counts = NDArray[np.int64]

_ROUNDING = 1e-9  # 0.85 − 0.84 is within 0.01


@dataclass(frozen=True, eq=False)
class WinsDrawsLosses:
    """On how many datasets the method of a row beats that of a column, and on how many they draw.

    Attributes:
        wins: [methods, methods], the row's method is better.
        draws: [methods, methods], neither is; nothing on the diagonal.
    """

    wins: Counts
    draws: Counts

    @property
    def losses(self) -> Counts:
        """[methods, methods], the column's method is better."""
        return self.wins.T

    @property
    def totals(self) -> Counts:
        """[methods, 3]: wins, draws and losses against all others, as in the published tables."""
        return np.stack([self.wins.sum(axis=1), self.draws.sum(axis=1), self.wins.sum(axis=0)], axis=1)


def wins_draws_losses(
    scores: ArrayLike,
    higher_is_better: bool,
    *,
    tolerance: ArrayLike = 0.0,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
) -> WinsDrawsLosses:
    """Count wins, draws and losses of each pair of methods over ``scores[datasets, methods]``.

    A pair draws on a dataset where its scores differ by at most ``tolerance`` (one number, or one a dataset),
    or, given intervals ``low`` and ``high`` shaped like ``scores``, where these overlap or touch. Intervals of
    two methods that both hold 95 % may overlap although the paired difference is clear, so this draws often.

    Several metrics of one direction count together when their tables are stacked; negate those of the other.
    The published tables 3 and 9 of Van Landeghem et al. 2022 (text classification) stack two metrics, and draw
    where scores print alike: ``wins_draws_losses(np.round(scores, 3), …)`` reproduces table 3.

    >>> counts = wins_draws_losses([[0.91, 0.90, 0.85], [0.7, 0.9, 0.8]], True, tolerance=0.01)
    >>> counts.wins
    array([[0, 0, 1],
           [1, 0, 2],
           [1, 0, 0]])
    >>> counts.totals
    array([[1, 1, 2],
           [3, 1, 0],
           [1, 0, 3]])
    """
    turn = sign(higher_is_better)
    values = turn * table("scores", scores)
    n, k = values.shape
    margin = _margin(tolerance, n)
    ends = _ends(values, turn, low, high)
    wins = np.zeros((k, k), np.int64)
    for row, allowed, worst, best in zip(values, margin, *ends, strict=True):
        wins += (row[:, None] - row > allowed) & (worst[:, None] > best)
    draws = n - wins - wins.T
    np.fill_diagonal(draws, 0)
    return WinsDrawsLosses(wins, draws)


def _margin(tolerance: ArrayLike, datasets: int) -> Floats:
    given = _checks.finite("tolerance", np.atleast_1d(tolerance)).astype(np.float64)
    if len(given) not in (1, datasets):
        raise InputError(f"tolerance has {len(given)} entries for {datasets} datasets; give one, or one each")
    if given.min() < 0:
        raise InputError(f"tolerance is negative in {_checks.rows(given < 0)}; give 0 or more")
    return np.broadcast_to(given * (1 + _ROUNDING), (datasets,))


def _ends(values: Floats, turn: int, low: ArrayLike | None, high: ArrayLike | None) -> tuple[Floats, Floats]:
    """The worse and the better end of each score's interval; without intervals the scores themselves."""
    if low is None and high is None:
        return values, values
    if low is None or high is None:
        raise InputError("intervals need both ends: give low and high, or neither")
    ends = table("low", low), table("high", high)
    for name, end in zip(("low", "high"), ends, strict=True):
        if end.shape != values.shape:
            raise InputError(f"{name} has shape {end.shape} and scores {values.shape}; give one end a score")
    crossed = np.argwhere(ends[0] > ends[1])
    if len(crossed):
        raise InputError(f"low is above high at (row, column) {tuple(crossed[0].tolist())}; swap the ends")
    return ends if turn > 0 else (-ends[1], -ends[0])
