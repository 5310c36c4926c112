"""An application of one project behind the HTTP door, whose answers a test decides."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from idea.application.commands import Command
from idea.application.event_log import EventLog
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.state import AgentState, ProjectState
from idea.application.team.team import Team
from idea.application.terminals.terminal_client import Attachable
from idea.domain.agents import Agent, AgentDraft
from idea.domain.conversation import Item
from idea.domain.credentials import IssuedCode, IssuedCredential
from idea.domain.delegation import Requester
from idea.domain.errors import Conflict, Invalid, NotFound
from idea.domain.events import (
    AgentRemoved,
    AgentSaved,
    ProjectClosed,
    ProjectOpened,
    QueuedTurn,
    SettingsChanged,
)
from idea.domain.ids import AgentId, AgentSlug, ProjectId, RequestId
from idea.domain.profiles import ProfileHealth
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.domain.replies import Decision
from idea.domain.settings import Settings
from idea.domain.trust import TrustItem, TrustKind, TrustVerdict
from idea.doors.http.services import Services, WebAddress
from tests.fakes.agents import FakeProfiles, make_agent
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.files import FakeLayoutStore, FakeSharedLayoutStore

R = TypeVar("R")

PORT = 4242
MAIN = make_agent("main")
QA = make_agent("qa")
SECRET = "the-secret-of-the-first-browser"
IDLE = Readiness(ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.ENGINE, since=NOON)
VERDICT = TrustVerdict(
    is_trusted=False, subject_hash="h1", items=(TrustItem(TrustKind.HOOK, ".claude/settings.json", "touch /tmp/x"),)
)


class FakeProject:
    """`answers` says what each kind of command comes to; an exception is raised."""

    def __init__(self, events: EventLog, root: Path) -> None:
        self.id = ProjectId("p1")
        self.root = root
        self.name = root.name
        self.is_demo = False
        self.items: list[Item] = []
        self.waiting_turns: list[QueuedTurn] = []
        """QA's."""
        self.answers: dict[type, object] = {}
        self.dispatched: list[tuple[Requester, Command[object]]] = []
        self.decisions: list[tuple[AgentId, RequestId, Decision]] = []
        self.waiting = asyncio.Event()
        """Set while a command with the answer `WAIT` waits."""
        self.was_cancelled = asyncio.Event()
        self.terminals: dict[AgentId, Attachable] = {}
        self._events = events
        self.layouts = ProjectLayouts(
            self.id,
            store=FakeLayoutStore(),
            shared=FakeSharedLayoutStore(),
            team=Team(self.id, publish=events.publish),
            publish=events.publish,
        )
        self._state = ProjectState(
            trust=VERDICT,
            settings=Settings(),
            layout=self.layouts.current,
            layouts=self.layouts.list(),
            agents_outlive_server=True,
            agents=(AgentState(MAIN, IDLE), AgentState(QA, IDLE)),
        )

    def state(self) -> ProjectState:
        return replace(self._state, layout=self.layouts.current, layouts=self.layouts.list())

    def show(self, state: ProjectState) -> None:
        """What the project looks like from now on."""
        self._state = state

    def resolve_agent(self, name: str) -> AgentId:
        for state in self._state.agents:
            if name in (state.agent.id, state.agent.slug, state.agent.name):
                return state.agent.id
        raise NotFound("agent", name, choices=[state.agent.slug for state in self._state.agents])

    async def dispatch(self, requester: Requester, command: Command[R]) -> R:
        self.dispatched.append((requester, command))
        answer = self.answers[type(command)]
        if answer is WAIT:
            await self._wait()
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value] # the test gives what belongs to the command

    async def _wait(self) -> None:
        self.waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.was_cancelled.set()

    async def create_agent(self, draft: AgentDraft) -> Agent:
        slug = draft.slug or AgentSlug(draft.name.lower())
        agent = replace(make_agent(slug), name=draft.name, instructions=draft.instructions)
        self._put(agent)
        return agent

    async def save_agent(self, agent: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        known = self._state.find_agent(agent)
        if known is None:
            raise NotFound("agent", agent)
        if base not in (None, known.agent.version):
            raise Conflict(f"{known.agent.name} was changed since you began.", why="agentChanged")
        saved = replace(known.agent, name=draft.name, instructions=draft.instructions)
        self._put(saved)
        return saved

    def _put(self, agent: Agent) -> None:
        others = [state for state in self._state.agents if state.agent.id != agent.id]
        self._state = replace(self._state, agents=(*others, AgentState(agent, IDLE)))
        self._events.publish(AgentSaved(self.id, agent))

    async def delete_agent(self, agent: AgentId) -> None:
        remaining = tuple(state for state in self._state.agents if state.agent.id != agent)
        self._state = replace(self._state, agents=remaining)
        self._events.publish(AgentRemoved(self.id, agent))

    async def profiles(self) -> Sequence[ProfileHealth]:
        catalog = FakeProfiles()
        return [await catalog.health(profile) for profile in catalog.list()]

    async def approve_trust(self, subject_hash: str) -> TrustVerdict:
        self._state = replace(self._state, trust=TrustVerdict(is_trusted=True, subject_hash=subject_hash, items=()))
        return self._state.trust

    async def save_settings(self, settings: Settings) -> None:
        self._state = replace(self._state, settings=settings)
        self._events.publish(SettingsChanged(self.id, settings))

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        mine = [item for item in self.items if item.agent == agent and (before_seq is None or item.seq < before_seq)]
        return mine[-limit:]

    def list_waiting(self, agent: AgentId, *, after: int, limit: int) -> Sequence[QueuedTurn]:
        return self.waiting_turns[after : after + limit] if agent == QA.id else []

    async def decide_permission(self, agent: AgentId, request: RequestId, decision: Decision) -> None:
        self.decisions.append((agent, request, decision))

    def dismiss_notice(self, number: int) -> None:
        kept = tuple(notice for notice in self._state.notices if notice.number != number)
        self._state = replace(self._state, notices=kept)

    def find_terminal(self, agent: AgentId) -> Attachable | None:
        return self.terminals.get(agent)


NO_FOLDER = "/no/such/folder"
WAIT = object()
"""An answer that never comes."""


class FakeProjects:
    def __init__(self, events: EventLog, *projects: FakeProject) -> None:
        self._events = events
        self._projects = {project.id: project for project in projects}

    def list(self) -> Sequence[FakeProject]:
        return list(self._projects.values())

    def get(self, project: str) -> FakeProject:
        known = self._projects.get(ProjectId(project))
        if known is None:
            raise NotFound("open project", project)
        return known

    async def open(self, path: str, *, take_over: str | None = None) -> FakeProject:
        if path == NO_FOLDER:
            raise Invalid(f"There is no folder {path}. Create it first, or name another one.")
        project = FakeProject(self._events, Path(path))
        project.id = ProjectId(f"p{len(self._projects) + 1}")
        self._projects[project.id] = project
        self._events.publish(ProjectOpened(project.id))
        return project

    async def close(self, project: str) -> int:
        known = self.get(project)
        del self._projects[known.id]
        self._events.publish(ProjectClosed(known.id))
        return 0


@dataclass(frozen=True, slots=True)
class FakeCredential:
    id: str
    secret: str
    label: str
    created_at: datetime = NOON
    used_at: datetime = NOON


class FakeCredentials:
    def __init__(self) -> None:
        self.stored = {"c1": FakeCredential("c1", SECRET, "browser")}

    async def issue(self, label: str) -> IssuedCredential:
        number = len(self.stored) + 1
        issued = IssuedCredential(f"c{number}", f"secret-{number}")
        self.stored[issued.id] = FakeCredential(issued.id, issued.secret, label)
        return issued

    def verify(self, secret: str) -> str | None:
        return next((each.id for each in self.stored.values() if each.secret == secret), None)

    def list(self) -> Sequence[FakeCredential]:
        return list(self.stored.values())

    async def revoke(self, credential: str) -> None:
        if self.stored.pop(credential, None) is None:
            raise NotFound("credential", credential)


class FakeStartCodes:
    def __init__(self) -> None:
        self.valid: list[IssuedCode] = []

    def issue(self) -> IssuedCode:
        issued = IssuedCode(f"code-{len(self.valid) + 1}", NOON + timedelta(seconds=60))
        self.valid.append(issued)
        return issued

    def redeem(self, code: str) -> bool:
        found = [each for each in self.valid if each.code == code]
        self.valid = [each for each in self.valid if each.code != code]
        return bool(found)


@dataclass(frozen=True, slots=True)
class House:
    """The services and the fakes behind them."""

    services: Services
    project: FakeProject
    projects: FakeProjects
    credentials: FakeCredentials
    codes: FakeStartCodes
    events: EventLog
    headers: Mapping[str, str] = field(default_factory=lambda: {"authorization": f"Bearer {SECRET}"})


def build_house(folder: Path, *, port: int = PORT, allow_hosts: tuple[str, ...] = ()) -> House:
    events = EventLog("epoch-1")
    project = FakeProject(events, folder)
    projects = FakeProjects(events, project)
    credentials = FakeCredentials()
    codes = FakeStartCodes()
    services = Services(
        projects=projects,
        list_unopened=lambda: (),
        events=events,
        credentials=credentials,
        start_codes=codes,
        clock=FakeClock(),
        address=WebAddress(port, allow_hosts=allow_hosts),
        version="1.2.3",
        page=folder / "page",
    )
    return House(services, project, projects, credentials, codes, events)
