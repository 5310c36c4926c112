"""The agents of one project as they are in memory: their files' content, their mailboxes, their running turns."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from idea.application.structured.open_turn import OpenTurn
from idea.application.structured.structured_session import StructuredSession
from idea.application.structured.turn_stream import TurnStream
from idea.application.team.mailbox import Mailbox, WaitingTurn
from idea.application.team.turn_clock import TurnClock
from idea.domain.agent_names import find_named
from idea.domain.agents import Agent, BrokenAgent
from idea.domain.alike import reading
from idea.domain.conversation import LiveTurn
from idea.domain.delegation import Requester
from idea.domain.errors import IdeaError, NotFound, Timeout, broken_file
from idea.domain.events import Event
from idea.domain.ids import AgentId, ConversationId, ProjectId, TurnId
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import TurnOnRecord


@dataclass(frozen=True, slots=True)
class GivenTurn:
    """A message that the CLI of `session` was given."""

    session: StructuredSession
    turn: OpenTurn


@dataclass(slots=True, eq=False)
class RunningTurn:
    """The turn an agent is in, from the queue to its end: who waits for it, what it showed so far, how to stop it."""

    waiting: WaitingTurn
    live: LiveTurn
    on_record: TurnOnRecord = field(default_factory=TurnOnRecord)
    """What stood in the transcript before this server came."""
    given: GivenTurn | None = None
    """None until the CLI was given the message: before that the agent may still have to be launched."""
    clock: TurnClock = field(default_factory=TurnClock)
    """Goes from the moment at which the turn left the queue."""
    is_failure_recorded: bool = False
    role: SessionRole = SessionRole.MAIN
    """Of the session that it runs, or will run, in."""

    def timeout(self, agent_name: str, *, note: str = "") -> Timeout:
        """What its requester is told when its time is over; only for a turn with a limit."""
        assert self.waiting.limit_s is not None, "a turn without a limit has no end of its time"
        return Timeout(
            agent_name,
            self.waiting.delegation,
            limit_s=self.waiting.limit_s,
            is_queued=False,
            note=note,
            asked=self.clock.asked,
            asked_s=self.clock.held_s,
        )

    @property
    def stream(self) -> TurnStream | None:
        return self.given.turn.stream if self.given is not None else None

    def request_stop(self, error: IdeaError) -> None:
        """`error` is what the requester is told; the first request counts."""
        if self.stream is not None:
            self.stream.request_stop(error)
        else:
            # The launch goes on, since the next turn needs the agent as well; this message is not sent any more.
            self.waiting.settle(error)


@dataclass(slots=True, eq=False)
class Member:
    """One agent. `conversation` is what its next launch resumes."""

    agent: Agent
    mailbox: Mailbox
    conversation: ConversationId | None = None
    side_conversation: ConversationId | None = None
    """The same, of what answers other agents beside its terminal."""
    running: RunningTurn | None = None
    left: WaitingTurn | None = None
    """A turn that the server before had begun; it comes first."""
    arrivals: asyncio.Lock = field(default_factory=asyncio.Lock)
    """What is sent or asked takes its place in line one at a time, in the order in which it came: a person's message is
    judged first."""


class Team:
    """In the order in which the agents were made. Lookups go by id, then slug, then name."""

    def __init__(self, project: ProjectId, *, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._publish = publish
        self._members: dict[AgentId, Member] = {}
        self._left_behind: set[ConversationId | None] = set()
        """Conversations of agents that are gone; their CLIs keep them."""
        self.broken: tuple[BrokenAgent, ...] = ()

    def members(self) -> Sequence[Member]:
        # An id begins with the time it was made at, and stays when the agent is renamed.
        return sorted(self._members.values(), key=lambda member: member.agent.id)

    def find(self, agent: AgentId) -> Member | None:
        return self._members.get(agent)

    def find_turn(self, agent: AgentId, role: SessionRole = SessionRole.MAIN) -> TurnId | None:
        """The turn that this session of the agent's is in, if any: what its asks are stamped with."""
        member = self._members.get(agent)
        running = None if member is None else member.running
        return running.live.id if running is not None and running.role is role else None

    def find_wait(self, name: str) -> str:
        """Whom a person is to answer, and what, before the agent of this name goes on; empty if nobody is asked."""
        try:
            running = self.resolve(name).running
        except NotFound:
            return ""
        return "" if running is None else running.clock.waits_for

    def waiting_on(self, agent: AgentId) -> Iterator[RunningTurn]:
        """The turn that this agent is in, the turn whose ask waits for that one, and so on to the first."""
        member = self._members.get(agent)
        while member is not None and member.running is not None:
            running = member.running
            yield running
            asker = running.waiting.requester
            member = self._members.get(asker.agent) if asker.agent is not None else None
            if member is not None and (member.running is None or member.running.live.id != asker.turn):
                # It asked in a turn that has ended since.
                return

    def resolve(self, name: str) -> Member:
        """The agent by id, then slug, then name.

        Raises:
            NotFound: there is none, with the names that exist.
            Conflict: there is a file of this name that describes none.
        """
        agents = [member.agent for member in self.members()]
        found = find_named(agents, name)
        if found is not None:
            return self._members[found.id]
        for broken in self.broken:
            if broken.slug == reading(name):
                raise broken_file(f"{broken.slug}.md", broken.explain())
        raise NotFound("agent", name, choices=[agent.name for agent in agents])

    def put(self, agent: Agent) -> Member:
        member = self._members.get(agent.id)
        if member is None:
            mailbox = Mailbox(self._project, agent.id, publish=self._publish)
            member = self._members[agent.id] = Member(agent, mailbox)
        else:
            member.agent = agent
        return member

    def remove(self, agent: AgentId) -> None:
        gone = self._members.pop(agent, None)
        if gone is not None:
            self._left_behind |= {gone.conversation, gone.side_conversation}

    def conversations_of_others(self, member: Member) -> Collection[ConversationId | None]:
        """Those that this one's terminal is certainly not in: side sessions', other agents', and gone ones'."""
        others = {other.conversation for other in self._members.values() if other is not member}
        return self._left_behind | others | {each.side_conversation for each in self._members.values()}

    def name_of(self, requester: Requester) -> str:
        """What people read: the agent's name, or who else it was."""
        if requester.agent is None:
            return requester.id
        member = self._members.get(requester.agent)
        return member.agent.name if member is not None else requester.agent
