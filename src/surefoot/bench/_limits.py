"""What a trial may take: no part of what it is, so that a larger machine changes no result's name."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot._checks import positive
from surefoot.errors import InputError


@dataclass(frozen=True)
class Limits:
    """Seconds until a trial is ended by force, and what the cluster sets aside for it.

    ``memory`` is in bytes, ``gpus`` may be a fraction. A local run knows only the timeout: its processes have one
    thread each, and see all GPUs. ``retries`` counts nodes lost under a trial; one that fails is not tried again.
    """

    timeout: float | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    memory: float | None = None
    retries: int = 3

    def __post_init__(self) -> None:
        for name in ("timeout", "memory"):
            value = getattr(self, name)
            if value is not None:
                positive(name, value)
        positive("cpus", self.cpus)
        for name in ("gpus", "retries"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must be 0 or more, not {getattr(self, name)}")
