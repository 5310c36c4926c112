"""Learning at once that a process itself is gone, without SIGCHLD and without asking again and again."""

import os
import subprocess
import threading
from collections.abc import Callable

from idea.keeper.loop import Loop


def on_exit(process: "subprocess.Popen[bytes]", loop: Loop, call: Callable[[], None]) -> None:
    """Call in the loop's thread when `process` has ended.

    Where the system has pidfds the process is then still a zombie, so that its pid names nobody else until
    `Popen.poll` collects it; elsewhere a waiting thread has collected it.
    """
    try:
        pidfd = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        # No Linux, or no descriptor left.
        threading.Thread(target=_wait, args=(process, loop, call), name=f"exit-{process.pid}", daemon=True).start()
        return

    def ended() -> None:
        loop.on_readable(pidfd, None)
        os.close(pidfd)
        call()

    loop.on_readable(pidfd, ended)


def _wait(process: "subprocess.Popen[bytes]", loop: Loop, call: Callable[[], None]) -> None:
    process.wait()
    loop.post(call)
