"""Regular expressions from profiles, by an engine whose time is linear in the text, whatever the pattern is.

It is the one in pydantic's core; Python's own can be kept busy for hours by a line of text that fits badly.
"""

from functools import lru_cache
from typing import Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

KEPT: Final = 500
"""Compiled ones; the built-in profiles have some dozens."""


class UnusablePattern(Exception):
    """The text says why, in the words of the engine."""


def check_pattern(pattern: str) -> None:
    """Raises `UnusablePattern`."""
    _compile(pattern)


def matches(pattern: str, text: str) -> bool:
    """Is it found anywhere in `text`? `^` and `$` are the ends of any line. Raises `UnusablePattern`."""
    return _compile(pattern).isinstance_python(text)


@lru_cache(maxsize=KEPT)
def _compile(pattern: str) -> SchemaValidator:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=f"(?m){pattern}"))
    except SchemaError as error:
        raise UnusablePattern(_reason(str(error))) from error


def _reason(told: str) -> str:
    """The engine's own last line, without the drawing of where."""
    last = told.strip().rsplit("\n", 1)[-1].strip()
    return last.removeprefix("error: ").removeprefix("SchemaError: ")
