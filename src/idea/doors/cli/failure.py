"""How a command fails: a sentence, what to do, and the exit code of the outcome table."""

from collections.abc import Mapping

import click

from idea.domain.errors import IdeaError
from idea.domain.outcomes import outcome_of
from idea.doors.cli.own_command import own_command


class Failure(Exception):
    """One outcome that is no success. `fields` are the error's own."""

    def __init__(
        self, code: str, message: str, *, advice: str | None = None, fields: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        row = outcome_of(code)
        self.outcome = row.name
        self.advice = row.advice if advice is None else advice
        self.fields = dict(fields or {})
        self.exit_code = row.exit_code

    def tell(self) -> None:
        """To standard error; standard output is for results."""
        click.echo(f"idea: {self.message}", err=True)
        if self.advice:
            click.echo(f"      {self.advice}", err=True)


class ServerGone(Failure):
    """The server has ended, or is about to: what outlives it is found without it."""


def fail(error: IdeaError) -> Failure:
    """`error` as a command tells it; it says by itself what to do, where that is possible."""
    return Failure(error.code, str(error), advice="", fields=error.fields())


def not_answering(pid: int | None) -> Failure:
    """`pid` is the server's, as the system says."""
    advice = "" if pid is None else f"`kill -9 {pid}` ends it; agents go on, and `{own_command()}` takes them up again."
    process = "process unknown" if pid is None else f"process {pid}"
    return Failure("LOST", f"The IdeA server ({process}) does not answer.", advice=advice)


def not_running() -> ServerGone:
    return ServerGone(
        "LOST",
        "No IdeA server of yours is running.",
        advice=f"Start one with `{own_command()}` or `{own_command('serve')}`.",
    )
