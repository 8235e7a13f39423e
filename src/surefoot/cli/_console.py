"""Standard output for tables, as wide as the terminal or wide enough where there is none; a sign of work."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console

_WIDE = 200


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """Go on unheard: rich would exit with 1, which is the code of a failed gate."""
        self.quiet = True
        mute()


def console() -> Console:
    """Standard output; files and pipes get wide lines instead of cut ones."""
    on_terminal = Console().is_terminal
    return _Output(width=None if on_terminal else _WIDE, highlight=False, soft_wrap=False)


def busy(what: str) -> AbstractContextManager[object]:
    """A moving line on a terminal while something takes long; nothing where there is none."""
    screen = Console(stderr=True)
    return screen.status(what) if screen.is_terminal else nullcontext()


def mute() -> None:
    """Let standard output lead nowhere, once its reader (`head`, a pager) has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
