"""A terminal that goes from server to server: the same screen, and each of the program's queries answered once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idea.adapters.screen.ghostty import GhosttyScreens
from idea.adapters.screen.plain import PlainScreens
from idea.application.ports import Screens
from idea.application.terminals.terminal_input import TerminalInput
from idea.application.terminals.terminal_state import TerminalState
from idea.domain.sessions import KeptChild, KeptStream, OutputChunk, OutputStream, Restored, TerminalSize

SIZE = TerminalSize(20, 6)
ASKING = (
    "\x1b]2;asks\x07a\x1b[6n漢\x1b[c\x1b]7501;?\x1b\\\x1b[c\r\n\x1b[5n\x1b[31mred\x1b]11;?\x07 e\u0301"
    "\x1b[?1049h\x1b[3;4H\x1b[6n\x1b]7501;state=working:app=x\x07\x1b[?2026$p\x1b[?1049l\x1b[6n"
).encode()


@dataclass
class Kept:
    """What a keeper has of one terminal, across its servers."""

    output: bytes
    """All that the program will have written."""
    answered: int = 0
    checkpoint: Restored | None = None
    input: bytearray = field(default_factory=bytearray)

    def child(self, end: int) -> KeptChild:
        stream = KeptStream(self.checkpoint.offset if self.checkpoint else 0, end, is_ended=False)
        return KeptChild("s", 1, "", None, SIZE, self.answered, {OutputStream.TERMINAL: stream})


class Server:
    """One server's life with the terminal, until it is killed between any two steps."""

    def __init__(self, kept: Kept, screens: Screens, *, end: int) -> None:
        self._kept = kept
        self._input = TerminalInput("program")
        self.state = TerminalState(screens=screens, size=SIZE, into=self._input, left=kept.child(end))
        if kept.checkpoint is not None:
            self.state.restore(kept.checkpoint)

    def read(self, *ends: int) -> None:
        """Chunk by chunk."""
        for end in ends:
            if end > self.state.parsed:
                start = self.state.parsed
                self.state.take(OutputChunk(start, self._kept.output[start:end]))

    def write(self, count: int | None = None) -> None:
        """The keeper accepts so many of the answers that wait."""
        # Those written before are known as such to a real writer; here they are recognised by their offset.
        waiting = [answer for answer in self._input.unwritten_answers() if answer.answered > self._kept.answered]
        for answer in waiting[:count]:
            self._kept.input += answer.data
            self._kept.answered = answer.answered

    def checkpoint(self) -> None:
        """If the terminal is where one can be made."""
        if (render := self.state.freeze(is_forced=False)) is not None:
            self._kept.checkpoint = Restored(self.state.parsed, render())


def undisturbed(output: bytes, screens: Screens) -> tuple[bytes, Server]:
    kept = Kept(output)
    server = Server(kept, screens, end=0)
    server.read(len(output))
    server.write()
    return bytes(kept.input), server


def assert_same(server: Server, expected: Server) -> None:
    ours, theirs = server.state.screen, expected.state.screen
    assert ours.text() == theirs.text()
    assert ours.title() == theirs.title()
    assert ours.program_status() == theirs.program_status()
    assert ours.snapshot() == theirs.snapshot()


@pytest.mark.parametrize("is_checkpointed", [False, True], ids=["from the bytes", "from a checkpoint"])
@pytest.mark.parametrize("accepted", [None, 0, 1], ids=["all written", "none written", "one written"])
def test_killed_at_any_byte_every_query_is_answered_once(accepted: int | None, is_checkpointed: bool) -> None:
    answers, expected = undisturbed(ASKING, GhosttyScreens())
    assert answers.count(b"R") == 3

    for killed_at in range(len(ASKING) + 1):
        kept = Kept(ASKING)
        first = Server(kept, GhosttyScreens(), end=0)
        first.read(killed_at // 2)
        first.write(accepted)
        if is_checkpointed:
            first.checkpoint()
        first.read(killed_at)
        first.write(accepted)

        second = Server(kept, GhosttyScreens(), end=killed_at)
        second.read(len(ASKING))
        second.write()

        assert bytes(kept.input) == answers, killed_at
        assert_same(second, expected)


def test_reading_again_what_was_answered_writes_nothing() -> None:
    kept = Kept(ASKING)
    first = Server(kept, GhosttyScreens(), end=0)
    first.read(*range(len(ASKING) + 1))
    first.write()
    had = bytes(kept.input)

    second = Server(kept, GhosttyScreens(), end=len(ASKING))
    second.read(*range(0, len(ASKING) + 1, 7), kept.answered)
    second.write()

    assert bytes(kept.input) == had


@given(
    steps=st.lists(st.tuples(st.integers(0, len(ASKING)), st.integers(0, 3), st.booleans(), st.booleans()), max_size=8)
)
def test_any_number_of_servers_says_what_one_would_have_said(steps: Sequence[tuple[int, int, bool, bool]]) -> None:
    answers, expected = undisturbed(ASKING, GhosttyScreens())
    kept = Kept(ASKING)
    server = Server(kept, GhosttyScreens(), end=0)

    for offset, accepted, is_checkpointed, is_killed in sorted(steps, key=lambda step: step[0]):
        server.read(offset)
        server.write(accepted)
        if is_checkpointed:
            server.checkpoint()
        if is_killed:
            server = Server(kept, GhosttyScreens(), end=offset)
    server.read(len(ASKING))
    server.write()

    assert bytes(kept.input) == answers
    assert_same(server, expected)


def test_it_has_caught_up_when_what_was_there_before_it_is_read() -> None:
    kept = Kept(b"one two three")
    server = Server(kept, GhosttyScreens(), end=7)
    assert not server.state.is_caught_up

    server.read(5)
    assert not server.state.is_caught_up
    server.read(9)

    assert server.state.is_caught_up


@pytest.mark.parametrize(
    "data", [b"", b"of a later version\n[]\n", b"idea-terminal 1\nnonsense", b"idea-terminal 1\n[]\nx"]
)
def test_what_cannot_be_read_is_told_and_what_follows_is_shown(data: bytes) -> None:
    for screens in (GhosttyScreens(), PlainScreens()):
        kept = Kept(b"lost, then shown", checkpoint=Restored(6, data))

        server = Server(kept, screens, end=6)
        server.read(len(kept.output))

        assert server.state.is_history_lost
        assert server.state.screen.text() == "then shown"


def test_a_beginning_that_nobody_kept_is_told() -> None:
    server = Server(Kept(b""), GhosttyScreens(), end=10)

    server.state.take(OutputChunk(5, b"later"))

    assert server.state.is_history_lost
    assert server.state.screen.text() == "later"
