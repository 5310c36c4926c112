"""Output that finds no room: the keeper has stopped reading a process, and says so."""

from idea.application.beliefs import Beliefs
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.team.team import Team


class HeldOutput:
    def __init__(self, *, team: Team, live: LiveSessions, beliefs: Beliefs) -> None:
        self._team = team
        self._live = live
        self._beliefs = beliefs

    def hear(self, spawn_id: str, detail: str) -> None:
        """The process of this spawn waits, since what it writes cannot be put by: why, or empty once it goes on."""
        for member in self._team.members():
            live = self._live.find(member.agent.id)
            given = None if member.running is None else member.running.given
            in_turn = None if given is None else given.turn.begun.spawn_id
            if live is not None and spawn_id in (live.spawn_id, in_turn):
                self._beliefs.hold(member.agent.id, detail)
