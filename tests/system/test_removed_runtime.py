"""The runtime folder is taken away under a server that goes on, by a cleaner or the end of the user's last login."""

import shutil
import signal

import pytest

from tests.system.client import Api, ok
from tests.system.house import House

pytestmark = pytest.mark.slow


# Two servers start, and a command for each way in.
@pytest.mark.timeout(120)
async def test_a_server_whose_sockets_are_removed_makes_them_again(house: House) -> None:
    folder, runtime = house.lasting_folder("shop"), house.runtime / "idea"
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        await api.create("One")
        await api.create("Two")
        ok(await api.ask("one", "ask Two: list"))
        removed = sorted(path.name for path in runtime.iterdir() if not path.name.endswith((".keeper", ".lock")))

        for number in range(2):
            shutil.rmtree(runtime)
            for name in removed:
                if name.endswith(".sock"):
                    server.wait_said(f"{runtime / name} was removed", times=number + 1)
            told = await house.run_beside("ask", "one", "ask Two: list", "--project", str(folder))
            assert told.code == 0, (told.err, server.said())
        # A bridge that begins now finds the door, and an agent's is let in.
        await api.create("Three")
        ok(await api.ask("three", "ask One: list"))
        second = house.run("serve", "--port", "0", "--no-browser")
        present = sorted(path.name for path in runtime.iterdir() if not path.name.endswith((".keeper", ".lock")))
        agents = house.agent("one"), house.agent("two")
        server.end(signal.SIGKILL)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        assert (house.agent("one"), house.agent("two")) == agents
        ok(await api.ask("one", "ask Two: list"))

    assert second.code == 5
    assert "A server runs already" in second.err
    assert set(removed) < set(present)
