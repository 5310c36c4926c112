"""Named layouts as browsers see them, and as files that a team shares."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from tests.system.client import Api, Json, ok, refused
from tests.system.house import House

pytestmark = pytest.mark.slow

GIT_S: Final = 20.0
"""It takes milliseconds; the machine may be busy."""


async def _do(api: Api, verb: str, layout: str, **body: object) -> None:
    ok(await api.project("POST", f"/layouts/{quote(layout, safe='')}/{verb}", {"origin": "a", **body}))


async def _git(house: House, folder: Path, *arguments: str) -> str:
    git = await asyncio.create_subprocess_exec(
        "git", *arguments, cwd=folder, env=house.env, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(GIT_S):
        out, _ = await git.communicate()
    assert git.returncode == 0
    return out.decode()


async def _save(api: Api, name: str, geometry: str, agent: str | None = None) -> None:
    layout = {"name": name, "geometry": geometry, "cells": [{"nodeId": "n", "agentId": agent, "view": "chat"}]}
    ok(await api.project("PUT", "/layout", {"layout": layout, "origin": "a"}))


def _entries(layouts: Json) -> dict[str, str]:
    return {entry["name"]: entry["sharing"] for entry in layouts["entries"]}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


async def test_browsers_agree_which_layout_is_shown_and_find_it_after_a_restart(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        async with api.follow() as other:
            await _save(api, "default", "1")
            ok(await api.project("POST", "/layouts", {"name": "Revue & tests", "origin": "a"}))
            await _save(api, "Revue & tests", "2")
            await _save(api, "default", "late")
            await _do(api, "show", "default")
            shown = await other.until("layoutsChanged", lambda event: event["layouts"]["current"] == "default")
            assert (shown["layout"]["geometry"], shown["origin"]) == ("late", "a")
            saved = [event["layout"]["geometry"] for event in other.all("layoutChanged")]
            assert saved == ["1", "2"], "a late save of a layout that is not shown is no change of the shown one"
            await _do(api, "rename", "Revue & tests", name="日本")
            await _do(api, "show", "日本")

        for name in ("../x", ".x", "a/b", "x" * 61, ""):
            body = {"name": name, "origin": "a"}
            assert refused(await api.project("POST", "/layouts", body), 422, "INVALID")["why"] == "layoutNameInvalid"
        taken = await api.project("POST", "/layouts", {"name": "DEFAULT", "origin": "a"})
        assert refused(taken, 409, "CONFLICT")["why"] == "layoutNameTaken"
        gone = await api.project("POST", "/layouts/..%2Fstate/share", {"origin": "a"})
        assert gone.status == 404

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        state = await api.state()
        assert (state["layout"]["name"], state["layout"]["geometry"]) == ("日本", "2")
        ok(await api.project("DELETE", f"/layouts/{quote('日本')}"))
        state = await api.state()
        assert (state["layout"]["geometry"], _entries(state["layouts"])) == ("late", {"default": "own"})
        last = await api.project("DELETE", "/layouts/default")
        assert refused(last, 409, "CONFLICT")["why"] == "lastLayout"


async def test_a_shared_layout_is_a_file_for_git_that_a_colleague_shows_and_edits_by_hand(house: House) -> None:
    folder, theirs = house.folder("shop"), house.folder("theirs")
    file, copy = (each / ".ideai" / "layouts" / "team.json" for each in (folder, theirs))
    await _git(house, folder, "init", "-q")
    with house.serving("serve", "--project", str(folder), "--project", str(theirs)) as server:
        api = Api(server)
        agent = await api.create("QA")
        await _save(api, "default", "1", agent["id"])
        await _do(api, "rename", "default", name="team")
        await _do(api, "share", "team")
        state = await api.state()
        assert (_entries(state["layouts"]), state["trust"]["isTrusted"]) == ({"team": "shared"}, True)
        seen = await _git(house, folder, "status", "--porcelain", "-uall")
        assert " .ideai/layouts/team.json" in seen
        assert "state/" not in seen
        assert _read(file)["cells"] == [{"nodeId": "n", "agentId": agent["id"], "agentSlug": "qa", "view": "chat"}]

        other = server.ready["projects"][1]["id"]
        mine = ok(await api.project("POST", "/agents", {"name": "QA", "profile": "demo"}, project=other))
        async with api.follow() as events:
            copy.parent.mkdir()
            copy.write_bytes(file.read_bytes())
            (copy.parent / "bad.json").write_text("{", encoding="utf-8")
            offered = await events.until(
                "layoutsChanged", lambda event: len(event["layouts"]["broken"]) == 1, projectId=other
            )
            assert _entries(offered["layouts"]) == {"default": "own", "team": "offered"}
            [broken] = offered["layouts"]["broken"]
            assert (broken["name"], broken["fields"]["why"]) == ("bad", "layoutUnusable")

            ok(await api.project("POST", "/layouts/team/show", {"origin": "b"}, project=other))
            shown = await events.until("layoutsChanged", projectId=other, origin="b")
            assert [cell["agentId"] for cell in shown["layout"]["cells"]] == [mine["id"]]

            edited = {**_read(copy), "geometry": "by hand"}
            copy.write_text(json.dumps(edited), encoding="utf-8")
            followed = await events.until("layoutsChanged", projectId=other, origin="file")
            assert followed["layout"]["geometry"] == "by hand"
        state = await api.state(project=other)
        assert _entries(state["layouts"]) == {"default": "own", "team": "shared"}
        assert (copy.parent / "bad.json").exists()
        assert "Traceback" not in server.said()
