"""What an agent in its terminal is at, by hooks that its CLI runs and by what it shows, also for the next server."""

import asyncio
import os
import signal

import pytest

from tests.system.client import WAIT_S, Api, ok
from tests.system.house import House
from tests.system.terminal import open_terminal

pytestmark = pytest.mark.slow

CLI = """
import json, subprocess, sys
orders, done, declared = sys.argv[1:4]
hooks = json.load(open(declared))["hooks"]
print("a program that says nothing of itself", flush=True)
while True:
    event, kind = open(orders).read().split()
    (entry,) = hooks[event][0]["hooks"]
    told = json.dumps({"hook_event_name": event, "kind": kind, "session_id": "s1"})
    subprocess.run(entry["command"], shell=True, input=told, text=True, check=True, timeout=entry["timeout"])
    open(done, "w").write("x")
"""
PROFILE = """
command = "{{python}}"
[terminal]
args = ["-I", "-S", "{program}", "{orders}", "{done}", "{{hooks_file}}"]
[terminal.hooks]
args = ["--hooks={{hooks_file}}"]
rules = [
    {{ event = "Begin", means = "working" }},
    {{ event = "Note", means = "question", where = {{ kind = "^asked" }}, detail = "kind" }},
    {{ event = "Stop", means = "idle" }},
]
"""


class Cli:
    """The program, driven through two FIFOs, so that nobody waits by the clock."""

    def __init__(self, house: House) -> None:
        self._orders, self._done = house.root / "orders", house.root / "done"
        os.mkfifo(self._orders)
        os.mkfifo(self._done)
        program = house.root / "cli.py"
        program.write_text(CLI, encoding="utf-8")
        folder = house.root / "config" / "idea" / "profiles"
        folder.mkdir(parents=True)
        profile = PROFILE.format(program=program, orders=self._orders, done=self._done)
        (folder / "hooked.toml").write_text(profile, encoding="utf-8")

    async def run_hook(self, event: str, kind: str = "-") -> None:
        """Returns when the program goes on."""

        def order() -> None:
            self._orders.write_text(f"{event} {kind}")
            self._done.read_text()

        async with asyncio.timeout(WAIT_S):
            await asyncio.to_thread(order)


async def test_hooks_say_what_an_agent_is_at_also_across_a_killed_server(house: House) -> None:
    cli, folder = Cli(house), str(house.lasting_folder("shop"))
    with house.serving("serve", "--project", folder, leaves_agents=True) as server:
        api = Api(server)
        agent = await api.create("Ada", profile="hooked")
        ok(await api.agent("POST", "ada", "/launch", {"nodeId": "left", "view": "terminal"}))
        await cli.run_hook("Begin")
        working = await api.until_state(agent, "working")
        await cli.run_hook("Note", "asked-whether")
        asked = await api.until_state(agent, "waitingPermission")
        server.end(signal.SIGKILL)

    await cli.run_hook("Note", "of-something-else")
    await cli.run_hook("Stop")
    with house.serving("serve", "--project", folder) as server:
        idle = await Api(server).until_state(agent, "idle")

    assert (working["source"], working["reason"]) == ("hook", "atWork")
    assert (asked["source"], asked["reason"], asked["detail"]) == ("hook", "questionAsked", "asked-whether")
    assert (idle["source"], idle["reason"]) == ("hook", "atPrompt")


async def test_a_question_in_a_terminal_is_still_one_for_the_next_server(house: House) -> None:
    folder = str(house.lasting_folder("shop"))
    with house.serving("serve", "--project", folder, leaves_agents=True) as server:
        api = Api(server)
        agent = await api.create("Ada")
        ok(await api.agent("POST", "ada", "/launch", {"nodeId": "left", "view": "terminal"}))
        async with open_terminal(server, agent["id"]) as terminal:
            await terminal.until("ready")
            await terminal.type("deploy\r")
            before = await api.until_state(agent, "waitingPermission")
        server.end(signal.SIGKILL)

    with house.serving("serve", "--project", folder) as server:
        after = await Api(server).until_state(agent, "waitingPermission")

    assert (after["source"], after["reason"]) == ("terminal", "permissionAsked")
    assert after["detail"] == before["detail"] != ""


async def test_a_program_that_ends_says_why_where_its_profile_knows_the_words(house: House) -> None:
    folder = house.root / "config" / "idea" / "profiles"
    folder.mkdir(parents=True)
    ends = "import sys; print('welcome'); print('Could not start: there is no key'); input(); sys.exit(4)"
    profile = f"""
command = "{{python}}"
[terminal]
args = ["-I", "-S", "-c", "{ends}"]
readiness.ended = ["^Could not start: "]
"""
    (folder / "ends.toml").write_text(profile, encoding="utf-8")
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        agent = await api.create("Ada", profile="ends")
        ok(await api.agent("POST", "ada", "/launch", {"nodeId": "left", "view": "terminal"}))
        async with open_terminal(server, agent["id"]) as terminal:
            await terminal.until("no key")
            await terminal.type("\r")
            await terminal.until_frame("ended")
        ended = await api.until_state(agent, "exited")

    assert (ended["reason"], ended["exitCode"]) == ("ended", 4)
    assert ended["detail"] == "Could not start: there is no key"
