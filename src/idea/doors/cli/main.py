"""`idea …`: which command is meant, and how a failure is told. Commands are imported when they are called."""

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Final, NamedTuple

import click

from idea import __version__
from idea.doors.cli.failure import Failure
from idea.doors.cli.output import OutputLost, have_standard_streams, to_stderr, to_stdout

INTERRUPTED: Final = 130
"""What shells expect after Ctrl-C."""


class _Entry(NamedTuple):
    module: str
    help: str


COMMANDS: Final[Mapping[str, _Entry]] = {
    "open": _Entry("open_project", "Open a project in the browser (what `idea PATH` does)."),
    "serve": _Entry("serve", "Run the server in the foreground."),
    "demo": _Entry("demo", "Try IdeA with three scripted agents; needs no key."),
    "ask": _Entry("ask", "Ask an agent and print its answer."),
    "agents": _Entry("agents", "List the agents of a project."),
    "conversations": _Entry("conversations", "List earlier conversations, or attach one."),
    "resume": _Entry("resume", "Let agents that ran before go on."),
    "status": _Entry("status", "Show what runs: the server, keepers and their agents."),
    "stop": _Entry("stop", "Stop agents, with or without a running server."),
    "link": _Entry("link", "Print a new start link for a browser."),
    "profiles": _Entry("profiles", "List the kinds of CLI that agents can run on."),
    "doctor": _Entry("doctor", "Check what IdeA needs on this machine."),
}

_OWN_OPTIONS: Final = ("--help", "-h", "--version")


class _Commands(click.Group):
    """Knows its commands by name; anything else is the path of a project."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = import_module(f"idea.doors.cli.{entry.module}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # From the table: click would import every command for its first line.
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in COMMANDS and args[0] not in _OWN_OPTIONS):
            args = ["open", *args]
        with _reader_may_go():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with _reader_may_go():
            return super().invoke(ctx)


@contextmanager
def _reader_may_go() -> Iterator[None]:
    """Before click hears of it, which would end the process with the exit code of a failure."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputLost(error) from error


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="",
    subcommand_metavar="[PATH] | COMMAND …",
)
@click.version_option(__version__, message="idea %(version)s")
def cli() -> None:
    """A local IDE for a team of AI coding agents.

    `idea` opens the current folder, `idea PATH` another one.
    """


def main() -> int:
    """Returns the exit code: 0, 2 for a wrong command line, else the one of the outcome."""
    have_standard_streams()
    try:
        code = cli.main(standalone_mode=False)
        with to_stdout():
            return code if isinstance(code, int) else 0
    except Failure as failure:
        failure.tell()
        return failure.exit_code
    except click.ClickException as error:
        with to_stderr():
            error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OutputLost as lost:
        return lost.tell()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return OutputLost(error).tell()
