"""What one launch needs, in `.ideai/run/<slug>`: who the agent is, how its CLI finds our server.

A side session's lies in `side` below it, since its agent's terminal reads its own all the while.
"""

import asyncio
import json
import os
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from idea.adapters.storage.atomic import (
    PRIVATE,
    as_idea_error,
    ensure_folder,
    read_file,
    remove_file,
    safe_child,
    write_file,
)
from idea.adapters.storage.context_text import render_context
from idea.adapters.storage.declared_servers import list_declared_servers
from idea.adapters.storage.hook_files import HOOKS_FILE, LAST_FILE, find_last_hook, forget_last_hook, write_hooks
from idea.adapters.storage.unusable import UnusableFile
from idea.application.ports import AGENT_MARK, LaunchFiles, ProjectPaths
from idea.domain.agents import Agent
from idea.domain.errors import Invalid, NotFound, Refused
from idea.domain.ids import AgentId, AgentSlug, is_slug
from idea.domain.profiles import McpStrategy, Profile, expand
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import RanHook
from idea.domain.tool_server import choose_server_name

CONTEXT_FILE: Final = "context.md"
MCP_FILE: Final = "mcp.json"
EARLIER_FILE: Final = "earlier.md"
MAX_EARLIER_BYTES: Final = 64 * 1024
SIDE_FOLDER: Final = "side"
OWNER_FILE: Final = "agent-id"
"""Whose folder it is."""

SECRET_BYTES: Final = 32
MAX_ARGUMENT_BYTES: Final = 120_000
"""Linux takes 128 KiB for one argument; the rest is for what a profile writes around the text."""


class HookCommand(Protocol):
    def __call__(self, agent: AgentId, *, kept: Path, fields: Sequence[str]) -> tuple[str, ...]:
        """What the CLI runs as a hook: it tells these fields, and keeps its last word in a file."""
        ...


class RunFolders:
    """A `ports.RunDirectories`. The callables keep it apart from the doors and from the profiles' reader."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        environment: Callable[[Profile], Mapping[str, str]],
        bridge_command: Callable[[AgentId, SessionRole], tuple[str, ...]],
        hook_command: HookCommand,
        write_secret: Callable[[AgentId, SessionRole, str], None],
        remove_secret: Callable[[AgentId, SessionRole], None],
        user_servers: Callable[[], Mapping[str, object]],
    ) -> None:
        """`environment` is complete but for the declaration; `user_servers` are those that trust approved."""
        self._paths = paths
        self._environment = environment
        self._bridge_command = bridge_command
        self._hook_command = hook_command
        self._write_secret = write_secret
        self._remove_secret = remove_secret
        self._user_servers = user_servers

    async def prepare(
        self, agent: Agent, profile: Profile, role: SessionRole, *, is_same_launch: bool = False
    ) -> LaunchFiles:
        """Write declaration, context and secret, 0600 in a 0700 folder. The secret of the same launch stays.

        Raises:
            Invalid: the instructions are too long for a CLI that takes them as an argument.
            Refused, Conflict: the files cannot be written.
        """
        return await asyncio.to_thread(self._prepare, agent, profile, role, is_same_launch)

    async def keep_earlier(self, agent: Agent, role: SessionRole, text: str) -> None:
        """Markdown for every context from now on; empty: none. Raises `Refused`, `Conflict`."""
        await asyncio.to_thread(self._keep_earlier, agent, role, text)

    def _keep_earlier(self, agent: Agent, role: SessionRole, text: str) -> None:
        path = self._own_folder(agent, role) / EARLIER_FILE
        if text:
            write_file(path, text.encode(), mode=PRIVATE)
        else:
            remove_file(path)

    async def find_last_hook(self, slug: AgentSlug) -> RanHook | None:
        """What the last hook of the agent's present terminal told; None if none ran."""
        return await asyncio.to_thread(lambda: find_last_hook(self._folder(slug, SessionRole.MAIN)))

    async def retire(self, agent: AgentId, role: SessionRole) -> None:
        """The session has ended: its secret stands for nobody any more. Idempotent."""
        await asyncio.to_thread(self._remove_secret, agent, role)

    async def remove(self, agent: Agent) -> None:
        """The agent is deleted. Idempotent."""
        await asyncio.to_thread(self._remove, agent)

    def _prepare(self, agent: Agent, profile: Profile, role: SessionRole, is_same_launch: bool) -> LaunchFiles:
        folder = self._own_folder(agent, role)
        earlier = (read_file(folder / EARLIER_FILE, limit_bytes=MAX_EARLIER_BYTES) or b"").decode("utf-8", "replace")
        context = render_context(agent, role, has_door=profile.mcp is not McpStrategy.NONE, earlier=earlier)
        _check_argument(profile, context)
        environment = self._environment(profile)
        if role is SessionRole.MAIN:
            write_file(folder / OWNER_FILE, agent.id.encode(), mode=PRIVATE)
        write_file(folder / CONTEXT_FILE, context.encode(), mode=PRIVATE)
        placeholders = self._placeholders(agent, profile, role, folder, context)
        filled = {
            name: expand((value,), placeholders)[0] if name in profile.env else value
            for name, value in environment.items()
        }
        theirs = self._user_servers() if profile.mcp is McpStrategy.CONFIG_FILE else {}
        elsewhere = list_declared_servers(profile.mcp_declared_in, filled, self._paths.root / (agent.workspace or ""))
        placeholders["mcp_server"] = server = choose_server_name({*theirs, *elsewhere})
        self._write_declaration(folder / MCP_FILE, profile, {**theirs, server: self._entry(agent, profile, role)})
        if role is SessionRole.MAIN:
            self._write_hooks(agent, profile, folder, is_same_launch)
        if not is_same_launch:
            self._write_secret(agent.id, role, secrets.token_urlsafe(SECRET_BYTES))
        declared = {name: expand((value,), placeholders)[0] for name, value in profile.mcp_env.items()}
        # Without our server it has no other way to ask than a person has, and may be a shell in which one works.
        mark = {} if profile.mcp is McpStrategy.NONE else {AGENT_MARK: agent.id}
        return LaunchFiles(
            run_dir=folder,
            placeholders=placeholders,
            mcp_args=profile.mcp_args,
            hook_args=() if profile.signs.hooks is None else profile.signs.hooks.args,
            env={**filled, **declared, **mark},
        )

    def _write_hooks(self, agent: Agent, profile: Profile, folder: Path, is_same_launch: bool) -> None:
        """They tell of what a terminal does not show; a headless session says all by itself."""
        fields = () if profile.signs.hooks is None else profile.signs.hooks.fields
        write_hooks(folder, profile, self._hook_command(agent.id, kept=folder / LAST_FILE, fields=fields))
        if not is_same_launch:
            forget_last_hook(folder)

    def _own_folder(self, agent: Agent, role: SessionRole) -> Path:
        """Where an agent before had the same file name, nothing of that one's is left in it: it may be told there
        what was said to the other."""
        folder = self._folder(agent.slug, SessionRole.MAIN)
        if _owner_of(folder) not in (None, agent.id):
            _remove_tree(folder)
        return self._folder(agent.slug, role)

    def _folder(self, slug: AgentSlug, role: SessionRole) -> Path:
        if not is_slug(slug):
            raise NotFound("agent", slug)
        ensure_folder(self._paths.ideai)
        own = ensure_folder(safe_child(ensure_folder(self._paths.run, mode=0o700), slug), mode=0o700)
        return own if role is SessionRole.MAIN else ensure_folder(safe_child(own, SIDE_FOLDER), mode=0o700)

    def _entry(self, agent: Agent, profile: Profile, role: SessionRole) -> Mapping[str, object]:
        command, *args = self._bridge_command(agent.id, role)
        return {**profile.mcp_entry, "command": command, "args": args}

    def _write_declaration(self, path: Path, profile: Profile, servers: Mapping[str, object]) -> None:
        """The CLI reads this file alone: without theirs the user's own servers would be missing."""
        if profile.mcp is not McpStrategy.CONFIG_FILE:
            # The agent's profile may have been another one at its last launch.
            remove_file(path)
            return
        write_file(path, json.dumps({"mcpServers": servers}, ensure_ascii=False, indent=2).encode(), mode=PRIVATE)

    def _placeholders(
        self, agent: Agent, profile: Profile, role: SessionRole, folder: Path, context: str
    ) -> dict[str, str]:
        command, *args = self._bridge_command(agent.id, role)
        values = {
            "name": agent.name,
            "slug": agent.slug,
            "agent_id": agent.id,
            "root": os.fspath(self._paths.root),
            "run_dir": os.fspath(folder),
            "context_file": os.fspath(folder / CONTEXT_FILE),
            "context": context,
            "mcp_config": os.fspath(folder / MCP_FILE),
            "hooks_file": os.fspath(folder / HOOKS_FILE),
            "mcp_command": command,
            "mcp_args_toml": toml_list(args),
        }
        model = agent.model or profile.model
        return values if model is None else {**values, "model": model}

    def _remove(self, agent: Agent) -> None:
        for role in SessionRole:
            self._remove_secret(agent.id, role)
        folder = safe_child(self._paths.run, agent.slug)
        if _owner_of(folder) in (None, agent.id):
            _remove_tree(folder)


def _owner_of(folder: Path) -> str | None:
    try:
        owner = read_file(folder / OWNER_FILE, limit_bytes=64)
    except (UnusableFile, Refused):
        return None
    return None if owner is None else owner.decode("ascii", "replace")


def _remove_tree(folder: Path) -> None:
    try:
        # Does not follow links, not even one in place of the folder.
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise as_idea_error(error, folder, "removed") from error


def toml_list(items: list[str]) -> str:
    """A TOML array of basic strings; JSON's escapes are TOML's, but for DEL."""
    return json.dumps(items, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check_argument(profile: Profile, context: str) -> None:
    faces = [face for face in (profile.terminal, profile.structured) if face is not None]
    is_argument = any("{context}" in item for face in faces for item in (*face.args, *face.context_args))
    if is_argument and len(context.encode()) > MAX_ARGUMENT_BYTES:
        raise Invalid(
            f"The instructions are too long for {profile.name}, which takes them on its command line: "
            f"at most {MAX_ARGUMENT_BYTES} bytes. Shorten them, or move parts into a file that they name.",
            why="cliInstructionsTooLong",
            profile=profile.name,
            limit=MAX_ARGUMENT_BYTES,
        )
