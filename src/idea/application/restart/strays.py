"""Processes that live with the project's keeper and are on no record: none of them is left, and none without a word.

A record may be damaged, of a later version, or older than a full disk. What lives is then found by looking: a terminal
is gone on with, since its screen and its program say all of it; a chat cannot be, since nobody knows what it was asked.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from idea.application.ports import Clock, Keeper, NewId, Records
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.team.team import Member
from idea.domain.errors import Lost
from idea.domain.events import Event
from idea.domain.ids import AgentId, AgentSlug, ProjectId, SessionId
from idea.domain.notices import NoticePosted
from idea.domain.sessions import KeptChild, Session, SessionKind, SessionRole
from idea.domain.unfinished import UnfinishedSession
from idea.domain.why import Why

END_GRACE_S: Final = 2.0
"""Between SIGTERM and SIGKILL."""
ENDED: Final = "it was on no record and could not be gone on with, so that it was ended"
TAKEN_UP: Final = "it was on no record; it goes on as it is"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What became of an agent's strays, as a session that may have been left."""

    session: UnfinishedSession
    is_ended: bool


class Strays:
    def __init__(
        self,
        project: ProjectId,
        *,
        keeper: Keeper,
        resumable: ResumableAgents,
        records: Records,
        clock: Clock,
        new_id: NewId,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._keeper = keeper
        self._resumable = resumable
        self._records = records
        self._clock = clock
        self._new_id = new_id
        self._publish = publish
        self._living: defaultdict[AgentId, list[KeptChild]] = defaultdict(list)

    async def load(self, children: Sequence[KeptChild], *, known: Collection[str]) -> None:
        """All that the keeper has; `known` are the spawns that are on record. What has ended is forgotten."""
        for child in children:
            if child.spawn_id in known:
                continue
            if child.exit is None:
                self._living[AgentId(said(child).get("id", ""))].append(child)
            else:
                await self._keeper.forget(child.spawn_id)

    async def claim(self, member: Member, *, has_process: bool) -> Found | None:
        """The agent's, before anything else is started for it; None where there is none, or the record knows better.

        `has_process`: a session on record lives, so that whatever else does is one too many.
        """
        children = await self._end_sides(member, self._living.pop(member.agent.id, []))
        if children or self._records.begins_anew:
            await self._recall_conversation(member)
        if not children:
            return None
        terminal = None if has_process else next((one for one in children if _kind(one) is SessionKind.PTY), None)
        for child in children:
            if child is not terminal:
                await self._end(child)
                self._tell(member.agent.slug, ENDED, "strayEnded")
        if terminal is not None:
            self._tell(member.agent.slug, TAKEN_UP, "strayTakenUp")
        return None if has_process else Found(self._session(member, terminal or children[-1]), terminal is None)

    async def _end_sides(self, member: Member, children: Sequence[KeptChild]) -> Sequence[KeptChild]:
        """What stood beside its terminal is nobody's without a turn on record. The others."""
        sides = [child for child in children if said(child).get("role") == SessionRole.SIDE]
        for child in sides:
            await self._end(child)
            self._tell(member.agent.slug, ENDED, "strayEnded")
        return [child for child in children if child not in sides]

    async def end_rest(self) -> None:
        """Once the whole team is read: theirs who are in it no more. Idempotent."""
        while self._living:
            _, children = self._living.popitem()
            for child in children:
                await self._end(child)
                self._tell(AgentSlug(said(child).get("agent", f"process {child.pid}")), ENDED, "strayEnded")

    async def _recall_conversation(self, member: Member) -> None:
        """The record was the first to know it, and the layouts' file the second: also of one that lives no more."""
        ran = self._resumable.find_ran(member.agent.id)
        if member.conversation is None and ran is not None and ran.conversation is not None:
            member.conversation = ran.conversation
            await self._records.save_conversation(member.agent.id, ran.conversation)

    def _session(self, member: Member, child: KeptChild) -> UnfinishedSession:
        ran = self._resumable.find_ran(member.agent.id)
        session = Session(
            SessionId(self._new_id()),
            member.agent.id,
            _kind(child),
            node_id=None if ran is None else ran.node_id,
            conversation=member.conversation,
            started_at=(None if ran is None else ran.started_at) or self._clock.now(),
        )
        profile = said(child).get("profile", member.agent.profile)
        return UnfinishedSession(session, self._keeper.identity, profile, child.spawn_id, is_ready=True)

    async def _end(self, child: KeptChild) -> None:
        process = await self._keeper.attach(child.spawn_id)
        if process is not None:
            report = await process.stop(grace_s=END_GRACE_S)
            if report.survivors:
                _log.warning("process %d could not be ended: %s", child.pid, report.survivors)
        await self._keeper.forget(child.spawn_id)

    def _tell(self, slug: AgentSlug, sentence: str, why: Why) -> None:
        fields = {**Lost("Its process", why=why).fields(), "code": Lost.code}
        self._publish(NoticePosted(self._project, "sessionFound", sentence, slug, fields=fields))


def said(child: KeptChild) -> Mapping[str, str]:
    """What the server that started it noted; a later version may say something else."""
    try:
        note = json.loads(child.note)
    except ValueError:
        return {}
    return {key: value for key, value in note.items() if isinstance(value, str)} if isinstance(note, dict) else {}


def _kind(child: KeptChild) -> SessionKind:
    return SessionKind.STRUCTURED if child.terminal is None else SessionKind.PTY
