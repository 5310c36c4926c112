"""One bridge at the other end of the endpoint: who it speaks for, and lines to and from it within bounds."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import chain, count
from typing import Final

from idea.bridge_lines import BYE, HANDSHAKE_VERSION, WELCOME, Lines, error_line
from idea.domain.errors import Lost, Refused
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import RanHook
from idea.doors.mcp.hooks import parse_hook
from idea.keeper.peer_uid import peer_uid

Authenticate = Callable[[AgentId, SessionRole, str], bool]
"""Is this the secret of the session's present launch? Compares in constant time."""

HANDSHAKE_S: Final = 10.0
"""A bridge sends its first line at once; who does not is none."""
WRITE_PATIENCE_S: Final = 60.0
"""A peer that takes nothing for so long, while its buffers are full, is given up."""
_READ_BYTES: Final = 64 * 1024
LAST_WORD_S: Final = 2.0
"""For what was still to be sent to a peer that is let go."""
_MAX_GREETING_BYTES: Final = 48 * 1024
"""With the numbers of a few thousand lines; below asyncio's limit of a line, 64 KiB."""
_MAX_INSTANCE_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class BridgeId:
    """One bridge, whichever connection it has."""

    agent: AgentId
    instance: str
    role: SessionRole = SessionRole.MAIN
    """Of the session whose CLI spawned it."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who connects, and which of its lines follow."""

    bridge: BridgeId
    secret: str
    """Of the launch it belongs to."""
    again: tuple[int, ...] = ()
    """The numbers of the lines that come first: what it was not answered over an earlier connection."""
    next: int = 1
    """The number of the first line after those."""
    hook: RanHook | None = None
    """It is no bridge: it tells this, and leaves."""


class Peer:
    """A connected bridge after its handshake."""

    def __init__(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.greeting = greeting
        self.bridge = greeting.bridge
        self.is_parted = False
        """One side said good-bye: it does not come back."""
        self._reader = reader
        self._writer = writer

    async def lines(self) -> AsyncIterator[tuple[int, bytes]]:
        """With their numbers, until the peer is gone. One above `MAX_LINE_BYTES` comes cut off, still above it."""
        lines = Lines()
        numbers = chain(self.greeting.again, count(self.greeting.next))
        while chunk := await self._read():
            for line in lines.feed(chunk):
                if line.startswith(BYE):
                    self.is_parted = True
                    return
                yield next(numbers), line

    async def _read(self) -> bytes:
        """Empty at the end, also when a bridge was killed with something unread, which resets the connection."""
        try:
            return await self._reader.read(_READ_BYTES)
        except OSError:
            return b""

    async def send(self, line: bytes) -> None:
        """`line` ends in a newline. Waits while the peer does not read. Raises `Lost`."""
        if self._writer.is_closing():
            raise Lost("The bridge's connection")
        self._writer.write(line)
        try:
            async with asyncio.timeout(WRITE_PATIENCE_S):
                await self._writer.drain()
        except (OSError, TimeoutError) as error:
            self._writer.transport.abort()
            raise Lost("The bridge's connection") from error

    async def refuse(self, request_id: object, code: int, message: str) -> None:
        await self.send(error_line(request_id, code, message))

    def part(self, sentence: str) -> None:
        """Say good-bye: the bridge fails what it waits for with `sentence`, and ends. Idempotent."""
        if self.is_parted:
            return
        self.is_parted = True
        self._writer.write(BYE + json.dumps(sentence)[1:].encode() + b"}\n")
        self._writer.close()
        # One that does not read does not close either.
        asyncio.get_running_loop().call_later(LAST_WORD_S, self.cut_off)

    def cut_off(self) -> None:
        """At once, also one that does not read. Idempotent."""
        self._writer.transport.abort()


@dataclass(frozen=True, slots=True)
class Gatekeeper:
    """Decides whether a connection is an agent's bridge."""

    project: ProjectId
    authenticate: Authenticate

    async def admit(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        on_hook: Callable[[AgentId, RanHook], None],
    ) -> Peer:
        """Take the handshake and answer it. What a hook tells is heard before it is answered.

        Raises:
            Refused: the other end was told why.
            Lost: it left before.
        """
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                try:
                    greeting = self._checked(writer, await _first_line(reader))
                except Refused as refused:
                    verdict = {"idea": HANDSHAKE_VERSION, "ok": False, "error": str(refused)}
                    writer.write(json.dumps(verdict).encode() + b"\n")
                    raise
                if greeting.hook is not None:
                    on_hook(greeting.bridge.agent, greeting.hook)
                writer.write(WELCOME + b"\n")
                await writer.drain()
        except (OSError, TimeoutError) as error:
            raise Lost("A connection without a handshake") from error
        return Peer(greeting, reader, writer)

    def knows(self, greeting: Greeting) -> bool:
        """Does the launch it belongs to still last?"""
        return self.authenticate(greeting.bridge.agent, greeting.bridge.role, greeting.secret)

    def _checked(self, writer: asyncio.StreamWriter, greeting: dict[str, object]) -> Greeting:
        if peer_uid(writer.get_extra_info("socket")) != os.geteuid():
            raise Refused("This endpoint belongs to another user.")
        if greeting.get("idea") != HANDSHAKE_VERSION:
            raise Refused("The bridge and the server are of different versions. Restart the agent from IdeA.")
        if greeting.get("project") != self.project:
            raise Refused("This endpoint belongs to another project. Start the agent from IdeA.")
        agent, secret, role = greeting.get("requester"), greeting.get("secret"), _role(greeting)
        if not (isinstance(agent, str) and isinstance(secret, str) and self.authenticate(AgentId(agent), role, secret)):
            raise Refused("This agent's session has ended or was started anew. Start the agent from IdeA.")
        instance, again, following = greeting.get("instance"), greeting.get("again", []), greeting.get("next", 1)
        if not isinstance(instance, str) or not 0 < len(instance) <= _MAX_INSTANCE_CHARS:
            raise Refused("The bridge does not say which one it is. Start the agent from IdeA.")
        if not (isinstance(again, list) and isinstance(following, int) and all(map(_is_number, (*again, following)))):
            raise Refused("The bridge does not say which lines follow. Start the agent from IdeA.")
        ran = parse_hook(greeting["hook"]) if "hook" in greeting else None
        return Greeting(BridgeId(AgentId(agent), instance, role), secret, tuple(again), following, ran)


def _role(greeting: dict[str, object]) -> SessionRole:
    """What was started by an earlier version does not say it: there were main sessions alone."""
    said = greeting.get("role", SessionRole.MAIN)
    role = next((role for role in SessionRole if role == said), None)
    if role is None:
        raise Refused("The bridge and the server are of different versions. Restart the agent from IdeA.")
    return role


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


async def _first_line(reader: asyncio.StreamReader) -> dict[str, object]:
    """The first line, and not a byte more: what follows it is MCP."""
    try:
        line = await reader.readuntil(b"\n")
        greeting = json.loads(line) if len(line) <= _MAX_GREETING_BYTES else None
    except asyncio.IncompleteReadError as error:
        raise Lost("A connection without a handshake") from error
    except (ValueError, RecursionError, asyncio.LimitOverrunError):
        greeting = None
    if not isinstance(greeting, dict):
        raise Refused("The first line must be IdeA's handshake. Start the agent from IdeA.")
    return greeting
