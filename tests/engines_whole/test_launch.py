"""What a launch gives a real CLI and what it leaves where; and that nothing of a project runs unseen."""

import json
import stat
import sys
from pathlib import Path

import pytest

from tests.engines.driving import TEAM_SERVER
from tests.engines_whole.crew import KEYS, PROJECT_TEXTS, Crew
from tests.system.client import Json, Reply, ok, refused

pytestmark = pytest.mark.engines


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def offered(request: Json) -> set[str]:
    """The tools that the model may call, without the prefixes of the CLI."""
    spaces = [tool for tool in request["tools"] if tool.get("type") == "namespace"]
    tools = [*request["tools"], *(inner for space in spaces for inner in space["tools"])]
    return {tool["name"].removeprefix("mcp__idea__") for tool in tools if "name" in tool}


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_the_very_first_request_offers_ideas_tools_and_knows_both_instructions(crew: Crew, profile: str) -> None:
    """So the bridge has been started, greeted and asked for its tools before the model was."""
    agent = await crew.hire(profile, instructions="Your motto is: measure twice.")

    await crew.reply(agent, f"[[say begun by {agent['name']}]]")

    request = dict(crew.heard(f"begun by {agent['name']}"))
    assert {"idea_list_agents", "idea_ask_agent", "idea_agent_status"} <= offered(request)
    given = json.dumps(request, ensure_ascii=False)
    assert "measure twice" in given
    assert PROJECT_TEXTS["CLAUDE.md" if profile == "claude" else "AGENTS.md"].strip() in given


async def test_what_a_launch_writes_is_the_users_alone_and_lies_in_its_run_folder(crew: Crew) -> None:
    before = {path.name for path in crew.root.iterdir()}
    claude, codex = await crew.hire("claude"), await crew.hire("codex")
    await crew.reply(claude, "[[say hello]]")
    await crew.reply(codex, "[[say hello]]")

    assert {path.name for path in crew.root.iterdir()} == before
    for name, text in PROJECT_TEXTS.items():
        assert (crew.root / name).read_text(encoding="utf-8") == text
    for agent in (claude, codex):
        folder = crew.root / ".ideai" / "run" / agent["slug"]
        assert mode_of(folder) == 0o700
        assert {mode_of(path) for path in folder.iterdir()} == {0o600}
    declared = json.loads((crew.root / ".ideai" / "run" / claude["slug"] / "mcp.json").read_text(encoding="utf-8"))
    (server,) = declared["mcpServers"].items()
    assert server[0] == "idea"
    assert server[1]["args"][-6::2] == ["--endpoint", "--project", "--requester"]
    assert server[1]["args"][-1] == claude["id"]
    ignored = (crew.root / ".ideai" / ".gitignore").read_text(encoding="utf-8").split()
    assert not any("run" in line for line in ignored if line.startswith("!"))


async def test_no_secret_stands_on_a_command_line_or_in_an_environment(crew: Crew) -> None:
    claude, codex = await crew.hire("claude"), await crew.hire("codex")
    await crew.reply(claude, "[[say hello]]")
    async with crew.asking(codex, "[[drone]]") as asking:
        await crew.reached_model(codex, "[[drone]]")
        processes = crew.house.processes()
        told = {pid: (cmdline(pid), environ(pid)) for pid in processes}
        secrets = [path.read_text(encoding="utf-8").strip() for path in crew.house.runtime.rglob("*.secret")]
        ok(await crew.api.agent("POST", codex["slug"], "/stop"))
        await asking

    assert len(secrets) == 2
    clis = [pid for pid, (line, _) in told.items() if "claude" in line[0] or "codex" in line[0]]
    bridges = [pid for pid, (line, _) in told.items() if "mcp-server" in line]
    assert (len(clis), len(bridges)) == (2, 2)
    known = [*secrets, crew.api.server.token]
    for line, environment in told.values():
        assert not any(secret in " ".join([*line, *environment.values()]) for secret in known)
        assert not any(key in " ".join(line) for key in KEYS.values() if len(key) > 1)
    for pid in clis:
        line, environment = told[pid]
        ours = {"ANTHROPIC_API_KEY"} if "claude" in line[0] else {"OPENAI_API_KEY"}
        assert KEYS.keys() & environment.keys() - {"IS_SANDBOX"} == ours
        # By which a stop finds all that the CLI has started.
        assert {name for name in environment if name.startswith("IDEA_")} == {"IDEA_AGENT_ID", "IDEA_SPAWN_ID"}


def cmdline(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").rstrip("\0").split("\0")


def environ(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/environ").read_text(encoding="utf-8").rstrip("\0").split("\0")
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


async def test_a_missing_cli_is_told_with_how_to_get_it(crew: Crew) -> None:
    agent = await crew.hire("missing")

    reason = refused(await crew.api.ask(agent["slug"], "hello"), 502, "ENGINE_FAILED")["reason"]

    assert "'claude-that-nobody-installed' was not found" in reason
    assert "npm install -g @anthropic-ai/claude-code" in reason
    readiness = (await crew.look(agent))["readiness"]
    assert (readiness["state"], readiness["reason"], readiness["detail"]) == ("exited", "launchFailed", reason)
    profiles = ok(await crew.api.project("GET", "/profiles"))
    health = {profile["id"]: profile for profile in profiles}
    assert health["missing"]["missing"] == reason
    assert (health["claude"]["name"], health["claude"]["missing"]) == ("Claude Code", None)
    assert health["claude"]["version"].startswith("2.")
    assert "0." in health["codex"]["version"]


async def test_what_a_project_brought_along_runs_only_after_a_person_has_seen_it(crew: Crew) -> None:
    root, mark = crew.house.folder("hostile"), crew.house.root / "hook-has-run"
    command = f"touch '{mark}'"
    hooks = {event: [{"hooks": [{"type": "command", "command": command}]}] for event in ("SessionStart", "Stop")}
    (root / ".claude").mkdir()
    (root / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    brought = {"command": sys.executable, "args": [str(TEAM_SERVER)], "alwaysLoad": True}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": {"idea": brought}}), encoding="utf-8")
    project = ok(await crew.api.call("POST", "/api/projects", {"path": str(root)}))["id"]

    async def there(path: str, body: object) -> Reply:
        return await crew.api.project("POST", path, body, project=project)

    claude = ok(await there("/agents", {"name": "Stranger", "profile": "claude"}))
    question = {"message": "[[say hello]]"}
    asked = refused(await there(f"/agents/{claude['slug']}/ask", question), 403, "TRUST_REQUIRED")
    refused(await there(f"/agents/{claude['slug']}/launch", {}), 403, "TRUST_REQUIRED")
    trust = (await crew.api.state(project=project))["trust"]
    assert not mark.exists()
    assert crew.house.processes("Stranger") == []
    assert crew.house.processes(str(TEAM_SERVER)) == []

    assert (asked["hash"], trust["isTrusted"]) == (trust["hash"], False)
    assert [item["text"] for item in trust["items"] if item["kind"] == "hook"] == [
        f"SessionStart: {command}",
        f"Stop: {command}",
    ]
    ok(await there("/trust", {"hash": trust["hash"]}))
    assert ok(await there(f"/agents/{claude['slug']}/ask", question))["reply"] == "hello"
    assert mark.exists()
    # Theirs is named as ours, and ours is there as well.
    tools = {"idea_list_agents", "mcp__idea_team__idea_list_agents"}
    assert tools <= offered(dict(crew.heard("You are Stranger")))
    ok(await crew.api.call("DELETE", f"/api/projects/{project}"))
