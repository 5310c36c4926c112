import asyncio
import errno
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from idea.adapters.storage.watcher import Watcher
from idea.domain.file_trouble import FileTrouble
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow
"""A watcher waits for the end of an editor's writes."""


class Seen:
    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.count = 0
        self.notices: list[FileTrouble] = []

    def on_change(self) -> None:
        self.count += 1
        self.changed.set()

    async def change(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self.changed.wait()
        self.changed.clear()


@asynccontextmanager
async def _watching(root: Path, observers: Callable[[], BaseObserver] | None = None) -> AsyncIterator[Seen]:
    seen, ready = Seen(), asyncio.Event()
    more = {} if observers is None else {"observers": observers}
    watcher = Watcher(root / ".ideai", on_change=seen.on_change, on_notice=seen.notices.append, **more)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(watcher.run(ready=ready))
        async with asyncio.timeout(PATIENCE_S):
            await ready.wait()
        yield seen
        running.cancel()


async def test_changes_by_hand_are_told(root: Path) -> None:
    agents = root / ".ideai" / "agents"
    async with _watching(root) as seen:
        for change in (
            lambda: (agents / "a.md").write_text("x"),
            lambda: (agents / "a.md").write_text("y"),
            lambda: (agents / "a.md").rename(agents / "b.md"),
            lambda: (agents / "b.md").unlink(),
            lambda: (root / ".ideai" / "settings.toml").write_text("x"),
        ):
            change()
            await seen.change()


async def test_a_burst_is_told_together_and_reading_is_no_change(root: Path) -> None:
    agents = root / ".ideai" / "agents"
    async with _watching(root) as seen:
        for number in range(200):
            (agents / f"a{number}.md").write_text("x")
        await seen.change()
        # The last change of all, so that whatever the reading had woken would have come before it.
        for path in agents.iterdir():
            path.read_text()
        (root / ".ideai" / "settings.toml").write_text("x")
        await seen.change()

    assert seen.count <= 10


async def test_our_own_state_and_temporary_files_are_no_change(root: Path) -> None:
    async with _watching(root) as seen:
        (root / ".ideai" / "state" / "x").write_text("x")
        (root / ".ideai" / "run.json").write_text("x")
        (root / ".ideai" / "agents" / ".a.md.0123.tmp").write_text("x")
        (root / ".ideai" / "settings.toml").write_text("x")
        await seen.change()

    assert seen.count == 1


async def test_what_a_cli_keeps_for_itself_in_the_users_own_folder_is_no_change(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root))
    (root / ".codex").mkdir()
    async with _watching(root) as seen:
        (root / ".codex" / "state_5.sqlite-wal").write_text("x")
        (root / ".codex" / "config.toml").write_text("x")
        await seen.change()

    assert seen.count == 1


async def test_a_folder_that_is_removed_and_made_anew_is_watched_again(root: Path) -> None:
    agents = root / ".ideai" / "agents"
    async with _watching(root) as seen:
        shutil.rmtree(agents)
        await seen.change()
        agents.mkdir()
        await seen.change()
        (agents / "a.md").write_text("x")
        await seen.change()


async def test_without_inotify_it_polls_and_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idea.adapters.storage.watcher.POLL_S", 0.05)

    class Exhausted(PollingObserver):
        def start(self) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async with _watching(root, Exhausted) as seen:
        (root / ".ideai" / "agents" / "a.md").write_text("x")
        await seen.change()

    assert [notice.why for notice in seen.notices] == ["watchesUsedUp"]


async def test_what_the_clis_read_in_the_projects_folder_is_told_also_when_its_folder_is_new(root: Path) -> None:
    settings = root / ".claude" / "settings.json"
    async with _watching(root) as seen:
        (root / ".mcp.json").write_text("{}")
        await seen.change()
        settings.parent.mkdir()
        await seen.change()
        settings.write_text("{}")
        await seen.change()
        # Neither the project's own files nor what lies deeper wakes anybody.
        (root / "README.md").write_text("x")
        (root / ".ideai" / "profiles").mkdir()
        await seen.change()
        (root / ".ideai" / "profiles" / "own.toml").write_text("x")
        await seen.change()
