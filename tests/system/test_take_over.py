"""A project that another server has open is taken from it when a person agrees, and only then."""

from dataclasses import replace

import pytest

from tests.system.client import Api, ok, refused
from tests.system.house import STOP_S, House, new_house, wait_gone

pytestmark = pytest.mark.slow


def from_elsewhere(house: House) -> House:
    """The same user in another login, whose runtime folder is another one: a server there does not know of this one."""
    runtime = house.root / "r2"
    runtime.mkdir(mode=0o700)
    return replace(house, more={**house.more, "XDG_RUNTIME_DIR": str(runtime)})


async def test_a_project_is_taken_over_with_consent_and_its_conversation_goes_on() -> None:
    with new_house() as first:
        root, second = first.folder("shop"), from_elsewhere(first)
        with first.serving("serve", "--project", str(root)) as holding, second.serving("serve") as taking:
            old, new = Api(holding), Api(taking)
            agent = await old.create("QA")
            ok(await old.ask(agent["slug"], "list"))
            living = first.processes("--agent", "qa")

            elsewhere = refused(await new.call("POST", "/api/projects", {"path": str(root)}), 409, "CONFLICT")
            wrong = {"path": str(root), "takeOver": f"{holding.process.pid}:1"}
            changed = refused(await new.call("POST", "/api/projects", wrong), 409, "CONFLICT")
            assert holding.process.poll() is None
            agreed = {"path": str(root), "takeOver": elsewhere["holder"]}
            opened = ok(await new.call("POST", "/api/projects", agreed))
            ended = holding.process.wait(STOP_S)
            path = f"/api/projects/{opened['id']}/agents/qa/ask"
            reply = ok(await new.call("POST", path, {"message": "what did I say first?"}))["reply"]

    assert (elsewhere["why"], elsewhere["pid"]) == ("openElsewhere", holding.process.pid)
    assert changed["why"] == "holderChanged"
    assert ended == 0
    assert "“list”" in reply
    assert wait_gone(living) == []


def test_the_command_line_takes_over_when_it_is_told_to() -> None:
    with new_house() as first:
        root, second = first.folder("shop"), from_elsewhere(first)
        with first.serving("serve", "--project", str(root)) as holding:
            told = second.run("serve", "--project", str(root), "--no-browser")
            assert told.code == 5
            assert f"process {holding.process.pid}" in told.err
            assert holding.process.poll() is None
            with second.serving("serve", "--project", str(root), "--take-over") as taking:
                ended = holding.process.wait(STOP_S)
                taking.wait_said("taken over from another server")

    assert ended == 0
