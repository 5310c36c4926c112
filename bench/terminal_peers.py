"""The terminals that `bench/terminal.py` compares: IdeA's, terminado's, and a bare loop that reads a PTY."""

import asyncio
import json
import os
import pty
import secrets
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from websockets.asyncio.client import ClientConnection, connect

IDEA: Final = (sys.executable, "-m", "idea")
COLS, ROWS = 100, 30
ACK_BYTES: Final = 256 * 1024
"""As the page does, acknowledged in steps, well inside the server's window."""
START_S: Final = 60.0
END_S: Final = 30.0
READ_BYTES: Final = 64 * 1024
TERMINADO: Final = """
import sys, tornado.httpserver, tornado.ioloop, tornado.netutil, tornado.web
from terminado import TermSocket, UniqueTermManager
manager = UniqueTermManager(shell_command=["/bin/sh"])
class Terminal(TermSocket):
    def check_origin(self, origin):
        return True
server = tornado.httpserver.HTTPServer(tornado.web.Application([("/terminal", Terminal, {"term_manager": manager})]))
[socket] = tornado.netutil.bind_sockets(0, "127.0.0.1")
server.add_socket(socket)
print(socket.getsockname()[1], flush=True)
tornado.ioloop.IOLoop.current().start()
"""


class Terminal(Protocol):
    """A shell behind a WebSocket, as a client sees it."""

    async def type(self, text: str) -> None: ...

    async def read(self) -> bytes:
        """What it shows next."""
        ...


# --- IdeA -----------------------------------------------------------------------------------------------------


class IdeaTerminal:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._taken = self._acknowledged = 0

    async def type(self, text: str) -> None:
        await self._socket.send(text.encode())

    async def read(self) -> bytes:
        while True:
            frame = await self._socket.recv()
            if isinstance(frame, bytes):
                self._taken += len(frame)
                if self._taken - self._acknowledged >= ACK_BYTES:
                    self._acknowledged = self._taken
                    await self._socket.send(json.dumps({"type": "ack", "bytes": self._taken}))
                return frame


@dataclass(frozen=True)
class Idea:
    """`idea serve` with its keeper, and a project whose agents are shells in terminals."""

    process: "subprocess.Popen[bytes]"
    ready: dict[str, Any]
    project: Path
    name: str = "IdeA"

    @property
    def _address(self) -> str:
        return str(self.ready["url"]).split("/")[2]

    @property
    def keeper(self) -> int:
        """Its pid: the one process that was started with this project's private folder."""
        state = os.fsencode(self.project / ".ideai" / "state")
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and state in _command_line(entry):
                return int(entry.name)
        raise LookupError("no keeper runs")

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Of the project."""
        return self._request(method, f"/api/projects/{self.ready['projects'][0]['id']}{path}", body)

    def _request(self, method: str, path: str, body: object = None) -> Any:
        request = urllib.request.Request(
            f"http://{self._address}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.ready['token']}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=START_S) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def launch(self, profile: str) -> tuple[str, str]:
        """A new agent in a terminal; its slug and its id."""
        agent = self.call("POST", "/agents", {"name": f"A{secrets.token_hex(4)}", "profile": profile})
        self.call("POST", f"/agents/{agent['slug']}/launch", {"view": "terminal", "nodeId": agent["slug"]})
        return agent["slug"], agent["id"]

    def link(self) -> str:
        """A start link that nobody has used."""
        return str(self._request("POST", "/api/link")["url"])

    def layout_name(self) -> str:
        return str(self._request("GET", "/api/state")["projects"][0]["layout"]["name"])

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Terminal]:
        """A new shell, which ends with this."""
        slug, agent = await asyncio.to_thread(self.launch, "shell")
        async with self.attach(agent) as terminal:
            yield terminal
        await asyncio.to_thread(self.call, "DELETE", f"/agents/{slug}")

    @asynccontextmanager
    async def attach(self, agent: str) -> AsyncIterator[Terminal]:
        """The terminal of the agent with this id."""
        url = f"ws://{self._address}/api/projects/{self.ready['projects'][0]['id']}/agents/{agent}/terminal"
        origin: Any = f"http://{self._address}"
        async with connect(url, origin=origin, compression=None, proxy=None, max_size=None) as socket:
            hello = {"type": "hello", "credential": self.ready["token"], "cols": COLS, "rows": ROWS}
            await socket.send(json.dumps(hello))
            yield IdeaTerminal(socket)


def _command_line(process: Path) -> list[bytes]:
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


@contextmanager
def serving_idea(home: Path) -> Iterator[Idea]:
    """With folders of its own under `home`, which is short."""
    for name in ("run", "project"):
        (home / name).mkdir(mode=0o700)
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "XDG_RUNTIME_DIR": str(home / "run"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    command = (*IDEA, "serve", "--project", str(home / "project"), "--port", "0", "--no-browser", "--json")
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            yield Idea(process, json.loads(process.stdout.readline()), home / "project")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(END_S)
            # Its agents went on without it.
            subprocess.run((*IDEA, "stop", "--all"), env=env, stdout=subprocess.DEVNULL, check=False, timeout=END_S)


# --- terminado ------------------------------------------------------------------------------------------------


class TerminadoTerminal:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def type(self, text: str) -> None:
        await self._socket.send(json.dumps(["stdin", text]))

    async def read(self) -> bytes:
        while True:
            kind, *rest = json.loads(await self._socket.recv())
            if kind == "stdout":
                return str(rest[0]).encode()


@dataclass(frozen=True)
class Terminado:
    port: int
    name: str = "terminado"

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Terminal]:
        url = f"ws://127.0.0.1:{self.port}/terminal"
        async with connect(url, compression=None, proxy=None, max_size=None) as socket:
            await socket.send(json.dumps(["set_size", ROWS, COLS]))
            yield TerminadoTerminal(socket)


@contextmanager
def serving_terminado(python: Path) -> Iterator[Terminado]:
    """`python` has it."""
    with subprocess.Popen((str(python), "-c", TERMINADO), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            yield Terminado(int(process.stdout.readline()))
        finally:
            process.terminate()
            process.wait(END_S)


def install_terminado(folder: Path) -> Path | None:
    """The interpreter of an environment of its own that has it; None where it cannot be had."""
    environment = folder / "terminado"
    python = environment / "bin" / "python"
    try:
        subprocess.run((sys.executable, "-m", "venv", str(environment)), check=True, capture_output=True)
        install = (str(python), "-m", "pip", "install", "--quiet", "terminado")
        subprocess.run(install, check=True, capture_output=True, timeout=180)
    except (subprocess.SubprocessError, OSError):
        return None
    return python


# --- the bare loop --------------------------------------------------------------------------------------------


def read_bare(file: Path) -> int:
    """Bytes that a loop without anything around it reads of `cat FILE` from a PTY."""
    pid, master = pty.fork()
    if pid == 0:
        os.execv("/bin/cat", ("cat", str(file)))
    taken = 0
    try:
        while part := os.read(master, READ_BYTES):
            taken += len(part)
    except OSError:
        # EIO is a terminal's end of file.
        pass
    os.close(master)
    os.waitpid(pid, 0)
    return taken
