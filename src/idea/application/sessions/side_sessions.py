"""The headless session of an agent beside its terminal: started for an ask, and ended when none is left for it."""

import logging
from functools import partial

from idea.application.ports import NewId, ProfileCatalog
from idea.application.sessions.launch_preparation import LaunchPreparation
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.sessions.passage import check_allows_side, judge_role
from idea.application.sessions.session_factory import SessionFactory, Start
from idea.application.sessions.session_lives import SessionLives
from idea.application.sessions.side_conversations import SideConversations
from idea.application.structured.open_turn import OpenTurn
from idea.application.structured.structured_session import StructuredSession
from idea.application.team.team import Member
from idea.domain.errors import ConversationRefused, IdeaError
from idea.domain.ids import ConversationId
from idea.domain.sessions import KeptChild, SessionKind, SessionRole, SpawnSpec
from idea.domain.unfinished import UnfinishedSession

_log = logging.getLogger(__name__)


class SideSessions:
    """For the agent's one worker, and for who takes up what a server left before that worker begins."""

    def __init__(
        self,
        *,
        sessions: SessionFactory,
        preparation: LaunchPreparation,
        profiles: ProfileCatalog,
        lives: SessionLives,
        live: LiveSessions,
        conversations: SideConversations,
        new_id: NewId,
    ) -> None:
        self._sessions = sessions
        self._preparation = preparation
        self._profiles = profiles
        self._lives = lives
        self._live = live
        self._conversations = conversations
        self._new_id = new_id

    async def ensure(self, member: Member) -> LiveSession:
        """What takes a delegation's turn beside the terminal.

        Raises:
            Invalid: the agent's settings keep it to its terminal by now, or its CLI has no other face.
            TrustRequired, Refused, Conflict, NotFound, EngineFailed: it cannot be started, with the reason.
        """
        live = self._live.find_side(member.agent.id)
        if live is not None and self._lives.is_stopping(member, SessionRole.SIDE):
            await self._lives.stop(member, SessionRole.SIDE)
            live = None
        if live is None:
            try:
                return await self._start(member)
            except ConversationRefused:
                # It is given up by now, and a new conversation is one that nobody can refuse.
                return await self._start(member)
        if isinstance(live.runner, StructuredSession) and live.runner.starts_a_process_per_turn:
            await self._preparation.check()
        elif not live.is_ready:
            await self._lives.wait_started(member, SessionRole.SIDE)
        return live

    async def end_unless_needed(self, member: Member) -> None:
        """Between two turns. Needed is what the next turn runs in."""
        if self._live.find_side(member.agent.id) is None or self._is_needed(member):
            return
        try:
            await self._lives.stop(member, SessionRole.SIDE)
        except IdeaError as resisting:
            # The next turn for it tries again, and fails if it cannot be ended then; others need not wait for that.
            _log.warning("%s: its side session does not end: %s", member.agent.slug, resisting)

    def _is_needed(self, member: Member) -> bool:
        following = member.mailbox.first()
        if following is None:
            return False
        try:
            role = judge_role(member, self._live.find(member.agent.id), delegation=following.delegation)
        except IdeaError:
            return False
        return role is SessionRole.SIDE

    async def _start(self, member: Member) -> LiveSession:
        candidate = await self._preparation.judge(member.agent, SessionKind.STRUCTURED)
        check_allows_side(candidate.agent, candidate.profile)
        resumed = member.side_conversation if candidate.face.resume_args else None
        earlier = await self._conversations.prime(member) if resumed is None else None
        # The agent's lock is its main session's: this one dies with the keeper, and needs none.
        plan = await self._preparation.write(candidate, SessionRole.SIDE, lock=None, earlier=earlier)
        chosen = resumed or (ConversationId(self._new_id()) if candidate.profile.chooses_conversation_id else None)
        start = Start(
            candidate.profile,
            SessionKind.STRUCTURED,
            None,
            plan,
            chosen,
            is_resume=resumed is not None,
            role=SessionRole.SIDE,
        )
        live = await self._sessions.make(start, on_event=partial(self._conversations.on_event, member))
        launch = self._lives.begin(member, live)
        await self._lives.wait_until_ready(launch)
        return live

    # --- what a server before left ------------------------------------------------------------------------

    async def take_over(
        self, member: Member, left: UnfinishedSession, turn: OpenTurn, *, child: KeptChild | None
    ) -> bool:
        """Go on with the turn that it is in; False if nothing is known of it any more.

        Raises:
            NotFound, Invalid: its profile is gone.
        """
        live = await self._sessions.take_over(
            left,
            turn,
            child=child,
            agent=member.agent,
            profile=self._profiles.get(left.profile),
            spec=partial(self._spec_of_later_turn, member),
            on_event=partial(self._conversations.on_event, member),
        )
        if live is None:
            return False
        await self._lives.wait_until_ready(self._lives.begin(member, live))
        return True

    async def _spec_of_later_turn(self, member: Member, spawn_id: str, learnt: ConversationId | None) -> SpawnSpec:
        """For an engine with a process per turn: as the files say now, under the secret that its bridges know."""
        candidate = await self._preparation.judge(member.agent, SessionKind.STRUCTURED)
        plan = await self._preparation.write(candidate, SessionRole.SIDE, lock=None, is_same_launch=True)
        conversation = learnt or member.side_conversation
        return plan.spec(spawn_id, conversation, is_resume=conversation is not None)
