"""Batches on which estimators are tested: the sets of table II, natural shifts, and nothing moved.

Every batch is a fresh draw of clean target rows, moved by one shift of random severity. Appendix A of Maggio et al.
2022 says both that test batches come from a target set of n rows of its own, and that each is a fresh draw from the
pool; here they are fresh draws, and none of their rows is in the pool. (The published code moves the same n rows
every time.) Shifts of the mixture of rows draw with replacement: they start from all clean rows, so that few rows are
in a batch twice.

Table II leaves open to which set `PlusMinusPercent` belongs. It moves cells and no mixture of rows, so it is an unseen
shift and no subpopulation; the published code sorts it so, too. The 5 · 100 batches of unseen severity in appendix A
are four kinds and no shift, which the tables report apart, as here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from surefoot._columns import Columns, open_columns
from surefoot.estimators.benchmark._worlds import Rows, World
from surefoot.shifts import (
    ConstantNumeric,
    FlipSign,
    GaussianNoise,
    JointSubsampling,
    KnockOut,
    MissingValues,
    Outliers,
    PlusMinusPercent,
    Scaling,
    Shift,
    SubsampleCategorical,
    SubsampleNumeric,
    SwappedValues,
)

SEVERITY, SHIFT, SUBPOPULATION, NATURAL, NONE = SETS = (
    "unseen_severity",
    "unseen_shift",
    "unseen_subpop_shift",
    "natural",
    "no_shift",
)
"""The test sets of section VI."""

FEATURES = (0.25, 0.95)
"""Share of the columns that a shift moves, drawn uniformly."""


@dataclass(frozen=True)
class Kind:
    """A kind of shift with its options, and between which severities it is drawn."""

    make: type[Shift]
    severity: tuple[float, float]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The kind and its options."""
        return " ".join([self.make.name, *map(str, self.options.values())])

    def drawn(self, rng: np.random.Generator) -> Shift:
        """A shift with a severity and a share of columns drawn at random."""
        drawn = {"samples": rng.uniform(*self.severity), "features": rng.uniform(*FEATURES)}
        known = getattr(self.make, "__dataclass_fields__", {})
        return self.make(**self.options, **{name: value for name, value in drawn.items() if name in known})


_SEEN, _UNSEEN = (0.25, 0.74), (0.25, 0.95)

KINDS: Mapping[str, tuple[Kind, ...]] = {
    SEVERITY: tuple(Kind(make, _SEEN) for make in (SwappedValues, Scaling, Outliers, MissingValues)),
    SHIFT: (
        Kind(GaussianNoise, _UNSEEN, {"size": "small"}),
        Kind(GaussianNoise, _UNSEEN, {"size": "medium"}),
        Kind(FlipSign, _UNSEEN),
        Kind(ConstantNumeric, _UNSEEN),
        Kind(PlusMinusPercent, _UNSEEN),
    ),
    SUBPOPULATION: tuple(
        Kind(make, _UNSEEN) for make in (JointSubsampling, SubsampleNumeric, SubsampleCategorical, KnockOut)
    ),
}
"""The kinds of every synthetic set (table II)."""


@dataclass(frozen=True)
class Scenario:
    """A labelled batch: the set and the kind of its shift, its severity (NaN where nothing was drawn), its rows."""

    set: str
    kind: str
    samples: float
    features: float
    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)


def scenarios(world: World, count: Mapping[str, int], seed: int) -> list[Scenario]:
    """Batches of a world: ``count`` says for every set how many of each kind (of natural shifts, of each value)."""
    rng = np.random.default_rng(seed)
    target = open_columns(world.target.X)
    found = []
    for name, kinds in KINDS.items():
        for kind in kinds:
            for _ in range(count.get(name, 0)):
                if (one := _moved(world, target, name, kind, rng)) is not None:
                    found.append(one)
    for value, rows in world.natural.items():
        for _ in range(count.get(NATURAL, 0)):
            found.append(Scenario(NATURAL, value, np.nan, np.nan, _drawn(rows, world.n, rng)))
    for _ in range(count.get(NONE, 0)):
        found.append(Scenario(NONE, NONE, np.nan, np.nan, _drawn(world.target, world.n, rng)))
    return found


def _moved(world: World, target: Columns, name: str, kind: Kind, rng: np.random.Generator) -> Scenario | None:
    """A batch moved by a kind of shift, None where there is nothing that it moves."""
    shift = kind.drawn(rng)
    start = rng.permutation(len(target))[: world.n if kind.make.sort == "covariate" else None]
    moved, labels, record = shift.move(target.take(start), world.target.y[start], rng)
    if not record.moved:
        return None
    kept = rng.permutation(len(moved))[: world.n]
    rows = Rows(moved.take(kept).to_native(), np.asarray(labels)[kept])
    return Scenario(
        name, kind.name, getattr(shift, "samples", np.nan), getattr(shift, "features", np.nan), rows
    )


def _drawn(rows: Rows, n: int, rng: np.random.Generator) -> Rows:
    """A batch of n rows, or of all there are."""
    chosen = rng.permutation(len(rows))[:n]
    return Rows(rows.X.take(chosen), rows.y[chosen])
