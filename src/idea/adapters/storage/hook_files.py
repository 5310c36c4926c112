"""The file by which a launch's CLI runs our hooks, in the form that Claude Code reads, and what the last one told."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import PRIVATE, read_file, remove_file, write_file
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Refused
from idea.domain.profiles import Profile
from idea.domain.terminal_signs import FIELD_CHARS, FIELDS_MOST, RanHook

HOOKS_FILE: Final = "hooks.json"
LAST_FILE: Final = "last-hook.json"
TIMEOUT_S: Final = 5
"""Then the CLI ends our hook; it gives up by itself after one."""
MAX_LAST_BYTES: Final = 4 * FIELD_CHARS * FIELDS_MOST


def write_hooks(folder: Path, profile: Profile, command: Sequence[str]) -> None:
    """`command` is what each of the profile's hooks runs. Nothing is left where it has none."""
    if profile.signs.hooks is None:
        # The agent's profile may have been another one at its last launch.
        remove_file(folder / HOOKS_FILE)
        return
    # The CLI hands the text to a shell; every part of it is ours, and quoted.
    entry = {"type": "command", "command": shlex.join(command), "timeout": TIMEOUT_S}
    settings = {"hooks": {event: [{"hooks": [entry]}] for event in profile.signs.hooks.events}}
    write_file(folder / HOOKS_FILE, json.dumps(settings, ensure_ascii=False, indent=2).encode(), mode=PRIVATE)


def forget_last_hook(folder: Path) -> None:
    """It was an earlier launch's."""
    remove_file(folder / LAST_FILE)


def find_last_hook(folder: Path) -> RanHook | None:
    """None where none ran, or what it left cannot be read."""
    try:
        content = read_file(folder / LAST_FILE, limit_bytes=MAX_LAST_BYTES)
        told = None if content is None else json.loads(content)
    except (UnusableFile, Refused, ValueError):
        return None
    match told:
        case {"event": str(event), "fields": dict(fields)}:
            return RanHook.told(event, fields)
        case _:
            return None
