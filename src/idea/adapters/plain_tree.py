"""Trees of tables and lists as parsers give them, walked without recursion: somebody else chose how deep they go."""

import tomllib
from collections.abc import Iterator
from typing import Any, Final

MAX_DEPTH: Final = 32
"""Settings of people and of CLIs have at most ten; what is deeper could be read, but not written again."""

MAX_TOML_CHARS: Final = 256 * 1024
MAX_DOTS: Final = 100
"""In one line. The time to read a dotted key grows with the square of its parts: 60 KB of `a.a.a` take a minute."""


def parse_toml(text: str) -> dict[str, Any]:
    """In bounded time. Raises `ValueError` or `RecursionError`."""
    if len(text) > MAX_TOML_CHARS:
        raise ValueError(f"it is longer than {MAX_TOML_CHARS} characters")
    if any(line.count(".") > MAX_DOTS for line in text.splitlines()):
        raise ValueError(f"a line has more than {MAX_DOTS} dots")
    return tomllib.loads(text)


class TooDeep(ValueError):
    """The tree is nested more than `MAX_DEPTH` times."""

    def __init__(self) -> None:
        super().__init__(f"it is nested more than {MAX_DEPTH} times")


def leaves(tree: object) -> Iterator[object]:
    """Every key and every value that is neither table nor list, in no order. Raises `TooDeep`."""
    waiting = [(tree, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise TooDeep
        if isinstance(value, dict):
            yield from value
            waiting.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            waiting.extend((inner, depth + 1) for inner in value)
        else:
            yield value
