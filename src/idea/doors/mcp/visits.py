"""Which bridges are there, which may come back, and what becomes of the calls of those that do not."""

import asyncio
from typing import Final

from idea.domain.ids import AgentId
from idea.doors.mcp.calls import Calls
from idea.doors.mcp.peer import BridgeId, Gatekeeper, Greeting, Peer

RETURN_S: Final = 10.0
"""A bridge that lost its connection is back within a second; one that is not by then was killed."""


class Visits:
    """One connection a bridge: a newer one takes the place of the older."""

    def __init__(self, gatekeeper: Gatekeeper, calls: Calls, *, return_s: float) -> None:
        self._gatekeeper = gatekeeper
        self._calls = calls
        self._return_s = return_s
        self._present: dict[BridgeId, Peer] = {}
        self._away: dict[BridgeId, tuple[Greeting, asyncio.TimerHandle]] = {}
        self._is_closed = False

    def arrive(self, peer: Peer) -> None:
        """What it does not ask for again, it was answered or has taken back."""
        older = self._present.get(peer.bridge)
        self._present[peer.bridge] = peer
        if older is not None:
            older.cut_off()
        self._stop_waiting(peer.bridge)
        self._calls.keep_only(peer.bridge, peer.greeting.again)
        # Its launch may have ended during the handshake, when there was no peer yet to part from.
        self.part_from_retired(peer.bridge.agent)

    def leave(self, peer: Peer) -> None:
        """The connection has ended."""
        if self._present.get(peer.bridge) is not peer:
            return
        del self._present[peer.bridge]
        if self._is_closed:
            return
        if peer.is_parted:
            self._calls.keep_only(peer.bridge, ())
        elif self._calls.has_any(peer.bridge):
            timer = asyncio.get_running_loop().call_later(self._return_s, self._give_up, peer.bridge)
            self._away[peer.bridge] = peer.greeting, timer

    def part_from_retired(self, agent: AgentId) -> None:
        """A bridge that outlives its launch, in a session of its own, say, stands for nobody any more."""
        for peer in tuple(self._present.values()):
            if peer.bridge.agent == agent and not self._gatekeeper.knows(peer.greeting):
                peer.part("The agent's session has ended; what became of this request is unknown.")
                self._calls.keep_only(peer.bridge, ())
        for bridge, (greeting, _) in tuple(self._away.items()):
            if bridge.agent == agent and not self._gatekeeper.knows(greeting):
                self._give_up(bridge)

    def part_from_all(self, sentence: str) -> None:
        for peer in self._present.values():
            peer.part(sentence)

    def cut_off_all(self) -> None:
        for peer in self._present.values():
            peer.cut_off()

    def close(self) -> None:
        """Nobody is waited for any more; the calls are somebody else's to end. Idempotent."""
        self._is_closed = True
        for bridge in tuple(self._away):
            self._stop_waiting(bridge)

    def _give_up(self, bridge: BridgeId) -> None:
        self._stop_waiting(bridge)
        self._calls.keep_only(bridge, ())

    def _stop_waiting(self, bridge: BridgeId) -> None:
        _, timer = self._away.pop(bridge, (None, None))
        if timer is not None:
            timer.cancel()
