"""What our MCP server is called in a CLI, where the user may have servers of their own, and which tools are ours."""

import re
from collections.abc import Collection, Iterable
from itertools import chain, count
from typing import Final

_NAME: Final = "idea"
_OTHER_NAME: Final = "idea_team"
_OURS: Final = re.compile(rf"{_NAME}|{_OTHER_NAME}(_\d+)?")
_TOOL: Final = re.compile(r"idea_[a-z_]+")
_ODD: Final = re.compile(r"[^A-Za-z0-9_-]")


def choose_server_name(taken: Collection[str]) -> str:
    """The first of our names that no server of the user's has, also not as CLIs write it in their tools' names."""
    theirs = {*taken, *(_ODD.sub("_", name) for name in taken)}
    names = chain((_NAME, _OTHER_NAME), (f"{_OTHER_NAME}_{number}" for number in count(2)))
    return next(name for name in names if name not in theirs)


def find_our_server(names: Iterable[str]) -> str | None:
    """Which of a CLI's servers is ours: the last of our names, since it was taken because the others were."""
    return max((name for name in names if _OURS.fullmatch(name)), key=lambda name: (len(name), name), default=None)


def is_our_tool(server: str, tool: str) -> bool:
    return bool(_OURS.fullmatch(server) and _TOOL.fullmatch(tool))
