"""Temperature scaling, and metrics at the optimal temperature by test-time cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError

Metric = Callable[[NDArray[Any], NDArray[np.int64]], float]
"""A metric of probabilities [N, K] and target [N], such as `log_likelihood` or `brier`."""

COLDEST, HOTTEST = 1e-4, 1e4
"""Temperatures are kept between these two."""

_TOLERANCE = 0.01  # of the last step, relative: convergence is cubic, so less than 1e-6 remains
_SAMPLE = 4096  # rows that give the fit to many rows its first guess
_CHUNK = 1 << 16  # logits handled at a time, so that the steps of a softmax stay in the cache
_FAR = 1e30  # stands in for the infinite distance of a probability 0, so that their product is 0

_Float = NDArray[np.float64]
_Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A metric at the optimal temperature: its mean and (population) standard deviation over the test folds.

    ``temperatures[i]`` was fitted outside fold i and applied to it.
    """

    mean: float
    std: float
    temperatures: _Float


class _Rows(NamedTuple):
    """Logits [N, K], the highest of each row, and how far below it the target's lies."""

    logits: NDArray[Any]
    top: NDArray[Any]
    below: NDArray[Any]


def fit_temperature(logits: ArrayLike, target: ArrayLike) -> float:
    """The temperature T > 0 that maximises the mean log-likelihood of softmax(logits / T).

    Takes logits or log-probabilities; an averaged prediction p̄ is scaled as softmax(log p̄ / T).

    With β = 1/T the log-likelihood is concave, and its slope is zero where the expected distance of a
    logit below its row's highest, D(β) = Σᵢ E[max z − z], meets the distance observed at the targets. D
    falls with β; safeguarded Halley steps on log D find the crossing to a relative 1e-6 (float64).

    T is kept within 1e-4 … 1e4. The lower end is the answer when every target has its row's highest logit
    (sharper is always likelier), the upper end when the logits are no better than guessing. A class of
    probability 0 (−inf) keeps it at every temperature, so a row whose target has it is left out; to let
    it count, give ``log(probs + 1e-10)``.

    Guo et al. 2017; Ashukha et al. 2020 (Pitfalls), section 3.5. Below 1 means underconfident, above
    overconfident.

    >>> round(fit_temperature([[2.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 2.0]], [0, 0, 1, 0]), 4)
    1.8205
    """
    rows, _ = _checked(logits, target)
    (fit,) = _usable(rows, np.ones((1, len(rows.logits)), dtype=np.bool_))
    return 1 / _overall(rows, fit)


def apply_temperature(logits: ArrayLike, temperature: float) -> NDArray[Any]:
    """Probabilities softmax(logits / T) of logits or log-probabilities, in their own precision.

    >>> apply_temperature([[2.0, 0.0]], 2.0).round(4)
    array([[0.7311, 0.2689]])
    """
    table, top = _logits(logits)
    beta = 1 / _checks.positive("temperature", temperature)
    return _softmax(table, top, np.arange(len(table)), beta)


@overload
def calibrated(
    metric: Metric,
    logits: ArrayLike,
    target: ArrayLike,
    *,
    repeats: int = 5,
    seed: int = 0,
    folds: Sequence[ArrayLike] | None = None,
) -> Calibrated: ...


@overload
def calibrated(
    metric: Mapping[str, Metric],
    logits: ArrayLike,
    target: ArrayLike,
    *,
    repeats: int = 5,
    seed: int = 0,
    folds: Sequence[ArrayLike] | None = None,
) -> dict[str, Calibrated]: ...


def calibrated(
    metric: Metric | Mapping[str, Metric],
    logits: ArrayLike,
    target: ArrayLike,
    *,
    repeats: int = 5,
    seed: int = 0,
    folds: Sequence[ArrayLike] | None = None,
) -> Calibrated | dict[str, Calibrated]:
    """A metric at the optimal temperature, by test-time cross-validation.

    The rows are halved at random; the temperature fitted on each half scales the other, where the metric
    is computed; ``repeats`` halvings give 2·repeats values. ``folds`` takes the test rows of each fold
    instead, the temperature then coming from all other rows. Several named metrics share the work.

    Ashukha et al. 2020 (Pitfalls), section 3.5: log-likelihoods (and Brier scores) of different models
    are comparable only so. The direction is the metric's. The published code fits the same folds with
    Nelder–Mead to about three digits.

    >>> def accuracy(probs, target):
    ...     return float((probs.argmax(axis=1) == target).mean())
    >>> result = calibrated(accuracy, [[3.0, 0.0], [0.0, 1.0]] * 4, [0, 1, 0, 1, 0, 1, 1, 1], repeats=2)
    >>> result.mean, result.temperatures.shape
    (0.875, (4,))
    """
    rows, codes = _checked(logits, target)
    tests = _halves(len(codes), repeats, seed) if folds is None else _folds(len(codes), folds)
    fits = _usable(rows, ~tests)
    betas = _solve(rows, fits, _overall(rows, np.any(fits, axis=0), tolerance=0.1))
    metrics = metric if isinstance(metric, Mapping) else {"": metric}
    values: dict[str, list[float]] = {name: [] for name in metrics}
    for test, beta in zip(tests, betas, strict=True):
        chosen = np.flatnonzero(test)
        probs = _softmax(rows.logits, rows.top, chosen, float(beta))
        for name, compute in metrics.items():
            values[name].append(float(compute(probs, codes[chosen])))
    results = {
        name: Calibrated(float(np.mean(found)), float(np.std(found)), 1 / betas)
        for name, found in values.items()
    }
    return results if isinstance(metric, Mapping) else results[""]


def _logits(values: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Logits as floats, and the highest of each row; −inf is a class of probability 0."""
    table = _checks.array("logits", values, 2)
    if table.dtype not in (np.float32, np.float64):
        table = table.astype(np.float32 if table.dtype == np.float16 else np.float64)
    top = table.max(axis=1)
    if not np.isfinite(top).all():
        raise InputError(
            f"logits have NaN, +inf or nothing but -inf in {_checks.rows(~np.isfinite(top))}; "
            "remove or repair these rows first"
        )
    return table, top


def _checked(logits: ArrayLike, target: ArrayLike) -> tuple[_Rows, NDArray[np.int64]]:
    table, top = _logits(logits)
    codes = _checks.classes("target", target, table.shape[1])
    _checks.same_length(logits=table, target=codes)
    return _Rows(table, top, top - table[np.arange(len(table)), codes]), codes


def _usable(rows: _Rows, fits: _Mask) -> _Mask:
    """Leave out of each set of rows those whose target has probability 0 at any temperature."""
    fits = fits & np.isfinite(rows.below)
    if not fits.any(axis=1).all():
        raise InputError(
            "every row to fit on gives its target probability 0 (-inf), which no temperature repairs; "
            "give log(probs + 1e-10)"
        )
    return fits


def _halves(n: int, repeats: int, seed: int) -> _Mask:
    """The test rows of both halves of each halving, [2·repeats, N]."""
    if n < 4:
        raise InputError(f"halving needs at least 4 rows, not {n}; give more rows or explicit folds")
    if isinstance(repeats, bool) or not isinstance(repeats, int | np.integer) or repeats < 1:
        raise InputError(f"repeats must be a whole number of at least 1, not {repeats!r}")
    rng = np.random.default_rng(seed)
    tests = np.zeros((2 * repeats, n), dtype=np.bool_)
    for test in tests[::2]:
        test[rng.permutation(n)[: n // 2]] = True
    tests[1::2] = ~tests[::2]
    return tests


def _folds(n: int, folds: Sequence[ArrayLike]) -> _Mask:
    """The test rows of each fold, [folds, N]."""
    if len(folds) == 0:
        raise InputError("folds is empty; give at least one array of test rows, or repeats")
    tests = np.zeros((len(folds), n), dtype=np.bool_)
    for number, (test, given) in enumerate(zip(tests, folds, strict=True)):
        rows = _checks.array(f"folds[{number}]", given, 1)
        if rows.dtype.kind not in "iu":
            raise InputError(
                f"folds[{number}] has dtype {rows.dtype}; give the whole-number indices of its test rows"
            )
        if rows.min() < 0 or rows.max() >= n:
            raise InputError(
                f"folds[{number}] names rows outside 0 … {n - 1}; give indices of the logits' rows"
            )
        test[rows] = True
        if test.sum() < rows.size:
            raise InputError(f"folds[{number}] names a row twice; give each test row once")
        if test.all():
            raise InputError(f"folds[{number}] tests every row, so none is left to fit on; leave some out")
    return tests


def _overall(rows: _Rows, fit: _Mask, tolerance: float = _TOLERANCE) -> float:
    """1/T of all rows of ``fit``, for many rows starting from the answer of a sample."""
    start, every = 1.0, len(fit) // _SAMPLE
    if every > 1:
        sample = _Rows(*(values[::every] for values in rows))
        guess = _solve(sample, fit[None, ::every], start, tolerance=0.01)[0]
        start = guess if 1 / HOTTEST < guess < 1 / COLDEST else start
    return float(_solve(rows, fit[None], start, tolerance)[0])


def _solve(rows: _Rows, fits: _Mask, start: float, tolerance: float = _TOLERANCE) -> _Float:
    """1/T of the highest likelihood on each set of rows in ``fits`` [sets, N]: where D(β) meets ``below``."""
    observed = np.array([rows.below[fit].sum(dtype=np.float64) for fit in fits])
    beta = np.where(observed > 0, start, 1 / COLDEST)
    low, high = np.zeros(len(fits)), np.full(len(fits), np.inf)
    searching = observed > 0
    while searching.any():
        expected, slope, curve = _distances(rows, fits, beta, searching)
        low, high = np.where(expected > observed, beta, low), np.where(expected > observed, high, beta)
        with np.errstate(all="ignore"):
            gap, first = np.log(expected / observed), slope / expected
            second = curve / expected - first**2
            step = -2 * gap * first / (2 * first**2 - gap * second) / beta
            # Far away the curve misleads, even in sign: take a Newton step there.
            step = np.where(step * gap > 0, step, -gap / first / beta)
            step = np.nan_to_num(step, nan=-1)  # all probability on the highest logit: too cold
            proposal = np.clip(beta * (1 + np.clip(step, -0.9, 9)), 1 / HOTTEST, 1 / COLDEST)
            middle = np.sqrt(low * high)
        inside = (low < proposal) & (proposal < high)
        stuck = (proposal == beta) | (high - low < 1e-7 * low)  # at a limit, or out of digits
        beta = np.where(searching, np.where(inside | stuck, proposal, middle), beta)
        searching &= ~stuck & ~(inside & (np.abs(step) <= tolerance))
    return beta


def _distances(rows: _Rows, fits: _Mask, beta: _Float, searching: _Mask) -> _Float:
    """D(β) and its first two derivatives for each set at its own β; sets at the same β share the work."""
    sums = np.zeros((3, len(beta)))
    for shared in np.unique(beta[searching]):
        sets = np.flatnonzero(searching & (beta == shared))
        chosen = np.flatnonzero(fits[sets].any(axis=0))
        for part in _parts(chosen, rows.logits):
            sums[:, sets] += _moments(rows, part, float(shared)) @ fits[sets[:, None], part].T
    return sums


def _moments(rows: _Rows, chosen: NDArray[np.intp], beta: float) -> _Float:
    """Mean of each chosen row's distance max z − z under softmax(β z), and its β-derivatives, [3, rows]."""
    away = rows.logits[chosen]
    with np.errstate(over="ignore"):
        np.subtract(rows.top[chosen, None], away, out=away)
    np.minimum(away, _FAR, out=away)
    weight = away * -beta
    np.exp(weight, out=weight)
    ones = np.ones(away.shape[1], dtype=away.dtype)
    power = np.empty((4, len(chosen)))
    for sums in power:
        sums[:] = weight @ ones
        weight *= away
    mean, square, cube = power[1:] / power[0]
    return np.stack([mean, mean**2 - square, cube - 3 * square * mean + 2 * mean**3])


def _softmax(logits: NDArray[Any], top: NDArray[Any], chosen: NDArray[np.intp], beta: float) -> NDArray[Any]:
    """Rows ``chosen`` of softmax(β z)."""
    probs = np.empty((len(chosen), logits.shape[1]), dtype=logits.dtype)
    ones = np.ones(logits.shape[1], dtype=logits.dtype)
    first = 0
    for part in _parts(chosen, logits):
        out = np.take(logits, part, axis=0, out=probs[first : first + len(part)], mode="clip")
        with np.errstate(over="ignore"):
            out -= top[part, None]
            out *= beta
        np.exp(out, out=out)
        out *= 1 / (out @ ones)[:, None]
        first += len(part)
    return probs


def _parts(chosen: NDArray[np.intp], logits: NDArray[Any]) -> Iterator[NDArray[np.intp]]:
    size = max(1, _CHUNK // logits.shape[1])
    return (chosen[first : first + size] for first in range(0, len(chosen), size))
