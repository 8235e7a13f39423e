"""Resampling: how a score of rows would vary had other rows been drawn, whatever the score is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array, same_length
from surefoot.errors import InputError


def poisson_bootstrap(
    score: Callable[..., float], *columns: Array, repeats: int = 200, seed: int = 0
) -> NDArray[np.float64]:
    """Scores of resampled rows, of which each is there Poisson(1) times; their standard deviation is an error.

    Every draw repeats whole rows, so all ``columns`` keep together, and a score of the columns of two models
    is resampled in pairs. NaN where a draw cannot be scored, for instance since it has rows of one kind only.
    Unlike with a fixed number of rows, rows are drawn independently (Hanley & MacGibbon 2006), which at these
    sizes makes no other difference.

    >>> means = poisson_bootstrap(lambda x: float(x.mean()), np.arange(100.0), repeats=400)
    >>> means.shape, bool(2.7 < means.std() < 3.1)
    ((400,), True)
    """
    if repeats < 2:
        raise InputError(f"repeats is {repeats}; a standard deviation takes at least 2")
    same_length(**{f"column {i}": column for i, column in enumerate(columns)})
    rng = np.random.default_rng(seed)
    rows = np.arange(len(columns[0]))
    return np.array(
        [_score(score, columns, np.repeat(rows, rng.poisson(size=len(rows)))) for _ in range(repeats)]
    )


def _score(score: Callable[..., float], columns: tuple[Array, ...], drawn: NDArray[np.intp]) -> float:
    try:
        return float(score(*[column[drawn] for column in columns]))
    except InputError:
        return float("nan")
