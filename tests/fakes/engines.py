"""An engine whose lines are numbers of events."""

from collections.abc import Mapping, Sequence

from idea.application.ports import EngineLifetime
from idea.domain.ids import ConversationId
from idea.domain.profiles import Profile
from idea.domain.replies import (
    TERMINAL,
    Decision,
    EngineEvent,
    Failed,
    FailureKind,
)
from idea.domain.sessions import (
    Exit,
)
from tests.fakes.processes import FakeKeeper


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

    def closed(self, exit: Exit, last_words: str) -> Sequence[EngineEvent]:
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
