"""Which engine speaks to a profile's CLI? The one place that knows them all."""

from collections.abc import Callable, Mapping
from typing import Final

from idea.adapters.engines.claude import ClaudeEngine
from idea.adapters.engines.codex import CodexExecEngine
from idea.adapters.engines.demo import DemoEngine
from idea.application.ports import Engine
from idea.domain.errors import Invalid
from idea.domain.ids import ConversationId
from idea.domain.profiles import Profile

ENGINES: Final[Mapping[str, Callable[[ConversationId | None], Engine]]] = {
    "claude": lambda conversation: ClaudeEngine(conversation=conversation),
    "codex": lambda conversation: CodexExecEngine(conversation=conversation),
    "demo": lambda conversation: DemoEngine(conversation=conversation),
}


class EngineFactory:
    def create(self, profile: Profile, *, conversation: ConversationId | None) -> Engine:
        """Raises `Invalid` for a profile that has no engine, or one that does not exist."""
        if profile.engine is None:
            raise Invalid(
                f"{profile.name} runs in a terminal only: no engine speaks to it.", why="noEngine", profile=profile.name
            )
        if profile.engine not in ENGINES:
            known = ", ".join(sorted(ENGINES))
            raise Invalid(
                f"{profile.name} wants the engine {profile.engine!r}, which does not exist. There are: {known}.",
                why="noEngine",
                profile=profile.name,
            )
        return ENGINES[profile.engine](conversation)
