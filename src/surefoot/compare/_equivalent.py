"""How many independently trained networks is a method worth? The deep ensemble equivalent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.compare._scores import Floats, sign
from surefoot.errors import InputError


@dataclass(frozen=True, eq=False)
class DeepEnsembleEquivalent:
    """Size of the deep ensemble that scores as well; numbers for one value, arrays for an array of values.

    Attributes:
        value: the size, real-valued; infinite where no measured size scores as well.
        lower: the size for a deep ensemble one standard deviation better than its mean.
        upper: the size for one a standard deviation worse; infinite where not reached.
        reached: whether ``value`` was reached within the measured sizes.
    """

    value: float | Floats
    lower: float | Floats
    upper: float | Floats
    reached: bool | NDArray[np.bool_]


def deep_ensemble_equivalent(
    sizes: ArrayLike,
    scores: ArrayLike,
    value: ArrayLike,
    std: ArrayLike | None = None,
    higher_is_better: bool = True,
    *,
    convention: str = "paper",
) -> DeepEnsembleEquivalent:
    """Smallest size of a deep ensemble that scores at least as well as ``value``; more is better.

        min { l ≥ 1 : score_DE(l) ≥ value },     bounds with score_DE(l) ± std_DE(l) instead

    ``scores`` and ``std`` are the mean and standard deviation of deep ensembles with ``sizes`` members (any
    order, gaps allowed), interpolated linearly in between; ``value`` is the score of the method, or an array of
    its scores with 1, 2, … samples. Any metric will do, but only the paper's calibrated log-likelihood and
    others that may be compared across models make sense. Ashukha et al. 2020 (Pitfalls), section 4.1,
    equations 4 and 5, and appendix E.

    - A value better than every measured size is *not reached*: infinite, with ``reached`` false. The lower
      bound may still be finite.
    - A value no better than the smallest measured size gives that size. It is the answer if that size is 1;
      else the truth lies somewhere below, and ``lower`` is 1.
    - A curve that falls again counts from the first size at which it reaches the value.
    - Without ``std`` the bounds equal the value (but for the previous case).

    ``convention="published"`` reproduces the published figures: there the walk along the curve takes a gap
    between sizes for a step of one, never goes back, so that results depend on the order of the values, and
    ends at the largest size instead of infinity (``reached`` still tells). The published code also swaps the
    names of the bounds for metrics where lower is better; that is not reproduced.

    >>> dee = deep_ensemble_equivalent([1, 2, 5, 10], [-1.5, -1.1, -0.9, -0.8], -1.0, std=[0.1, 0.1, 0.1, 0.1])
    >>> round(dee.value, 6), round(dee.lower, 6), round(dee.upper, 6), dee.reached
    (3.5, 2.0, 5.0, True)
    >>> deep_ensemble_equivalent([1, 2, 5, 10], [0.3, 0.2, 0.15, 0.1], [0.05, 0.2], higher_is_better=False).value
    array([inf,  2.])
    """
    _checks.choice("convention", convention, ("paper", "published"))
    turn = sign(higher_is_better)
    size, mean, spread = _curve(sizes, scores, std)
    mean *= turn
    wanted = np.asarray(value)
    flat = turn * _checks.finite("value", wanted.reshape(-1)).astype(np.float64)
    reached = flat <= mean.max()
    if convention == "published":
        middle, lower, upper = (_walk(size, curve, flat) for curve in (mean, mean + spread, mean - spread))
    else:
        middle, lower, upper = (_first(size, curve, flat) for curve in (mean, mean + spread, mean - spread))
        if size[0] > 1:
            lower[mean[0] + spread[0] >= flat] = 1
        # Rounding may put the bounds on the wrong side where the deviation is tiny.
        lower, upper = np.minimum(lower, middle), np.maximum(upper, middle)
    shape = wanted.shape
    if not shape:
        return DeepEnsembleEquivalent(float(middle[0]), float(lower[0]), float(upper[0]), bool(reached[0]))
    return DeepEnsembleEquivalent(
        middle.reshape(shape), lower.reshape(shape), upper.reshape(shape), reached.reshape(shape)
    )


def _first(size: Floats, curve: Floats, wanted: Floats) -> Floats:
    """First point of the broken line at which it is at least the wanted value, else infinity."""
    at = np.searchsorted(np.maximum.accumulate(curve), wanted)
    out = np.where(at == 0, size[0], np.inf)
    between = (at > 0) & (at < len(size))
    to = at[between]
    share = (wanted[between] - curve[to - 1]) / (curve[to] - curve[to - 1])
    out[between] = size[to - 1] + share * (size[to] - size[to - 1])
    return out


def _walk(size: Floats, curve: Floats, wanted: Floats) -> Floats:
    """The same as published: one walk along the curve for all values, which never turns back."""
    out = np.empty(len(wanted))
    at = 0
    for i, value in enumerate(wanted):
        while at < len(size) and curve[at] < value:
            at += 1
        if at == 0 or at == len(size):
            out[i] = size[min(at, len(size) - 1)]
        else:
            beyond = (value - curve[at]) / (curve[at] - curve[at - 1])
            out[i] = max(size[at - 1], size[at] + beyond)
    return out


def _curve(sizes: ArrayLike, scores: ArrayLike, std: ArrayLike | None) -> tuple[Floats, Floats, Floats]:
    """The deep ensemble's curve by ascending size: sizes, scores and their standard deviations."""
    size = _checks.finite("sizes", sizes).astype(np.float64)
    mean = _checks.finite("scores", scores).astype(np.float64)
    spread = np.zeros_like(mean) if std is None else _checks.finite("std", std).astype(np.float64)
    _checks.same_length(sizes=size, scores=mean, std=spread)
    if size.min() < 1:
        raise InputError(
            f"sizes lies below 1 in {_checks.rows(size < 1)}; an ensemble has at least one member"
        )
    if spread.min() < 0:
        raise InputError(f"std is negative in {_checks.rows(spread < 0)}; give standard deviations")
    order = np.argsort(size)
    size, mean, spread = size[order], mean[order], spread[order]
    twice = size[1:][np.diff(size) == 0]
    if len(twice):
        raise InputError(f"sizes holds {twice[0]:g} more than once; average the scores of equal sizes first")
    return size, mean, spread
