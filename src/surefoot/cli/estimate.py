"""`surefoot estimate`: how accurate is a model on data nobody has labelled; one file a command."""

from __future__ import annotations

from surefoot.cli._lazy import LazyGroup

command = LazyGroup(
    "estimate",
    "surefoot.cli._estimate_{}",
    ("fit", "run", "benchmark"),
    help="Estimate how accurate a model is on data nobody has labelled.",
)
