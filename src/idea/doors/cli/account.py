"""What a command did, told as it happens, and the exit code that comes of it."""

from collections.abc import Sequence

import click

from idea.doors.cli.failure import Failure
from idea.doors.cli.own_command import own_command


class Account:
    def __init__(self) -> None:
        self.code = 0
        """Of the first failure."""
        self.is_empty = True

    def say(self, sentence: str) -> None:
        self.is_empty = False
        click.echo(sentence)

    def blame(self, failure: Failure) -> None:
        """Tell it and go on."""
        self.is_empty = False
        failure.tell()
        self.code = self.code or failure.exit_code

    def blame_survivors(self, where: str, pids: Sequence[int]) -> None:
        if pids:
            advice = f"`kill -9 {' '.join(map(str, pids))}` may end what a second `{own_command('stop')}` does not."
            self.blame(Failure("ENGINE_FAILED", f"Of {where}, {processes(pids)} still running.", advice=advice))


def processes(pids: Sequence[int]) -> str:
    return f"process {pids[0]} is" if len(pids) == 1 else f"processes {join([str(pid) for pid in pids])} are"


def join(words: Sequence[str]) -> str:
    """As a sentence lists them."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
