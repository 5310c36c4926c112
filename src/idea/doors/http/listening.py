"""Binding the page's port, with a sentence for each way in which that fails."""

import errno
import socket

from idea.domain.errors import Invalid, Refused


def bind_web(host: str, port: int) -> socket.socket:
    """A bound TCP socket; port 0 takes a free one.

    Raises:
        Refused: somebody listens there, or the port is reserved.
        Invalid: `host` is no address of this machine, or `port` is no port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # A restart takes the port over from connections that still linger.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Now rather than when serving starts: until then a second server could bind the same port.
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise _explain(error, host, port) from error
    listener.setblocking(False)
    return listener


_BACKLOG = 512
"""Connections that may wait while the loop is busy."""


def _explain(error: OSError | OverflowError, host: str, port: int) -> Invalid | Refused:
    if isinstance(error, OverflowError):
        return Invalid(f"{port} is no port. Choose one from 1024 to 65535, or 0 for any free one.")
    if error.errno == errno.EADDRINUSE:
        return Refused(
            f"Port {port} of {host} is used by another program. End that one, or choose another with --port"
            " (--port 0 takes any free one)."
        )
    if error.errno == errno.EACCES:
        return Refused(f"Port {port} is reserved for the system. Choose one from 1024 on with --port.")
    return Invalid(f"IdeA cannot listen on {host}: {error.strerror or error}. Choose an address of this machine.")
