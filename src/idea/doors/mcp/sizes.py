"""How much of a text reaches a model: a tool's answer is one line, in which the text stands twice."""

import bisect
import json
from typing import Final

from idea.domain.ids import DelegationId

MAX_REPLY_BYTES: Final = 3 * 1024 * 1024
"""Of a reply, as JSON writes it: twice that and the rest fit into a line."""
MAX_FAILURE_CHARS: Final = 10_000
"""Of one text of a failure; a CLI's own words may be as long as they like."""


def fit_reply(reply: str, target: str, ticket: DelegationId) -> tuple[str, int | None]:
    """The reply, and None; or its beginning with a word on where the rest is, and how many characters there are."""
    if _size(reply) <= MAX_REPLY_BYTES:
        return reply, None
    # The longest beginning that fits; no character takes less than a byte.
    lengths = range(min(len(reply), MAX_REPLY_BYTES))
    kept = bisect.bisect_right(lengths, MAX_REPLY_BYTES, key=lambda chars: _size(reply[:chars])) - 1
    note = (
        f"\n\n[Cut by IdeA: these are the first {kept:,} of {len(reply):,} characters. The whole answer "
        f"(ticketId {ticket}) stands in {target}'s conversation, where your user can read it. Ask {target} for the "
        "part you need, or to write it into a file and name that.]"
    )
    return reply[:kept] + note, len(reply)


def fit_failure(text: str) -> str:
    if len(text) <= MAX_FAILURE_CHARS:
        return text
    return f"{text[:MAX_FAILURE_CHARS]} … ({len(text):,} characters)"


def _size(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode())
