"""What CLIs tell through hooks of ours, also what they told while no server was there."""

from idea.application.ports import RunDirectories
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.terminal_conversations import TerminalConversations
from idea.application.team.team import Team
from idea.domain.ids import AgentId
from idea.domain.terminal_signs import RanHook


class AgentHooks:
    def __init__(
        self,
        *,
        team: Team,
        live: LiveSessions,
        conversations: TerminalConversations,
        run_directories: RunDirectories,
    ) -> None:
        self._team = team
        self._live = live
        self._conversations = conversations
        self._run_directories = run_directories

    def hear(self, agent: AgentId, ran: RanHook) -> None:
        """One that comes after the session's end is nobody's."""
        live = self._live.find(agent)
        if live is None or live.readiness is None:
            return
        live.readiness.on_hook(ran)
        hooks = live.profile.signs.hooks
        named = ran.fields.get(hooks.conversation) if hooks is not None else None
        if named:
            self._conversations.told(agent, named)

    async def hear_missed(self) -> None:
        """Once hooks can reach us: from then on none is missed."""
        for member in self._team.members():
            live = self._live.find(member.agent.id)
            if live is None or live.readiness is None or live.profile.signs.hooks is None:
                continue
            ran = await self._run_directories.find_last_hook(member.agent.slug)
            if ran is not None:
                self.hear(member.agent.id, ran)
