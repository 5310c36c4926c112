"""How this very `idea` is called: what is printed to be typed must work where a person types it."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def own_command(*arguments: str | Path) -> str:
    """The words for a shell: `idea …` where that is this one, else the path from which it was started, whole, since
    another terminal may be in another folder."""
    return shlex.join((*_program(sys.argv[0]), *map(str, arguments)))


def _program(started_as: str) -> tuple[str, ...]:
    name = os.path.basename(started_as)
    if name == "__main__.py":
        return sys.executable, "-m", "idea"
    found = shutil.which(name)
    path = os.path.abspath(started_as)
    if found is not None and os.path.realpath(found) == os.path.realpath(path):
        return (name,)
    return (path,)
