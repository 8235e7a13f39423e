"""Standard output for tables: as wide as the terminal, or wide enough where there is none."""

from __future__ import annotations

from rich.console import Console

_WIDE = 200


def console() -> Console:
    """Standard output; files and pipes get wide lines instead of cut ones."""
    on_terminal = Console().is_terminal
    return Console(width=None if on_terminal else _WIDE, highlight=False, soft_wrap=False)
