"""One open project: everything that can be asked of it, and what it looks like now."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from idea.application.beliefs import Beliefs
from idea.application.commands import Command
from idea.application.dispatch import Dispatch
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.ports import ProfileCatalog, ProjectPaths
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.notices import Notices
from idea.application.projects.project_life import ProjectLife
from idea.application.projects.team_editor import TeamEditor
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.sessions.agent_hooks import AgentHooks
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.state import AgentState, ProjectState
from idea.application.team.team import Member, Team
from idea.application.terminals.terminal_client import Attachable
from idea.application.terminals.terminal_session import TerminalSession
from idea.application.turns.permissions import Permissions
from idea.domain.agents import Agent, AgentDraft
from idea.domain.conversation import Item
from idea.domain.delegation import Requester, Source
from idea.domain.errors import NotFound
from idea.domain.events import QueuedTurn
from idea.domain.ids import AgentId, ProjectId, RequestId, TurnId
from idea.domain.profiles import ProfileHealth
from idea.domain.replies import Decision
from idea.domain.sessions import SessionRole
from idea.domain.settings import Settings
from idea.domain.terminal_signs import RanHook
from idea.domain.trust import TrustVerdict

R = TypeVar("R")


class Project:
    """Built by `bootstrap`, which leads its `life`."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        is_demo: bool,
        agents_outlive_server: bool,
        team: Team,
        live: LiveSessions,
        beliefs: Beliefs,
        transcript: Transcript,
        delegations: Delegations,
        permissions: Permissions,
        editor: TeamEditor,
        resumable: ResumableAgents,
        hooks: AgentHooks,
        dispatch: Dispatch,
        settings: KnownSettings,
        layouts: ProjectLayouts,
        profiles: ProfileCatalog,
        trust: KnownTrust,
        notices: Notices,
        life: ProjectLife,
    ) -> None:
        self._paths = paths
        self.is_demo = is_demo
        self._agents_outlive_server = agents_outlive_server
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._transcript = transcript
        self._delegations = delegations
        self._permissions = permissions
        self._editor = editor
        self._resumable = resumable
        self._hooks = hooks
        self._dispatch = dispatch
        self._settings = settings
        self.layouts = layouts
        self._profiles = profiles
        self._trust = trust
        self.notices = notices
        self.life = life

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
        """Consistent with the event log's number in the same step of the loop."""
        return ProjectState(
            trust=self._trust.verdict,
            settings=self._settings(),
            layout=self.layouts.current,
            layouts=self.layouts.list(),
            agents_outlive_server=self._agents_outlive_server,
            agents=tuple(self._agent_state(member) for member in self._team.members()),
            broken=self._team.broken,
            delegations=tuple(self._delegations.shown()),
            permissions=self._permissions.pending(),
            resumable=tuple(self._resumable.list()),
            notices=tuple(self.notices.list()),
        )

    def _agent_state(self, member: Member) -> AgentState:
        live, side = self._live.find(member.agent.id), self._live.find_side(member.agent.id)
        last = self._live.find_last_screen(member.agent.id)
        return AgentState(
            agent=member.agent,
            readiness=self._beliefs.get(member.agent.id),
            session=live.session if live else None,
            side_session=side.session if side else None,
            last_terminal=last.session if last else None,
            conversation=member.conversation,
            queue=member.mailbox.first_waiting(),
            queue_length=len(member.mailbox),
            live_turn=member.running.live if member.running else None,
        )

    def resolve_agent(self, name: str) -> AgentId:
        """By id, then slug, then name. Raises `NotFound` with the names that exist."""
        return self._team.resolve(name).agent.id

    def find_terminal(self, agent: AgentId) -> Attachable | None:
        """The one that lives, or what the last one left to see."""
        live = self._live.find(agent)
        if live is None:
            return self._live.find_last_screen(agent)
        return live.runner if isinstance(live.runner, TerminalSession) else None

    def find_turn(self, agent: AgentId, role: SessionRole = SessionRole.MAIN) -> TurnId | None:
        """The turn that this session of the agent's is in, if any: what its asks are stamped with."""
        member = self._team.find(agent)
        running = None if member is None else member.running
        return running.live.id if running is not None and running.role is role else None

    def hear_hook(self, agent: AgentId, ran: RanHook) -> None:
        """The CLI of one of our launches ran a hook of ours."""
        self._hooks.hear(agent, ran)

    def hear_held(self, spawn_id: str, detail: str) -> None:
        """The process of this spawn waits, since what it writes cannot be put by: why, or empty once it goes on."""
        for member in self._team.members():
            live = self._live.find(member.agent.id)
            given = None if member.running is None else member.running.given
            in_turn = None if given is None else given.turn.begun.spawn_id
            if live is not None and spawn_id in (live.spawn_id, in_turn):
                self._beliefs.hold(member.agent.id, detail)

    def find_wait(self, name: str) -> str:
        """Whom a person is to answer, and what, before the agent of this name goes on; empty if nobody is asked."""
        try:
            running = self._team.resolve(name).running
        except NotFound:
            return ""
        return "" if running is None else running.clock.waits_for

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        return await self._transcript.list_items(agent, before_seq=before_seq, limit=limit)

    def list_waiting(self, agent: AgentId, *, after: int, limit: int) -> Sequence[QueuedTurn]:
        """The turns that wait for an agent behind position `after`; empty for one that is gone."""
        member = self._team.find(agent)
        return () if member is None else member.mailbox.list_waiting(after=after, limit=limit)

    # --- what can be asked of it --------------------------------------------------------------------------

    async def dispatch(self, requester: Requester, command: Command[R]) -> R:
        if requester.source is Source.MCP:
            return await self._dispatch(requester, command)
        async with self.life.departure.told():
            return await self._dispatch(requester, command)

    async def create_agent(self, draft: AgentDraft) -> Agent:
        return await self._editor.create(draft)

    async def save_agent(self, agent: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        async with self.life.departure.told():
            return await self._editor.save(agent, draft, base=base)

    async def delete_agent(self, agent: AgentId) -> None:
        async with self.life.departure.told():
            await self._editor.delete(agent)

    async def profiles(self) -> Sequence[ProfileHealth]:
        return [await self._profiles.health(profile) for profile in self._profiles.list()]

    async def approve_trust(self, subject_hash: str) -> TrustVerdict:
        return await self._trust.approve(subject_hash)

    async def save_settings(self, settings: Settings) -> None:
        await self._settings.save(settings)

    async def decide_permission(self, agent: AgentId, request: RequestId, decision: Decision) -> None:
        """Raises `NotFound` when nobody waits for it any more."""
        if self._team.find(agent) is None:
            raise NotFound("agent", agent)
        async with self.life.departure.told():
            await self._permissions.decide(agent, request, decision)

    def dismiss_notice(self, number: int) -> None:
        """Somebody has read it. Idempotent."""
        self.notices.dismiss(number)
