"""Where the secrets are, and where they must never be."""

import contextlib
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.client import Api, ok
from tests.system.house import Server

pytestmark = pytest.mark.slow

QUESTION = "Is the invoice page ready to go out?"


async def _secrets(api: Api, server: Server) -> dict[str, str]:
    """Every secret that this server has handed out, after a chain of asks and the visit of a browser."""
    ok(await api.ask("main", QUESTION))
    code = server.ready["url"].partition("#code=")[2]
    link = ok(await api.call("POST", "/api/link"))["url"].partition("#code=")[2]
    browser = ok(await api.call("POST", "/api/session", {"code": link}, token=""))["credential"]
    files = list(server.house.root.rglob("*.secret"))
    assert len(files) >= 3, "one for each running agent"
    launches = {path.name: path.read_text(encoding="utf-8") for path in files}
    secrets = {"token": server.token, "start code": code, "link": link, "browser": browser, **launches}
    assert all(len(secret) >= 32 for secret in secrets.values())
    assert len(set(secrets.values())) == len(secrets)
    return secrets


def _shown(pid: int) -> bytes:
    """What other programs can read of a process."""
    shown = b""
    for part in ("cmdline", "environ"):
        with contextlib.suppress(OSError):
            shown += (Path("/proc") / str(pid) / part).read_bytes()
    return shown


def _files(server: Server) -> Iterator[Path]:
    for path in server.house.root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path


async def test_no_secret_is_on_a_command_line_or_in_an_environment(api: Api, demo: Server) -> None:
    secrets = await _secrets(api, demo)

    pids = demo.house.processes()
    assert len(pids) >= 7, "the server, three agents, three bridges"
    for pid in pids:
        shown = _shown(pid)
        for name, secret in secrets.items():
            assert secret.encode() not in shown, (name, pid)


async def test_no_secret_is_in_a_log_or_in_any_file_but_its_own(api: Api, demo: Server) -> None:
    secrets = await _secrets(api, demo)

    for path in _files(demo):
        content = path.read_bytes()
        for name, secret in secrets.items():
            assert secret.encode() not in content or path.name == name, path


async def test_a_secret_goes_with_the_session_and_is_another_one_next_time(api: Api, demo: Server) -> None:
    agent = await api.create()
    ok(await api.ask(agent["slug"], "list"))
    path, copy = demo.house.root.rglob(f"*{agent['id']}.secret")
    first = path.read_text(encoding="utf-8")
    assert copy.read_text(encoding="utf-8") == first

    ok(await api.agent("POST", agent["slug"], "/stop"))
    assert not path.exists()
    assert not copy.exists()
    ok(await api.ask(agent["slug"], "list"))
    second = path.read_text(encoding="utf-8")
    assert second == copy.read_text(encoding="utf-8") != first


async def test_only_the_user_can_read_what_the_server_keeps(api: Api, demo: Server) -> None:
    await _secrets(api, demo)

    private = [demo.root / ".ideai" / "run", demo.root / ".ideai" / "state"]
    for kept in (demo.house.runtime, demo.house.state, demo.root.parent / "run", demo.root.parent / "state"):
        private += [path for path in kept.glob("*") if path.is_dir()] if kept.is_dir() else []
    seen = 0
    for folder in private:
        for path in (folder, *folder.rglob("*")):
            mode = stat.S_IMODE(path.lstat().st_mode)
            seen += 1
            assert mode & 0o077 == 0, f"{path} has mode {mode:o}"
    assert seen > 20


async def test_the_start_code_works_once(api: Api, demo: Server) -> None:
    link = ok(await api.call("POST", "/api/link"))["url"].partition("#code=")[2]

    credential = ok(await api.call("POST", "/api/session", {"code": link}, token=""))["credential"]

    assert (await api.call("POST", "/api/session", {"code": link}, token="")).status == 401
    assert (await api.call("GET", "/api/state", token=credential)).status == 200
    assert (await api.call("GET", "/api/state", token="")).status == 401
    assert (await api.call("GET", "/api/state", token=link)).status == 401
