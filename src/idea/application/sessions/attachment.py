"""Attach an agent to a conversation that its CLI keeps already."""

from idea.application.ports import EarlierConversations, ProfileCatalog
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.team.team import Member, Team
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Conflict, NotFound
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View


class Attachment:
    def __init__(
        self, *, earlier: EarlierConversations, profiles: ProfileCatalog, team: Team, launcher: AgentLauncher
    ) -> None:
        self._earlier = earlier
        self._profiles = profiles
        self._team = team
        self._launcher = launcher

    async def list(self, member: Member) -> tuple[EarlierConversation, ...]:
        """The newest first. Raises `Invalid` where nobody knows how to find them, `NotFound` for an unknown profile."""
        listed = await self._earlier.list(member.agent, self._profiles.get(member.agent.profile))
        sides = {each.side_conversation for each in self._team.members()}
        return tuple(one for one in listed if one.id not in sides)

    async def attach(self, member: Member, conversation: ConversationId, *, node_id: NodeId | None, view: View) -> None:
        """One of those in the list, and no other agent's.

        Raises:
            NotFound: its CLI keeps none of that id here.
            Conflict: it is another agent's, or a turn runs.
            Invalid, ConversationRefused, TrustRequired, Refused, EngineFailed: it cannot be started with it.
        """
        profile = self._profiles.get(member.agent.profile)
        if await self._earlier.find(member.agent, profile, conversation) is None:
            raise NotFound("conversation", conversation)
        for other in self._team.members():
            is_its = other is not member and other.conversation == conversation
            if is_its or other.side_conversation == conversation:
                # Two that go on with one conversation would write over each other.
                name = other.agent.name
                raise Conflict(f"This conversation is {name}'s.", why="conversationTaken", agent=name)
        await self._launcher.attach(member, conversation, node_id=node_id, view=view)
