"""How a command fails: a sentence, what to do, and the exit code of the outcome table."""

from collections.abc import Mapping
from typing import Final

from idea.domain.errors import IdeaError
from idea.domain.outcomes import outcome_of
from idea.doors.cli.output import say
from idea.doors.cli.own_command import own_command

ADVICE: Final[Mapping[str, str]] = {
    "NOT_FOUND": "`{idea} agents` shows the names that exist.",
    "INVALID": "",
    "REFUSED": "",
    "DELEGATION_CYCLE": "Ask another agent.",
    "DELEGATION_TOO_DEEP": "Ask an agent further up the chain.",
    "TIMEOUT": "Ask for a smaller step, or give more time with --timeout.",
    "TURN_FAILED": "If it is about a key, a plan or a setting, see to that first; else ask again later.",
    "ENGINE_FAILED": "`{idea} doctor` shows what is missing.",
    "CONVERSATION_REFUSED": "Start it afresh in its cell: empty, or with the end of its transcript.",
    "TARGET_RATE_LIMITED": "Ask again after that time.",
}
"""In place of the outcome's own, where that speaks to a model; empty where the message says it."""


def advise_person(code: str) -> str:
    advice = ADVICE.get(code, outcome_of(code).advice)
    return advice.replace("{idea}", own_command())


class Failure(Exception):
    """One outcome that is no success. `fields` are the error's own."""

    def __init__(
        self, code: str, message: str, *, advice: str | None = None, fields: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        row = outcome_of(code)
        self.outcome = row.name
        # A server says the outcome's own where the error has nothing better.
        self.advice = advise_person(row.code) if advice is None or advice == row.advice else advice
        self.fields = dict(fields or {})
        self.exit_code = row.exit_code

    def tell(self) -> None:
        """To standard error; standard output is for results."""
        say(f"idea: {self.message}")
        if self.advice:
            say(f"      {self.advice}")


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
