"""Keepers of a project that this folder was before its private files were removed: nobody would look for them again."""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from idea.adapters.keeper.keeper_program import end_keeper, look
from idea.domain.errors import IdeaError
from idea.domain.file_trouble import FileTrouble
from idea.domain.sessions import KeptChild

GRACE_S: Final = 3.0
"""Between SIGTERM and SIGKILL."""
DELETED: Final = " (deleted)"
"""What the system says behind the path of a folder that is gone."""


async def end_earlier_keepers(root: Path, sockets: Iterable[Path]) -> Sequence[FileTrouble]:
    """End those whose agents work in `root`; what a person is told of it. The agents of a project that moved go on."""
    troubles = []
    for socket in sockets:
        try:
            found = await look(socket)
            living = [] if found is None else [child for child in found.children if child.exit is None]
            if not any(_works_in(root, child.pid) for child in living):
                continue
            await end_keeper(socket, grace_s=GRACE_S)
        except IdeaError:
            # One that hangs is named by `idea status`, and keeps no other project from opening.
            continue
        names = ", ".join(map(_name, living))
        sentence = f"What IdeA kept in {root} had been removed while agents ran there ({names}). They were ended."
        troubles.append(FileTrouble(sentence, "earlierEnded", {"path": str(root), "names": names}))
    return troubles


def _works_in(root: Path, pid: int) -> bool:
    try:
        cwd = os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return False
    return cwd.endswith(DELETED) or Path(cwd).is_relative_to(root)


def _name(child: KeptChild) -> str:
    try:
        note = json.loads(child.note)
    except ValueError:
        note = None
    name = note.get("name") if isinstance(note, dict) else None
    return name if isinstance(name, str) else f"process {child.pid}"
