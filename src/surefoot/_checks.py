"""Checks of arrays that every part of the package shares: they return clean arrays or say what is wrong.

Messages follow one pattern: what is wrong, in which rows, what to do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot.errors import InputError

NORMALISATION_TOLERANCE = 1e-3
"""How far a row of class probabilities may sum from 1."""

EPSILON = 1e-10
"""Added inside logarithms, in the input's dtype."""

NOVEL = -1
"""Target code of a class outside the model's classes."""

UNLABELLED = -2
"""Target code of a row nobody has labelled."""

_CHUNK = 1 << 17
"""Entries looked at together, so that the second look finds them in the processor's cache."""

Array = NDArray[Any]


def rows(mask: Array, limit: int = 5, *, first: int = 0) -> str:
    """Name the rows where ``mask`` is true, the first few of them; its first entry is row ``first``.

    >>> rows(np.array([True, False, True])), rows(np.array([True, False]), first=40)
    ('rows 0, 2', 'row 40')
    """
    found = np.flatnonzero(mask) + first
    named = ", ".join(str(i) for i in found[:limit])
    more = f" and {found.size - limit} more" if found.size > limit else ""
    return f"row{'s' if found.size > 1 else ''} {named}{more}"


def _bad_rows(bad: Array) -> Array:
    """Reduce [N], [N, K] or [S, N, K] to the rows in which anything is true."""
    inputs = max(bad.ndim - 2, 0)
    return np.asarray(bad.any(axis=tuple(axis for axis in range(bad.ndim) if axis != inputs)))


def as_array(name: str, values: ArrayLike, remedy: str = "give rows of equal length") -> Array:
    """Return ``values`` as NumPy sees them, or say why it cannot."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name} is not rectangular ({error}); {remedy}") from None
    except (RuntimeError, TypeError) as error:  # tensors with gradients, of bfloat16 or on another device
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(
            f"{name} does not become a NumPy array ({reason}); call .detach().float().numpy() first"
        ) from None


def array(name: str, values: ArrayLike, rank: int) -> Array:
    """Return a non-empty numeric or boolean array of the given rank."""
    out = as_array(name, values)
    if out.dtype == object or out.dtype.kind not in "biuf":
        raise InputError(
            f"{name} has dtype {out.dtype}, not numbers; convert it first, e.g. with .astype('float64')"
        )
    if out.ndim != rank:
        axes = {1: "[N]", 2: "[N, K]", 3: "[S, N, K]"}.get(rank, f"of rank {rank}")
        raise InputError(f"{name} has shape {out.shape}, but {axes} is needed")
    if out.size == 0:
        raise InputError(f"{name} is empty (shape {out.shape}); give at least one row")
    return out


def finite(name: str, values: ArrayLike, rank: int = 1) -> Array:
    """Return a float array (float32 kept) without NaN or infinite entries."""
    out = array(name, values, rank)
    if out.dtype not in (np.float32, np.float64):
        out = out.astype(np.float32 if out.dtype == np.float16 else np.float64)
    # A sum is finite unless an entry is not (or it overflows): one pass without a temporary.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(out.sum(dtype=np.float64))
    if suspicious:
        bad = _bad_rows(~np.isfinite(out))
        if bad.any():
            raise InputError(
                f"{name} has NaN or infinite values in {rows(bad)}; remove or repair these rows first"
            )
    return out


def boolean(name: str, values: ArrayLike) -> NDArray[np.bool_]:
    """Return a boolean vector; 0 and 1 count as booleans, anything else does not."""
    out = array(name, values, 1)
    if out.dtype == np.bool_:
        return out
    strange = (out != 0) & (out != 1)
    if strange.any():
        raise InputError(f"{name} must hold only true or false (1 or 0); {rows(strange)} do not")
    return out.astype(np.bool_)


def probabilities(name: str, values: ArrayLike, rank: int) -> Array:
    """Return class probabilities (last axis) that are finite, in [0, 1] and sum to 1 within 1e-3."""
    out = array(name, values, rank)
    if out.dtype not in (np.float32, np.float64):
        out = out.astype(np.float32 if out.dtype == np.float16 else np.float64)
    n, k = out.shape[-2:]
    step = max(1, _CHUNK // k)
    for sample in out.reshape(-1, n, k):  # a view, whatever the strides
        for start in range(0, n, step):
            if not normalised(sample[start : start + step]):
                _explain_probabilities(name, out)
    return out


def normalised(values: Array) -> bool:
    """Whether all values are at least 0 and the last axis sums to 1; quickest if they fit into the cache.

    >>> normalised(np.array([[0.2, 0.8]])), normalised(np.array([[0.2, np.nan]]))
    (True, False)
    """
    # NaN fails every comparison and an infinite entry cannot sum to 1: two tests see all faults.
    with np.errstate(invalid="ignore", over="ignore"):
        total = values @ np.ones(values.shape[-1], values.dtype)
        return bool(values.min() >= 0 and (np.abs(total - 1) <= NORMALISATION_TOLERANCE).all())


def _explain_probabilities(name: str, values: Array) -> None:
    """Raise the sentence that fits the fault found in a table of probabilities."""
    n, k = values.shape[-2:]
    for sample in values.reshape(-1, n, k):
        bad = _bad_rows(~np.isfinite(sample))
        if bad.any():
            raise InputError(f"{name} has NaN or infinite values in {rows(bad)}; remove or repair them first")
        bad = _bad_rows(sample < 0)
        if bad.any():
            raise InputError(
                f"{name} has negative values in {rows(bad)}; probabilities lie in [0, 1] "
                "(if these are logits, apply a softmax first)"
            )
        total = sample.sum(axis=1, dtype=np.float64)
        bad = np.abs(total - 1) > NORMALISATION_TOLERANCE
        if bad.any():
            first = total[np.flatnonzero(bad)[0]]
            raise InputError(
                f"{name} does not sum to 1 in {rows(bad)} (the first sums to {first:.6g}, tolerance "
                f"{NORMALISATION_TOLERANCE:g}); {_remedy_for_sums(values)}"
            )


def _remedy_for_sums(values: Array) -> str:
    """What to do about a last axis that does not sum to 1, by its likeliest cause."""
    for axis in range(values.ndim - 1):
        total = values.sum(axis=axis, dtype=np.float64)
        if values.shape[axis] > 1 and (np.abs(total - 1) <= NORMALISATION_TOLERANCE).all():
            return (
                f"the axis of length {values.shape[axis]} does: the classes must be the last axis, "
                f"in the order {'[N, K]' if values.ndim == 2 else '[S, N, K]'}"
            )
    normalise = "normalise with probs / probs.sum(-1, keepdims=True)"
    if values.max() > 1:
        return (
            f"values go up to {values.max():.4g}: are these logits? Then apply a softmax; "
            f"if they are shares or counts, {normalise}"
        )
    return f"{normalise}, or treat sigmoid outputs (several labels an input) as multilabel"


def unit_interval(name: str, values: ArrayLike, rank: int) -> Array:
    """Return values in [0, 1], such as the per-label probabilities of a multilabel model."""
    out = finite(name, values, rank)
    if out.min() < 0 or out.max() > 1:
        bad = _bad_rows((out < 0) | (out > 1))
        raise InputError(
            f"{name} lies outside [0, 1] in {rows(bad)}; if these are logits, apply a sigmoid first"
        )
    return out


def classes(name: str, values: ArrayLike, k: int) -> NDArray[np.int64]:
    """Return class codes 0 … k-1 as int64, refusing novel and unlabelled rows."""
    out = array(name, values, 1)
    if out.dtype.kind == "f" and not (out == np.floor(out)).all():
        raise InputError(f"{name} must be integer class codes; {rows(out != np.floor(out))} are not")
    with np.errstate(invalid="ignore"):
        codes = out.astype(np.int64)
    if codes.min() < 0 or codes.max() >= k:
        outside = (codes < 0) | (codes >= k)
        raise InputError(
            f"{name} lies outside the classes 0 … {k - 1} in {rows(outside)}; "
            "leave novel and unlabelled rows out, or widen the probabilities"
        )
    return codes


def same_length(**vectors: Array) -> None:
    """Refuse arrays whose first axes differ in length."""
    lengths = {name: len(values) for name, values in vectors.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"lengths differ: {listed}; give one entry per row in each")


def positive(name: str, value: float) -> float:
    """Return a finite number above zero."""
    if not np.isfinite(value) or value <= 0:
        raise InputError(f"{name} must be a number above 0, not {value}")
    return float(value)


def choice(name: str, value: str, options: tuple[str, ...]) -> str:
    """Return ``value`` if it is one of ``options``."""
    if value not in options:
        raise InputError(f"{name} must be one of {', '.join(options)}, not {value!r}")
    return value
