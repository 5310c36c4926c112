"""A user of their own for one test: folders that nothing else uses, and `idea` as the processes they start."""

import asyncio
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

IDEA: Final = (sys.executable, "-m", "idea")
START_S: Final = 50.0
"""A server starts in one second; with a load of twenty it was seen to take 27 s. Inside of pytest's own limit."""
STOP_S: Final = 20.0
"""Stopping waits for agents, 5 s each at worst."""
GONE_S: Final = 10.0
"""The kernel ends orphans at once, but on a busy machine it may be asked late."""
COMMAND_S: Final = 30.0
"""A command line starts in a fifth of a second; one that asks an agent waits for the answer."""
_PROC: Final = Path("/proc")


@dataclass(frozen=True)
class Told:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Server:
    """A running `idea serve` or `idea demo`."""

    house: "House"
    process: "subprocess.Popen[str]"
    ready: dict[str, Any]
    log: Path

    @property
    def port(self) -> int:
        return int(self.ready["url"].split("/")[2].rpartition(":")[2])

    @property
    def token(self) -> str:
        return str(self.ready["token"])

    @property
    def project(self) -> str:
        return str(self.ready["projects"][0]["id"])

    @property
    def root(self) -> Path:
        return Path(self.ready["projects"][0]["path"])

    def said(self) -> str:
        """What it wrote to stderr so far."""
        return self.log.read_text(encoding="utf-8")

    def wait_said(self, words: str, *, times: int = 1) -> None:
        """Until it has written these to stderr, so often in all."""
        deadline = time.monotonic() + STOP_S
        while self.said().count(words) < times:
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.02)  # a file tells nobody that it grew

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Its exit code, as `Popen` gives it."""
        self.process.send_signal(number)
        return self.process.wait(STOP_S)


@dataclass(frozen=True)
class House:
    root: Path
    more: dict[str, str] = field(default_factory=dict)
    """Variables beside those that a login sets."""

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "xterm-256color",
            "SHELL": "/bin/sh",
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.tmp),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_STATE_HOME": str(self.state),
            "XDG_DATA_HOME": str(self.root / "data"),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "IDEA_DEMO_PACE": "0.05",
            **self.more,
        }

    @property
    def tmp(self) -> Path:
        return self.root / "t"

    @property
    def runtime(self) -> Path:
        return self.root / "run"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def folder(self, name: str) -> Path:
        """A new folder of the user's, for a project whose agents end with the server, so that a test leaves nothing."""
        path = self.lasting_folder(name)
        (path / ".ideai").mkdir()
        (path / ".ideai" / "settings.toml").write_text('keeper = "in-process"\n', encoding="utf-8")
        return path

    def lasting_folder(self, name: str) -> Path:
        """A new folder of the user's, empty. A project in it has agents that outlive the server, as by default."""
        path = self.root / "work" / name
        path.mkdir(parents=True)
        return path

    # --- commands -----------------------------------------------------------------------------------------

    def run(self, *arguments: str, cwd: Path | None = None) -> Told:
        """One `idea …` from start to end."""
        done = subprocess.run(
            [*IDEA, *arguments],
            env=self.env,
            cwd=cwd or self.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    async def run_beside(self, *arguments: str, cwd: Path | None = None) -> Told:
        """As `run`, while the test goes on; cancelling it ends the command as Ctrl-C would."""
        process = await asyncio.create_subprocess_exec(
            *IDEA,
            *arguments,
            env=self.env,
            cwd=cwd or self.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(COMMAND_S):
                out, err = await process.communicate()
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGINT)
                await process.wait()
        assert process.returncode is not None
        return Told(process.returncode, out.decode(), err.decode())

    # --- servers ------------------------------------------------------------------------------------------

    @contextmanager
    def serving(self, *arguments: str, port: int | None = 0, leaves_agents: bool = False) -> Iterator[Server]:
        """`idea …` with `--json --no-browser`, until the end of the block; then it ends, and what else is theirs.

        With `leaves_agents` they go on, until the house ends. `port` None: the user's own, as it is by default.
        """
        wanted = [] if port is None else ["--port", str(port)]
        log = self.root / f"{arguments[0]}-{time.monotonic_ns()}.log"
        with log.open("w", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [*IDEA, *arguments, *wanted, "--json", "--no-browser"],
                env=self.env,
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        try:
            line = _first_line(process)
            # At the end of its output it has ended; else it is not ready in time, and ended below.
            assert line, f"the server did not start: {log.read_text(encoding='utf-8')}"
            yield Server(self, process, json.loads(line), log)
        finally:
            self._end(process)
            if not leaves_agents:
                self.end_all()

    def _end(self, process: "subprocess.Popen[str]") -> None:
        if process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_S)
        if process.poll() is None:
            process.kill()
            process.wait(STOP_S)
        assert process.stdout is not None
        process.stdout.close()

    def end_all(self) -> None:
        """Kill whatever runs with this user's folders, and wait until it is gone."""
        pids = self.processes()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                self.kill(pid)
        assert wait_gone(pids) == []

    def kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)

    # --- processes ----------------------------------------------------------------------------------------

    def processes(self, *words: str) -> list[int]:
        """Everything that runs with this user's folders and has all of `words` on its command line.

        A keeper has no environment, and is known by the socket that it is given. A process that is about to become
        another one still looks like its parent, and does not count.
        """
        home, socket = os.fsencode(f"HOME={self.root}/"), os.fsencode(f"{self.root}/")
        found: dict[int, list[bytes]] = {}
        for entry in _PROC.iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().split(b"\0")
                is_ours = home in (entry / "environ").read_bytes() or _socket_of_keeper(line).startswith(socket)
                if is_ours and all(word.encode() in line for word in words):
                    found[int(entry.name)] = line
        return sorted(pid for pid, line in found.items() if found.get(_parent(pid)) != line)

    def keepers(self) -> list[int]:
        return self.processes("--detach")

    def agent(self, slug: str) -> int:
        """The pid of the one demo agent with this slug."""
        (pid,) = self.processes("--agent", slug)
        return pid


def _first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], START_S)
    return process.stdout.readline() if readable else ""


def _socket_of_keeper(line: list[bytes]) -> bytes:
    """Empty for another program."""
    return line[line.index(b"--socket") + 1] if b"--detach" in line and b"--socket" in line else b""


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int((_PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    return 0


def wait_gone(pids: Iterable[int]) -> list[int]:
    """Those that still run after a while; the kernel tells when one ends."""
    deadline = time.monotonic() + GONE_S
    return [pid for pid in pids if not _has_gone(pid, deadline)]


def _has_gone(pid: int, deadline: float) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        ended, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        return bool(ended)
    finally:
        os.close(descriptor)


@contextmanager
def new_house(**more: str) -> Iterator[House]:
    """Removed at the end. Short, because sockets lie in it."""
    # The run's own folder is short too, while pytest's would be too long for a socket's path.
    with tempfile.TemporaryDirectory(prefix="h", dir=Path(os.environ["XDG_RUNTIME_DIR"]).parent) as folder:
        house = House(Path(folder), more)
        for made in ("home", "t", "run", "config", "state", "data", "cache"):
            (house.root / made).mkdir(mode=0o700)
        try:
            yield house
        finally:
            house.end_all()


def write_agent(project: Path, name: str, *, front: Sequence[str] = ("profile: demo",), body: str = "") -> Path:
    """As a person writes one by hand."""
    folder = project / ".ideai" / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.lower()}.md"
    path.write_text("\n".join(["---", f"name: {name}", *front, "---", "", body]), encoding="utf-8")
    return path
