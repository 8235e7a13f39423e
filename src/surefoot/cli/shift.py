"""`surefoot shift`: move data on purpose, and see whether it has moved; one file a command."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = ("apply", "list", "detect")


class _Commands(click.Group):
    """Commands that are imported when they are needed: `surefoot.cli._shift_<name>` holds `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"surefoot.cli._shift_{cmd_name}").command
        return command


@click.command("shift", cls=_Commands)
def command() -> None:
    """Move data on purpose, or find out whether it has moved."""
