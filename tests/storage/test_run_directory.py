import json
import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.storage.hook_files import HOOKS_FILE, LAST_FILE
from idea.adapters.storage.run_directory import RunFolders
from idea.application.ports import LaunchFiles, ProjectPaths
from idea.domain.agents import Agent
from idea.domain.errors import IdeaError, Invalid
from idea.domain.ids import AgentId, AgentSlug, ProjectId
from idea.domain.profiles import Face, McpStrategy, Profile, expand
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import HookRule, Hooks, RanHook, Sign, TerminalSigns
from tests.storage.looking import mode, modes_in, names_in

ADA = Agent(AgentId("id-ada"), AgentSlug("ada"), "Ada {root}", "claude", instructions="Write {name} in ✓ \U0001f600.")
PROFILE = Profile(
    "claude",
    "Claude",
    "claude",
    terminal=Face(context_args=("--file", "{context_file}")),
    env={"NAME": "{slug}"},
    mcp=McpStrategy.CONFIG_FILE,
    mcp_args=("--mcp-config", "{mcp_config}"),
    mcp_env={"ARGS": "{mcp_args_toml}"},
    mcp_entry={"alwaysLoad": True, "command": "overridden"},
)
BRIDGE = ("/usr/bin/python3", "-I", '/a dir/bri"dge.py', "mcp-server", "--endpoint", "/é\U0001f600\x7f\n")


class House:
    """The run folders of one project, and what they told others."""

    def __init__(self, root: Path) -> None:
        ideai = root / ".ideai"
        self.secrets: dict[AgentId, str] = {}
        self.side_secrets: dict[AgentId, str] = {}
        self.servers: Mapping[str, object] = {}
        self.folders = RunFolders(
            ProjectPaths(ProjectId("p"), root, ideai, ideai / "run", ideai / "state", Path("/run/p.sock")),
            environment=lambda profile: {"HOME": "/home/{slug}", **profile.env},
            bridge_command=lambda agent, role: (*BRIDGE, "--requester", agent, *_words_of(role)),
            hook_command=lambda agent, *, kept, fields: ("/usr/bin/python3", "a hook's.py", agent, str(kept), *fields),
            write_secret=lambda agent, role, secret: self._of(role).__setitem__(agent, secret),
            remove_secret=lambda agent, role: self._of(role).__delitem__(agent) if agent in self._of(role) else None,
            user_servers=lambda: self.servers,
        )

    def _of(self, role: SessionRole) -> dict[AgentId, str]:
        return self.secrets if role is SessionRole.MAIN else self.side_secrets

    async def prepare(self, agent: Agent, profile: Profile, *, is_same_launch: bool = False) -> LaunchFiles:
        """For the agent's own session."""
        return await self.folders.prepare(agent, profile, SessionRole.MAIN, is_same_launch=is_same_launch)


def _words_of(role: SessionRole) -> tuple[str, ...]:
    return ("--side",) if role is SessionRole.SIDE else ()


@pytest.fixture
def house(root: Path) -> House:
    return House(root)


async def test_everything_of_a_launch_is_private_and_in_the_run_folder(house: House, root: Path) -> None:
    files = await house.prepare(ADA, PROFILE)

    run = root / ".ideai" / "run" / "ada"
    assert files.run_dir == run
    assert names_in(run) == {"agent-id", "context.md", "mcp.json"}
    assert modes_in(run) == {0o600}
    assert [mode(run), mode(run.parent)] == [0o700, 0o700]
    assert names_in(root) == {".ideai"}


async def test_the_declaration_names_our_bridge_beside_the_users_own_servers(house: House) -> None:
    house.servers = {"theirs": {"command": "x"}}

    files = await house.prepare(ADA, PROFILE)

    assert json.loads((files.run_dir / "mcp.json").read_text()) == {
        "mcpServers": {
            "theirs": {"command": "x"},
            "idea": {"alwaysLoad": True, "command": BRIDGE[0], "args": [*BRIDGE[1:], "--requester", "id-ada"]},
        }
    }


async def test_a_server_of_the_users_that_is_named_as_ours_stays_and_ours_takes_another_name(house: House) -> None:
    theirs = {"idea": {"command": "an editor of the same name"}, "idea.team": {"url": "http://x"}}
    house.servers = theirs

    files = await house.prepare(ADA, PROFILE)

    declared = json.loads((files.run_dir / "mcp.json").read_text())["mcpServers"]
    ours = files.placeholders["mcp_server"]
    assert {name: declared[name] for name in theirs} == theirs
    assert ours == "idea_team_2"
    assert declared[ours]["command"] == BRIDGE[0]


@pytest.mark.parametrize(
    ("place", "content"),
    [
        ("own/config.toml", "[mcp_servers.idea]\nenabled = false\n"),
        ("project/.codex/config.toml", "[mcp_servers.idea]\nurl = 'http://x'\n"),
        ("project/packages/shop/.codex/config.toml", "[mcp_servers]\nidea = {}\n"),
        ("own/servers.json", '{"mcpServers": {"idea": {}}}'),
    ],
)
async def test_a_cli_that_reads_its_own_files_besides_finds_ours_under_a_name_that_is_free_there(
    house: House, tmp_path: Path, place: str, content: str
) -> None:
    places = ("${OWN:-/nowhere}/config.toml", ".codex/config.toml", "${OWN}/servers.json")
    profile = replace(PROFILE, env={"OWN": str(tmp_path / "own")}, mcp=McpStrategy.FLAG, mcp_declared_in=places)
    agent = replace(ADA, workspace="packages/shop")
    assert (await house.prepare(agent, profile)).placeholders["mcp_server"] == "idea"

    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    assert (await house.prepare(agent, profile)).placeholders["mcp_server"] == "idea_team"

    path.write_bytes(b"\xff = [")
    assert (await house.prepare(agent, profile)).placeholders["mcp_server"] == "idea"


async def test_a_profile_without_a_declaration_file_gets_none_not_even_an_old_one(house: House) -> None:
    files = await house.prepare(ADA, PROFILE)
    await house.prepare(ADA, replace(PROFILE, mcp=McpStrategy.NONE))

    assert not (files.run_dir / "mcp.json").exists()
    assert "idea_ask_agent" not in (files.run_dir / "context.md").read_text()


async def test_the_agent_learns_who_it_is_and_its_instructions_are_not_touched(house: House) -> None:
    files = await house.prepare(ADA, PROFILE)

    context = (files.run_dir / "context.md").read_text()
    assert "You are Ada {root}," in context
    assert "idea_ask_agent" in context
    assert context.endswith("Write {name} in ✓ \U0001f600.\n")
    assert files.placeholders["context"] == context


async def test_placeholders_fill_arguments_and_the_profiles_variables_only(house: House, root: Path) -> None:
    files = await house.prepare(replace(ADA, model="opus"), PROFILE)

    run = os.fspath(root / ".ideai" / "run" / "ada")
    assert expand(files.mcp_args, files.placeholders) == ("--mcp-config", f"{run}/mcp.json")
    assert files.env["HOME"] == "/home/{slug}"
    assert files.env["NAME"] == "ada"
    assert tomllib.loads(f"args = {files.env['ARGS']}") == {"args": [*BRIDGE[1:], "--requester", "id-ada"]}
    assert files.placeholders["model"] == "opus"


async def test_the_model_is_the_agents_else_the_profiles_else_absent(house: House) -> None:
    named = await house.prepare(ADA, replace(PROFILE, model="small"))
    unnamed = await house.prepare(ADA, PROFILE)

    assert (named.placeholders["model"], "model" in unnamed.placeholders) == ("small", False)


async def test_each_launch_has_a_secret_of_its_own_that_stands_in_no_file_argument_or_variable(house: House) -> None:
    await house.prepare(ADA, PROFILE)
    first = house.secrets[ADA.id]
    second = await house.prepare(ADA, PROFILE)
    secret = house.secrets[ADA.id]

    assert first != secret
    assert len(secret) >= 43
    shown = [*second.env.values(), *second.placeholders.values(), *second.mcp_args]
    shown += [path.read_text() for path in second.run_dir.iterdir()]
    assert not any(secret in text for text in shown)


async def test_the_files_of_a_launch_can_be_written_again_under_its_secret(house: House) -> None:
    await house.prepare(ADA, PROFILE)
    secret = house.secrets[ADA.id]

    await house.prepare(ADA, replace(PROFILE, model="other"), is_same_launch=True)

    assert house.secrets == {ADA.id: secret}


async def test_instructions_too_long_for_an_argument_are_refused(house: House) -> None:
    agent = replace(ADA, instructions="x" * 200_000)

    await house.prepare(agent, PROFILE)
    with pytest.raises(Invalid):
        await house.prepare(agent, replace(PROFILE, structured=Face(context_args=("-c", "x={context}"))))


async def test_removing_takes_the_folder_and_the_secret_and_is_idempotent(house: House) -> None:
    files = await house.prepare(ADA, PROFILE)

    await house.folders.remove(ADA)
    await house.folders.remove(ADA)
    with pytest.raises(IdeaError):
        await house.folders.remove(replace(ADA, slug=AgentSlug("../agents")))

    assert not files.run_dir.exists()
    assert files.run_dir.parent.parent.joinpath("agents").exists()
    assert house.secrets == {}


async def test_who_comes_to_the_file_name_of_another_agent_is_told_nothing_of_that_ones(house: House) -> None:
    await house.folders.keep_earlier(ADA, SessionRole.MAIN, "## Told to Ada")
    files = await house.prepare(ADA, PROFILE)
    await house.folders.prepare(ADA, PROFILE, SessionRole.SIDE)
    assert "Told to Ada" in (files.run_dir / "context.md").read_text()
    # Ada's file has another name by now.
    other = replace(ADA, id=AgentId("id-other"), name="Other")

    await house.prepare(other, PROFILE)

    assert "Told to Ada" not in (files.run_dir / "context.md").read_text()
    assert names_in(files.run_dir) == {"agent-id", "context.md", "mcp.json"}
    await house.folders.remove(ADA)
    assert files.run_dir.exists()
    assert list(house.secrets) == [other.id]


async def test_a_run_folder_that_a_repository_brought_as_a_link_is_refused(
    house: House, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (root / ".ideai" / "run" / "ada").symlink_to(tmp_path / "outside")

    with pytest.raises(IdeaError):
        await house.prepare(ADA, PROFILE)

    assert not list((tmp_path / "outside").iterdir())
    assert house.secrets == {}


async def test_what_stands_beside_a_terminal_has_files_and_a_secret_of_its_own(house: House, root: Path) -> None:
    profile = replace(PROFILE, signs=TerminalSigns(hooks=HOOKS))
    main = await house.prepare(ADA, profile)
    await house.folders.keep_earlier(ADA, SessionRole.MAIN, "## Told to the terminal")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in main.run_dir.iterdir()}

    await house.folders.keep_earlier(ADA, SessionRole.SIDE, "## Told beside it")
    side = await house.folders.prepare(ADA, profile, SessionRole.SIDE)

    assert side.run_dir == main.run_dir / "side"
    assert mode(side.run_dir) == 0o700
    assert names_in(side.run_dir) == {"context.md", "earlier.md", "mcp.json"}
    assert modes_in(side.run_dir) == {0o600}
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before
    context = (side.run_dir / "context.md").read_text()
    assert "## You stand beside a terminal" in context
    assert "## Told beside it" in context
    assert ADA.instructions in context
    assert "beside" not in (main.run_dir / "context.md").read_text()
    declared = json.loads((side.run_dir / "mcp.json").read_text())["mcpServers"]["idea"]["args"]
    assert declared[-3:] == ["--requester", ADA.id, "--side"]
    assert house.secrets[ADA.id] != house.side_secrets[ADA.id]

    await house.folders.retire(ADA.id, SessionRole.SIDE)
    assert (list(house.secrets), house.side_secrets) == ([ADA.id], {})
    await house.folders.prepare(ADA, profile, SessionRole.SIDE)
    await house.folders.remove(ADA)
    assert (house.secrets, house.side_secrets) == ({}, {})
    assert not main.run_dir.exists()


HOOKS = Hooks(("--settings", "{hooks_file}"), (HookRule("Stop", Sign.IDLE, {"kind": "x"}, "message"),))


async def test_hooks_are_declared_in_a_file_of_the_launch_and_what_an_earlier_one_told_is_gone(house: House) -> None:
    profile = replace(PROFILE, signs=TerminalSigns(hooks=HOOKS))
    files = await house.prepare(ADA, profile)
    (files.run_dir / LAST_FILE).write_text('{"event": "Stop", "fields": {}}')
    assert await house.folders.find_last_hook(ADA.slug) == RanHook("Stop")

    files = await house.prepare(ADA, profile, is_same_launch=True)
    assert await house.folders.find_last_hook(ADA.slug) == RanHook("Stop")
    files = await house.prepare(ADA, profile)

    assert await house.folders.find_last_hook(ADA.slug) is None
    assert files.hook_args == HOOKS.args
    assert files.placeholders["hooks_file"] == str(files.run_dir / HOOKS_FILE)
    (entry,) = json.loads((files.run_dir / HOOKS_FILE).read_text())["hooks"]["Stop"][0]["hooks"]
    kept = str(files.run_dir / LAST_FILE)
    assert shlex.split(entry["command"]) == ["/usr/bin/python3", "a hook's.py", "id-ada", kept, "kind", "message"]
    assert modes_in(files.run_dir) == {0o600}

    await house.prepare(ADA, PROFILE)
    assert HOOKS_FILE not in names_in(files.run_dir)
