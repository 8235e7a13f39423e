"""The labelled rows, and many small shifted copies of them on which estimators learn and are tried out.

A *domain* is a batch as it might come: rows drawn from the labelled ones, moved by one family of shifts, with the
model's outputs and the labels known. Every domain is drawn from one of a few groups of rows. So a fold can leave out
a group and a family, and what was learned without them be tried on rows and shifts it has never seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot._columns import Columns, concatenate
from surefoot.errors import InputError
from surefoot.estimators._model import CLASSIFICATION, Model, reason
from surefoot.estimators._schema import Schema
from surefoot.estimators._worth import worth
from surefoot.shifts import (
    ConstantCategorical,
    JointSubsampling,
    KnockOut,
    MissingValues,
    NoShift,
    Outliers,
    Rebalance,
    Scaling,
    Shift,
    SubsampleNumeric,
    SwappedValues,
    SwitchCategorical,
)

GROUPS = 5
"""Groups of labelled rows."""

FEWEST = 20
"""Domains below which nothing is rehearsed: not every family would meet every group."""

UNMOVED = "no-shift"
"""The family of domains in which nothing moved."""

FAMILIES: Mapping[str, type[Shift]] = {
    "swapped-values": SwappedValues,
    "scaling": Scaling,
    "outliers": Outliers,
    "missing-values": MissingValues,
    UNMOVED: NoShift,
}
"""The kinds that paper 002 trains on (table II), and none."""

BROAD_FAMILIES: Mapping[str, type[Shift]] = {
    **FAMILIES,
    "constant-categorical": ConstantCategorical,
    "switch-categorical": SwitchCategorical,
    "rebalance": Rebalance,
}
"""Those, the like for categories, and other shares of the classes."""

DRAWN_FAMILIES: Mapping[str, type[Shift]] = {
    "rebalance": Rebalance,
    "knock-out": KnockOut,
    "subsample-numeric": SubsampleNumeric,
    "joint-subsampling": JointSubsampling,
    UNMOVED: NoShift,
}
"""Kinds that move no cells, for outputs without a model."""

SEVERITY, FEATURES = (0.75, 0.95), (0.25, 0.95)
"""Shares of rows and of columns that a domain's shift moves, drawn uniformly (paper 002, appendix A)."""

BROAD_SEVERITY = (0.1, 0.95)
"""The share of rows from light to severe: what is learned is meant for batches of both sorts."""


@dataclass(frozen=True)
class Batch:
    """Rows as the estimators see them: features (None where only outputs are known) and the model's outputs."""

    features: NDArray[np.float32] | None
    outputs: Array

    def __len__(self) -> int:
        return len(self.outputs)

    def take(self, rows: Any) -> Batch:
        """Some rows."""
        return Batch(None if self.features is None else self.features[rows], self.outputs[rows])


@dataclass(frozen=True)
class Rehearsal:
    """Labelled rows and shifted domains, with the groups and families that folds leave out.

    ``rows`` holds the labelled rows, ``domains`` the rows of all domains below each other, which were the labelled
    rows ``source``; domain d is ``domains.take(slice(*bounds[d:d+2]))``. Targets are class codes or values.
    ``relabelled`` tells which families give the classes other shares.
    """

    rows: Batch
    target: Array
    weights: Array
    group: NDArray[np.int64]
    domains: Batch
    domain_target: Array
    domain_weights: Array
    source: NDArray[np.int64]
    bounds: NDArray[np.int64]
    family: NDArray[np.int64]
    domain_group: NDArray[np.int64]
    families: tuple[str, ...]
    relabelled: tuple[bool, ...]
    schema: Schema | None
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[slice]:
        """The rows of each domain."""
        for start, end in zip(self.bounds[:-1], self.bounds[1:], strict=True):
            yield slice(int(start), int(end))

    @property
    def is_code(self) -> NDArray[np.bool_]:
        """Which features are codes of categories."""
        return np.zeros(0, dtype=bool) if self.schema is None else self.schema.is_code

    @property
    def of_row(self) -> NDArray[np.int64]:
        """The domain of every row of ``domains``."""
        return np.repeat(np.arange(len(self.family)), np.diff(self.bounds))

    @property
    def sizes(self) -> Array:
        """How many different rows each domain is worth.

        Rows of a small group are drawn several times, and a row that counts twice tells nothing twice.
        """
        return np.array(
            [worth(np.bincount(self.source[place], self.domain_weights[place])) for place in self]
        )


@dataclass(frozen=True)
class Plan:
    """How many domains are rehearsed, of how many rows, from which families of shifts."""

    domains: int = 500
    rows: int = 500
    families: Mapping[str, type[Shift]] | None = None
    seed: int = 0
    severity: tuple[float, float] = BROAD_SEVERITY

    def __post_init__(self) -> None:
        for name, value, least in (("domains", self.domains, FEWEST), ("rows", self.rows, 1)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise InputError(f"{name} must be a whole number of at least {least}, not {value!r}")
        for name, kind in (self.families or {}).items():
            if not isinstance(kind, type) or not issubclass(kind, Shift):
                raise InputError(f"families maps names to kinds of shifts, but {name} is {kind!r}")

    def kinds(self, model: Model) -> Mapping[str, type[Shift]]:
        """The families: those named, else all that suit the model, or without one those that only draw rows."""
        if self.families is not None:
            return {**self.families, UNMOVED: NoShift}
        if model.native is None:
            return DRAWN_FAMILIES
        classes = model.kind == CLASSIFICATION
        return {name: kind for name, kind in BROAD_FAMILIES.items() if classes or kind.sort != "label"}


def rehearse(
    model: Model,
    table: Columns,
    schema: Schema | None,
    outputs: Array,
    target: Array,
    weights: Array,
    plan: Plan,
) -> Rehearsal:
    """Move copies of the labelled rows, and have the model predict all of them in one call.

    Without a model (``schema`` is None) the table is that of its outputs, and rows are only drawn in other shares.
    """
    rng = np.random.default_rng(plan.seed)
    group = _groups(len(table), rng)
    kinds, notes = _accepted(model, table, target, plan, rng)
    parts, targets, sources, family, of_group = [], [], [], [], []
    for d in range(plan.domains):
        f = d % len(kinds)
        g = _group_of(d // len(kinds), f)
        members = np.flatnonzero(group == g)
        rows = rng.choice(members, size=plan.rows, replace=len(members) < plan.rows)
        shift = _drawn(list(kinds.values())[f], plan.severity, rng)
        moved, labels, record = shift.move(table.take(rows), target[rows], rng)
        parts.append(moved)
        targets.append(np.asarray(labels))
        sources.append(rows[record.source])
        family.append(f)
        of_group.append(g)
    source = np.concatenate(sources)
    if schema is None:
        rows_batch, domains = Batch(None, outputs), Batch(None, outputs[source])
    else:
        together = concatenate(parts)
        rows_batch = Batch(schema.features(table), outputs)
        domains = Batch(schema.features(together), model(together.to_native()))
    return Rehearsal(
        rows=rows_batch,
        target=target,
        weights=weights,
        group=group,
        domains=domains,
        domain_target=np.concatenate(targets),
        domain_weights=weights[source],
        source=source,
        bounds=np.concatenate([[0], np.cumsum([len(part) for part in parts])]),
        family=np.array(family),
        domain_group=np.array(of_group),
        families=tuple(kinds),
        relabelled=tuple(kind.sort == "label" for kind in kinds.values()),
        schema=schema,
        notes=notes,
    )


def _groups(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows dealt to the groups at random, as evenly as they go."""
    return rng.permutation(np.arange(n) % GROUPS)


def _group_of(turn: int, family: int) -> int:
    """Every other domain of a family is from the group that leaves with it, the rest from all in turn."""
    return family % GROUPS if turn % 2 else (turn // 2) % GROUPS


def _drawn(kind: type[Shift], severity: tuple[float, float], rng: np.random.Generator) -> Shift:
    """A shift of this kind with a share of rows and of columns drawn at random."""
    return _with(kind, samples=rng.uniform(*severity), features=rng.uniform(*FEATURES))


def _hardest(kind: type[Shift]) -> Shift:
    """A shift of this kind at its most severe, in all columns: what a model accepts there it accepts always."""
    return _with(kind, samples=SEVERITY[1], features=1.0)


def _with(kind: type[Shift], **options: float) -> Shift:
    """A shift of this kind with those of the options that it knows."""
    known = getattr(kind, "__dataclass_fields__", {})
    return kind(**{name: value for name, value in options.items() if name in known})


def _accepted(
    model: Model, table: Columns, target: Array, plan: Plan, rng: np.random.Generator
) -> tuple[dict[str, type[Shift]], tuple[str, ...]]:
    """The families that move something here and whose rows the model accepts: many refuse missing values."""
    kinds = plan.kinds(model)
    if model.native is None:
        if cells := [name for name, kind in kinds.items() if kind.sort == "covariate"]:
            raise InputError(f"{', '.join(cells)} moves cells, which needs a model to predict them; give one")
        return dict(kinds), ()
    accepted, notes = {}, []
    few = np.linspace(0, len(table) - 1, 50).astype(np.int64)
    for name, kind in kinds.items():
        moved, _, record = _hardest(kind).move(table.take(few), target[few], rng)
        if not record.moved and kind is not NoShift:
            continue  # nothing that it moves is in this table: it would only be no-shift by another name
        try:
            model(moved.to_native())
        except InputError as error:
            if kind is NoShift:
                raise
            why = reason(error.__cause__) if isinstance(error.__cause__, Exception) else str(error)
            notes.append(f"the model refuses {name} ({why}): nothing was learned about such a shift")
        else:
            accepted[name] = kind
    if len(accepted) < 2:
        why = "; ".join(notes) or f"these columns hold nothing that {', '.join(kinds)} could move"
        raise InputError(f"no family of shifts can be rehearsed: {why}; name other ones (families=…)")
    return accepted, tuple(notes)
