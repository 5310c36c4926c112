"""Conversations that a CLI keeps by itself, of whatever it was run by."""

from dataclasses import dataclass
from datetime import datetime

from idea.domain.ids import ConversationId

MAX_FIRST_WORDS_CHARS = 200


@dataclass(frozen=True, slots=True)
class EarlierConversation:
    """One that a launch could resume, as its CLI's own file shows it. Times are UTC."""

    id: ConversationId
    first_words: str
    """Of the person, in one line, at most `MAX_FIRST_WORDS_CHARS`."""
    began_at: datetime
    last_at: datetime
    size_bytes: int
