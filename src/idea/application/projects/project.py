"""One open project: everything that people can ask of it, and what it looks like now."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from idea.application.commands import Command
from idea.application.dispatch import Dispatch
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.ports import ProfileCatalog, ProjectPaths
from idea.application.projects.departure import Departure
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.notices import Notices
from idea.application.projects.overview import Overview
from idea.application.projects.team_editor import TeamEditor
from idea.application.state import ProjectState
from idea.application.terminals.terminal_client import Attachable
from idea.application.turns.permissions import Permissions
from idea.domain.agents import Agent, AgentDraft
from idea.domain.conversation import Item
from idea.domain.delegation import Requester, Source
from idea.domain.events import QueuedTurn
from idea.domain.ids import AgentId, ProjectId, RequestId
from idea.domain.profiles import ProfileHealth
from idea.domain.replies import Decision
from idea.domain.settings import Settings
from idea.domain.trust import TrustVerdict

R = TypeVar("R")


class Project:
    """What a door gets. Whoever waits for something when the server leaves is told so."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        is_demo: bool,
        overview: Overview,
        dispatch: Dispatch,
        editor: TeamEditor,
        permissions: Permissions,
        settings: KnownSettings,
        trust: KnownTrust,
        profiles: ProfileCatalog,
        layouts: ProjectLayouts,
        notices: Notices,
        departure: Departure,
    ) -> None:
        self._paths = paths
        self.is_demo = is_demo
        self._overview = overview
        self._dispatch = dispatch
        self._editor = editor
        self._permissions = permissions
        self._settings = settings
        self._trust = trust
        self._profiles = profiles
        self.layouts = layouts
        self.notices = notices
        self._departure = departure

    @property
    def id(self) -> ProjectId:
        return self._paths.id

    @property
    def root(self) -> Path:
        return self._paths.root

    @property
    def name(self) -> str:
        return self._paths.root.name

    # --- what it looks like -------------------------------------------------------------------------------

    def state(self) -> ProjectState:
        return self._overview.state()

    def resolve_agent(self, name: str) -> AgentId:
        return self._overview.resolve_agent(name)

    def find_terminal(self, agent: AgentId) -> Attachable | None:
        return self._overview.find_terminal(agent)

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        return await self._overview.list_items(agent, before_seq=before_seq, limit=limit)

    def list_waiting(self, agent: AgentId, *, after: int, limit: int) -> Sequence[QueuedTurn]:
        return self._overview.list_waiting(agent, after=after, limit=limit)

    async def profiles(self) -> Sequence[ProfileHealth]:
        return [await self._profiles.health(profile) for profile in self._profiles.list()]

    # --- what can be asked of it --------------------------------------------------------------------------

    async def dispatch(self, requester: Requester, command: Command[R]) -> R:
        if requester.source is Source.MCP:
            return await self._dispatch(requester, command)
        async with self._departure.told():
            return await self._dispatch(requester, command)

    async def create_agent(self, draft: AgentDraft) -> Agent:
        return await self._editor.create(draft)

    async def save_agent(self, agent: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        async with self._departure.told():
            return await self._editor.save(agent, draft, base=base)

    async def delete_agent(self, agent: AgentId) -> None:
        async with self._departure.told():
            await self._editor.delete(agent)

    async def approve_trust(self, subject_hash: str) -> TrustVerdict:
        return await self._trust.approve(subject_hash)

    async def save_settings(self, settings: Settings) -> None:
        await self._settings.save(settings)

    async def decide_permission(self, agent: AgentId, request: RequestId, decision: Decision) -> None:
        async with self._departure.told():
            await self._permissions.decide(agent, request, decision)

    def dismiss_notice(self, number: int) -> None:
        self.notices.dismiss(number)
