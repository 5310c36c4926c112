"""The user's one server, as commands find it: its lock, and the socket beside it."""

import asyncio
import socket
from pathlib import Path
from typing import Final

from idea.adapters.storage.locks import ServerLock
from idea.doors.http.server import Server
from idea.doors.mcp.endpoint import Listener, listen

CONTROL_SOCKET: Final = "control.sock"


class ControlPlace:
    """Made again when somebody removes it: no second server is to begin, and commands are to find this one."""

    def __init__(self, runtime: Path) -> None:
        self._runtime = runtime
        self.path = runtime / CONTROL_SOCKET
        self._lock = ServerLock(runtime)
        self._listener: Listener | None = None

    def lock(self) -> None:
        """Raises `ServerRuns`, naming the holder."""
        self._lock.acquire(control=self.path)

    def listen(self) -> socket.socket:
        """Raises `Conflict`, `Refused`."""
        self._listener = listen(self.path)
        return self._listener.socket

    def is_there(self) -> bool:
        return self._lock.is_there() and self._listener is not None and self._listener.is_there()

    async def renew(self, server: Server) -> None:
        """Whoever is connected stays so.

        Raises:
            Conflict, Refused: another server is there by now, or the place cannot be used.
        """
        await asyncio.to_thread(self._lock_anew)
        if self._listener is None or not self._listener.is_there():
            await server.renew_control(self.listen())

    def _lock_anew(self) -> None:
        if not self._lock.is_there():
            lock = ServerLock(self._runtime)
            lock.acquire(control=self.path)
            self._lock.release()
            self._lock = lock

    def close(self) -> None:
        """Idempotent."""
        if self._listener is not None:
            self._listener.close()
        self._lock.release()
