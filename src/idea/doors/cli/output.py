"""Printing: JSON on one line for programs, columns for people; and what becomes of it where nobody takes it."""

import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, TextIO

import click

BROKEN_PIPE: Final = 141
"""What shells expect of a program whose reader has gone."""
FULL: Final = 1


class OutputLost(Exception):
    """Standard output takes nothing more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self._error = error

    def tell(self) -> int:
        """What to do at the end of the process; the exit code."""
        _let_go(sys.stdout)
        if self._error.errno == errno.EPIPE:
            # Whoever read us has gone, and wants to hear no more.
            return BROKEN_PIPE
        why = "the disk is full" if self._error.errno == errno.ENOSPC else str(self._error.strerror)
        say(f"idea: The output cannot be written: {why}.")
        return FULL


@contextmanager
def to_stdout() -> Iterator[None]:
    """Around what prints results and does nothing else. Raises `OutputLost`."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        raise OutputLost(error) from error


@contextmanager
def to_stderr() -> Iterator[None]:
    """Around what is said of results. Where nobody takes it, nobody is there to be told: what goes on goes on."""
    try:
        yield
    except OSError:
        _let_go(sys.stderr)


def say(sentence: str) -> None:
    with to_stderr():
        click.echo(sentence, err=True)


def _let_go(stream: TextIO | None) -> None:
    """Else Python would try once more at exit to write what it holds, complain, and end with a code of its own."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr] # None has none


def have_standard_streams() -> None:
    """Where a shell closed one (`>&-`), the next file or socket would get its number, and what is printed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for line in align((heads, *rows)):
        click.echo(line)


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
