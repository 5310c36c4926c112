"""A demo agent on a real PTY, with a real terminal's state behind it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from tests.demo.agents import COMMAND, environment
from tests.patience import PATIENCE_S

_LAUNCH = """\
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""The agent gets the PTY as its controlling terminal, else it would not hear of a new size."""


class TerminalAgent:
    """One agent with the terminal face. `answers_status`: the terminal knows OSC 7501."""

    def __init__(self, *arguments: str, cols: int = 80, rows: int = 24, answers_status: bool = False) -> None:
        self._master, slave = pty.openpty()
        # Imported by name, since it ships no types.
        self.screen = import_module("pyghostty").Terminal(cols, rows)
        self.raw = b""
        self._answers_status = answers_status
        self.screen.on_reply(self._reply)
        self._set_size(cols, rows)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, *COMMAND, "--face", "tui", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(TERM="xterm-256color"),
        )
        os.close(slave)

    def _reply(self, data: bytes) -> None:
        os.write(self._master, data)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def send(self, text: str) -> None:
        # Not before the agent reads keys: until then the terminal itself would echo, and turn Enter into a newline.
        self.until_raw(b"\x1b[?2004h")
        self.type(text)
        self.type("\r")

    def resize(self, cols: int, rows: int) -> None:
        self.screen.resize(cols, rows)
        self._set_size(cols, rows)

    def until(self, is_so: Callable[[str], bool]) -> str:
        """The visible screen as soon as `is_so` says that it is right."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so(text := str(self.screen.text())):
            left = deadline - time.monotonic()
            assert left > 0, f"not on the screen after {PATIENCE_S} s:\n{text}"
            if select.select([self._master], [], [], left)[0] and not self._read():
                raise AssertionError(f"the agent ended:\n{text}")
        return text

    def shows(self, *texts: str) -> str:
        return self.until(lambda screen: all(text in screen for text in texts))

    def until_raw(self, data: bytes) -> None:
        self.until(lambda _screen: data in self.raw)

    def wait(self) -> int:
        """The exit code; reads on, since a full PTY would hold the agent."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        os.close(self._master)
        self.screen.close()

    def _read(self) -> bool:
        try:
            data = os.read(self._master, 65536)
        except OSError:
            # Linux says EIO when the last process has left the PTY.
            return False
        self.raw += data
        if self._answers_status and b"\x1b]7501;?" in data:
            # Before what the terminal itself answers to the question behind it.
            self.type("\x1b]7501;?\x1b\\")
        self.screen.feed(data)
        return bool(data)

    def _set_size(self, cols: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


@contextmanager
def terminal_agent(
    *arguments: str, cols: int = 80, rows: int = 24, answers_status: bool = False
) -> Iterator[TerminalAgent]:
    agent = TerminalAgent(*arguments, cols=cols, rows=rows, answers_status=answers_status)
    try:
        yield agent
    finally:
        agent.close()
