"""State that is spoilt while no server looks: set aside, told to whoever comes, and nobody stops working for it."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.system.client import Api, ok
from tests.system.house import House, Server, write_agent

pytestmark = pytest.mark.slow

NULS = b"\0" * 500


SPOILT: Final = (
    ".ideai/settings.toml",
    ".ideai/state/records.sqlite",
    ".ideai/state/records.sqlite-wal",
    ".ideai/state/layouts.json",
    ".ideai/state/project.json",
)


def _open_once(house: House, *folders: Path) -> None:
    with house.serving("serve", *_projects(folders)):
        pass


def _projects(folders: Sequence[Path]) -> list[str]:
    return [argument for folder in folders for argument in ("--project", str(folder))]


async def test_what_was_set_aside_is_told_to_a_page_that_comes_later_and_on_stderr(house: House) -> None:
    folders = {spoilt: house.folder(f"p{number}") for number, spoilt in enumerate(SPOILT)}
    _open_once(house, *folders.values())
    for spoilt, folder in folders.items():
        (folder / spoilt).write_bytes(NULS)

    with house.serving("serve", *_projects([*folders.values()])) as server:
        opened = house.run(str(folders[SPOILT[0]]), "--no-browser")
        notices = {}
        api = Api(server)
        for project in server.ready["projects"]:
            spoilt = next(each for each in folders if str(folders[each]) == project["path"])
            (notices[spoilt],) = (await api.state(project=project["id"]))["notices"]
            number = notices[spoilt]["number"]
            ok(await api.project("DELETE", f"/notices/{number}", project=project["id"]))
            assert (await api.state(project=project["id"]))["notices"] == []
        said = server.said()

    assert notices[SPOILT[0]]["detail"] in opened.err
    for spoilt, notice in notices.items():
        assert (notice["code"], "why" in notice["fields"], notice["detail"] in said) == ("fileTrouble", True, True)
        assert "this machine" not in notice["detail"]
        left = [path.read_bytes() for path in (folders[spoilt] / ".ideai").rglob(Path(spoilt).name + "*")]
        assert left.count(NULS) == 1, spoilt


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
    _open_once(house, folder := house.folder("shop"))
    record = folder / ".ideai/state/locks/runtime"
    kept = record.read_text()
    record.unlink()
    os.mkfifo(record)

    with house.serving("serve", "--project", str(folder)) as server:
        assert (await Api(server).state())["broken"] == []

    assert record.read_text() == kept


async def test_a_folder_in_place_of_a_record_is_set_aside(house: House) -> None:
    _open_once(house, folder := house.folder("shop"))
    records = [folder / ".ideai/state" / name for name in ("control", "locks/runtime")]
    for record in records:
        record.unlink(missing_ok=True)
        (record / "inside").mkdir(parents=True)

    with house.serving("serve", "--project", str(folder)) as server:
        assert (await Api(server).state())["broken"] == []
        assert [record.is_file() for record in records] == [True, True]

    for record in records:
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


async def test_settings_under_somebodys_editor_are_told_and_left_alone(api: Api, demo: Server) -> None:
    path = demo.root / ".ideai" / "settings.toml"
    before = path.read_bytes() if path.exists() else b""
    async with api.follow() as events:
        path.write_text('locale = "fr"\nx = [\n', encoding="utf-8")
        broken = await events.until("noticePosted", lambda event: event["fields"].get("why") == "settingsBroken")
        assert path.read_text(encoding="utf-8") == 'locale = "fr"\nx = [\n'
        path.write_text('locale = "fr"\nhost = "0.0.0.0"\n', encoding="utf-8")
        await events.until("noticeDismissed", number=broken["number"])
        unknown = await events.until("noticePosted", lambda event: event["fields"].get("why") == "settingsUnknown")
        assert (await api.state())["settings"]["locale"] == "fr"
        path.write_bytes(before)
        await events.until("noticeDismissed", number=unknown["number"])

    assert broken["fields"]["line"] == "2"
    assert unknown["fields"]["names"] == "host"
    assert not list(path.parent.glob("settings.toml.broken-*"))
