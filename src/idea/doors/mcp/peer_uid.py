"""Which user is at the other end of a Unix socket, as the kernel says."""

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
    _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return int(uid)
