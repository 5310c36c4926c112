import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idea.adapters.storage.kept_files import KeptFile, KeptFiles
from idea.domain.errors import IdeaError, Refused
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow
"""It waits for the end of a removal."""


class Sockets:
    """What makes the file, or cannot for the moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_refused = False
        self.troubles: list[IdeaError] = []
        self._happened = asyncio.Event()
        self.make()

    def make(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()

    async def remake(self) -> None:
        if self.is_refused:
            raise Refused("The disk is full.")
        self.make()
        self._happened.set()

    def on_trouble(self, error: IdeaError) -> None:
        self.troubles.append(error)
        self._happened.set()

    async def happens(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._happened.wait()
        self._happened.clear()


@asynccontextmanager
async def keeping(path: Path) -> AsyncIterator[Sockets]:
    files, sockets, ready = KeptFiles(), Sockets(path), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(files.run(ready=ready))
        await ready.wait()
        files.keep(KeptFile(path, path.exists, sockets.remake, sockets.on_trouble))
        yield sockets
        running.cancel()


async def test_a_file_is_made_again_however_it_was_removed_and_however_often(tmp_path: Path) -> None:
    path = tmp_path / "run" / "idea" / "a.sock"
    async with keeping(path) as sockets:
        for removed in (path, path.parent, path.parent, path.parent.parent, path.parent):
            path.unlink() if removed is path else shutil.rmtree(removed)
            await sockets.happens()
            assert path.exists()


async def test_what_cannot_be_made_again_is_told_once_and_tried_when_something_changes(tmp_path: Path) -> None:
    path = tmp_path / "run" / "a.sock"
    async with keeping(path) as sockets:
        sockets.is_refused = True
        shutil.rmtree(path.parent)
        await sockets.happens()
        sockets.is_refused = False
        path.parent.mkdir()
        await sockets.happens()

    assert path.exists()
    assert [str(error) for error in sockets.troubles] == ["The disk is full."]
