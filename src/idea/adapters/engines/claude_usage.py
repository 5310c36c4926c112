"""What a turn of Claude Code took, from counts that it keeps for its whole process."""

from idea.adapters.engines.jsonl import Json, count_of, object_of
from idea.domain.replies import UsageReported

READ_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class ClaudeUsage:
    def __init__(self) -> None:
        self._spent_usd = 0.0
        """Claude counts the cost of its process, not of the turn."""

    def take(self, result: Json) -> UsageReported | None:
        """What was used since the last result; None if it tells no tokens. Each result must come here, once."""
        usage = object_of(result, "usage")
        total = result.get("total_cost_usd")
        cost = None
        if isinstance(total, int | float) and not isinstance(total, bool):
            # Rounded, because the difference of two sums has a tail of noise.
            cost, self._spent_usd = round(max(total - self._spent_usd, 0.0), 8), float(total)
        read, written = sum(count_of(usage, key) for key in READ_TOKENS), count_of(usage, "output_tokens")
        return UsageReported(read, written, cost_usd=cost) if read or written else None
