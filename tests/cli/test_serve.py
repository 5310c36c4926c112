"""`idea serve` and `idea demo` whole: the ready line, a second server, ports, signals, the demo's chain."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from idea import __version__
from idea.domain.outcomes import OUTCOMES

pytestmark = pytest.mark.slow

WAIT_S = 60
"""A server takes a second to start and the demo's chain six; a busy machine takes many times that."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody's folders."""

    home: Path
    runtime: Path

    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "TMPDIR": str(self.runtime),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
        }

    def start(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "idea", *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=self.env(), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)

    def run(self, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "idea", *map(str, arguments)]
        return subprocess.run(command, env=self.env(), capture_output=True, text=True, timeout=WAIT_S, check=False)


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    # Short: sockets lie in it. With the run's other folders: a keeper that stayed behind is found by them.
    with tempfile.TemporaryDirectory(prefix="u", dir=Path(os.environ["XDG_RUNTIME_DIR"]).parent) as runtime:
        home = tmp_path / "home"
        home.mkdir()
        yield User(home, Path(runtime))


@dataclass(slots=True)
class Running:
    pid: int
    ready: dict[str, object]
    said: str = ""
    code: int | None = None


@contextmanager
def serving(user: User, *arguments: str | Path, ends_by: signal.Signals = signal.SIGTERM) -> Iterator[Running]:
    process = user.start(*arguments, "--no-browser", "--json")
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, process.communicate(timeout=WAIT_S)[1]
        running = Running(process.pid, json.loads(line))
        yield running
        process.send_signal(ends_by)
        rest, running.said = process.communicate(timeout=WAIT_S)
        assert rest == ""
        running.code = process.returncode
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def get(url: str, token: str) -> int:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.mark.parametrize("ends_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_ready_line_says_where_the_server_is_and_a_signal_ends_it(
    user: User, tmp_path: Path, ends_by: signal.Signals
) -> None:
    with serving(user, "serve", "--project", tmp_path, "--port", "0", ends_by=ends_by) as running:
        ready = running.ready
        page, _, code = str(ready["url"]).partition("#code=")
        statuses = [get(f"{page}api/state", token) for token in (str(ready["token"]), "wrong")]
        arguments = Path(f"/proc/{running.pid}/cmdline")
        told = arguments.read_text() if arguments.exists() else ""

    assert ready.keys() == {"url", "token", "pid", "version", "projects"}
    assert (ready["pid"], ready["version"]) == (running.pid, __version__)
    assert ready["projects"] == [{"id": json.loads(json.dumps(ready["projects"]))[0]["id"], "path": str(tmp_path)}]
    assert page.startswith("http://127.0.0.1:")
    assert len(code) >= 32
    assert statuses == [200, 401]
    assert code not in told
    assert running.code == 0
    assert "Stopping" in running.said
    assert not (user.runtime / "idea" / "control.sock").exists()


def test_a_second_server_is_refused_and_names_the_first(user: User, tmp_path: Path) -> None:
    with serving(user, "serve", "--port", "0") as running:
        second = user.run("serve", "--project", tmp_path, "--port", "0", "--no-browser")
        opened = user.run(tmp_path, "--no-browser", "--json")
        status = user.run("status")

    assert (second.returncode, second.stdout) == (OUTCOMES["CONFLICT"].exit_code, "")
    assert str(running.pid) in second.stderr
    assert opened.returncode == 0
    assert str(running.ready["url"]).partition("#")[0] in opened.stdout
    assert str(tmp_path) in status.stdout


def test_a_port_in_use_is_named_and_nothing_is_begun(user: User, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = user.run("serve", "--project", project, "--port", str(port), "--no-browser")

    assert (refused.returncode, refused.stdout) == (OUTCOMES["REFUSED"].exit_code, "")
    assert str(port) in refused.stderr
    assert "--port" in refused.stderr
    assert list(project.iterdir()) == []
    assert not (user.runtime / "idea" / "control.sock").exists()


def test_the_port_is_chosen_once_and_kept(user: User) -> None:
    pages = []
    for _ in range(2):
        with serving(user, "serve") as running:
            pages.append(str(running.ready["url"]).partition("#")[0])

    assert pages[0] == pages[1]


def test_an_unusable_host_name_is_refused_in_a_sentence(user: User) -> None:
    refused = user.run("serve", "--allow-host", "no host/", "--port", "0", "--no-browser")

    assert (refused.returncode, refused.stdout) == (OUTCOMES["INVALID"].exit_code, "")
    assert "no host/" in refused.stderr


def test_the_demo_shows_one_whole_chain_and_leaves_nothing(user: User) -> None:
    # Three agents start and answer one another: about six seconds.
    shown = user.run("demo", "--check")

    assert shown.returncode == 0, shown.stderr
    for who in ("You → Main", "Main → Architect", "Architect → QA", "QA ⇒ Architect", "Architect ⇒ Main", "Main ⇒ You"):
        assert who in shown.stdout
    assert "QA: Running 212 tests" in shown.stdout
    assert not list(user.runtime.glob("idea-demo-*"))


def printed_commands(said: str) -> list[list[str]]:
    return [shlex.split(words) for words in re.findall("`(.+?)`", said)]


def test_the_command_that_a_demo_prints_lets_in_again_and_so_does_the_bare_one(user: User, tmp_path: Path) -> None:
    with user.start("demo", "--port", "0", "--no-browser") as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(4)]
        page = said[1].partition("#")[0]
        (named,) = printed_commands(said[2])
        again = subprocess.run(
            named, cwd="/", env=user.env(), capture_output=True, text=True, timeout=WAIT_S, check=False
        )
        bare = user.run("link")
        status, doctor, agents = user.run("status"), user.run("doctor"), user.run("agents")
        stopped = user.run("stop")
        opened = user.start(tmp_path, "--port", "0", "--no-browser", "--json")
        assert opened.stdout is not None
        other = json.loads(opened.stdout.readline())["url"].partition("#")[0]
        own = user.run("link")
        opened.terminate()
        opened.communicate(timeout=WAIT_S)
        process.terminate()
        process.communicate(timeout=WAIT_S)

    assert "idea-demo-" in said[3]
    for linked in (again, bare):
        assert linked.returncode == 0, linked.stderr
        assert linked.stdout.startswith(f"{page}#code=")
    assert "3 not started" in status.stdout
    assert "demo" in next(line for line in doctor.stdout.splitlines() if "server" in line)
    assert agents.stdout.count("not started") == 3
    assert stopped.returncode == 0
    # A folder of one's own is opened in a server of one's own, and that one goes before the demo from then on.
    assert other != page
    assert own.stdout.startswith(other)
    assert str(tmp_path) in own.stderr.splitlines()[0]
    # And the demo is named, with what leads to it.
    assert printed_commands(own.stderr)[-1][-2:] == named[-2:]


_IN_A_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "idea", *sys.argv[1:]])
"""


def test_enter_in_the_terminal_of_a_server_prints_another_address(user: User) -> None:
    person, terminal = os.openpty()
    command = [sys.executable, "-c", _IN_A_TERMINAL, "serve", "--port", "0", "--no-browser"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=user.env(), stdin=terminal, stdout=pipe, stderr=pipe, text=True) as process:
        os.close(terminal)
        assert process.stdout is not None
        assert process.stderr is not None
        said = [process.stdout.readline() for _ in range(3)]
        os.write(person, b"\n")
        another = [process.stderr.readline() for _ in range(2)]
        # Ctrl-D ends what is typed, and not the server.
        os.write(person, b"\x04")
        os.write(person, b"\x03")
        process.communicate(timeout=WAIT_S)
    os.close(person)

    assert "Enter" in said[2]
    assert another[1].startswith(said[1].partition("#")[0] + "#code=")
    assert another[1] != said[1]
    assert process.returncode == 0


def test_of_several_demos_the_one_that_is_meant_has_to_be_named(user: User) -> None:
    with serving(user, "demo", "--port", "0") as one, serving(user, "demo", "--port", "0") as other:
        folders = [demo.ready["projects"][0]["path"] for demo in (one, other)]  # type: ignore[index] # JSON
        unnamed = user.run("link")
        named = user.run("link", "--project", folders[0])

    assert unnamed.returncode == OUTCOMES["INVALID"].exit_code
    assert all(folder in unnamed.stderr for folder in folders)
    assert named.stdout.startswith(str(one.ready["url"]).partition("#")[0])


def test_a_second_demo_in_a_folder_names_what_works(user: User, tmp_path: Path) -> None:
    with serving(user, "demo", tmp_path, "--port", "0") as running:
        second = user.run("demo", tmp_path, "--no-browser")
        link = subprocess.run(
            printed_commands(second.stderr)[0],
            cwd="/",
            env=user.env(),
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )

    assert second.returncode == OUTCOMES["CONFLICT"].exit_code
    assert f"`kill {running.pid}`" in second.stderr
    assert "--take-over" not in second.stderr
    assert link.stdout.startswith(str(running.ready["url"]).partition("#")[0])


def test_the_demo_has_a_server_of_its_own_that_commands_find_by_its_folder(user: User, tmp_path: Path) -> None:
    project = tmp_path / "demo"
    project.mkdir()
    with serving(user, "serve", "--port", "0"), serving(user, "demo", project, "--port", "0"):
        agents = user.run("agents", "--project", project, "--json")

    assert [agent["slug"] for agent in json.loads(agents.stdout)] == ["main", "architect", "qa"]
    assert (project / ".ideai" / "agents" / "main.md").exists()
