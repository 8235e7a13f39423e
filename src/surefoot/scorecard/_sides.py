"""From partition names to what scores are given for: a set (dev, eval, …) and its side (in, shifted).

Canonical names are `train`, `dev_in`, `dev_out`, `eval_in`, `eval_out`; files that know only two sides use
`in` and `shifted`, which make up the set `test`. Any other name has to be assigned to a side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array, rows
from surefoot.errors import InputError

SETS = ("train", "dev", "eval", "test")
SIDES = ("in", "shifted", "all")

NO_SIDE, IN, SHIFTED = -1, 0, 1

_CANONICAL = {
    "train": ("train", NO_SIDE),
    "dev_in": ("dev", IN),
    "dev_out": ("dev", SHIFTED),
    "eval_in": ("eval", IN),
    "eval_out": ("eval", SHIFTED),
    "in": ("test", IN),
    "shifted": ("test", SHIFTED),
}


@dataclass(frozen=True)
class Sides:
    """Which partition belongs to which set and side."""

    places: Mapping[str, tuple[str, int]]
    met: set[str] = field(default_factory=set)
    """Names that occurred in the partitions seen so far."""

    @classmethod
    def naming(cls, in_names: str | Sequence[str] = (), shifted_names: str | Sequence[str] = ()) -> Sides:
        """The canonical names, and further ones that make up the two sides of the set `test`."""
        in_names, shifted_names = one_or_more(in_names), one_or_more(shifted_names)
        both = set(in_names) & set(shifted_names)
        if both:
            raise InputError(
                f"partition {sorted(both)[0]!r} cannot be both in-domain and shifted; name it once"
            )
        further = dict.fromkeys(in_names, ("test", IN)) | dict.fromkeys(shifted_names, ("test", SHIFTED))
        return cls(_CANONICAL | further)

    def codes(
        self, partition: Array | None, n: int, first: int = 0
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Position in `SETS` and side (−1 none, 0 in, 1 shifted) of every row."""
        sets = np.full(n, -1, dtype=np.int8)
        side = np.full(n, NO_SIDE, dtype=np.int8)
        if partition is None:
            sets[:] = SETS.index("test")
            return sets, side
        for name, (set_name, side_code) in self.places.items():
            found = partition == name
            if found.any():
                self.met.add(name)
            sets[found] = SETS.index(set_name)
            side[found] = side_code
        unknown = sets < 0
        if unknown.any():
            names = ", ".join(repr(str(name)) for name in np.unique(partition[unknown])[:5])
            raise InputError(
                f"partition {names} ({rows(unknown, first=first)}) is none of {', '.join(self.places)}; say which side "
                "it belongs to, with --in NAME or --shifted NAME on the command line, in_= or shifted= in Python"
            )
        return sets, side

    def refuse_absent(self, in_names: str | Sequence[str], shifted_names: str | Sequence[str]) -> None:
        """A side that was named must have occurred."""
        for names, option in ((in_names, "in"), (shifted_names, "shifted")):
            absent = [name for name in one_or_more(names) if name not in self.met]
            if absent:
                raise InputError(
                    f"no row has the partition {absent[0]!r} that was named as {option}; there are "
                    f"{', '.join(sorted(self.met)) or 'no partitions'}: check the spelling"
                )


def one_or_more(names: str | Sequence[str]) -> tuple[str, ...]:
    """A single name is a list of one.

    >>> one_or_more("york"), one_or_more(["york", "bath"])
    (('york',), ('york', 'bath'))
    """
    return (names,) if isinstance(names, str) else tuple(names)


def evaluation_set(sets: Sequence[str]) -> str:
    """The set a score is meant for when none is named: eval, else test, else dev, else train.

    >>> evaluation_set(["dev", "eval"])
    'eval'
    """
    return next(name for name in ("eval", "test", "dev", "train") if name in sets)
