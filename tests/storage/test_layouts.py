import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from idea.adapters.storage.layouts import LayoutFile
from idea.adapters.storage.shared_layouts import SharedLayoutFiles
from idea.domain.errors import Conflict
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import Background, Cell, Layout, Layouts, Mark, View
from idea.domain.shared_layouts import SharedLayout

MARK = Mark(True, ConversationId("c1"), datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC))
CELLS = (Cell(NodeId("n1"), AgentId("a"), View.CHAT, MARK), Cell(NodeId("n2"), None, View.TERMINAL))
LAYOUTS = Layouts(
    "revue",
    (Layout("default", '{"grid": "é ✓"}', CELLS), Layout("revue", published="0abc")),
    (Background(AgentId("b"), View.TERMINAL, Mark(was_running=True)),),
)
GARBAGE = [b"", b"{}", b"[]", b"null", b"\0" * 30_925, b"{", b"\xff\xfe", b"[" * 100_000, b'{"version": 2}', b"NaN"]


def _text(*layouts: object, shown: object = "a", **more: object) -> bytes:
    return json.dumps({"version": 1, "shown": shown, "layouts": layouts, **more}).encode()


def _layout(name: object = "a", cells: object = (), **more: object) -> dict[str, Any]:
    return {"name": name, "geometry": "", "cells": cells, **more}


@pytest.fixture
def layouts(root: Path) -> LayoutFile:
    return LayoutFile(root / ".ideai" / "state")


async def test_layouts_are_loaded_as_they_were_saved(layouts: LayoutFile, root: Path) -> None:
    path = root / ".ideai" / "state" / "layouts.json"
    assert await layouts.load() == (Layouts(), None)

    await layouts.save(LAYOUTS)

    assert await layouts.load() == (LAYOUTS, None)
    assert path.stat().st_mode & 0o777 == 0o600
    cell = json.loads(path.read_text())["layouts"][0]["cells"][0]
    assert (cell["agentWasRunning"], cell["conversationId"]) == (True, "c1")


async def test_loading_layouts_never_writes(layouts: LayoutFile, root: Path) -> None:
    path = root / ".ideai" / "state" / "layouts.json"
    await layouts.save(LAYOUTS)
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino

    await layouts.load()

    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


async def test_the_one_layout_of_the_first_versions_is_read(layouts: LayoutFile, root: Path) -> None:
    path = root / ".ideai" / "state" / "layouts.json"
    cells = [{"nodeId": "n1", "agent": "a", "view": "chat"}, {"nodeId": "n2", "agent": None, "view": "terminal"}]
    path.write_text(json.dumps({"version": 1, "geometry": "{}", "cells": cells}))

    found, trouble = await layouts.load()

    assert trouble is None
    assert found == Layouts(named=(Layout("default", "{}", (replace(CELLS[0], mark=Mark()), CELLS[1])),))


@pytest.mark.parametrize(
    "content",
    [
        *GARBAGE,
        b'{"version": 1}',
        b'{"version": 1, "geometry": "", "cells": [1]}',
        b'{"version": 1, "geometry": "", "cells": [{"nodeId": "n", "agent": null, "view": "hologram"}]}',
        b'{"version": 1, "geometry": "\\ud800", "cells": []}',
        _text(),
        _text(1),
        _text(_layout(), shown="b"),
        _text(_layout(), _layout("A")),
        _text(_layout("../a"), shown="../a"),
        _text(_layout(cells=[{"nodeId": "n", "agentId": 1, "view": "chat"}])),
        _text(_layout(cells=[{"nodeId": "n", "agentId": None, "view": "chat", "agentWasRunning": 1}])),
        _text(_layout(cells=[{"nodeId": "n", "agentId": None, "view": "chat", "startedAtMs": 10**30}])),
        _text(_layout(), background=[{"agentId": "a"}]),
    ],
)
async def test_layouts_that_cannot_be_used_are_set_aside(layouts: LayoutFile, root: Path, content: bytes) -> None:
    path = root / ".ideai" / "state" / "layouts.json"
    path.write_bytes(content)

    found, trouble = await layouts.load()

    assert found == Layouts()
    assert trouble is not None
    assert trouble.why == "layoutSetAside"
    assert [aside.read_bytes() for aside in path.parent.glob("layouts.json.broken-*")] == [content]
    assert await layouts.load() == (Layouts(), None)


async def test_what_could_not_be_read_again_is_not_written(layouts: LayoutFile, root: Path) -> None:
    await layouts.save(LAYOUTS)
    large = tuple(Layout(str(number), "g" * 1_000_000) for number in range(40))

    with pytest.raises(Conflict) as refused:
        await layouts.save(replace(LAYOUTS, named=(*LAYOUTS.named, *large)))

    assert refused.value.why == "stateTooLarge"
    assert await layouts.load() == (LAYOUTS, None)


# --- shared ones ----------------------------------------------------------------------------------------------


async def test_a_shared_file_that_cannot_be_used_is_told_apart_and_stays(root: Path) -> None:
    shared, folder = SharedLayoutFiles(root / ".ideai"), root / ".ideai" / "layouts"
    await shared.save(SharedLayout("good", "{}", ()))
    (folder / "bad.json").write_text('{"version": 1, "geometry": 7, "cells": []}')
    (folder / "future.json").write_text('{"version": 9}')
    cell = '{"nodeId": "n", "agentId": "a", "agentSlug": "../x", "view": "chat"}'
    (folder / "slug.json").write_text(f'{{"version": 1, "geometry": "", "cells": [{cell}]}}')
    (folder / "dot..json").write_text("{}")
    (folder / "notes.txt").write_text("none of ours")
    (folder / ".hidden.json").write_text("{}")
    (folder / "link.json").symlink_to(root / "elsewhere.json")
    os.mkfifo(folder / "fifo.json")
    if os.geteuid() != 0:
        (folder / "closed.json").write_text("{}")
        (folder / "closed.json").chmod(0)

    found, broken = await shared.list()

    assert [layout.name for layout in found] == ["good"]
    names = ["bad", "dot.", "fifo", "future", "link", "slug"] + (["closed"] if os.geteuid() != 0 else [])
    assert [each.name for each in broken] == sorted(names)
    assert next(each for each in broken if each.name == "dot.").why == "layoutFileName"
    assert (folder / "bad.json").exists()


async def test_shared_files_whose_names_differ_in_case_alone_are_one_name(root: Path) -> None:
    shared = SharedLayoutFiles(root / ".ideai")
    await shared.save(SharedLayout("Review", "{}", ()))
    other = root / ".ideai/layouts/review.json"
    if other.exists():
        pytest.skip("this file system does not tell the two names apart")
    other.write_bytes((root / ".ideai/layouts/Review.json").read_bytes())

    found, broken = await shared.list()

    assert [each.name for each in found] == ["Review"]
    assert [(each.name, each.why) for each in broken] == [("review", "layoutNameTaken")]


async def test_a_shared_layout_is_a_file_that_git_may_see_and_others_can_read(root: Path) -> None:
    await SharedLayoutFiles(root / ".ideai").save(SharedLayout("good", "{}", ()))

    assert (root / ".ideai" / "layouts" / "good.json").stat().st_mode & 0o777 == 0o644


async def test_a_folder_of_layouts_that_is_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.json").write_text('{"version": 1, "geometry": "", "cells": []}')
    (root / ".ideai" / "layouts").symlink_to(outside)
    shared = SharedLayoutFiles(root / ".ideai")

    assert await shared.list() == ([], [])
