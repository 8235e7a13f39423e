"""What an estimator answers: a value, its bounds, and when not to trust it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

from surefoot._json import plain, to_json
from surefoot.estimators._scores import SCORES

if TYPE_CHECKING:
    from surefoot.shifts.detectors import ColumnMove

FORMAT = 1


@dataclass(frozen=True)
class Estimate:
    """How good a model is on rows that nobody has labelled.

    ``low`` and ``high`` are meant to bound the score that labels of these very rows would give, with probability
    1 − alpha; for shifts unlike all that were rehearsed nobody can promise it.
    ``drop`` is the value minus the reference, the score on the labelled rows: negative where an accuracy fell.
    ``warnings`` say why the number may be wrong.

    >>> one = Estimate("accuracy", 0.8, 0.75, 0.84, -0.05, 500, "auto")
    >>> print(one)
    accuracy 0.800 [0.750, 0.840] on 500 rows (-0.050 against the labelled rows), by auto
    """

    metric: str
    value: float
    low: float
    high: float
    drop: float
    n: int
    method: str
    warnings: tuple[str, ...] = ()
    members: Mapping[str, float] = field(default_factory=dict)
    """What each of several estimators said, where the method combines them."""
    columns: tuple[ColumnMove, ...] = field(default=(), repr=False)
    """How every column moved; those that did come first, the largest move at the top."""
    alpha: float | None = None
    """How often the bounds may miss the score."""

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is the better one."""
        return SCORES[self.metric].higher_is_better

    @property
    def moved(self) -> tuple[ColumnMove, ...]:
        """The columns that moved, the largest move first."""
        return tuple(column for column in self.columns if column.moved)

    @property
    def reference(self) -> float:
        """The score on the labelled rows."""
        return self.value - self.drop

    def __str__(self) -> str:
        lines = [
            f"{self.metric} {self.value:.3f} [{self.low:.3f}, {self.high:.3f}] on {self.n:,} rows "
            f"({self.drop:+.3f} against the labelled rows), by {self.method}"
        ]
        return "\n".join([*lines, *(f"Warning: {warning}" for warning in self.warnings)])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "format": FORMAT,
            "metric": self.metric,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "drop": self.drop,
            "reference": self.reference,
            "n": self.n,
            "method": self.method,
            "warnings": list(self.warnings),
            "members": dict(self.members),
            "columns": plain([asdict(column) for column in self.columns]),
            "alpha": self.alpha,
        }

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """JSON text; with a path it is written there as well, completely or not at all."""
        return to_json(self.to_dict(), path)
