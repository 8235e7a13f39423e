"""The command line: one file a command, loaded only when it is called.

Exit codes: 0 fine, 1 a gate failed, 2 bad input or usage, 3 some trials failed.
"""

from __future__ import annotations

import io
import sys
import traceback
from importlib import import_module

import click

from surefoot import __version__
from surefoot.cli._console import mute
from surefoot.errors import SurefootError

_COMMANDS = (
    "evaluate",
    "compare",
    "threshold",
    "figure",
    "convert",
    "metrics",
    "data",
    "shift",
    "estimate",
    "bench",
    "advise",
    "demo",
)


class _Commands(click.Group):
    """A group whose commands are imported when they are needed: `surefoot.cli.<name>` holds `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"surefoot.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # of which click would make 1, the code of a failed gate
            mute()
            return 0


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="surefoot")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def surefoot(debug: bool) -> None:
    """Know how your model holds its footing when the data shifts."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what a user can put right is one sentence on stderr and exit code 2."""
    debug = "--debug" in (sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # arrows and dashes on a terminal that has none
    try:
        sys.exit(surefoot.main(args=arguments, prog_name="surefoot", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except (SurefootError, OSError) as error:
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
