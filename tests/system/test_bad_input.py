"""What a person gets wrong: one sentence that says what, why and what to do, an exit code, and nothing half-made."""

import pytest

from tests.system.client import Api, Json, ok, refused
from tests.system.house import House, write_agent

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command", [("serve", "--project"), ("demo",), ("open",)])
def test_a_path_that_is_no_folder_starts_nothing(house: House, command: tuple[str, ...]) -> None:
    file = house.root / "file"
    file.write_text("", encoding="utf-8")
    for path, word in ((file, "is a file"), (house.root / "nowhere", "There is no folder")):
        told = house.run(*command, str(path), "--no-browser", "--port", "0")

        assert (told.code, told.out) == (4, "")
        assert word in told.err
        assert str(path) in told.err
        assert "Traceback" not in told.err
    assert file.read_text(encoding="utf-8") == ""
    assert not (house.root / "nowhere").exists()


def test_a_second_server_touches_no_project(house: House) -> None:
    folder = house.lasting_folder("second")
    with house.serving("serve"):
        told = house.run("serve", "--project", str(folder), "--port", "0", "--no-browser")

    assert told.code == 5
    assert "A server runs already" in told.err
    assert list(folder.iterdir()) == []


def test_two_servers_cannot_have_the_same_project(house: House) -> None:
    """The demo's server stands beside the user's own; its project belongs to it."""
    with house.serving("demo") as demo:
        told = house.run("serve", "--project", str(demo.root), "--port", "0", "--no-browser")
        assert told.code == 5
        assert f"process {demo.process.pid}" in told.err
        assert [path.name for path in (demo.root / ".ideai").glob("state*")] == ["state"]
        assert house.run("ask", "qa", "list", "--project", str(demo.root)).code == 0


def test_a_command_without_a_server_says_how_to_start_one(house: House) -> None:
    for command in (("ask", "main", "hello"), ("agents",), ("status",), ("link",)):
        told = house.run(*command)
        assert told.code == 11, told
        assert "Start one with" in told.err


async def test_opening_a_path_that_is_no_project_is_refused_and_leaves_it_alone(house: House) -> None:
    file = house.root / "file"
    file.write_text("mine", encoding="utf-8")
    locked = house.lasting_folder("elsewhere")
    (locked / ".ideai").symlink_to(house.root)
    with house.serving("serve") as server:
        api = Api(server)
        refused(await api.call("POST", "/api/projects", {"path": str(file)}), 422, "INVALID")
        refused(await api.call("POST", "/api/projects", {"path": str(house.root / "nowhere")}), 422, "INVALID")
        refused(await api.call("POST", "/api/projects", {"path": "relative"}), 422, "INVALID")
        refused(await api.call("POST", "/api/projects", {"path": str(locked)}), 403, "REFUSED")
        assert ok(await api.call("GET", "/api/state"))["projects"] == []

    assert file.read_text(encoding="utf-8") == "mine"
    assert not list(house.root.glob("agents"))


async def test_a_missing_cli_is_told_with_how_to_get_it(house: House) -> None:
    profiles = house.root / "config" / "idea" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "gone.toml").write_text(
        'extends = "demo"\ncommand = "no-such-program"\ninstall_hint = "Take it from the shelf."\n', encoding="utf-8"
    )
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        agent = await api.create(profile="gone")
        fields = refused(await api.ask(agent["slug"], "hello"), 502, "ENGINE_FAILED")
        shown: Json = ok(await api.agent("GET", agent["slug"]))
        health = {each["id"]: each for each in ok(await api.project("GET", "/profiles"))}
        told = await house.run_beside("ask", agent["slug"], "hello", "--project", str(server.root))

    assert "no-such-program" in fields["reason"]
    assert "Take it from the shelf." in fields["reason"]
    assert (shown["session"], shown["readiness"]["reason"]) == (None, "launchFailed")
    assert "no-such-program" in health["gone"]["missing"]
    assert health["demo"]["missing"] is None
    assert told.code == 8
    assert "Take it from the shelf." in told.err
    assert not list(house.root.rglob("*.secret"))


async def test_what_a_cli_said_when_it_would_not_start_is_told_to_who_asked(house: House) -> None:
    """On stderr, or where its events belong."""
    profiles = house.root / "config" / "idea" / "profiles"
    profiles.mkdir(parents=True)
    for name, stream in (("surly", 2), ("loud", 1)):
        program = house.root / name
        said = r"printf '\033[31mInvalid API key. Log in first.\033[0m\n'"
        program.write_text(f"#!/bin/sh\n{said} >&{stream}\nexit 1\n", encoding="utf-8")
        program.chmod(0o700)
        (profiles / f"{name}.toml").write_text(f'extends = "demo"\ncommand = "{program}"\n', encoding="utf-8")
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        for name in ("surly", "loud"):
            agent = await Api(server).create(profile=name)
            told = await house.run_beside("ask", agent["slug"], "hello", "--project", str(server.root))

            assert told.code == 8
            assert "Invalid API key. Log in first." in told.err, name
            assert "idea doctor" not in told.err
            assert "31m" not in told.err


async def test_a_broken_agent_file_keeps_nobody_else_from_working(house: House) -> None:
    folder = house.folder("shop")
    write_agent(folder, "Good")
    path = write_agent(folder, "Bad", front=("profile: demo", "permissions: whenever"))
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        state = await api.state()
        ok(await api.project("POST", "/trust", {"hash": state["trust"]["hash"]}))
        assert "scripted demo agent" in ok(await api.ask("good", "hello"))["reply"]
        assert refused(await api.ask("Bad", "hello"), 409, "CONFLICT") == {"why": "fileBroken", "file": "bad.md"}

    (broken,) = state["broken"]
    assert broken["slug"] == "bad"
    assert "whenever" in broken["reason"]
    assert "permissions: whenever" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"message": ""}, 422, "INVALID"),
        ({"message": "  \n"}, 422, "INVALID"),
        ({"message": "x" * 1_000_001}, 422, "INVALID"),
        ({"message": "hello", "timeoutSeconds": 0}, 422, "INVALID"),
        ({"message": "hello", "timeoutSeconds": 86_401}, 422, "INVALID"),
        ({"message": "hello", "requester": "architect"}, 422, "INVALID"),
        ({}, 422, "INVALID"),
    ],
    ids=["empty", "blank", "too long", "no time", "too much time", "forged requester", "nothing"],
)
async def test_an_ask_that_makes_no_sense_is_refused_and_starts_nobody(
    api: Api, body: Json, status: int, code: str
) -> None:
    agent = await api.create()

    refused(await api.agent("POST", agent["slug"], "/ask", body), status, code)

    assert (await api.agent("GET", agent["slug"])).body["session"] is None


async def test_paths_and_names_never_escape_the_project(api: Api) -> None:
    for name in ("..%2f..%2fetc", "%2e%2e", "a%00b", "main%2f..%2fqa"):
        assert (await api.agent("GET", name)).status == 404
    assert (await api.call("GET", "/assets/..%2f..%2f..%2fetc%2fpasswd")).status == 404
    refused(await api.project("PUT", "/settings", {"turnTimeoutS": "../../etc"}), 422, "INVALID")


def test_the_folder_of_a_failed_start_is_left_as_it_was(house: House) -> None:
    folder = house.lasting_folder("shop")
    (folder / ".ideai").write_text("not a folder", encoding="utf-8")

    told = house.run("serve", "--project", str(folder), "--port", "0", "--no-browser")

    assert told.code in (4, 6)
    assert ".ideai" in told.err
    assert "Traceback" not in told.err
    assert (folder / ".ideai").read_text(encoding="utf-8") == "not a folder"
    assert house.processes() == []
    assert [path for path in house.runtime.rglob("*") if path.suffix == ".sock"] == []
