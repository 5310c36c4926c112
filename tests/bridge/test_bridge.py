"""The bridge as a process: what it does when things are not as they should be."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idea.bridge_endpoint import DONE, LOST, NO_ENDPOINT, REFUSED, USAGE
from idea.bridge_lines import WELCOME
from idea.doors.mcp.endpoint import listen, secret_path
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, House, request

PING_LINE = json.dumps(request(1, "ping")).encode() + b"\n"


async def outcome(house: House) -> tuple[int, str]:
    async with house.bridge() as bridge:
        return await bridge.end()


async def test_without_an_endpoint_it_says_so(house: House) -> None:
    # CLIs that never hear of a failure wait for their own time-outs, and so would we for the end of the bridge.
    code, told = await outcome(house)

    assert code == NO_ENDPOINT
    assert "Open the project in IdeA" in told
    assert len(told.splitlines()) == 1


async def test_a_killed_servers_socket_is_no_endpoint_once_nobody_waits(house: House) -> None:
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(house.endpoint))
    async with house.bridge() as bridge:
        await bridge.send(request(1, "ping"))

        code, answers = await bridge.finish()

    assert (code, [answer["error"]["code"] for answer in answers]) == (NO_ENDPOINT, [-32000])


async def test_what_is_no_socket_is_refused(house: House) -> None:
    house.endpoint.write_text("")

    assert (await outcome(house))[0] == REFUSED


async def test_a_folder_that_others_can_enter_is_refused(house: House) -> None:
    listener = listen(house.endpoint)
    house.runtime.chmod(0o755)

    code, told = await outcome(house)

    listener.close()
    assert code == REFUSED
    assert "0700" in told


async def test_a_folder_by_way_of_a_symlink_is_refused(house: House, tmp_path: Path) -> None:
    listener = listen(house.endpoint)
    (tmp_path / "link").symlink_to(house.runtime)
    house.endpoint = tmp_path / "link" / house.endpoint.name

    code, _ = await outcome(house)

    listener.close()
    assert code == REFUSED


@pytest.mark.parametrize("harm", ["missing", "readable", "symlink", "fifo"])
async def test_a_secret_that_is_not_ours_alone_is_refused(house: House, tmp_path: Path, harm: str) -> None:
    secret = secret_path(house.runtime, PROJECT, MAIN)
    text = secret.read_text()
    if harm == "readable":
        secret.chmod(0o644)
    else:
        secret.unlink()
    if harm == "symlink":
        (tmp_path / "secret").write_text(text)
        secret.symlink_to(tmp_path / "secret")
    if harm == "fifo":
        os.mkfifo(secret, 0o600)

    async with house.open():
        code, _ = await outcome(house)

    assert code == REFUSED


@pytest.mark.parametrize(
    "arguments", [[], ["--endpoint", "x"], ["--project", "x", "--endpoint", "y", "--requester", "z"]]
)
async def test_wrong_arguments_are_explained(house: House, arguments: list[str]) -> None:
    async with house.bridge(change=lambda argv: [*argv[:5], *arguments]) as bridge:
        code, told = await bridge.end()

    assert code == USAGE
    assert "--requester" in told


def test_neither_arguments_nor_environment_hold_the_secret(house: House) -> None:
    assert secret_path(house.runtime, PROJECT, MAIN).read_text() not in " ".join(house.command())


async def test_three_messages_and_the_end_give_three_answers(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        await bridge.send(*(request(number, "ping") for number in range(3)))
        code, answers = await bridge.finish()

    assert code == DONE
    assert sorted(answer["id"] for answer in answers) == [0, 1, 2]


async def test_a_last_line_without_its_end_counts(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        bridge.stdin.write(json.dumps(request(1, "ping")).encode())
        code, answers = await bridge.finish()

    assert (code, [answer["id"] for answer in answers]) == (DONE, [1])


async def test_a_garbage_line_before_the_end_is_answered_too(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        bridge.stdin.write(b"garbage\n")
        code, answers = await bridge.finish()

    assert (code, [answer["error"]["code"] for answer in answers]) == (DONE, [-32700])


async def test_an_empty_input_ends_it_at_once(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        code, answers = await bridge.finish()

    assert (code, answers) == (DONE, [])


async def test_an_ask_in_flight_is_answered_after_the_end_of_input(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "late")
        bridge.stdin.close()
        await bridge.stdin.wait_closed()
        house.team.release.set()
        code, answers = await bridge.finish()

    assert code == DONE
    assert [answer["result"]["content"][0]["text"] for answer in answers] == ["late"]


async def test_it_does_not_spin_while_it_waits_after_the_end_of_input(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang", progressToken="clock")
        bridge.stdin.close()
        await bridge.receive()
        before = cpu_ticks(bridge.process.pid)
        # The progress notes are the clock here: half a second.
        for _ in range(10):
            await bridge.receive()

        spent = cpu_ticks(bridge.process.pid) - before

    assert spent <= 10


def cpu_ticks(pid: int) -> int:
    """Hundredths of a second."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        pytest.skip("needs Linux's /proc")
    fields = status.read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


async def test_without_a_reader_it_leaves_at_once_and_its_asks_are_cancelled(house: House) -> None:
    reading, writing = os.pipe()
    async with house.open():
        process = await asyncio.create_subprocess_exec(
            *house.command(), stdin=asyncio.subprocess.PIPE, stdout=writing, env={}
        )
        os.close(writing)
        assert process.stdin is not None
        ask = request(1, "tools/call", name="idea_ask_agent", arguments={"agent": "qa", "message": "hang"})
        shake = request(
            0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"}
        )
        process.stdin.write(json.dumps(shake).encode() + b"\n" + json.dumps(ask).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_S):
            await house.team.hanging.wait()
            os.close(reading)
            code = await process.wait()
            await house.team.tidied.wait()

    assert code == DONE


async def test_it_does_not_outlive_a_killed_parent(house: House) -> None:
    """As when a CLI is killed: nobody closes its pipes but the kernel."""
    parent = (
        "import subprocess, sys, signal\n"
        "child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"child.stdin.write({PING_LINE!r})\n"
        "child.stdin.flush()\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
        "signal.pause()\n"
    )
    async with house.open():
        cli = await asyncio.create_subprocess_exec(
            sys.executable, "-c", parent, *house.command(), stdout=asyncio.subprocess.PIPE
        )
        assert cli.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            pid = int(await cli.stdout.readline())
            watch = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else pytest.skip("needs pidfd")
            gone = asyncio.Event()
            asyncio.get_running_loop().add_reader(watch, gone.set)
            cli.kill()
            await cli.wait()
            await gone.wait()
        asyncio.get_running_loop().remove_reader(watch)
        os.close(watch)


async def test_characters_arrive_whole_whatever_the_locale(house: House) -> None:
    text = "é 你好 \U0001f600 \\ud83d"
    async with house.open(), house.bridge(LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0") as bridge:
        await bridge.shake_hands()
        await bridge.ask("é", text)
        answer = await bridge.receive()

    assert answer["id"] == "é"
    assert answer["result"]["content"][0]["text"] == text
    assert house.team.asked[0][1].message == text


async def test_a_message_in_single_bytes_is_one_message(house: House) -> None:
    line = json.dumps(request("é", "ping"), ensure_ascii=False).encode() + b"\r\n"
    async with house.open(), house.bridge() as bridge:
        for byte in line:
            bridge.stdin.write(bytes([byte]))
            await bridge.stdin.drain()
        answer = await bridge.receive()

    assert answer["id"] == "é"


async def test_large_messages_pass_both_ways_at_once(house: House) -> None:
    """A client that writes all its requests before it reads any answer must not lock up with us."""
    text = "x" * 1_000_000
    async with house.open(), house.bridge() as bridge:
        await bridge.shake_hands()
        async with asyncio.timeout(PATIENCE_S):
            for number in range(5):
                await bridge.ask(number, text)
        answers = [await bridge.receive() for _ in range(5)]

    assert {len(answer["result"]["structuredContent"]["reply"]) for answer in answers} == {len(text)}


@asynccontextmanager
async def scripted_server(house: House, *lines: bytes, requests: int, last: bytes = b"") -> AsyncIterator[None]:
    """Sends `lines` after the handshake, and leaves with `last` when so many requests have come."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.writelines(lines)
        for _ in range(requests):
            await reader.readline()
        writer.write(last)
        writer.close()

    listener = listen(house.endpoint)
    server = await asyncio.start_unix_server(serve, sock=listener.socket)
    try:
        yield
    finally:
        server.close()
        listener.close()


async def test_when_the_server_says_goodbye_the_requests_in_flight_get_errors(house: House) -> None:
    answered = b'{"jsonrpc": "2.0", "id": "b", "result": {}}\n'
    bye = b'{"idea": 1, "bye": "What became of it is unknown."}\n'
    server = scripted_server(house, WELCOME + b"\n", answered, requests=4, last=bye)
    async with server, house.bridge() as bridge:
        await bridge.send(
            request("a", "ping"),
            request("b", "ping"),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            request(3, "ping"),
        )
        heard = [await bridge.receive() for _ in range(3)]
        code, told = await bridge.end()

    assert {message["id"] for message in heard} == {"a", "b", 3}
    assert {message["id"] for message in heard if "error" in message} >= {"a", 3}
    assert code == LOST
    assert "unknown" in told


async def test_a_refusal_reaches_both_the_log_and_the_requests(house: House) -> None:
    refusal = '{"idea": 1, "ok": false, "error": "Not you: é."}\n'.encode()
    async with scripted_server(house, refusal, requests=0), house.bridge() as bridge:
        await bridge.send(request(1, "ping"))
        code, told = await bridge.end()

    assert code == REFUSED
    assert "Not you: \u00e9." in told or "Not you: \\xe9." in told


@pytest.mark.parametrize("line", [b"SSH-2.0-x\n", b'{"idea": 2, "ok": true}\n', b"[]\n"])
async def test_a_stranger_at_the_endpoint_is_refused(house: House, line: bytes) -> None:
    async with scripted_server(house, line, requests=0):
        code, told = await outcome(house)

    assert code == REFUSED
    assert "version" in told


def test_it_imports_nothing_that_costs_time() -> None:
    """What a bare interpreter has not loaded shows as milliseconds in every agent's start."""
    source = Path(__file__).parents[2] / "src" / "idea" / "bridge.py"
    script = (
        "import sys\n"
        "try:\n"
        f"    exec(open({str(source)!r}).read(), {{'__name__': '__main__', '__file__': {str(source)!r}}})\n"
        "except SystemExit:\n"
        "    print(*sys.modules)\n"
    )
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)

    modules = {*loaded.stdout.split()}
    assert {"idea.bridge_endpoint", "idea.bridge_lines"} <= modules
    assert not modules & {"json", "re", "socket", "signal", "selectors", "enum", "asyncio", "argparse", "typing"}


async def test_the_idea_command_starts_it_too(house: House) -> None:
    async with house.open():
        arguments = house.command()[4:]
        async with house.bridge(change=lambda _: [sys.executable, "-m", "idea", *arguments]) as bridge:
            answer = await bridge.call(1, "ping")

    assert answer["result"] == {}
