"""Whether predictions are of a task's rows: ids, parts and targets, and which rows differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import UNLABELLED
from surefoot.errors import InputError
from surefoot.predictions import Predictions
from surefoot.tasks import TaskData
from surefoot.tasks._data import Part

_SHOWN = 5


def in_order(given: Predictions, data: TaskData, parts: tuple[str, ...]) -> Predictions:
    """The predictions in the order of the task's rows; a sentence for whatever is not those rows."""
    if problems := list(differences(given, data, parts)):
        raise InputError(" ".join(problems))
    wanted = data.part(*parts).id.astype(str)
    ids = given.id.astype(str)
    places = np.argsort(ids, kind="stable")
    return given.select(places[np.searchsorted(ids[places], wanted)])


def differences(given: Predictions, data: TaskData, parts: tuple[str, ...]) -> Iterator[str]:
    """What is not as it is in the task's parts, a sentence each."""
    if given.kind != data.kind:
        yield f"The predictions are of the kind {given.kind}, but {data.name} is a {data.kind}."
        return
    if given.classes != data.classes:
        yield (
            f"The classes are {_listed(given.classes)}, but those of {data.name} are {_listed(data.classes)}: "
            "give them these names, in this order."
        )
        return
    if given.partition is None:
        yield f"The predictions do not say which part a row is of: give a partition out of {', '.join(parts)}."
        return
    rows = data.part(*parts)
    lacking = [part for part in parts if part not in given.partition]
    for part in lacking:
        yield (
            f"The part {part} is lacking: predict its {np.count_nonzero(rows.partition == part):,} rows too."
        )
    yield from _of_rows(given, rows, lacking, data.name)


def _of_rows(given: Predictions, rows: Part, lacking: list[str], name: str) -> Iterator[str]:
    wanted, ids = rows.id.astype(str), given.id.astype(str)
    absent = ~np.isin(wanted, ids) & ~np.isin(rows.partition, lacking)
    if absent.any():
        yield f"{_counted(wanted[absent], 'row')} of {name} lacking: predict all rows of its parts."
    extra = ~np.isin(ids, wanted)
    if extra.any():
        yield (
            f"{_counted(ids[extra], 'id')} no row of these parts of {name}: predict only rows of "
            "dev_in, dev_out, eval_in and eval_out, with the ids that the task gives."
        )
    mine, theirs = _shared(ids, wanted)
    assert given.partition is not None
    moved = given.partition[mine] != rows.partition[theirs]
    if moved.any():
        yield f"{_counted(ids[mine][moved], 'row')} of another part in {name}: keep the parts of the task."
    other = _differ(given.target[mine], rows.y[theirs], given.kind)
    if other.any():
        yield (
            f"{_counted(ids[mine][other], 'row')} of another target in {name}: keep the targets of the task, or hand "
            "in none."
        )


def _shared(ids: NDArray[Any], wanted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Places of the ids that both have."""
    _, mine, theirs = np.intersect1d(ids, wanted, assume_unique=True, return_indices=True)
    return mine, theirs


def _differ(given: NDArray[Any], wanted: NDArray[Any], kind: str) -> NDArray[np.bool_]:
    """Where a target was given and is another one."""
    if kind == "classification":
        other: NDArray[np.bool_] = (given != UNLABELLED) & (given != wanted)
    else:
        other = np.isfinite(given) & ~np.isclose(given, wanted, rtol=1e-5, atol=1e-8)
    return other


def _counted(ids: NDArray[Any], what: str) -> str:
    """So many rows, the first of them by their ids, with the verb.

    >>> _counted(np.array(["7"]), "row"), _counted(np.array(["1", "2"]), "id")
    ('1 row (7) is', '2 ids (1, 2) are')
    """
    shown = ", ".join(ids[:_SHOWN].tolist()) + (", …" if len(ids) > _SHOWN else "")
    return f"{len(ids):,} {what}{'' if len(ids) == 1 else 's'} ({shown}) {'is' if len(ids) == 1 else 'are'}"


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_SHOWN]) + (f", … ({len(names)} in all)" if len(names) > _SHOWN else "")
    return shown or "none"
