"""Who is at the other end of a Unix socket, as the kernel says."""

import socket
import struct
import sys
from typing import Protocol


class UnixSocket(Protocol):
    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes: ...


def peer_uid(connection: UnixSocket) -> int:
    """Raises `OSError` when the other end is gone."""
    if sys.platform == "darwin":
        # LOCAL_PEERCRED at SOL_LOCAL, which `socket` does not name: struct xucred {version, uid, …} of 76 bytes.
        _, uid = struct.unpack_from("2I", connection.getsockopt(0, 0x001, 76))
        return int(uid)
    return _credentials(connection)[1]


def peer_pid(connection: UnixSocket) -> int:
    """The process that listens there. Raises `OSError` when the other end is gone."""
    if sys.platform == "darwin":
        # LOCAL_PEERPID at SOL_LOCAL.
        (pid,) = struct.unpack("i", connection.getsockopt(0, 0x002, struct.calcsize("i")))
        return int(pid)
    return _credentials(connection)[0]


def _credentials(connection: UnixSocket) -> tuple[int, int]:
    form = "3i"
    pid, uid, _ = struct.unpack(
        form, connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form))
    )
    return int(pid), int(uid)
