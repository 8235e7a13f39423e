"""When not to trust an estimate: too few rows, values never labelled, movement never rehearsed, members at odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from surefoot.estimators._method import Seen
from surefoot.estimators._movement import Reference

FEW_ROWS = 100
"""Rows below which chance alone moves an accuracy by several points."""

MANY_OUTSIDE = 0.05
"""Share of rows outside what was labelled, in one column, from which a column is named."""

ALIKE = 0.4
"""Likeness to the nearest rehearsed shift below which a movement counts as another one."""


def doubts(
    seen: Seen,
    outside: Mapping[str, float],
    reference: Reference,
    members: Mapping[str, float],
    half_width: float,
    notes: Sequence[str],
) -> tuple[str, ...]:
    """Sentences, each a reason and what it means for the estimate."""
    found = []
    n = len(seen.outputs)
    if n < FEW_ROWS:
        found.append(f"only {n} rows: chance alone moves the score of so few; gather {FEW_ROWS} or more")
    strange = sorted(
        (name for name in outside if outside[name] >= MANY_OUTSIDE), key=lambda name: -outside[name]
    )
    if strange:
        named = ", ".join(f"{name} ({outside[name]:.0%} of rows)" for name in strange[:5])
        more = f" and {len(strange) - 5} more columns" if len(strange) > 5 else ""
        found.append(
            f"values that no labelled row has: {named}{more}; nothing is known about the model there"
        )
    if seen.movement.moved == 1 and reference.likeness(seen.movement.profile) < ALIKE:
        found.append(
            "the batch has moved in a way unlike any rehearsed shift; the bounds are calibrated on other ways"
        )
    if members and max(members.values()) - min(members.values()) > 2 * half_width:
        said = ", ".join(f"{name} {value:.3f}" for name, value in members.items())
        found.append(f"the combined estimators disagree by more than the bounds are wide: {said}")
    return (*found, *notes)
