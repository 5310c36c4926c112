"""What an agent's own programs may do on the control socket: look, and nothing in a person's name."""

import sys
from pathlib import Path

import pytest

from tests.system.client import Api, Json, ok
from tests.system.house import House
from tests.system.terminal import open_terminal

pytestmark = pytest.mark.slow


def _write_profile(house: House, said: Path) -> None:
    """A CLI whose programs speak to the server before it is ready; the last of them hides whose it is."""
    idea = f"{sys.executable} -m idea"
    program = house.root / "busy"
    program.write_text(
        f"""#!/bin/sh
{{
  {idea} ask qa hello --project "$PWD"; echo "code $?"
  {idea} link --project "$PWD"; echo "code $?"
  {idea} stop qa --project "$PWD"; echo "code $?"
  env -u IDEA_AGENT_ID {idea} ask qa hello --project "$PWD"; echo "code $?"
  {idea} status; echo "code $?"
}} >{said} 2>&1
exec {sys.executable} "$@"
""",
        encoding="utf-8",
    )
    program.chmod(0o700)
    profiles = house.root / "config" / "idea" / "profiles"
    profiles.mkdir(parents=True)
    profile = f'extends = "demo"\ncommand = "{program}"\npass_env = ["XDG_*"]\n'
    (profiles / "busy.toml").write_text(profile, encoding="utf-8")


async def test_an_agents_programs_look_but_neither_ask_nor_decide_in_a_persons_name(house: House) -> None:
    said = house.root / "said"
    _write_profile(house, said)
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        qa = await api.create("QA")
        await api.create("Busy", profile="busy")
        ok(await api.ask("busy", "list"))
        items = await api.items("qa")
        session = _session(await api.state(), qa)
    lines = said.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if line.startswith("code ")] == [*["code 6"] * 4, "code 0"]
    assert sum("it is for a person to do" in line for line in lines) == 4
    assert any("idea_ask_agent" in line for line in lines), "what it can do instead"
    assert items == []
    assert session is None


def _session(state: Json, agent: Json) -> Json | None:
    found: Json | None = next(each["session"] for each in state["agents"] if each["id"] == agent["id"])
    return found


async def test_a_terminal_in_which_a_person_works_is_theirs(house: House) -> None:
    """A shell is no agent that could ask by a tool."""
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        await api.create("QA")
        shell = await api.create("Sh", profile="shell")
        ok(await api.agent("POST", "sh", "/launch", {"view": "terminal", "nodeId": "left"}))
        async with open_terminal(server, shell["id"], cols=200) as terminal:
            await terminal.until_frame("reset")
            folders = f"XDG_RUNTIME_DIR={house.runtime} XDG_STATE_HOME={house.state}"
            await terminal.type(f"{folders} {sys.executable} -m idea ask qa 'remember the heron'; echo co''de $?\r")
            await terminal.until("code 0")
