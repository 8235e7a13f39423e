"""`surefoot shift`: move data on purpose, and see whether it has moved; one file a command."""

from __future__ import annotations

from surefoot.cli._lazy import LazyGroup

command = LazyGroup(
    "shift",
    "surefoot.cli._shift_{}",
    ("apply", "list", "detect"),
    help="Move data on purpose, or find out whether it has moved.",
)
