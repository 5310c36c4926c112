"""Leaving whoever started the keeper, and telling it how the start went."""

import os
import sys
from contextlib import suppress

EXIT_DIED = 1


def leave_caller() -> int:
    """Go on in a process of its own: own session, no terminal, no descriptor of the caller's, working folder `/`.

    The process that was started stays until `say_ready`, whose code it exits with. Returns what that needs.
    """
    told, telling = os.pipe()
    if os.fork():
        os.close(telling)
        _repeat(told)
    os.setsid()
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for name in os.listdir("/dev/fd"):
        if int(name) not in (0, 1, 2, telling):
            # The listing's own is closed by now.
            with suppress(OSError):
                os.close(int(name))
    return telling


def say_ready(telling: int | None, code: int, message: str) -> int:
    """To the caller who waits, or None: there is none. The code again."""
    if telling is not None:
        # It may have lost its patience.
        with suppress(OSError):
            os.write(telling, bytes([code]) + message.encode("utf-8", "backslashreplace"))
        os.close(telling)
    elif message:
        print(message, file=sys.stderr)  # noqa: T201 - it was started by hand
    return code


def _repeat(told: int) -> None:
    """In the caller's process: say on stderr what the keeper says, and exit with its code."""
    said = b""
    while part := os.read(told, 4096):
        said += part
    code, message = (said[0], said[1:]) if said else (EXIT_DIED, b"the keeper died at its start")
    if message:
        os.write(2, message + b"\n")
    os._exit(code)
