"""What a launch needs and finds on a disk, without one."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from idea.application.ports import LaunchFiles
from idea.domain.agents import Agent
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Invalid
from idea.domain.ids import AgentId, AgentSlug, ConversationId
from idea.domain.profiles import Profile
from idea.domain.sessions import (
    SessionRole,
)
from idea.domain.terminal_signs import RanHook
from tests.fakes.clock import NOON


class FakeRunDirectories:
    def __init__(self) -> None:
        self.may_retire = asyncio.Event()
        """Cleared: the disk takes its time."""
        self.may_retire.set()
        self.earlier: dict[AgentSlug, str] = {}
        self.side_earlier: dict[AgentSlug, str] = {}
        self.last_hooks: dict[AgentSlug, RanHook] = {}

    async def prepare(
        self, agent: Agent, profile: Profile, role: SessionRole, *, is_same_launch: bool = False
    ) -> LaunchFiles:
        env = {"IS_PER_TURN": "1"} if profile.id == "per-turn" else {}
        return LaunchFiles(Path("/run"), {"slug": agent.slug}, (), (), env)

    async def keep_earlier(self, agent: Agent, role: SessionRole, text: str) -> None:
        (self.earlier if role is SessionRole.MAIN else self.side_earlier)[agent.slug] = text

    async def find_last_hook(self, slug: AgentSlug) -> RanHook | None:
        return self.last_hooks.get(slug)

    async def retire(self, agent: AgentId, role: SessionRole) -> None:
        await self.may_retire.wait()

    async def remove(self, agent: Agent) -> None:
        return


class FakeEarlier:
    def __init__(self) -> None:
        self.conversations: list[EarlierConversation] = []

    def add(self, conversation: str, *, at: datetime = NOON, words: str = "hello") -> None:
        self.conversations.insert(0, EarlierConversation(ConversationId(conversation), words, at, at, 100))

    async def list(self, agent: Agent, profile: Profile) -> Sequence[EarlierConversation]:
        if not profile.conversations:
            raise Invalid("unknown", why="conversationsUnknown", profile=profile.name)
        return self.conversations

    async def find(self, agent: Agent, profile: Profile, conversation: ConversationId) -> EarlierConversation | None:
        return next((one for one in await self.list(agent, profile) if one.id == conversation), None)
