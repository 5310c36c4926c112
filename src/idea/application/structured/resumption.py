"""What a session was asked to go on with, and whether its CLI does."""

from collections.abc import Sequence
from typing import Final

from idea.application.structured.engine_output import SessionEvent
from idea.domain.errors import ConversationRefused
from idea.domain.ids import ConversationId
from idea.domain.replies import ConversationIdentified, ResumeRefused

QUOTED_CHARS: Final = 500
"""Of the line in which a CLI says no."""


class Resumption:
    """Trusts no id: one session's, fed with what its CLI says. `refusal` is set once, for good."""

    def __init__(self, asked: ConversationId | None, *, patterns: Sequence[str] = ()) -> None:
        """`asked` None: a new conversation, which nobody can refuse. `patterns` as in `Profile.refusals`."""
        self._asked = asked
        self._patterns = patterns
        self.refusal: ResumeRefused | None = None

    def judge(self, event: SessionEvent) -> SessionEvent:
        """The event, or the refusal that it amounts to."""
        match event:
            case ConversationIdentified(conversation=named) if self._asked is not None:
                if named != self._asked:
                    event = ResumeRefused(self._asked, "", named)
                else:
                    # As asked. What it calls itself later is its own affair: a person may clear a conversation.
                    self._asked = None
        if isinstance(event, ResumeRefused):
            self.refusal = event
        return event

    def expect(self, conversation: ConversationId | None) -> None:
        """The next process of the same session is asked to go on with this."""
        self._asked = conversation

    def read_last_words(self, text: str) -> ResumeRefused | None:
        """Of a CLI that has ended: the end of stderr, or its last screen."""
        if self.refusal is None and self._asked is not None:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            # A narrow screen breaks a sentence anywhere.
            said = next((words for words in (*lines, "".join(lines)) if self._is_refusal(words)), None)
            if said is not None:
                self.refusal = ResumeRefused(self._asked, said[:QUOTED_CHARS])
        return self.refusal

    def _is_refusal(self, words: str) -> bool:
        return any(_squeezed(pattern) in _squeezed(words) for pattern in self._patterns)


def _squeezed(words: str) -> str:
    """Without the blanks, of which a break may have taken one."""
    return "".join(words.split())


def refused(agent_name: str, refusal: ResumeRefused) -> ConversationRefused:
    """What whoever wanted something of the agent is told."""
    return ConversationRefused(agent_name, refusal.conversation, reason=refusal.reason, other=refusal.other)
