"""The kinds of shifts by name."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from typing import Any

from surefoot.errors import InputError
from surefoot.shifts._categorical import ConstantCategorical, SwitchCategorical
from surefoot.shifts._combine import NoShift
from surefoot.shifts._labels import KnockOut, LabelSwitch, OnlyOne, Rebalance
from surefoot.shifts._missing import MissingValues
from surefoot.shifts._neighbours import NearestNeighbours, OverSample, UnderSample
from surefoot.shifts._numeric import (
    ConstantNumeric,
    FlipSign,
    GaussianNoise,
    Outliers,
    PlusMinusPercent,
    Scaling,
    SwappedValues,
)
from surefoot.shifts._shift import Shift
from surefoot.shifts._subsample import JointSubsampling, SubsampleCategorical, SubsampleNumeric

_CLASSES: tuple[type[Shift], ...] = (
    SwappedValues,
    Scaling,
    Outliers,
    MissingValues,
    GaussianNoise,
    FlipSign,
    ConstantNumeric,
    PlusMinusPercent,
    ConstantCategorical,
    SwitchCategorical,
    JointSubsampling,
    SubsampleNumeric,
    SubsampleCategorical,
    NearestNeighbours,
    UnderSample,
    OverSample,
    KnockOut,
    OnlyOne,
    Rebalance,
    LabelSwitch,
    NoShift,
)


@dataclass(frozen=True)
class ShiftKind:
    """One entry of the table of kinds."""

    name: str
    sort: str
    """``"covariate"``, ``"subpopulation"``, ``"label"``, ``"concept"`` or ``"none"``."""
    needs: tuple[str, ...]
    """What the data must have: ``"numeric columns"``, ``"categorical columns"``, ``"labels"``."""
    summary: str
    about: str
    """All that its docstring says."""
    options: dict[str, Any]
    """What may be set, with its defaults."""
    make: type[Shift]


def kinds() -> tuple[ShiftKind, ...]:
    """All kinds of shifts of tables that can be named.

    >>> [kind.name for kind in kinds() if kind.sort == "label"]
    ['knock-out', 'only-one', 'rebalance']
    """
    return tuple(_entry(one) for one in _CLASSES)


def find_kind(name: str) -> ShiftKind:
    """The kind of this name, or the only one whose name starts with it.

    >>> find_kind("missing").name
    'missing-values'
    """
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    names = [one.name for one in _CLASSES]
    matches = (
        [wanted] if wanted in names else [known for known in names if wanted and known.startswith(wanted)]
    )
    if len(matches) != 1:
        close = matches or get_close_matches(wanted, names, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"choose from {', '.join(names)}"
        raise InputError(f"{name!r} names {'several kinds' if matches else 'no kind'} of shift; {hint}")
    return _entry(_CLASSES[names.index(matches[0])])


def kind(name: str, **options: Any) -> Shift:
    """The shift of this kind, or of the only kind whose name starts so, with these options.

    >>> kind("flip", samples=0.2)
    FlipSign(samples=0.2, features=0.5, columns=None)
    """
    entry = find_kind(name)
    if strange := [option for option in options if option not in entry.options]:
        has = f"it has {', '.join(entry.options)}" if entry.options else "it has none"
        raise InputError(f"{entry.name} has no option {', '.join(strange)}; {has}")
    try:
        return entry.make(**options)
    except TypeError as error:  # a text where numbers were needed, for instance
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise InputError(f"{entry.name} cannot be made with {given} ({error})") from None


def _entry(one: type[Shift]) -> ShiftKind:
    needs = _needs(one)
    about = inspect.getdoc(one) or ""
    summary = about.partition("\n\n")[0].replace("\n", " ").replace("``", "")
    options = {field.name: field.default for field in fields(one) if field.default is not MISSING}  # type: ignore[arg-type]
    return ShiftKind(one.name, one.sort, needs, summary, about, options, one)


def _needs(one: type[Shift]) -> tuple[str, ...]:
    kinds: Sequence[str] = one.kinds
    columns = {("numeric",): "numeric columns", ("categorical", "boolean"): "categorical columns"}
    found = [columns[tuple(kinds)]] if tuple(kinds) in columns else []
    return (*found, *(["labels"] if one.labelled else []))
