"""How a conversation begins: as the one before, empty, or told the end of what was said before. Never silently."""

from idea.application.digest import DIGEST_ITEMS, render_digest
from idea.application.ports import NewId, Records
from idea.application.team import Member
from idea.application.transcript import Transcript
from idea.domain.conversation import ItemKind, Mark
from idea.domain.errors import Conflict, Invalid
from idea.domain.ids import TurnId
from idea.domain.profiles import Face, Profile
from idea.domain.sessions import Opening

_SENTENCES = {
    Mark.EMPTY: "A new conversation begins here. The agent does not know what was said before.",
    Mark.PRIMED: "A new conversation begins here. The agent was given the end of what was said before.",
}


class Beginnings:
    def __init__(self, *, transcript: Transcript, records: Records, new_id: NewId) -> None:
        self._transcript = transcript
        self._records = records
        self._new_id = new_id

    async def find_earlier(self, member: Member, profile: Profile, face: Face, opening: Opening) -> str | None:
        """What the agent's contexts shall say of the conversation before, empty for nothing; None: as they do.

        Raises:
            Invalid: its CLI cannot be told.
            Conflict: nothing is on record that could be told.
        """
        name = member.agent.name
        match opening:
            case Opening.RESUME:
                return None
            case Opening.EMPTY:
                return ""
            case Opening.PRIMED:
                if not face.context_args:
                    raise Invalid(
                        f"{profile.name} takes no instructions at its start, so it cannot be told what was said.",
                        why="cannotPrime",
                        profile=profile.name,
                    )
                items = await self._transcript.list_items(member.agent.id, before_seq=None, limit=DIGEST_ITEMS)
                digest = render_digest(items)
                if not digest:
                    raise Conflict(f"IdeA has no transcript of {name}. Start it empty.", why="noTranscript", agent=name)
                return digest

    async def begin(self, member: Member, opening: Opening) -> None:
        """The launch is certain by now: the conversation before is left, and the transcript says so."""
        if opening is Opening.RESUME:
            return
        member.conversation = None
        await self._records.save_conversation(member.agent.id, None)
        await self.mark(member, Mark.PRIMED if opening is Opening.PRIMED else Mark.EMPTY)

    async def mark(self, member: Member, mark: Mark) -> None:
        """A line in the transcript, if there is anything above it."""
        agent = member.agent.id
        if self._transcript.has_items(agent):
            await self._transcript.append(
                agent,
                TurnId(self._new_id()),
                ItemKind.MARK,
                _SENTENCES[mark],
                author=agent,
                fields={"mark": mark.value},
            )
