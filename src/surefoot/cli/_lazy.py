"""Groups of commands that are imported only when they are called."""

from __future__ import annotations

from importlib import import_module

import click


class LazyGroup(click.Group):
    """A group whose commands are `command` in the modules of this pattern, such as `surefoot.cli._shift_{}`."""

    def __init__(self, name: str, pattern: str, commands: tuple[str, ...], help: str) -> None:
        super().__init__(name, help=help)
        self.pattern = pattern
        self.names = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in self.names:
            return None
        command: click.Command = import_module(self.pattern.format(cmd_name)).command
        return command
