"""Starting a process: its pipes or its terminal, and the launcher that becomes it."""

import errno
import fcntl
import os
import stat
import struct
import subprocess
import sys
import termios
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from idea.keeper.protocol import Spawn
from idea.keeper.reports import Stream

_LAUNCHER = Path(__file__).with_name("launcher.py").read_text(encoding="utf-8")
"""Read once: an upgrade may replace the files under a keeper that lives on."""

_IUTF8 = 0o40000
"""Erasing in line mode takes a whole character. The same bit on Linux and macOS; `termios` lacks the name."""


@dataclass(frozen=True, slots=True)
class Launched:
    """The launcher runs. The receiver owns the descriptors, all close-on-exec."""

    process: "subprocess.Popen[bytes]"
    status: int
    """What the launcher says, see its module."""
    input: int
    outputs: dict[Stream, int]


def launch(spawn: Spawn) -> Launched:
    """Start the launcher of one process. Raises OSError; nothing is left behind then."""
    _check(spawn)
    with ExitStack() as undo:
        ours, theirs = _terminal(spawn.size, undo) if spawn.size else _pipes(undo)
        status, status_theirs = _pipe(undo)
        process = subprocess.Popen(
            _command(spawn, status_theirs),
            stdin=theirs[0],
            stdout=theirs[1],
            stderr=theirs[2],
            cwd=spawn.cwd,
            env=dict(spawn.env),
            pass_fds=(status_theirs,),
            start_new_session=True,
        )
        undo.pop_all()
    for fd in {*theirs, status_theirs}:
        os.close(fd)
    streams = (Stream.TERMINAL,) if spawn.size else (Stream.STDOUT, Stream.STDERR)
    return Launched(process, status, ours[0], dict(zip(streams, ours[1:], strict=True)))


def set_size(terminal: int, cols: int, rows: int) -> None:
    """Tells the program too, by SIGWINCH, if it is a change. Raises OSError when the terminal is gone."""
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def _check(spawn: Spawn) -> None:
    if not spawn.argv or not os.path.isabs(spawn.argv[0]):
        raise OSError(errno.EINVAL, "its path is not absolute")
    if any("\0" in text for text in (*spawn.argv, spawn.cwd, *(text for pair in spawn.env for text in pair))):
        raise OSError(errno.EINVAL, "an argument or a variable contains a NUL character")
    # Looked at first only for the sake of the message; the launch itself finds out again.
    if not stat.S_ISDIR(os.stat(spawn.cwd).st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), spawn.cwd)


def _command(spawn: Spawn, status: int) -> list[str]:
    lc_ctype = dict(spawn.env).get("LC_CTYPE")
    face = "terminal" if spawn.size else "pipes"
    own = [str(status), str(os.getpid()), face, "" if lc_ctype is None else f"={lc_ctype}"]
    return [sys.executable, "-I", "-S", "-c", _LAUNCHER, *own, *spawn.argv]


def _pipe(undo: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for fd in ends:
        undo.callback(os.close, fd)
    return ends


def _pipes(undo: ExitStack) -> tuple[tuple[int, ...], tuple[int, int, int]]:
    stdin, stdout, stderr = _pipe(undo), _pipe(undo), _pipe(undo)
    return (stdin[1], stdout[0], stderr[0]), (stdin[0], stdout[1], stderr[1])


def _terminal(size: tuple[int, int], undo: ExitStack) -> tuple[tuple[int, ...], tuple[int, int, int]]:
    master, slave = os.openpty()
    undo.callback(os.close, master)
    undo.callback(os.close, slave)
    attributes = termios.tcgetattr(slave)
    attributes[0] |= _IUTF8
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    set_size(master, *size)
    # A descriptor for each direction: each pipe object owns one.
    writing = os.dup(master)
    undo.callback(os.close, writing)
    return (writing, master), (slave, slave, slave)
