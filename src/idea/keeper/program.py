"""The keeper as a program of its own: arguments, signals, its end.

SIGTERM stops every agent properly, then ends; a second one hurries. SIGHUP has it see to its socket at once: a server
that finds the agents' locks held, and nobody listening, sends it. SIGINT and SIGPIPE are ignored: a Ctrl-C meant for
the server and a peer that goes must not cost anybody an agent.
"""

import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from idea.keeper.core import KeeperCore
from idea.keeper.detach import leave_caller, say_ready
from idea.keeper.listener import AnotherKeeper, Listener, UnusablePlace
from idea.keeper.log_file import LogFile
from idea.keeper.loop import Loop
from idea.keeper.orphans import Orphans, adopt_orphans, has_children
from idea.keeper.peer import Peer
from idea.keeper.quiet import Quiet
from idea.keeper.stopping import Stopping
from idea.keeper.tree import Tree

EXIT_ANOTHER = 3
"""A keeper that lives has the socket."""
EXIT_UNUSABLE = 4
EXIT_USAGE = 2
GRACE_S = 3.0
"""What agents get to end by themselves after SIGTERM."""
FAREWELL_S = 1.0
"""For the last words to whoever still reads."""
STRANGERS_MAX = 16
"""Connections that are not attached; of more, the one that has waited longest goes."""
RUNTIME_RECORD = "locks/runtime"
"""In the state's folder, written by servers."""
RECORD_BYTES = 4096
USAGE = "usage: keeper --socket PATH --state FOLDER [--idle-s S] [--kept-s S] [--guard-s S] [--detach]"
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Options:
    socket: Path
    """Its folder is private to the user and exists."""
    state: Path
    """Takes output that is too much for the memory, and the log."""
    idle_s: float = 30.0
    kept_s: float = 3600.0
    """An agent may have ended while its server was away, and its last turn is still to be read."""
    guard_s: float = 30.0
    """How often it looks whether its socket is still there."""
    is_detached: bool = False


class Program:
    def __init__(self, options: Options) -> None:
        self._loop = Loop()
        self._core = KeeperCore(
            loop=self._loop, folder=options.state, name=os.fspath(options.socket), on_closed=self._end_orphans
        )
        self._listener = Listener(
            options.socket,
            loop=self._loop,
            guard_s=options.guard_s,
            find_folder=partial(find_runtime, options.state),
            on_moved=lambda path: self._core.rename(os.fspath(path)),
        )
        self._orphans = Orphans(self._loop, is_own=self._core.children.is_own)
        self._peers: dict[Peer, None] = {}
        """The oldest first."""
        self._is_leaving = False
        self._is_terminating = False
        self._quiet = Quiet(
            self._loop,
            idle_s=options.idle_s,
            kept_s=options.kept_s,
            is_busy=lambda: self._core.is_attached or self._core.children.is_launching or has_children(),
            has_kept=lambda: self._core.children.has_kept,
            on_end=lambda: self._core.close(0.0),
        )
        self._core.on_quiet = self._quiet.look

    def open(self) -> None:
        """Raises `AnotherKeeper`, `UnusablePlace`."""
        self._listener.open(self._welcome)

    def run(self) -> None:
        self._heed_signals()
        self._quiet.look()
        try:
            self._loop.run()
        finally:
            self._listener.close()

    def _welcome(self, connection: socket.socket) -> None:
        strangers = [peer for peer in self._peers if not peer.is_attached]
        if len(strangers) >= STRANGERS_MAX:
            strangers[0].dismiss()
            self._peers.pop(strangers[0])
        self._peers[Peer(connection, loop=self._loop, core=self._core, on_gone=self._gone)] = None

    def _gone(self, peer: Peer) -> None:
        self._peers.pop(peer, None)
        if self._is_leaving and not self._peers:
            self._loop.stop()

    def _end_orphans(self) -> None:
        """Every agent has been stopped; what they left without a parent goes as well."""
        waiting = set(self._orphans.find())
        survivors: list[int] = []

        def ended(orphan: int, living: tuple[int, ...]) -> None:
            waiting.discard(orphan)
            survivors.extend(living)
            if not waiting:
                self._leave(tuple(survivors))

        for orphan in tuple(waiting):
            tree = Tree(orphan, spawn_id="")
            stopping = Stopping(tree, loop=self._loop, grace_s=GRACE_S, has_terminal=True, on_end=lambda: None)
            stopping.tell(partial(ended, orphan))
            stopping.begin(has_exited=True)
        if not waiting:
            self._leave(())

    def _leave(self, survivors: tuple[int, ...]) -> None:
        if self._is_leaving:
            return
        self._is_leaving = True
        self._core.say_closed(survivors)
        self._listener.close()
        for peer in tuple(self._peers):
            if not peer.is_last:
                peer.dismiss()
        if self._peers:
            self._loop.later(FAREWELL_S, self._loop.stop)
        else:
            self._loop.stop()

    def _heed_signals(self) -> None:
        # The handlers do nothing: Python writes the number into the pipe, and the loop reads it in its own time.
        told, telling = os.pipe()
        os.set_blocking(told, False)
        os.set_blocking(telling, False)
        signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
            signal.signal(number, lambda number, frame: None)
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        self._loop.on_readable(told, lambda: self._signalled(os.read(told, 64)))

    def _signalled(self, numbers: bytes) -> None:
        if signal.SIGTERM in numbers:
            logger.info("asked to end")
            self._core.close(0.0 if self._is_terminating else GRACE_S)
            self._is_terminating = True
        if signal.SIGHUP in numbers and not self._is_leaving:
            self._listener.look_after()
        self._orphans.bury()
        self._quiet.look()


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if options is None:
        print(USAGE, file=sys.stderr)  # noqa: T201 - for who started it by hand
        return EXIT_USAGE
    telling = leave_caller() if options.is_detached else None
    logging.basicConfig(level=logging.INFO, handlers=[LogFile(options.state / "keeper.log")])
    adopt_orphans()
    program = Program(options)
    try:
        program.open()
    except AnotherKeeper:
        return say_ready(telling, EXIT_ANOTHER, "a keeper lives here")
    except UnusablePlace as error:
        return say_ready(telling, EXIT_UNUSABLE, str(error))
    say_ready(telling, 0, "")
    program.run()
    return 0


def find_runtime(state: Path) -> Path | None:
    """The folder in which the project's sockets lie by now, as the server last recorded it; None if it does not say."""
    try:
        fd = os.open(state / RUNTIME_RECORD, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            text = os.read(fd, RECORD_BYTES).decode().strip()
        finally:
            os.close(fd)
    except (OSError, ValueError):
        return None
    return Path(text) if text.startswith("/") and "\0" not in text else None


def parse(arguments: list[str]) -> Options | None:
    """None when they are not as `USAGE` says."""
    names = {"--socket", "--state", "--idle-s", "--kept-s", "--guard-s"}
    found: dict[str, str] = {}
    rest = [argument for argument in arguments if argument != "--detach"]
    if len(rest) % 2:
        return None
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        if name not in names:
            return None
        found[name] = text
    try:
        options = Options(Path(found["--socket"]), Path(found["--state"]), is_detached=len(rest) < len(arguments))
        options.idle_s = float(found.get("--idle-s", options.idle_s))
        options.guard_s = float(found.get("--guard-s", options.guard_s))
        options.kept_s = max(options.idle_s, float(found.get("--kept-s", options.kept_s)))
    except (KeyError, ValueError):
        return None
    # The working folder is left.
    return options if options.socket.is_absolute() and options.state.is_absolute() else None
