"""Files are compared row by row: the same ids, targets and sides, whatever their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from surefoot._checks import Array
from surefoot.compare import _guard as guard
from surefoot.compare._entrants import Rows
from surefoot.errors import InputError, NotComparable

_SAME_VALUE = 1e-6
"""Regression targets may have gone through float32 in one of the files."""


def same_rows(rows: Sequence[Rows], *, force: bool) -> list[Rows]:
    """Predictions of one dataset, checked to be of the same rows; forced, the rows that all share.

    Raises `NotComparable` where ids, targets or sides differ, or what is predicted does.
    """
    rows = _ids_of_one_type(rows)
    for other in rows[1:]:
        _same_kind(rows[0], other)
        guard.refuse(_id_reasons(rows[0], other), force=force, stacklevel=4)
    rows = _shared(rows)
    first = rows[0]
    for other in rows[1:]:
        guard.refuse(_column_reasons(first, other), force=force, stacklevel=4)
    place = {name: first.table.columns[name] for name in ("set", "side")}
    return [replace(one, table=replace(one.table, columns={**one.table.columns, **place})) for one in rows]


def _ids_of_one_type(rows: Sequence[Rows]) -> list[Rows]:
    """Ids as text where some files hold numbers and others text."""
    if len({one.ids.dtype.kind == "U" for one in rows}) == 1:
        return list(rows)
    texts = [replace(one, ids=one.ids.astype(str)) for one in rows]
    return [one.select(np.argsort(one.ids)) for one in texts]


def _same_kind(first: Rows, other: Rows) -> None:
    """Models that do not even predict the same cannot be forced together."""
    a, b = first.candidate, other.candidate
    if a.source.kind != b.source.kind:
        raise NotComparable(
            f"{a.method} predicts {a.source.kind} and {b.method} {b.source.kind} on dataset {a.dataset!r}: "
            "compare models of one task, or give the datasets different names (info['dataset'])."
        )
    unlike = sorted(set(a.source.classes) ^ set(b.source.classes))
    if unlike:
        listed = ", ".join(map(repr, unlike[:5])) + (", …" if len(unlike) > 5 else "")
        raise NotComparable(
            f"{a.method} and {b.method} know different classes on dataset {a.dataset!r} ({listed} are known to one "
            "only): give both all classes, with probability 0 where a model never predicts one."
        )
    if first.rule.name == "cost_matrix" and a.source.classes != b.source.classes:
        raise InputError(
            f"{a.method} and {b.method} have their classes in different orders, so that one cost matrix cannot "
            "fit both; write the classes in one order"
        )


def _id_reasons(first: Rows, other: Rows) -> Iterator[str]:
    if not np.array_equal(first.ids, other.ids):
        yield from guard.row_reasons(first.candidate.method, other.candidate.method, (first.ids, other.ids))


def _shared(rows: Sequence[Rows]) -> list[Rows]:
    """Only the ids that all have, in the same order."""
    ids = reduce(np.intersect1d, (one.ids for one in rows))
    if not len(ids):
        raise NotComparable(
            f"the files of dataset {rows[0].candidate.dataset!r} have no id in common: predict the same rows with "
            "all methods, and write the same ids."
        )
    return [one if len(one.ids) == len(ids) else one.select(np.isin(one.ids, ids)) for one in rows]


def _column_reasons(first: Rows, other: Rows) -> Iterator[str]:
    """What speaks against two files with the same ids."""
    names = first.candidate.method, other.candidate.method
    differs = _different_truth(first.truth, other.truth)
    yield from guard.column_reasons(
        *names, "targets", first.ids, differs, "make sure that ids mean the same inputs, and labels agree"
    )
    columns, others = first.table.columns, other.table.columns
    moved: Array = (columns["set"] != others["set"]) | (columns["side"] != others["side"])
    yield from guard.column_reasons(
        *names, "partitions", first.ids, moved, "write the same partition column into both"
    )


def _different_truth(first: Array, other: Array) -> Array:
    if first.dtype.kind in "iu":
        return np.not_equal(first, other)
    with np.errstate(invalid="ignore"):
        differs = ~np.isclose(first, other, rtol=_SAME_VALUE, atol=0, equal_nan=True)
    return np.asarray(differs.reshape(len(differs), -1).any(axis=1))
