"""What was true: class codes, labels or values, each with its way to say that nobody knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import NORMALISATION_TOLERANCE, NOVEL, UNLABELLED, Array, array, as_array, rows
from surefoot.errors import InputError
from surefoot.predictions._validate import plain


def target_codes(
    values: ArrayLike | None,
    names: tuple[str, ...],
    n: int,
    *,
    novel: Sequence[object] = (),
    named_by_number: bool = False,
) -> NDArray[np.int64]:
    """Class codes: ≥ 0 a class, −1 a novel class, −2 unlabelled.

    Text is matched with the class names. Whole numbers are codes, unless the classes are
    ``named_by_number``: then they are names, too. What ``novel`` lists becomes −1; None, NaN and "" mean
    unlabelled.

    >>> target_codes(["cat", "", "bird"], ("cat", "dog"), 3, novel=["bird"])
    array([ 0, -2, -1])
    >>> target_codes([7, 3, -1], ("3", "7"), 3, named_by_number=True)
    array([ 1,  0, -1])
    """
    if values is None:
        return np.full(n, UNLABELLED, dtype=np.int64)
    given = plain("target", values)
    if given.ndim != 1:
        raise InputError(
            f"target has shape {given.shape}, but one class per row is needed; {_as_vector(given)}"
        )
    codes_of_names = {name: code for code, name in enumerate(names)}
    known_after_all = sorted(set(map(str, novel)) & set(names))
    if known_after_all and (given.dtype.kind == "U" or named_by_number):
        raise InputError(f"novel names the class {known_after_all[0]!r}, which the model knows; leave it out")
    if given.dtype.kind == "U":
        marks = {"": UNLABELLED, str(UNLABELLED): UNLABELLED, str(NOVEL): NOVEL}
        return _look_up(given, marks | codes_of_names | {str(label): NOVEL for label in novel}, names)
    numbers = _whole_numbers(given)
    if named_by_number or len(novel):
        known = {int(name): code for name, code in codes_of_names.items()} if named_by_number else {}
        known = known or {code: code for code in range(len(names))}
        unknown_to_model = {int(label): NOVEL for label in np.asarray(novel).tolist() if _is_number(label)}
        return _look_up(numbers, {UNLABELLED: UNLABELLED, NOVEL: NOVEL} | known | unknown_to_model, names)
    outside = (numbers < UNLABELLED) | (numbers >= len(names))
    if outside.any():
        k, given = len(names), numbers[numbers >= 0]
        from_one = given.size and given.min() >= 1 and given.max() == k
        hint = f"count classes from 0, or give classes=[1, {'…, ' if k > 2 else ''}{k}]; " if from_one else ""
        raise InputError(
            f"target lies outside the {len(names)} classes (codes 0 … {len(names) - 1}) in {rows(outside)}; {hint}"
            f"mark a class the model does not know as {NOVEL} (novel) and a missing label as {UNLABELLED}"
        )
    return numbers


def _as_vector(target: Array) -> str:
    """How to make one value a row of a target with more axes."""
    if target.size == max(target.shape, default=1):
        return "flatten it with target.ravel()"
    return "give class codes, of a one-hot target with target.argmax(axis=1)"


def _is_number(label: object) -> bool:
    return isinstance(label, int | float) and float(label).is_integer()


def _whole_numbers(given: Array) -> NDArray[np.int64]:
    if given.dtype.kind not in "biuf":
        raise InputError(f"target has dtype {given.dtype}; give class codes or class names")
    if given.dtype.kind != "f":
        return given.astype(np.int64)
    missing = np.isnan(given)
    broken = ~missing & (~np.isfinite(given) | (given != np.floor(given)))
    if broken.any():
        raise InputError(f"target is not a whole number in {rows(broken)}; give class codes or class names")
    return np.where(missing, UNLABELLED, given).astype(np.int64)


def _look_up(given: Array, known: Mapping[Any, int], names: tuple[str, ...]) -> NDArray[np.int64]:
    """The code of every label; a label that is not known is refused."""
    labels, codes = np.array(list(known)), np.array(list(known.values()), dtype=np.int64)
    order = np.argsort(labels)
    labels, codes = labels[order], codes[order]
    place = np.searchsorted(labels, given).clip(max=len(labels) - 1)
    unknown = labels[place] != given
    if unknown.any():
        found = np.unique(given[unknown]).tolist()
        listed = ", ".join(map(repr, names[:10])) + (" …" if len(names) > 10 else "")
        raise InputError(
            f"target holds {', '.join(map(repr, found[:5]))} in {rows(unknown)}, which is none of the classes "
            f"{listed}; {_hint(given, found, names)}mark a class the model does not know as {NOVEL} (novel) and "
            f"leave a missing label empty ({UNLABELLED})"
        )
    return np.asarray(codes[place])


def _hint(given: Array, strange: Sequence[object], names: tuple[str, ...]) -> str:
    """What a stranger among labels of text may be owed to, other than a novel class."""
    if given.dtype.kind != "U":
        return ""
    if all(str(label).removesuffix(".0") in names for label in strange):
        return "write numbers without a point (pandas: .astype('Int64')), or "
    named = bool(np.isin(given, names).any())
    return "" if named else "name the classes, in the order of their columns (classes=), or "


def target_labels(values: ArrayLike | None, n: int, k: int) -> NDArray[np.float32]:
    """Multilabel targets [N, K] of 0 and 1; NaN where nobody has labelled."""
    if values is None:
        return np.full((n, k), np.nan, dtype=np.float32)
    out = array("target", values, 2)
    if out.shape[1] != k:
        codes = ", or, if these are class codes, flatten it with target.ravel()" if out.shape[1] == 1 else ""
        raise InputError(
            f"target has {out.shape[1]} columns, but the predictions have {k} labels; give one each{codes}"
        )
    strange = (out != 0) & (out != 1) & ~np.isnan(out)
    if strange.any():
        raise InputError(
            f"target must be 0, 1 or NaN (unlabelled) for every label; {rows(strange.any(axis=1))} are not"
        )
    return out.astype(np.float32)


def refuse_one_hot(target: ArrayLike, probs: ArrayLike) -> None:
    """Refuse labels that seem to be one-hot classes, where nothing but their shape says multilabel."""
    labels, given = np.asarray(target), np.asarray(probs)
    if labels.dtype.kind not in "biuf" or given.dtype.kind not in "biuf" or labels.shape[1] < 2:
        return
    known = labels[~np.isnan(labels).all(axis=1)]
    one_hot = len(known) and ((known == 1).sum(axis=1) == 1).all() and ((known != 0).sum(axis=1) == 1).all()
    if one_hot and (np.abs(given.sum(axis=-1, dtype=np.float64) - 1) <= NORMALISATION_TOLERANCE).all():
        raise InputError(
            'the target looks one-hot: give class codes (target.argmax(1)), or state kind="multilabel"'
        )


def target_values(values: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """Regression targets; NaN where nobody has labelled."""
    if values is None:
        return np.full(n, np.nan)
    given = as_array("target", values)
    if given.ndim == 2 and given.shape[1] == 1:
        raise InputError(f"target has shape {given.shape}, but [N] is needed; flatten it with target.ravel()")
    out = array("target", given, 1).astype(np.float64)
    if np.isinf(out).any():
        raise InputError(
            f"target is infinite in {rows(np.isinf(out))}; remove these rows or set them to NaN (unlabelled)"
        )
    return out
