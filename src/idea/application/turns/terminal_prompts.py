"""A person's message to an agent in a terminal: typed there for them, its start confirmed (decision 15)."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.sessions.passage import check_at_prompt, only_people_type
from idea.application.team.team import Member, Team
from idea.application.terminals.terminal_activity import Listener, ShownTerminal, TerminalActivity
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.delegation import HUMAN, Requester
from idea.domain.errors import Conflict, Invalid, Lost, TargetDied
from idea.domain.ids import AgentId
from idea.domain.passing_words import PassingWords
from idea.domain.readiness import Readiness, ReadinessReason, ReadinessState
from idea.domain.terminal_belief import shows_start
from idea.domain.terminal_text import ENTER, MOST_BYTES, ONE_LINE_BYTES, byte_count, clean, is_one_line, typed

ANSWER_S: Final = 0.5
"""A program draws what was typed in a few ms; one that draws nothing is not waited for."""
DRAWING_S: Final = 1.5
"""One that draws on and on is not either. Some 60 kB are drawn in half a second."""
WRITE_S: Final = 10.0
"""A program at its prompt reads; so much time has it for all of a long text."""
START_S: Final = 2.0
"""For the first sign of a turn after the Enter."""
ENTERS: Final = 2
"""Some CLIs swallow an Enter that they read together with a paste."""


class _Seen(Enum):
    NOTHING = auto()
    START = auto()
    END = auto()
    """Of the program."""


class _Start:
    """Of one message's turn: whether it is seen."""

    def __init__(self) -> None:
        self.before: Readiness | None = None
        """What was believed when Enter was pressed; None until then."""
        self._seen = _Seen.NOTHING
        self._settled = asyncio.Event()

    def judge(self, now: Readiness) -> None:
        if self._settled.is_set():
            return
        if now.state is ReadinessState.EXITED:
            self._seen = _Seen.END
        elif self.before is not None and shows_start(self.before, now):
            self._seen = _Seen.START
        if self._seen is not _Seen.NOTHING:
            self._settled.set()

    async def is_seen(self, *, within_s: float) -> bool:
        """Raises `Lost` if the program is gone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._settled.wait()
        if self._seen is _Seen.END:
            raise Lost("The terminal")
        return self._seen is _Seen.START


class TerminalPrompts:
    def __init__(self, *, team: Team, live: LiveSessions, beliefs: Beliefs, start_within_s: float = START_S) -> None:
        self._start_within_s = start_within_s
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._starts: dict[AgentId, _Start] = {}
        """Of the messages that are being typed."""

    def note(self, agent: AgentId) -> None:
        """Something else is believed of it."""
        start = self._starts.get(agent)
        if start is not None:
            start.judge(self._beliefs.get(agent))

    async def send(self, requester: Requester, agent: str, text: str) -> None:
        """Returns when its turn has begun, after some seconds at most.

        Raises:
            NotFound: there is no such agent.
            Invalid: nothing is said, or too much; a program that takes one line is given several; a start could
                not be seen; or the requester is no person.
            Conflict: the agent is not at its prompt, or no start was seen: the text may stand in its input line.
            TargetRateLimited: its CLI refuses work.
            Refused: its program does not read what is typed.
            TargetDied: its program ended meanwhile.
        """
        member = self._team.resolve(agent)
        if requester.id != HUMAN:
            raise only_people_type(member)
        cleaned = clean(text)
        _check_length(cleaned)
        live = self._live.find(member.agent.id)
        if live is None:
            check_at_prompt(member, live, self._beliefs)
            return
        async with live.prompting:
            terminal = await self._await_prompt(member, live)
            if not terminal.takes_pastes() and not is_one_line(cleaned):
                raise _takes_one_line(member)
            try:
                await self._type(member, live, terminal, cleaned)
            except Lost:
                raise _died(member) from None

    async def _await_prompt(self, member: Member, live: LiveSession) -> TerminalSession:
        """What is believed of it is no older than what it shows."""
        if isinstance(live.runner, TerminalSession):
            activity = live.runner.activity
            await _let_draw(activity, since=activity.outputs - 1)
            activity.look()
        present = self._live.find(member.agent.id)
        return check_at_prompt(member, live if present is live else None, self._beliefs)

    async def _type(self, member: Member, live: LiveSession, terminal: TerminalSession, cleaned: str) -> None:
        with self._starting(member.agent.id) as start, terminal.activity.heard_by(_hear(live)):
            drawn = terminal.activity.outputs
            await _write(member, terminal, typed(cleaned, is_bracketed=terminal.takes_pastes()))
            await _let_draw(terminal.activity, since=drawn)
            terminal.activity.look()
            for _ in range(ENTERS):
                start.before = self._beliefs.get(member.agent.id)
                if not _takes_enter(start.before):
                    break
                shown = terminal.shown.text()
                await _write(member, terminal, ENTER)
                if await start.is_seen(within_s=self._start_within_s):
                    return
                if terminal.shown.text() != shown:
                    # It may show a list or a question by now, in which another Enter would choose.
                    break
        raise _unconfirmed(member) if terminal.exit is None else _died(member)

    @contextmanager
    def _starting(self, agent: AgentId) -> Iterator[_Start]:
        start = self._starts[agent] = _Start()
        try:
            yield start
        finally:
            del self._starts[agent]


def _check_length(cleaned: str) -> None:
    if not cleaned.strip():
        raise Invalid("The message is empty.", why="messageEmpty")
    if byte_count(cleaned) > MOST_BYTES:
        kib = MOST_BYTES // 1024
        raise Invalid(
            f"A terminal takes {kib} KiB at once. Put the text into a file and name it.", why="promptTooLong", kib=kib
        )


def _takes_enter(belief: Readiness) -> bool:
    """At its prompt as before, or at one that the text in it hides."""
    return belief.state is ReadinessState.IDLE or belief.reason is ReadinessReason.PROMPT_GONE


async def _let_draw(activity: TerminalActivity, *, since: int) -> None:
    """Until what came after `since` outputs stands still, as far as there is any."""
    for limit_s in (ANSWER_S, DRAWING_S):
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await activity.drawn(since)
                return
        if activity.outputs <= since:
            return


async def _write(member: Member, terminal: TerminalSession, data: bytes) -> None:
    try:
        await terminal.type_alone(data, within_s=WRITE_S)
    except TimeoutError:
        raise _unconfirmed(member) from None


def _hear(live: LiveSession) -> Listener:
    words = PassingWords()

    def hear(output: bytes, terminal: ShownTerminal) -> None:
        assert live.readiness is not None, "a terminal is followed"
        for word in words.feed(output):
            live.readiness.on_word(word)

    return hear


def _takes_one_line(member: Member) -> Invalid:
    name = member.agent.name
    return Invalid(
        f"{name}'s program takes no text in one piece: it would carry out each line. Send one line of at most "
        f"{ONE_LINE_BYTES} bytes.",
        why="oneLineOnly",
        agent=name,
        limit=ONE_LINE_BYTES,
    )


def _unconfirmed(member: Member) -> Conflict:
    name = member.agent.name
    return Conflict(
        f"{name} has not shown that a turn began. The text may stand in its input line: look at its terminal.",
        why="promptUnconfirmed",
        agent=name,
    )


def _died(member: Member) -> TargetDied:
    return TargetDied(member.agent.name, "its CLI ended before it took the message", why="endedBeforeMessage")
