"""State that is spoilt while no server looks: set aside, told to whoever comes, and nobody stops working for it."""

import os
from pathlib import Path

import pytest

from tests.system.client import Api, ok
from tests.system.house import House, write_agent

pytestmark = pytest.mark.slow

NULS = b"\0" * 500


def _open_once(house: House) -> Path:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)):
        pass
    return folder


@pytest.mark.parametrize(
    "spoilt",
    [
        ".ideai/settings.toml",
        ".ideai/state/records.sqlite",
        ".ideai/state/records.sqlite-wal",
        ".ideai/state/layouts.json",
        ".ideai/state/project.json",
    ],
)
async def test_what_was_set_aside_is_told_to_a_page_that_comes_later_and_on_stderr(house: House, spoilt: str) -> None:
    folder = _open_once(house)
    (folder / spoilt).write_bytes(NULS)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        (notice,) = (await api.state())["notices"]
        said = server.said()
        opened = house.run(str(folder), "--no-browser")
        ok(await api.project("DELETE", f"/notices/{notice['number']}"))
        left = (await api.state())["notices"]

    assert notice["code"] == "fileTrouble"
    assert "why" in notice["fields"]
    assert notice["detail"] in said
    assert notice["detail"] in opened.err
    assert "this machine" not in notice["detail"]
    assert left == []
    assert [path.read_bytes() for path in (folder / ".ideai").rglob(Path(spoilt).name + "*")].count(NULS) == 1


async def test_a_value_that_its_tag_does_not_fit_ends_nothing(house: House) -> None:
    folder = house.folder("shop")
    write_agent(folder, "Evil", front=("profile: demo", "foo: !!bool x"))
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        (at_start,) = (await api.state())["broken"]
        async with api.follow() as events:
            write_agent(folder, "Worse", front=("profile: demo", "foo: !!int '+'"))
            await events.until("agentFilesBroken", lambda event: len(event["broken"]) == 2)
        agent = await api.create()
        await api.approve()
        assert "scripted demo agent" in ok(await api.ask(agent["slug"], "hello"))["reply"]
        said = server.said()

    assert (at_start["slug"], "YAML" in at_start["reason"]) == ("evil", True)
    assert "Traceback" not in said


async def test_a_fifo_for_the_runtime_record_holds_nobody_up(house: House) -> None:
    folder = _open_once(house)
    record = folder / ".ideai/state/locks/runtime"
    kept = record.read_text()
    record.unlink()
    os.mkfifo(record)

    with house.serving("serve", "--project", str(folder)) as server:
        assert (await Api(server).state())["broken"] == []

    assert record.read_text() == kept


@pytest.mark.parametrize("name", ["control", "locks/runtime"])
async def test_a_folder_in_place_of_a_record_is_set_aside(house: House, name: str) -> None:
    folder = _open_once(house)
    record = folder / ".ideai/state" / name
    record.unlink(missing_ok=True)
    (record / "inside").mkdir(parents=True)

    with house.serving("serve", "--project", str(folder)) as server:
        assert (await Api(server).state())["broken"] == []
        assert record.is_file()

    assert [path.name for path in record.parent.glob(f"{record.name}.broken-*/*")] == ["inside"]


async def test_the_secrets_of_a_killed_server_go_with_the_next_opening(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        agent = await api.create()
        ok(await api.ask(agent["slug"], "hello"))
        server.process.kill()
        server.process.wait()
        assert list(house.runtime.rglob("*.secret"))

    with house.serving("serve", "--project", str(folder)):
        assert not list(house.runtime.rglob("*.secret"))
