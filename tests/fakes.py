"""Stand-ins at the ports that keep the ports' promises, and a desk with the whole application on them."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from idea.application.ports import EngineLifetime, FromFiles, LaunchFiles
from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Conflict, EngineFailed, IdeaError, Invalid, Lost, NotFound, Refused
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, AgentSlug, ConversationId, RequestId, TurnId
from idea.domain.layouts import Layouts, check_layout_name
from idea.domain.profiles import Face, Profile, ProfileHealth
from idea.domain.replies import (
    TERMINAL,
    Decision,
    EngineEvent,
    EngineReady,
    Failed,
    FailureKind,
)
from idea.domain.sessions import (
    Exit,
    KeptChild,
    KeptStream,
    OutputChunk,
    OutputStream,
    SessionRole,
    SpawnSpec,
    StopReport,
    TerminalSize,
)
from idea.domain.settings import Settings
from idea.domain.shared_layouts import BrokenLayout, SharedLayout
from idea.domain.terminal_signs import RanHook
from idea.domain.trust import TrustVerdict
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn
from tests.patience import PATIENCE_S

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class FakeClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self._now = NOON
        self._sleepers: list[tuple[datetime, asyncio.Event]] = []
        self.asleep = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._sleepers.append((self._now + timedelta(seconds=seconds), woken))
        self.asleep.set()
        await woken.wait()

    def move(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        for due, woken in self._sleepers:
            if due <= self._now:
                woken.set()


class FakeProcess:
    """A CLI whose every word a test puts into its mouth."""

    def __init__(self, spec: SpawnSpec, lexicon: list[EngineEvent], pid: int) -> None:
        self.spec = spec
        self.pid = pid
        self.prompts: asyncio.Queue[str] = asyncio.Queue()
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.interrupts: asyncio.Queue[None] = asyncio.Queue()
        self._lexicon = lexicon
        self._said = b""
        self._changed = asyncio.Event()
        self.acknowledged_bytes = 0
        self._exit: asyncio.Future[Exit | None] = asyncio.get_running_loop().create_future()
        self.write_ids: set[str] = set()
        self.is_deaf = False
        """Does not leave when its input ends."""
        self.is_written_to = asyncio.Event()
        self.may_read = asyncio.Event()
        """Cleared: it does not read what is written to it."""
        self.may_read.set()
        self.tree_is_gone = asyncio.Event()
        """Cleared: a grandchild makes its stop take longer."""
        self.tree_is_gone.set()

    @property
    def has_ended(self) -> bool:
        return self._exit.done()

    def say(self, *events: EngineEvent) -> None:
        for event in events:
            self._lexicon.append(event)
            self._said += f"{len(self._lexicon) - 1}\n".encode()
        self._changed.set()

    def show(self, text: str) -> None:
        """On its terminal."""
        self._said += text.encode() + b"\n"
        self._changed.set()

    def exit(self, code: int | None = 0, signal: int | None = None) -> None:
        if not self._exit.done():
            self._exit.set_result(Exit(code, signal))
            self._changed.set()

    def lose(self) -> None:
        """Its keeper was killed, and it with that: nobody can say how it ended."""
        self._exit.set_result(None)
        self._changed.set()

    def report(self) -> KeptChild:
        stream = OutputStream.STDOUT if self.spec.terminal is None else OutputStream.TERMINAL
        kept = KeptStream(self.acknowledged_bytes, len(self._said), self.has_ended)
        exit_ = self._exit.result() if self.has_ended else None
        return KeptChild(self.spec.spawn_id, self.pid, self.spec.note, exit_, self.spec.terminal, 0, {stream: kept})

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        if write_id is not None:
            if write_id in self.write_ids:
                return
            self.write_ids.add(write_id)
        if self._exit.done():
            raise Lost("the process")
        self.is_written_to.set()
        await self.may_read.wait()
        for line in data.decode().splitlines():
            verb, _, rest = line.partition(" ")
            match verb:
                case "prompt":
                    self.prompts.put_nowait(rest)
                case "answer":
                    self.answers.put_nowait(rest)
                case "interrupt":
                    self.interrupts.put_nowait(None)

    async def close_input(self) -> None:
        if not self.is_deaf and not self.spec.env.get("IS_PER_TURN"):
            self.exit(0)

    async def resize(self, size: TerminalSize) -> None:
        raise NotImplementedError

    async def interrupt(self) -> None:
        self.interrupts.put_nowait(None)

    async def stop(self, *, grace_s: float) -> StopReport:
        self.exit(None, 15)
        await self.tree_is_gone.wait()
        return StopReport(await self._exit)

    async def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        if stream is OutputStream.STDERR:
            return
        offset = max(offset, self.acknowledged_bytes)
        while True:
            self._changed.clear()
            if offset < len(self._said):
                line = self._said[offset:].split(b"\n")[0] + b"\n"
                yield OutputChunk(offset, line)
                offset += len(line)
            elif self._exit.done():
                return
            else:
                await self._changed.wait()

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        return

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        if stream is OutputStream.STDOUT:
            self.acknowledged_bytes = max(self.acknowledged_bytes, offset)

    async def checkpoint(self, offset: int, data: bytes) -> None:
        return

    async def wait(self) -> Exit:
        exit_ = await asyncio.shield(self._exit)
        if exit_ is None:
            raise Lost("The keeper")
        return exit_


class FakeKeeper:
    """Keeps what it spawned, by the agent's slug (the last argument of the command line)."""

    outlives_server = True

    def __init__(self) -> None:
        self.name = "keeper-1"
        self.lexicon: list[EngineEvent] = []
        self.is_ready_at_once = True
        self.may_spawn = asyncio.Event()
        """Cleared: starting a process takes its time."""
        self.may_spawn.set()
        self.refusal: EngineFailed | Lost | None = None
        """What a start raises: the program is gone, or cannot run."""
        self.silence: Lost | None = None
        """What looking for a process raises: it lives, and does not answer."""
        self.spawned: list[FakeProcess] = []
        self.forgotten: set[str] = set()
        self._arrived = asyncio.Condition()

    @property
    def identity(self) -> str:
        return self.name

    def has_ended(self, identity: str) -> bool:
        return identity != self.name

    async def attach(self, spawn_id: str) -> FakeProcess | None:
        if self.silence is not None:
            raise self.silence
        known = [process for process in self.spawned if process.spec.spawn_id == spawn_id]
        return known[0] if known and spawn_id not in self.forgotten else None

    async def forget(self, spawn_id: str) -> None:
        self.forgotten.add(spawn_id)

    async def spawn(self, spec: SpawnSpec) -> FakeProcess:
        process = FakeProcess(spec, self.lexicon, pid=1_000 + len(self.spawned))
        await self.may_spawn.wait()
        if self.refusal is not None:
            raise self.refusal
        async with self._arrived:
            self.spawned.append(process)
            self._arrived.notify_all()
        if self.is_ready_at_once and not spec.env.get("IS_PER_TURN"):
            process.say(EngineReady())
        return process

    async def children(self) -> Sequence[KeptChild]:
        return [process.report() for process in self.spawned if process.spec.spawn_id not in self.forgotten]

    async def process(self, slug: str, *, nth: int = 1) -> FakeProcess:
        """The nth process of this agent; waits until it is there."""

        def found() -> list[FakeProcess]:
            return [process for process in self.spawned if process.spec.argv[1] == slug]

        async with asyncio.timeout(PATIENCE_S), self._arrived:
            await self._arrived.wait_for(lambda: len(found()) >= nth)
        return found()[nth - 1]


class FakeEngine:
    """Lines are numbers of the keeper's lexicon of events."""

    def __init__(self, lexicon: list[EngineEvent], lifetime: EngineLifetime) -> None:
        self._lexicon = lexicon
        self._is_open = False
        self.lifetime = lifetime

    def opened(self) -> bytes:
        return b""

    @property
    def is_at_rest(self) -> bool:
        return not self._is_open

    def carry(self) -> Mapping[str, object]:
        return {}

    def recall(self, carried: Mapping[str, object]) -> None:
        return

    def prompt(self, text: str, message_id: str) -> bytes:
        self._is_open = True
        return b"prompt " + text.replace("\n", "|").encode() + b"\n"

    def interrupt(self) -> bytes | None:
        return b"interrupt\n" if self.lifetime is EngineLifetime.SESSION else None

    def answer(self, request: str, decision: Decision) -> bytes:
        return f"answer {request} {decision}\n".encode()

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        event = self._lexicon[int(line)]
        if isinstance(event, TERMINAL):
            if not self._is_open:
                return ()
            self._is_open = False
        return (event,)

    def closed(self, exit: Exit, stderr_tail: str) -> Sequence[EngineEvent]:
        if not self._is_open:
            return ()
        self._is_open = False
        return (Failed(FailureKind.DIED, f"it ended with {exit}"),)


class FakeEngines:
    def __init__(self, keeper: FakeKeeper) -> None:
        self._keeper = keeper

    def create(self, profile: Profile, *, conversation: ConversationId | None) -> FakeEngine:
        lifetime = EngineLifetime.TURN if profile.id == "per-turn" else EngineLifetime.SESSION
        return FakeEngine(self._keeper.lexicon, lifetime)


_FACE = Face(args=("{slug}",), resume_args=("--resume", "{conversation}"), context_args=("--context", "{context_file}"))
PROFILES = {
    "scripted": Profile("scripted", "Scripted", "scripted", engine="scripted", structured=_FACE, terminal=_FACE),
    "per-turn": Profile("per-turn", "Per turn", "per-turn", engine="scripted", structured=_FACE, terminal=_FACE),
    "choosing": Profile(
        "choosing",
        "Choosing",
        "choosing",
        engine="scripted",
        structured=_FACE,
        terminal=replace(_FACE, fresh_args=("--new", "{conversation}")),
        chooses_conversation_id=True,
        conversations="kept",
        refusals=("No conversation found",),
    ),
    "finding": Profile(
        "finding", "Finding", "finding", engine="scripted", structured=_FACE, terminal=_FACE, conversations="kept"
    ),
    "forgetful": Profile(
        "forgetful", "Forgetful", "forgetful", engine="scripted", structured=_FACE, terminal=Face(args=("{slug}",))
    ),
    "alone": Profile(
        "alone",
        "Alone",
        "alone",
        engine="scripted",
        structured=_FACE,
        terminal=_FACE,
        allow_structured_alongside_pty=False,
    ),
    "chatless": Profile("chatless", "Chatless", "chatless", terminal=_FACE),
}


class FakeProfiles:
    def list(self) -> Sequence[Profile]:
        return list(PROFILES.values())

    def get(self, profile: str) -> Profile:
        if profile not in PROFILES:
            raise NotFound("profile", profile, choices=list(PROFILES))
        return PROFILES[profile]

    def read(self, profile: str) -> FromFiles[Profile]:
        return FromFiles(self.get(profile), {})

    async def health(self, profile: Profile) -> ProfileHealth:
        return ProfileHealth(profile, f"/bin/{profile.command}", "1", None)

    def executable(self, profile: Profile) -> str:
        return f"/bin/{profile.command}"


class FakeRunDirectories:
    def __init__(self) -> None:
        self.may_retire = asyncio.Event()
        """Cleared: the disk takes its time."""
        self.may_retire.set()
        self.earlier: dict[AgentSlug, str] = {}
        self.side_earlier: dict[AgentSlug, str] = {}
        self.last_hooks: dict[AgentSlug, RanHook] = {}

    async def prepare(
        self, agent: Agent, profile: Profile, role: SessionRole, *, is_same_launch: bool = False
    ) -> LaunchFiles:
        env = {"IS_PER_TURN": "1"} if profile.id == "per-turn" else {}
        return LaunchFiles(Path("/run"), {"slug": agent.slug}, (), (), env)

    async def keep_earlier(self, slug: AgentSlug, role: SessionRole, text: str) -> None:
        (self.earlier if role is SessionRole.MAIN else self.side_earlier)[slug] = text

    async def find_last_hook(self, slug: AgentSlug) -> RanHook | None:
        return self.last_hooks.get(slug)

    async def retire(self, agent: AgentId, role: SessionRole) -> None:
        await self.may_retire.wait()

    async def remove(self, slug: AgentSlug) -> None:
        return


class FakeEarlier:
    def __init__(self) -> None:
        self.conversations: list[EarlierConversation] = []

    def add(self, conversation: str, *, at: datetime = NOON, words: str = "hello") -> None:
        self.conversations.insert(0, EarlierConversation(ConversationId(conversation), words, at, at, 100))

    async def list(self, agent: Agent, profile: Profile) -> Sequence[EarlierConversation]:
        if not profile.conversations:
            raise Invalid("unknown", why="conversationsUnknown", profile=profile.name)
        return self.conversations

    async def find(self, agent: Agent, profile: Profile, conversation: ConversationId) -> EarlierConversation | None:
        return next((one for one in await self.list(agent, profile) if one.id == conversation), None)


class FakeLocks:
    """`held_elsewhere` are agents that another server runs."""

    def __init__(self) -> None:
        self.held: set[AgentId] = set()
        self.held_elsewhere: set[AgentId] = set()

    async def acquire(self, agent: AgentId, name: str) -> str:
        if agent in self.held_elsewhere:
            raise Refused(f"{name} runs in another server.")
        self.held.add(agent)
        return f"/locks/{agent}"

    async def release(self, agent: AgentId) -> None:
        self.held.discard(agent)


class FakeTrust:
    def __init__(self) -> None:
        self.verdict = TrustVerdict(is_trusted=True, subject_hash="h", items=())
        self.own_writes: list[Path] = []
        self.digests: dict[Path, str] = {}
        """Of the files as they lie on the disk."""

    async def look(self) -> TrustVerdict:
        return self.verdict

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        if self.verdict.is_trusted and any(self.digests.get(path) != digest for path, digest in sources.items()):
            raise Conflict("A file has changed.")
        return self.verdict

    async def approve(self, subject_hash: str) -> TrustVerdict:
        if subject_hash != self.verdict.subject_hash:
            raise Conflict("The content changed; look again.")
        self.verdict = replace(self.verdict, is_trusted=True, items=())
        return self.verdict

    async def record_own_write(self, path: Path) -> None:
        self.own_writes.append(path)


class FakeRecords:
    def __init__(self) -> None:
        self.items: list[Item] = []
        self.delegations: dict[str, Delegation] = {}
        self.conversations: dict[AgentId, ConversationId | None] = {}
        self.begins_anew = False
        self.side_conversations: dict[AgentId, ConversationId | None] = {}
        self.trouble: Exception | None = None
        """What every write raises instead: a full disk, or a fault."""
        self.writes_left: int | None = None
        """After so many nothing is written any more, and whoever tries gets no further: the server was killed."""
        self.died = asyncio.Event()
        self.may_write = asyncio.Event()
        """Cleared: the disk takes its time."""
        self.may_write.set()

    async def commit(self) -> None:
        """For all that is in the same database."""
        await self.may_write.wait()
        if self.writes_left == 0:
            self.died.set()
            await asyncio.get_running_loop().create_future()
        elif self.writes_left is not None:
            self.writes_left -= 1
        if self.trouble is not None:
            raise self.trouble

    async def append(self, item: Item) -> None:
        await self.commit()
        self.items.append(item)

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        mine = [item for item in self.items if item.agent == agent and (before_seq is None or item.seq < before_seq)]
        return sorted(mine, key=lambda item: item.seq)[-limit:]

    async def last_seq(self, agent: AgentId) -> int:
        return max((item.seq for item in self.items if item.agent == agent), default=0)

    async def save_delegation(self, delegation: Delegation) -> None:
        await self.commit()
        self.delegations[delegation.id] = delegation

    async def list_open_delegations(self) -> Sequence[Delegation]:
        by_number = sorted(self.delegations.values(), key=lambda delegation: delegation.number)
        return [known for known in by_number if known.state.is_open]

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        return sorted(self.delegations.values(), key=lambda delegation: delegation.number)[-limit:]

    async def save_conversation(
        self, agent: AgentId, conversation: ConversationId | None, *, role: SessionRole = SessionRole.MAIN
    ) -> None:
        await self.commit()
        self._conversations(role)[agent] = conversation

    async def find_conversation(self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN) -> ConversationId | None:
        return self._conversations(role).get(agent)

    def _conversations(self, role: SessionRole) -> dict[AgentId, ConversationId | None]:
        return self.conversations if role is SessionRole.MAIN else self.side_conversations


class FakeUnfinishedWork:
    """In one database with `records`."""

    def __init__(self, records: FakeRecords) -> None:
        self._records = records
        self.sessions: dict[tuple[AgentId, SessionRole], UnfinishedSession] = {}
        self.turns: dict[TurnId, UnfinishedTurn] = {}
        self.decisions: dict[TurnId, dict[RequestId, Decision]] = {}

    async def save_session(self, session: UnfinishedSession) -> None:
        await self._records.commit()
        self.sessions[session.session.agent, session.session.role] = session

    async def forget_session(self, agent: AgentId, role: SessionRole) -> None:
        await self._records.commit()
        self.sessions.pop((agent, role), None)

    async def list_sessions(self) -> Sequence[UnfinishedSession]:
        return sorted(self.sessions.values(), key=lambda one: one.session.started_at)

    async def save_turn(self, turn: UnfinishedTurn) -> None:
        await self._records.commit()
        message = turn.message.encode("utf-8", "replace").decode("utf-8")
        self.turns[turn.id] = replace(turn, message=message, decisions={})

    async def save_decision(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        await self._records.commit()
        self.decisions.setdefault(turn, {}).setdefault(request, decision)

    async def forget_turn(self, turn: TurnId) -> None:
        await self._records.commit()
        self.turns.pop(turn, None)
        self.decisions.pop(turn, None)

    async def list_turns(self) -> Sequence[UnfinishedTurn]:
        ordered = sorted(self.turns.values(), key=lambda turn: turn.number)
        return [replace(turn, decisions=dict(self.decisions.get(turn.id, {}))) for turn in ordered]

    async def turn_on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord:
        items = [item for item in self._records.items if item.agent == agent and item.turn == turn]
        kinds = [item.kind for item in items]
        return TurnOnRecord(
            has_prompt=ItemKind.PROMPT in kinds,
            tools=kinds.count(ItemKind.TOOL),
            has_answer=ItemKind.ANSWER in kinds,
            has_failure=ItemKind.FAILURE in kinds,
            asked=frozenset(item.delegation for item in items if item.kind is ItemKind.ASKED and item.delegation),
        )


class FakeAgentStore:
    def __init__(self, *agents: Agent) -> None:
        self.agents = {agent.slug: agent for agent in agents}
        self.broken: tuple[BrokenAgent, ...] = ()

    async def list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        return [self.agents[slug] for slug in sorted(self.agents)], self.broken

    async def read(self, slug: AgentSlug) -> FromFiles[Agent]:
        if any(one.slug == slug for one in self.broken):
            raise Conflict(f"{slug}.md is broken.")
        if slug not in self.agents:
            raise NotFound("agent file", slug)
        return FromFiles(self.agents[slug], {})

    async def create(self, draft: AgentDraft) -> Agent:
        slug = draft.slug or AgentSlug(draft.name.lower())
        if slug in self.agents:
            raise Conflict(f"There is an agent {slug} already.")
        self.agents[slug] = make_agent(slug, profile=draft.profile)
        return self.agents[slug]

    async def save(self, agent: Agent, *, base: str | None = None) -> None:
        if base not in (None, self.agents[agent.slug].version):
            raise Conflict(f"{agent.name} was changed since you began.")
        self.agents[agent.slug] = agent

    async def delete(self, slug: AgentSlug) -> None:
        self.agents.pop(slug, None)


class FakeSettingsStore:
    def __init__(self) -> None:
        self.settings = Settings()

    async def load(self) -> tuple[Settings, Sequence[FileTrouble]]:
        return self.settings, ()

    async def save(self, settings: Settings) -> FileTrouble | None:
        self.settings = settings
        return None


class FakeLayoutStore:
    def __init__(self) -> None:
        self.layouts = Layouts()
        self.saves = 0
        self.trouble: IdeaError | None = None
        """What every save raises instead."""

    async def load(self) -> tuple[Layouts, FileTrouble | None]:
        return self.layouts, None

    async def save(self, layouts: Layouts) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.layouts = layouts
        self.saves += 1


class FakeStoppedAgents:
    def __init__(self) -> None:
        self.agents: frozenset[AgentId] = frozenset()

    async def load(self) -> frozenset[AgentId]:
        return self.agents

    async def forget(self) -> None:
        self.agents = frozenset()


class FakeSharedLayoutStore:
    def __init__(self) -> None:
        self.layouts: dict[str, SharedLayout] = {}

    async def list(self) -> tuple[Sequence[SharedLayout], Sequence[BrokenLayout]]:
        return [self.layouts[name] for name in sorted(self.layouts)], ()

    async def save(self, layout: SharedLayout) -> None:
        check_layout_name(layout.name)
        self.layouts[layout.name] = layout

    async def delete(self, name: str) -> None:
        check_layout_name(name)
        self.layouts.pop(name, None)


def make_agent(slug: str, *, profile: str = "scripted") -> Agent:
    return Agent(AgentId(f"id-{slug}"), AgentSlug(slug), slug.capitalize(), profile)


class Numbers:
    """Ids a test can read: `n1`, `n2` …"""

    def __init__(self) -> None:
        self._count = count(1)

    def __call__(self) -> str:
        return f"n{next(self._count)}"
