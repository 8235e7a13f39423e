"""What an executor is sent and what it sends back, and all that an executor is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol
from uuid import uuid4

from surefoot.bench._kind import kind_named
from surefoot.bench._limits import Limits
from surefoot.bench._trial import Trial

End = Literal["finished", "failed", "elsewhere", "not stored"]
"""How a trial ends; *elsewhere*: another runner is at it; *not stored*: there was no room for what came out."""


@dataclass(frozen=True)
class Job:
    """A trial with the folder that it belongs into. ``token`` tells this attempt from those of other runs."""

    trial: Trial
    folder: Path
    limits: Limits = field(default_factory=Limits)
    token: str = field(default_factory=lambda: uuid4().hex)

    @property
    def together(self) -> Hashable:
        """Jobs with the same answer share their data."""
        return self.trial.kind, kind_named(self.trial.kind).together(self.trial.what)

    def load(self) -> Any:
        """The data of the trial."""
        return kind_named(self.trial.kind).load(self.trial.what)


@dataclass(frozen=True)
class Ended:
    """How a job has ended: seconds from its start, and why it failed if it did."""

    job: Job
    state: End
    seconds: float = 0.0
    reason: str = ""


class Executor(Protocol):
    """Something that runs jobs, in whatever order, and tells of each when it has ended."""

    @property
    def workers(self) -> int:
        """How many trials run at a time."""

    def run(self, jobs: Sequence[Job]) -> Iterator[Ended]:
        """Run them all; whoever stops listening stops what is running."""

    def close(self) -> None:
        """End the processes."""
