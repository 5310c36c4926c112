"""How a conversation begins: as the one before, empty, or told the end of what was said before. Never silently."""

from idea.application.ports import NewId, Records
from idea.application.record.transcript import Transcript
from idea.application.sessions.digest import DIGEST_ITEMS, render_digest
from idea.application.team.team import Member
from idea.domain.conversation import ItemKind, Mark
from idea.domain.errors import Conflict, Invalid
from idea.domain.ids import TurnId
from idea.domain.profiles import Face, Profile
from idea.domain.sessions import Opening, SessionKind

_SENTENCES = {
    Mark.EMPTY: "A new conversation begins here. The agent does not know what was said before.",
    Mark.TERMINAL: "The conversation went on in the terminal. What was said there is not shown here.",
    Mark.ATTACHED: "The agent goes on with an earlier conversation of its CLI from here on.",
    Mark.BESIDE: "Beside its terminal the agent could not go on where it was. It was given the end of what was said.",
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

    async def begin(self, member: Member, opening: Opening, *, resumed_in: SessionKind | None) -> None:
        """The launch is certain by now; the transcript says which way the conversation takes.

        `resumed_in` is None for a new conversation.
        """
        if opening is not Opening.RESUME:
            member.conversation = None
            await self._records.save_conversation(member.agent.id, None)
            await self.mark(member, Mark.PRIMED if opening is Opening.PRIMED else Mark.EMPTY)
        elif resumed_in is SessionKind.PTY:
            await self.mark(member, Mark.TERMINAL)
        elif resumed_in is not None and not self._transcript.has_items(member.agent.id):
            # All that was said in it was said elsewhere.
            await self._append(member, Mark.TERMINAL)

    async def mark(self, member: Member, mark: Mark) -> None:
        """A line in the transcript, if there is anything above it that it parts from; the same one never twice."""
        last = await self._transcript.list_items(member.agent.id, before_seq=None, limit=1)
        if last and last[0].fields.get("mark") != mark:
            await self._append(member, mark)

    async def _append(self, member: Member, mark: Mark) -> None:
        agent = member.agent.id
        await self._transcript.append(
            agent, TurnId(self._new_id()), ItemKind.MARK, _SENTENCES[mark], author=agent, fields={"mark": mark.value}
        )
