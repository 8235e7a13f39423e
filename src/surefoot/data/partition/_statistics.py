"""What is in each part, and the hash by which two partitions are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import NOVEL, same_length
from surefoot.data.partition._names import PARTITIONS
from surefoot.data.partition._values import distinct
from surefoot.errors import InputError


@dataclass(frozen=True)
class PartStatistics:
    """One part: its rows, its classes or the spread of its target, and the hash of its rows.

    ``classes`` counts rows by class and ``novel`` those of a class that is not known to the model; ``mean``,
    ``deviation``, ``low`` and ``high`` are of a target of numbers, None else.
    """

    rows: int
    sha256: str
    classes: Mapping[str, int] = field(default_factory=dict)
    novel: int = 0
    mean: float | None = None
    deviation: float | None = None
    low: float | None = None
    high: float | None = None


def statistics(
    partition: ArrayLike, target: ArrayLike, *, classes: Sequence[str] = (), id: ArrayLike | None = None
) -> dict[str, PartStatistics]:
    """Statistics of every part that has rows; ``classes`` names the codes of a classification's target.

    >>> found = statistics(["train", "train", "eval_in"], [0, 1, 1], classes=["no", "yes"])
    >>> found["train"].classes, found["eval_in"].rows
    ({'no': 1, 'yes': 1}, 1)
    """
    parts, values = np.asarray(partition), np.asarray(target)
    ids = np.arange(len(parts)) if id is None else np.asarray(id)
    same_length(partition=parts, target=values, id=ids)
    found = {}
    for name in PARTITIONS:
        there = parts == name
        if not there.any():
            continue
        rows, sha = int(there.sum()), split_hash(ids[there], parts[there], values[there])
        inside = values[there]
        if classes:
            counts = np.bincount(inside[inside >= 0], minlength=len(classes))
            named = {str(one): int(count) for one, count in zip(classes, counts, strict=True)}
            found[name] = PartStatistics(rows, sha, named, int((inside == NOVEL).sum()))
        else:
            ends = (inside.mean(), inside.std(), inside.min(), inside.max())
            found[name] = PartStatistics(rows, sha, {}, 0, *(float(value) for value in ends))
    return found


def cross_counts(partition: ArrayLike, column: object) -> dict[str, dict[Any, int]]:
    """How many rows of each part have each value of a column, such as a climate.

    >>> cross_counts(["train", "eval_out", "eval_out"], ["dry", "snow", "snow"])
    {'train': {'dry': 1}, 'eval_out': {'snow': 2}}
    """
    parts = np.asarray(partition)
    codes, values = distinct("the column", column)
    found: dict[str, dict[Any, int]] = {}
    for name in PARTITIONS:
        counts = np.bincount(codes[parts == name], minlength=len(values))
        if counts.any():
            found[name] = {value: int(n) for value, n in zip(values, counts, strict=True) if n}
    return found


def split_hash(id: ArrayLike, partition: ArrayLike, target: ArrayLike) -> str:
    """SHA-256 over ids × parts × targets, whatever the order of the rows.

    >>> split_hash([1, 2], ["train", "eval_in"], [0, 1]) == split_hash([2, 1], ["eval_in", "train"], [1, 0])
    True
    """
    ids: NDArray[Any] = np.asarray(id).astype(str)
    order = np.argsort(ids, kind="stable")
    values = np.asarray(target)
    if values.dtype.kind not in "biuf":
        raise InputError(f"targets of {values.dtype} have no hash; give codes of classes or numbers")
    whole = "<i8" if values.dtype.kind in "biu" else "<f8"
    digest = hashlib.sha256()
    for column in (ids, np.asarray(partition).astype(str)):
        digest.update("\n".join(column[order].tolist()).encode())
        digest.update(b"\0")
    digest.update(np.ascontiguousarray(values[order].astype(whole)).tobytes())
    return digest.hexdigest()
