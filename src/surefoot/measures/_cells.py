"""Sums over samples and over classes that the measures share: small buffers, whatever the number of rows.

A *cell* is one (row, class) pair. Rows are taken in chunks that stay in the processor's cache, and everything
is summed by element-wise operations in a fixed order, so that a row's measures do not depend on the chunk it
fell into, nor on its neighbours: equal rows get equal measures, and ties stay ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot import _checks

Array = NDArray[Any]

BUFFER = 450_000
"""Entries of a working buffer: 1.8 MB of float32. Larger products with vectors start OpenBLAS's threads."""

_BLOCK = 16  # so many samples are summed in the input's own dtype; sums of such blocks are joined in float64
_FEW_CLASSES = 32  # up to here it pays to turn [rows, classes] round before summing over classes
_ROUNDING = 1e-6


class Cells(NamedTuple):
    """What each cell adds to its row's measures.

    Mutual information is summed as mean KL(p_s ‖ p̄) and its reverse as mean KL(p̄ ‖ p_s), from logarithms of
    the ratios p_s / p̄. They are small where the samples agree, while a difference of two entropies leaves
    their rounding: in float32 more than 1e-6.
    """

    mean: Array
    mutual: Array
    reverse: Array
    variance: Array


def floating(values: Array) -> np.dtype[Any]:
    """The dtype to work in: float32 stays (and takes in float16), everything else is float64."""
    return np.dtype(np.float32 if values.dtype in (np.float16, np.float32) else np.float64)


def row_chunks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Slices of rows such that all samples of each fit the working buffer, or single rows."""
    samples, n, *rest = shape
    step = max(1, BUFFER // (samples * int(np.prod(rest))))
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def load(values: Array, rows: slice, dtype: np.dtype[Any]) -> Array:
    """These rows of ``values[S, N, …]``; a lone row is doubled, since NumPy would sum it in another order."""
    chunk = np.asarray(values[:, rows], dtype)
    lone = chunk.shape[1] == 1 and chunk[0].size <= _FEW_CLASSES
    return np.repeat(chunk, 2, axis=1) if lone else chunk


def store(
    out: dict[str, Array], measures: dict[str, Array], rows: slice, n: int, dtype: np.dtype[Any]
) -> None:
    """Put the measures of some rows into the arrays of all ``n`` rows; of a doubled row the first counts."""
    for name, values in measures.items():
        if name not in out:
            out[name] = np.empty((n, *values.shape[1:]), dtype)
        out[name][rows] = values[: rows.stop - rows.start]


def side_by_side(p: Array) -> Array:
    """View ``p[S, N, …]`` as ``[S, cells]``, each sample's cells side by side in memory (else a copy)."""
    flat = p.reshape(len(p), -1)
    return flat if flat.strides[1] == flat.itemsize else np.ascontiguousarray(flat)


def _blocks(p: Array) -> Iterator[Array]:
    for start in range(0, len(p), _BLOCK):
        yield p[start : start + _BLOCK]


def _mean_of(sums: list[Array], samples: int) -> Array:
    """The mean over all samples from sums of blocks of them."""
    total = sums[0] if len(sums) == 1 else np.sum(sums, axis=0, dtype=np.float64)
    total /= samples
    return total.astype(sums[0].dtype, copy=False)


def sample_mean(p: Array) -> Array:
    """Mean over the first axis, in the dtype of ``p``."""
    return _mean_of([np.add.reduce(block, axis=0) for block in _blocks(p)], len(p))


def over_samples(p: Array) -> Cells:
    """Reduce ``p[S, cells]``; the variance is centred, so that it cannot fall below zero."""
    if len(p) == 1:  # a lone sample is its own mean
        nothing = np.zeros_like(p[0])
        return Cells(p[0], nothing, nothing, nothing)
    mean = sample_mean(p)
    mutual, reverse, variance = _mean_of([_sums(block, mean) for block in _blocks(p)], len(p))
    reverse *= -mean
    return Cells(mean, mutual, reverse, variance)


def _sums(p: Array, mean: Array) -> Array:
    """Sums over samples of p ln(p/p̄), ln(p/p̄) and (p − p̄)²."""
    epsilon = p.dtype.type(_checks.EPSILON)
    sums = np.empty((3, p.shape[1]), p.dtype)
    terms = p + epsilon
    np.divide(terms, mean + epsilon, out=terms)
    np.log(terms, out=terms)
    np.add.reduce(terms, axis=0, out=sums[1])
    np.multiply(terms, p, out=terms)
    np.add.reduce(terms, axis=0, out=sums[0])
    np.subtract(p, mean, out=terms)
    np.square(terms, out=terms)
    np.add.reduce(terms, axis=0, out=sums[2])
    return sums


def p_log_p(p: Array) -> Array:
    """Minus what each cell adds to the entropy."""
    out: Array = p + p.dtype.type(_checks.EPSILON)
    np.log(out, out=out)
    out *= p
    return out


def by_class(cells: Array, k: int) -> tuple[Array, int]:
    """Cells as a table, and the axis of its classes: few classes are turned round, which makes sums fast."""
    table = cells.reshape(-1, k)
    return (table, 1) if k > _FEW_CLASSES else (np.ascontiguousarray(table.T), 0)


def at_least_zero(values: Array) -> Array:
    """Set what rounding pushed below zero to 0; anything below -1e-6 is no rounding and stays visible."""
    if values.min() <= 0:  # seldom, and the mask costs more than looking
        values[(values <= 0) & (values >= -_ROUNDING)] = 0
    return values
