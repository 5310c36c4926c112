"""Which MCP servers do a CLI's own configuration files declare? Only their names are of interest."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from idea.adapters.plain_tree import parse_toml
from idea.adapters.storage.atomic import read_file
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import IdeaError

MAX_FILE_BYTES: Final = 1024 * 1024
SERVERS: Final = ("mcp_servers", "mcpServers", "mcp")
VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
"""As in a profile's values, but of the CLI's environment."""


def list_declared_servers(places: Sequence[str], environment: Mapping[str, str], folder: Path) -> set[str]:
    """The names in every file of `places`; a relative one is looked for in `folder` and in all those above it.

    A file that is missing or cannot be read declares nothing: what its CLI makes of it, the CLI will say.
    """
    return {name for place in places for path in _paths(place, environment, folder) for name in _servers(path)}


def _paths(place: str, environment: Mapping[str, str], folder: Path) -> Iterator[Path]:
    path = VARIABLE.sub(lambda found: environment.get(found[1]) or found[2] or "", place)
    if path.startswith("~/"):
        path = environment.get("HOME", "") + path[1:]
    if os.path.isabs(path):
        yield Path(path)
    elif path:
        yield from (above / path for above in (folder, *folder.parents))


def _servers(path: Path) -> Iterator[str]:
    try:
        content = read_file(path.resolve(), limit_bytes=MAX_FILE_BYTES)
        text = (content or b"").decode("utf-8-sig")
        tree = json.loads(text or "{}") if path.suffix == ".json" else parse_toml(text)
    except (UnusableFile, IdeaError, OSError, ValueError, RecursionError):
        return
    for key in SERVERS:
        servers = tree.get(key) if isinstance(tree, dict) else None
        yield from servers if isinstance(servers, dict) else ()
