"""What a rule is: when it holds, what it speaks for or against, how loudly, and where it is written.

Conditions are words of the needs (`Needs.words`) and of a set-up (`Setup.words`): all that are named must fit, an empty
one always does. Weights are added to the share of comparisons that a set-up won beyond one half, which lies between
-0.3 and 0.35: `SLIGHT` decides between neighbours, `CLEAR` passes about half of the field, and `STRONG` leaves a set-up
only for want of others. These three sizes are Surefoot's reading of the papers' words; everything else is theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from surefoot.bench.advice._sources import Source

Words = Mapping[str, tuple[str, ...]]

SLIGHT, CLEAR, STRONG = 0.1, 0.25, 1.0


@dataclass(frozen=True)
class Rule:
    """A finding. ``when`` is about needs, ``of`` about set-ups; a positive weight speaks for these."""

    name: str
    says: str
    weight: float
    source: Source
    when: Words = field(default_factory=dict)
    of: Words = field(default_factory=dict)


@dataclass(frozen=True)
class Reason:
    """What speaks for a candidate (a positive weight) or against it; ``rule`` is the name of the rule."""

    says: str
    weight: float
    source: Source
    rule: str


def fits(wanted: Words, words: Mapping[str, str]) -> bool:
    """Whether words fulfil a condition.

    >>> fits({"shift": ("novel", "covariate")}, {"shift": "novel", "classes": "few"})
    True
    """
    return all(words[name] in allowed for name, allowed in wanted.items())
