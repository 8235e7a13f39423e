"""What shifts of texts and images share: a severity from 1 to 5, and the share of inputs they are done to."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import same_length
from surefoot.errors import InputError
from surefoot.shifts._record import Block, Record
from surefoot.shifts._shift import Rows, fraction

T = TypeVar("T")

SEVERITIES = (1, 2, 3, 4, 5)


@dataclass(frozen=True, kw_only=True)
class Graded(ABC):
    """A shift of severity 1 (hardly seen) to 5 (hard to read or recognise) in a share of the inputs."""

    severity: int = 3
    samples: float = 1.0

    name: ClassVar[str]
    """In kebab case: ``"motion-blur"`` for `MotionBlur`."""
    sort: ClassVar[str] = "covariate"
    _what: ClassVar[str] = "input"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __post_init__(self) -> None:
        if isinstance(self.severity, bool) or self.severity not in SEVERITIES:
            raise InputError(f"severity is 1, 2, 3, 4 or 5, not {self.severity!r}")
        fraction("samples", self.samples)

    def _at(self, levels: Sequence[T]) -> T:
        """What these five levels say for this severity."""
        return levels[self.severity - 1]

    def _record(self, n: int, changed: Rows) -> Record:
        """The trace of a shift after which these of ``n`` inputs, the table's only column, are others."""
        mask: NDArray[np.bool_] = np.zeros(n, dtype=bool)
        mask[changed] = True
        note = "" if changed.size else f"no {self._what} came out other than it was"
        details = {"severity": self.severity}
        return Record(
            self.name, (self._what,), np.arange(n), (Block(mask, (0,)),), details=details, note=note
        )


def matching(n: int, y: Any) -> None:
    """Refuse labels of another number than the inputs."""
    if y is not None:
        same_length(X=np.empty(n), y=y)
