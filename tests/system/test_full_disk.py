"""The disk takes nothing for a while under a server that goes on: told as long as it is so, and made up for."""

import resource
import signal

import pytest

from tests.system.client import Api, ok, texts
from tests.system.house import House

pytestmark = pytest.mark.slow


# Two servers start, and what is kept is tried again every few seconds.
@pytest.mark.timeout(120)
async def test_a_notice_stands_until_what_was_refused_is_on_disk(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api, pid = Api(server), server.process.pid
        await api.create("Main")
        ok(await api.ask("main", "the first"))
        async with api.follow() as events:
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            ok(await api.ask("main", "on a full disk"))
            posted = await events.until("noticePosted", code="fileTrouble")
            during = (await api.state())["notices"]

            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
            await events.until("noticeDismissed", number=posted["number"])
        after = (await api.state())["notices"]
        server.end(signal.SIGKILL)

    with house.serving("serve", "--project", str(folder)) as server:
        prompts = texts(await Api(server).items("main"), "prompt")

    assert posted["fields"]["isKept"]
    assert [notice["number"] for notice in during] == [posted["number"]]
    assert after == []
    assert [prompt.splitlines()[-1] for prompt in prompts] == ["the first", "on a full disk"]
