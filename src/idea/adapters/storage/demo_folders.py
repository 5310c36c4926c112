"""Where throw-away demos lie: each in a folder of its own, which goes with it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DEMO_PREFIX: Final = "idea-demo-"
DEMO_RUNTIME: Final = "run"
"""In such a folder: what the runtime folder is for other servers."""


def make_demo_folder() -> Path:
    """A new one, ours alone. Short, since sockets lie in it."""
    return Path(tempfile.mkdtemp(prefix=DEMO_PREFIX))


def demo_folders() -> Iterator[Path]:
    """Those that there are, of killed demos and of other users too; nothing is made or changed."""
    yield from sorted(Path(tempfile.gettempdir()).glob(f"{DEMO_PREFIX}*"))
