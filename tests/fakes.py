"""Stand-ins at the ports that keep the ports' promises, and a desk with the whole application on them."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from idea.application.ports import EngineLifetime, FromFiles, LaunchFiles
from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.errors import Conflict, EngineFailed, Lost, NotFound, Refused
from idea.domain.ids import AgentId, AgentSlug, ConversationId
from idea.domain.layouts import Layout
from idea.domain.profiles import Face, Profile, ProfileHealth
from idea.domain.replies import (
    TERMINAL,
    Decision,
    EngineEvent,
    EngineReady,
    Failed,
    FailureKind,
)
from idea.domain.sessions import Exit, KeptChild, OutputChunk, OutputStream, SpawnSpec, StopReport, TerminalSize
from idea.domain.settings import Settings
from idea.domain.trust import TrustVerdict

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
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self.is_deaf = False
        """Does not leave when its input ends."""
        self.is_written_to = asyncio.Event()
        self.may_read = asyncio.Event()
        """Cleared: it does not read what is written to it."""
        self.may_read.set()
        self.tree_is_gone = asyncio.Event()
        """Cleared: a grandchild makes its stop take longer."""
        self.tree_is_gone.set()

    def say(self, *events: EngineEvent) -> None:
        for event in events:
            self._lexicon.append(event)
            self._lines.put_nowait(f"{len(self._lexicon) - 1}\n".encode())

    def exit(self, code: int | None = 0, signal: int | None = None) -> None:
        if not self._exit.done():
            self._exit.set_result(Exit(code, signal))
            self._lines.put_nowait(None)

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
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
        while (line := await self._lines.get()) is not None:
            yield OutputChunk(offset, line)
            offset += len(line)

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        return

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        return

    async def checkpoint(self, offset: int, data: bytes) -> None:
        return

    async def wait(self) -> Exit:
        return await asyncio.shield(self._exit)


class FakeKeeper:
    """Keeps what it spawned, by the agent's slug (the last argument of the command line)."""

    def __init__(self) -> None:
        self.lexicon: list[EngineEvent] = []
        self.is_ready_at_once = True
        self.may_spawn = asyncio.Event()
        """Cleared: starting a process takes its time."""
        self.may_spawn.set()
        self.refusal: EngineFailed | None = None
        """What a start raises: the program is gone, or cannot run."""
        self.spawned: list[FakeProcess] = []
        self._arrived = asyncio.Condition()

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
        return []

    async def attach(self, spawn_id: str) -> FakeProcess | None:
        """Nothing of it outlives a server."""
        return None

    async def forget(self, spawn_id: str) -> None:
        return

    async def process(self, slug: str, *, nth: int = 1) -> FakeProcess:
        """The nth process of this agent; waits until it is there."""

        def found() -> list[FakeProcess]:
            return [process for process in self.spawned if process.spec.argv[1] == slug]

        async with asyncio.timeout(5), self._arrived:
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

    def prompt(self, text: str) -> bytes:
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


_FACE = Face(args=("{slug}",), resume_args=("--resume", "{conversation}"))
PROFILES = {
    "scripted": Profile("scripted", "Scripted", "scripted", engine="scripted", structured=_FACE, terminal=_FACE),
    "per-turn": Profile("per-turn", "Per turn", "per-turn", engine="scripted", structured=_FACE),
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

    async def prepare(self, agent: Agent, profile: Profile) -> LaunchFiles:
        env = {"IS_PER_TURN": "1"} if profile.id == "per-turn" else {}
        return LaunchFiles(Path("/run"), {"slug": agent.slug}, (), env, "secret")

    async def retire(self, agent: AgentId) -> None:
        await self.may_retire.wait()

    async def remove(self, slug: AgentSlug) -> None:
        return


class FakeLocks:
    """`held_elsewhere` are agents that another server runs."""

    def __init__(self) -> None:
        self.held: set[AgentId] = set()
        self.held_elsewhere: set[AgentId] = set()

    def acquire(self, agent: AgentId, name: str) -> None:
        if agent in self.held_elsewhere:
            raise Refused(f"{name} runs in another server.")
        self.held.add(agent)

    def release(self, agent: AgentId) -> None:
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
        self.trouble: Exception | None = None
        """What every write raises instead: a full disk, or a fault."""
        self.may_write = asyncio.Event()
        """Cleared: the disk takes its time."""
        self.may_write.set()

    async def _write(self) -> None:
        await self.may_write.wait()
        if self.trouble is not None:
            raise self.trouble

    async def append(self, item: Item) -> None:
        await self._write()
        self.items.append(item)

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        mine = [item for item in self.items if item.agent == agent and (before_seq is None or item.seq < before_seq)]
        return sorted(mine, key=lambda item: item.seq)[-limit:]

    async def last_seq(self, agent: AgentId) -> int:
        return max((item.seq for item in self.items if item.agent == agent), default=0)

    async def save_delegation(self, delegation: Delegation) -> None:
        await self._write()
        self.delegations[delegation.id] = delegation

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        return sorted(self.delegations.values(), key=lambda delegation: delegation.number)[-limit:]

    async def save_conversation(self, agent: AgentId, conversation: ConversationId | None) -> None:
        await self._write()
        self.conversations[agent] = conversation

    async def find_conversation(self, agent: AgentId) -> ConversationId | None:
        return self.conversations.get(agent)


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

    async def load(self) -> tuple[Settings, str | None]:
        return self.settings, None

    async def save(self, settings: Settings) -> None:
        self.settings = settings


class FakeLayoutStore:
    def __init__(self) -> None:
        self.layout = Layout()

    async def load(self) -> tuple[Layout, str | None]:
        return self.layout, None

    async def save(self, layout: Layout) -> None:
        self.layout = layout


def make_agent(slug: str, *, profile: str = "scripted") -> Agent:
    return Agent(AgentId(f"id-{slug}"), AgentSlug(slug), slug.capitalize(), profile)


class Numbers:
    """Ids a test can read: `n1`, `n2` …"""

    def __init__(self) -> None:
        self._count = count(1)

    def __call__(self) -> str:
        return f"n{next(self._count)}"
