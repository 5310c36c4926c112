"""The names things go by. All are strings on the wire; NewTypes keep them apart in code."""

import re
from typing import Final, NewType

ProjectId = NewType("ProjectId", str)
"""UUID of a project on this machine."""
AgentId = NewType("AgentId", str)
"""UUIDv7 of an agent, stored in its file."""
AgentSlug = NewType("AgentSlug", str)
"""The agent's file name without `.md`, see `SLUG`."""
NodeId = NewType("NodeId", str)
"""A cell of the layout."""
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
DelegationId = NewType("DelegationId", str)
"""`ticketId` on the wire."""
ConversationId = NewType("ConversationId", str)
"""The engine's own id of a conversation, opaque to us."""
RequestId = NewType("RequestId", str)
"""A permission request as the engine numbers it, unique within one session."""

SLUG: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""Full match required. Narrow, because a slug becomes a file name and an argument."""
CONVERSATION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
"""Full match required of an id that a program told us: it becomes an argument."""


def is_slug(text: str) -> bool:
    return SLUG.fullmatch(text) is not None
