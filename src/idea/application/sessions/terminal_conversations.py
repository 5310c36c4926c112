"""Which conversation a terminal is in, so that it can go on later: the one that we chose, or one that its CLI keeps.

A terminal says nothing of it by itself, but its CLI's hooks may, and the conversation that grew with its turn is its.
What is remembered was seen: an id that we chose, or were told, counts when the CLI has a conversation of that id, since
one in which nothing was said does not exist and would be refused.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.ports import Clock, EarlierConversations
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member, Team
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Closed, IdeaError
from idea.domain.ids import CONVERSATION, AgentId, ConversationId
from idea.domain.readiness import ReadinessState
from idea.domain.sessions import SessionKind

LOOK_S: Final = 5.0
"""Some hundred beginnings of files take a tenth of a second."""
CLOCK_SLACK: Final = timedelta(seconds=2)
"""A CLI rounds the time at which its conversation began."""


_log = logging.getLogger(__name__)


class Sight(StrEnum):
    """What a look found."""

    KNOWN = "known"
    NOTHING_SAID = "nothingSaid"
    AMBIGUOUS = "ambiguous"
    UNKNOWABLE = "unknowable"


class TerminalConversations:
    def __init__(
        self,
        *,
        earlier: EarlierConversations,
        team: Team,
        live: LiveSessions,
        beliefs: Beliefs,
        supervisor: Supervisor,
        clock: Clock,
        remember: Callable[[Member, ConversationId], Awaitable[None]],
    ) -> None:
        self._earlier = earlier
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._supervisor = supervisor
        self._clock = clock
        self._remember = remember
        self._at_work: dict[AgentId, datetime] = {}
        """Since when."""

    def note(self, agent: AgentId) -> None:
        """Something else is believed of it. After each turn of a terminal there may be a conversation to see."""
        live = self._live.find(agent)
        if live is None or live.session.kind is not SessionKind.PTY:
            self._at_work.pop(agent, None)
        elif self._beliefs.get(agent).state is not ReadinessState.IDLE:
            self._at_work.setdefault(agent, self._clock.now())
        elif (since := self._at_work.pop(agent, None)) is not None:
            self._look_soon(agent, partial(self._look_after_work, live, since))

    def told(self, agent: AgentId, conversation: str) -> None:
        """Its CLI says which one its terminal is in: the person may have gone over to another one there.

        Not to one that is another agent's: each goes on with its own.
        """
        member, live = self._team.find(agent), self._live.find(agent)
        if member is None or live is None or live.session.kind is not SessionKind.PTY:
            return
        if conversation == live.session.conversation or not CONVERSATION.fullmatch(conversation):
            return
        if conversation not in self._team.conversations_of_others(member):
            self._live.identify(agent, ConversationId(conversation))
            self._look_soon(agent, partial(self.look, live=live))

    async def look_if_possible(self, member: Member, live: LiveSession) -> None:
        """`look`, where nobody waits for what it finds: a disk that does not answer keeps no session from its end."""
        await self._attempt(member, partial(self.look, live=live))

    def _look_soon(self, agent: AgentId, look: Callable[[Member], Awaitable[object]]) -> None:
        member = self._team.find(agent)
        if member is not None:
            # Whoever tells us of a session is not to fail because its project closes: the end of it looks too.
            with suppress(Closed):
                looking = partial(self._attempt, member, look)
                self._supervisor.start(looking, name=f"conversation-{member.agent.slug}")

    async def _attempt(self, member: Member, look: Callable[[Member], Awaitable[object]]) -> None:
        try:
            async with asyncio.timeout(LOOK_S):
                await look(member)
        except (IdeaError, TimeoutError) as error:
            _log.warning("%s: its terminal's conversation could not be looked for: %s", member.agent.slug, error)

    async def _look_after_work(self, live: LiveSession, since: datetime, member: Member) -> None:
        moved = await self._find_moved(member, live, since)
        if moved is not None:
            self._live.identify(member.agent.id, moved)
        await self.look(member, live)

    async def _find_moved(self, member: Member, live: LiveSession, since: datetime) -> ConversationId | None:
        """The conversation that its work grew instead of the known one, where no hook names it."""
        known, hooks = live.session.conversation, live.profile.signs.hooks
        if known is None or not live.profile.conversations or (hooks is not None and hooks.conversation):
            return None
        taken = self._team.conversations_of_others(member)
        listed = await self._earlier.list(member.agent, live.profile)
        grown = [one.id for one in listed if one.last_at >= since and one.id not in taken]
        return grown[0] if len(grown) == 1 and grown[0] != known else None

    async def look(self, member: Member, live: LiveSession) -> Sight:
        """What is found is remembered as the agent's. A session that is no terminal says it by itself."""
        known, profile = live.session.conversation, live.profile
        if live.session.kind is not SessionKind.PTY:
            return Sight.KNOWN if member.conversation is not None else Sight.NOTHING_SAID
        if known is not None and known == member.conversation:
            return Sight.KNOWN
        if known is None and not profile.conversations:
            return Sight.UNKNOWABLE
        if known is None:
            begun = await self._begun_since(member, live)
            # What began beside a terminal and is not named yet is among the later ones.
            unnamed = self._unnamed_since()
            certain = [one.id for one in begun if unnamed is None or one.began_at < unnamed - CLOCK_SLACK]
            if len(certain) != 1:
                return Sight.AMBIGUOUS if begun else Sight.NOTHING_SAID
            known = certain[0]
        elif profile.conversations and await self._earlier.find(member.agent, profile, known) is None:
            return Sight.NOTHING_SAID
        await self._remember(member, known)
        return Sight.KNOWN

    def _unnamed_since(self) -> datetime | None:
        """Since when there is a side session whose conversation nobody knows yet; the first such of the team."""
        sides = [side.session for side in self._live.list_sides() if side.session.conversation is None]
        return min((side.started_at for side in sides), default=None)

    async def _begun_since(self, member: Member, live: LiveSession) -> list[EarlierConversation]:
        """In the agent's folder, since its terminal runs, and neither another agent's nor a side session's."""
        taken = self._team.conversations_of_others(member)
        since = live.session.started_at - CLOCK_SLACK
        listed = await self._earlier.list(member.agent, live.profile)
        return [one for one in listed if one.began_at >= since and one.id not in taken]
