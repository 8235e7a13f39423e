"""Turn what a user hands over into clean columns, or say which rows are wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import Array, array, as_array, finite, probabilities, rows, unit_interval
from surefoot.errors import InputError
from surefoot.predictions._kinds import RESERVED, Kind, lacking

Info = Mapping[str, str | float | int | bool]

_UNITS = {"M": ("D", "s", "ms", "us", "ns"), "m": ("s", "ms", "us", "ns")}


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Put the name of a file in front of what is refused inside, once."""
    try:
        yield
    except InputError as error:
        if str(error).startswith(str(place)):
            raise
        raise InputError(f"{place}: {error}") from None


def plain(name: str, values: ArrayLike) -> Array:
    """An array without Python objects: text ("" where missing) or numbers (NaN where missing).

    >>> plain("region", ["north", None])
    array(['north', ''], dtype='<U5')
    """
    out = as_array(name, values, "give one value per row")
    if out.dtype != object:
        return out
    missing = np.array([_is_missing(value) for value in out.ravel()], dtype=bool).reshape(out.shape)
    present = out[~missing]
    if all(isinstance(value, str) for value in present):
        return np.where(missing, "", out).astype(str)
    if all(isinstance(value, Real) for value in present):
        return np.where(missing, np.nan, out).astype(np.float64)
    raise InputError(f"{name} holds Python objects; convert it to numbers, datetime64 or text (.astype(str))")


def _is_missing(value: object) -> bool:
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def column(name: str, values: ArrayLike) -> Array:
    """A 1-D array of numbers, booleans, dates or text, in a form that every file format can hold."""
    out = plain(name, values)
    if out.ndim != 1:
        raise InputError(f"{name} has shape {out.shape}, but one value per row is needed; reshape or drop it")
    if out.dtype.kind not in "biufUMm":
        raise InputError(
            f"{name} has dtype {out.dtype}; convert it to numbers, datetime64 or text (.astype(str))"
        )
    if out.dtype.kind == "f" and out.dtype.itemsize not in (4, 8):
        return out.astype(np.float32 if out.dtype.itemsize < 4 else np.float64)
    if out.dtype.kind in "Mm" and np.datetime_data(out.dtype)[0] not in _UNITS[out.dtype.kind]:
        return out.astype(f"{out.dtype.kind}8[s]")
    return out.astype(out.dtype.newbyteorder("="), copy=False)


def outputs(
    kind: Kind, given: Mapping[str, ArrayLike | None], target: ArrayLike | None = None
) -> dict[str, Array]:
    """Check the arrays of a kind against each other; a missing samples axis is added in front.

    The length of the target tells axes in another order, before their values are looked at.
    """
    n = _length(target)
    checked: dict[str, Array] = {}
    for name, axes in kind.arrays.items():
        values = given.get(name)
        if values is not None:
            checked[name] = _output(kind, name, axes, values, n)
        elif name in kind.required:
            raise lacking(kind, name)
    first = kind.required[0]
    for name, values in checked.items():
        if values.shape != checked[first].shape[: values.ndim]:
            raise InputError(
                f"{name} has shape {values.shape}, but {first} has {checked[first].shape}; "
                "their samples, rows and classes must agree"
            )
    return checked


def _length(values: ArrayLike | None) -> int | None:
    return len(values) if isinstance(values, Sized) and getattr(values, "shape", None) != () else None


def _output(kind: Kind, name: str, axes: str, values: ArrayLike, n: int | None) -> Array:
    given = as_array(name, values)
    if given.ndim == len(axes) - 1:
        given = given[np.newaxis]
    if given.ndim != len(axes):
        raise InputError(
            f"{name} has shape {given.shape}, but [{', '.join(axes)}] is needed, or [{', '.join(axes[1:])}] of a "
            "single sample; reshape it"
        )
    if n is not None and n > 1 and given.shape[1] != n and n in given.shape:
        raise InputError(
            f"target has {n} rows, but the predictions have {given.shape[1]}: {name} has shape {np.shape(values)}; "
            f"put its axes in the order [{', '.join(axes)}], or [{', '.join(axes[1:])}] of a single sample"
        )
    if name == "probs" and kind.target_axes == "N":
        if given.shape[-1] == 1:
            raise InputError(
                "probs has one column; give one per class, for two classes np.stack([1 - p, p], axis=-1)"
            )
        return probabilities(name, given, given.ndim)
    if name == "probs":
        return unit_interval(name, given, given.ndim)
    if axes == "SN":  # `finite` names rows along the last axis but one
        return _variance(name, finite(name, given.T, 2).T)
    return finite(name, given, given.ndim)


def _variance(name: str, values: Array) -> Array:
    if name.endswith("variance") and values.min() < 0:
        raise InputError(
            f"{name} is negative in {rows(values.min(axis=0) < 0)}; variances are ≥ 0 "
            "(if the model gives a log-variance, take its exponential)"
        )
    return values


def class_names(values: Sequence[object] | ArrayLike | None, k: int) -> tuple[str, ...]:
    """Class names as strings in column order; by default "0", "1", ….

    >>> class_names([1.0, 2.0], 2)
    ('1', '2')
    """
    if values is None:
        return tuple(str(i) for i in range(k))
    given = np.asarray(values)
    if named_by_number(given):
        given = given.astype(np.int64)
    names = tuple(str(value) for value in given.ravel().tolist())
    if len(names) != k:
        raise InputError(
            f"classes names {len(names)} classes, but the predictions have {k}; name each column"
        )
    if len(set(names)) < k or "" in names:
        twice = sorted({name or "the empty text" for name in names if names.count(name) > 1 or not name})
        raise InputError(f"classes names {', '.join(twice[:5])} twice or not at all; give each its own name")
    return names


def column_names(table: ArrayLike) -> list[object] | None:
    """The column names of a data frame, unless they only count: these name its classes.

    >>> column_names([[0.5, 0.5]])
    """
    names = getattr(table, "columns", None)
    names = None if names is None else list(names)
    if not names or not all(isinstance(name, str | int | np.integer) for name in names):
        return None
    return None if [str(name) for name in names] == [str(i) for i in range(len(names))] else names


def named_by_number(classes: Sequence[object] | ArrayLike | None) -> bool:
    """Whether the classes are whole numbers, so that a target of numbers holds these and not codes.

    >>> named_by_number([1, 2, 3]), named_by_number(["1", "2", "3"]), named_by_number(None)
    (True, False, False)
    """
    if classes is None:
        return False
    given = np.asarray(classes)
    return given.dtype.kind in "iu" or (given.dtype.kind == "f" and bool((given == np.floor(given)).all()))


def partitions(values: ArrayLike | None) -> Array | None:
    """Partition names, one a row."""
    if values is None:
        return None
    out = column("partition", values)
    if out.dtype.kind != "U":
        raise InputError(f"partition has dtype {out.dtype}; give names such as dev_in, dev_out, in, shifted")
    if (out == "").any():
        raise InputError(f"partition is missing in {rows(out == '')}; name the part each row belongs to")
    return out


def members(values: ArrayLike | None, s: int) -> NDArray[np.int64]:
    """Which ensemble member each sample came from; by default each its own."""
    if values is None:
        return np.arange(s)
    out = array("member", values, 1)
    if out.shape != (s,) or out.dtype.kind not in "iu":
        raise InputError(
            f"member holds {out.size} values of {out.dtype}, but there are {s} samples; "
            "give one whole number for each"
        )
    return out.astype(np.int64)


def metadata_columns(values: Mapping[str, ArrayLike] | None) -> dict[str, Array]:
    """Metadata columns, whose names may not be taken by the table itself."""
    for name in values or {}:
        if not isinstance(name, str) or not name:
            raise InputError(f"metadata column {name!r} has no name; name it with a text")
        if name in RESERVED:
            raise InputError(f"metadata column {name!r} has a reserved name; rename it")
    return {name: column(f"column {name!r}", given) for name, given in (values or {}).items()}


def run_facts(info: Info | None) -> dict[str, str | float | int | bool]:
    """Run-level facts: plain strings, numbers and booleans; NumPy's scalars become Python's."""
    if not isinstance(info or {}, Mapping):
        raise InputError(f"info is {type(info).__name__}; give a dict of strings, numbers and booleans")
    facts = {
        key: value.item() if isinstance(value, np.generic) else value for key, value in (info or {}).items()
    }
    for key, value in facts.items():
        if not isinstance(key, str) or not isinstance(value, str | float | int | bool):
            raise InputError(f"info[{key!r}] is {type(value).__name__}; give a string, a number or a boolean")
        if isinstance(value, float) and not np.isfinite(value):
            raise InputError(f"info[{key!r}] is {value}; give a finite number, or leave it out")
    return facts


def one_per_row(n: int, columns: Mapping[str, Array | None]) -> None:
    """Refuse columns that are not as long as the predictions."""
    for name, values in columns.items():
        if values is not None and len(values) != n:
            raise InputError(f"{name} has {len(values)} rows, but the predictions have {n}; give one per row")
