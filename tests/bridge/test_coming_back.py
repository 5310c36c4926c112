"""The bridge when its connection breaks: it comes back, and no call is lost, made twice or answered twice."""

import asyncio
import fcntl
import json
import os
import signal
import socket
from contextlib import AsyncExitStack

import pytest

from idea.bridge_endpoint import DONE, LOST, REFUSED
from idea.doors.mcp.endpoint import secret_path
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, BridgeProcess, House, Message, request
from tests.mcp.wire import Wire, wired


def text_of(answer: Message) -> str:
    text: str = answer["result"]["content"][0]["text"]
    return text


async def until_back(wire: Wire) -> None:
    async with asyncio.timeout(PATIENCE_S):
        wire.connected.clear()
        await wire.connected.wait()


async def begin(house: House, bridge: BridgeProcess, message: str) -> None:
    """Shake hands, and ask with the id 1."""
    await bridge.shake_hands()
    await bridge.ask(1, message)
    async with asyncio.timeout(PATIENCE_S):
        while not house.team.asked:
            # A request after the ask is answered after it has reached the team.
            await bridge.call("asked?", "ping")


async def test_a_call_in_flight_goes_on_over_the_next_connection(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "late")
        wire.cut()
        await until_back(wire)
        alive = await bridge.call(2, "ping")
        house.team.release.set()
        answer = await bridge.receive()
        code, rest = await bridge.finish()

    assert (alive["id"], answer["id"], text_of(answer)) == (2, 1, "late")
    assert (code, rest) == (DONE, [])
    assert len(house.team.asked) == 1


async def test_an_answer_that_was_lost_on_its_way_is_told_once_more(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "late")
        wire.passes_down = 0
        house.team.release.set()
        answer = await bridge.receive()
        code, rest = await bridge.finish()

    assert wire.broke.is_set()
    assert (answer["id"], text_of(answer)) == (1, "late")
    assert (code, rest) == (DONE, [])
    assert len(house.team.asked) == 1


async def test_half_an_answer_is_not_passed_on(house: House) -> None:
    house.team.replies["late"] = "x" * 300_000
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "late")
        wire.passes_down = 100_000
        house.team.release.set()
        answer = await bridge.receive()
        code, rest = await bridge.finish()

    assert wire.broke.is_set()
    assert text_of(answer) == "x" * 300_000
    assert (code, rest) == (DONE, [])
    assert len(house.team.asked) == 1


async def test_half_a_request_is_no_request(house: House) -> None:
    message = "é" * 300_000
    async with wired(house) as wire, house.bridge() as bridge:
        await bridge.shake_hands()
        wire.passes_up = 100_000
        await bridge.ask(1, message)
        answer = await bridge.receive()
        code, rest = await bridge.finish()

    assert wire.broke.is_set()
    assert text_of(answer) == message
    assert (code, rest) == (DONE, [])
    assert [ask.message for _, ask in house.team.asked] == [message]


async def test_the_repeated_initialize_is_answered_to_nobody(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await bridge.shake_hands()
        for number in range(3):
            wire.cut()
            await until_back(wire)
            assert (await bridge.call(number, "tools/list"))["id"] == number
        code, rest = await bridge.finish()

    assert (code, rest) == (DONE, [])


async def test_an_initialize_without_an_answer_gets_it(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        wire.passes_down = 30
        answer = await bridge.shake_hands()
        alive = await bridge.call(1, "tools/list")

    assert wire.broke.is_set()
    assert answer["result"]["serverInfo"]
    assert alive["id"] == 1


# Comes back twenty times, and each time the MCP SDK is set up for it.
@pytest.mark.slow
async def test_a_flapping_connection_changes_nothing(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "late")
        answers = []
        for number in range(20):
            wire.cut()
            answers.append((await bridge.call(f"ping {number}", "ping"))["id"])
        house.team.release.set()
        answers.append((await bridge.receive())["id"])
        code, rest = await bridge.finish()

    assert answers == [*(f"ping {number}" for number in range(20)), 1]
    assert (code, rest) == (DONE, [])
    assert wire.connections >= 20
    assert len(house.team.asked) == 1


async def test_progress_goes_on_from_where_it_was(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang", progressToken="t")
        before = [(await bridge.receive())["params"]["progress"] for _ in range(3)]
        wire.cut()
        after = [(await bridge.receive())["params"]["progress"] for _ in range(3)]

    assert sorted({*before, *after}) == [*before, *after]


async def test_what_is_asked_while_away_is_asked_afterwards(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await bridge.shake_hands()
        wire.lose()
        # More than the bridge keeps: the rest waits in the pipe.
        sending = [bridge.ask(number, f"{number}" + "x" * 300_000) for number in range(6)]
        async with asyncio.TaskGroup() as tasks:
            for each in sending:
                tasks.create_task(each)
            await wire.listen()
            answers = [await bridge.receive() for _ in sending]
        code, rest = await bridge.finish()

    assert sorted(answer["id"] for answer in answers) == list(range(6))
    assert (code, rest) == (DONE, [])
    assert len(house.team.asked) == 6


async def test_a_call_that_is_taken_back_while_away_is_not_made_again(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "hang")
        wire.lose()
        await bridge.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        await bridge.send(request(2, "ping"))
        await wire.listen()
        answer = await bridge.receive()
        async with asyncio.timeout(PATIENCE_S):
            await house.team.tidied.wait()
        code, rest = await bridge.finish()

    assert answer["id"] == 2
    assert (code, rest) == (DONE, [])
    assert len(house.team.asked) == 1


async def test_the_end_of_input_while_away_fails_what_is_in_flight(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "hang")
        wire.lose()
        code, rest = await bridge.finish()

    assert code == LOST
    assert [(answer["id"], answer["error"]["code"]) for answer in rest] == [(1, -32000)]


async def test_the_end_of_input_while_away_is_no_failure_if_all_is_answered(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.call(1, "ping")
        wire.lose()
        code, rest = await bridge.finish()

    assert (code, rest) == (DONE, [])


async def test_a_server_that_goes_after_the_end_of_input_fails_what_is_in_flight(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "hang")
        # Once this is answered, the end of input behind it has been read as well, or is read next.
        await bridge.send(request(2, "ping"))
        bridge.stdin.close()
        await bridge.receive()
        wire.lose()
        code, rest = await bridge.finish()

    assert code == LOST
    assert [answer["id"] for answer in rest] == [1]


async def test_it_leaves_when_nobody_reads_it_while_away(house: House) -> None:
    reading, writing = os.pipe()
    async with wired(house) as wire:
        process = await asyncio.create_subprocess_exec(
            *house.command(), stdin=asyncio.subprocess.PIPE, stdout=writing, env={}
        )
        os.close(writing)
        assert process.stdin is not None
        process.stdin.write(json.dumps(request(1, "ping")).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.to_thread(os.read, reading, 1)
            wire.lose()
            os.close(reading)
            code = await process.wait()

    assert code == DONE


async def test_it_comes_back_without_the_file_of_its_secret(house: House) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "late")
        secret_path(house.runtime, PROJECT, MAIN).unlink()
        wire.cut()
        await until_back(wire)
        house.team.release.set()
        answer = await bridge.receive()

    assert text_of(answer) == "late"


@pytest.mark.parametrize("harm", ["launched anew", "a file in the way", "an open folder"])
async def test_when_it_is_refused_it_ends(house: House, harm: str) -> None:
    async with wired(house) as wire, house.bridge() as bridge:
        await begin(house, bridge, "hang")
        if harm == "launched anew":
            wire.lose()
            house.launch(MAIN)
            await wire.listen()
        elif harm == "a file in the way":
            wire.lose()
            house.endpoint.write_text("")
        else:
            house.runtime.chmod(0o755)
            wire.cut()
        answer = await bridge.receive()
        code, _ = await bridge.end()
        async with asyncio.timeout(PATIENCE_S):
            if harm == "launched anew":
                await house.team.tidied.wait()

    assert code == REFUSED
    assert (answer["id"], answer["error"]["code"]) == (1, -32000)


async def test_a_bridge_that_is_told_to_end_takes_its_asks_back_at_once(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        await begin(house, bridge, "hang")
        bridge.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(house.return_s / 2):
            await house.team.tidied.wait()


async def test_a_killed_bridges_asks_are_taken_back_when_it_does_not_return(house: House) -> None:
    house.return_s = 0.1
    async with house.open(), house.bridge() as bridge:
        await begin(house, bridge, "hang")
        bridge.process.kill()
        async with asyncio.timeout(PATIENCE_S):
            await house.team.tidied.wait()


async def test_a_goodbye_from_the_cli_is_not_passed_on(house: House) -> None:
    async with house.open(), house.bridge() as bridge:
        await begin(house, bridge, "late")
        bridge.stdin.write(b'{"idea": 1, "bye": "x"}\n')
        refused = await bridge.receive()
        house.team.release.set()
        answer = await bridge.receive()

    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert text_of(answer) == "late"


# As many interpreters, on a machine that may be busy.
@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("count", [40, pytest.param(200, marks=pytest.mark.soak)])
async def test_many_bridges_come_back_at_once(house: House, count: int) -> None:
    # Its book-keeping would take most of the time.
    asyncio.get_running_loop().set_debug(False)
    bridges: list[BridgeProcess] = []

    async def attend(ready: asyncio.Semaphore, lost: asyncio.Event) -> Message:
        async with AsyncExitStack() as stack:
            # Those that come first must not wait for the others' starts.
            async with ready:
                bridge = await stack.enter_async_context(house.bridge())
                await bridge.shake_hands()
                await bridge.ask(1, "late")
                await bridge.call(2, "ping")
            bridges.append(bridge)
            if len(bridges) == count:
                lost.set()
            async with asyncio.timeout(120):
                line = await bridge.stdout.readline()
            assert await bridge.finish() == (DONE, [])
            answer: Message = json.loads(line)
            return answer

    async with wired(house) as wire, asyncio.TaskGroup() as tasks:
        ready, lost = asyncio.Semaphore(10), asyncio.Event()
        attending = [tasks.create_task(attend(ready, lost)) for _ in range(count)]
        async with asyncio.timeout(120):
            await lost.wait()
            wire.cut()
            while wire.connections < 2 * count:
                wire.connected.clear()
                await wire.connected.wait()
            house.team.release.set()
            answers = [await each for each in attending]

    assert [answer["id"] for answer in answers] == [1] * count
    assert len(house.team.asked) == count


@pytest.mark.parametrize("absence", ["killed", "killed in the handshake", "starting"])
async def test_a_bridge_that_starts_while_the_server_is_away_waits_for_it(house: House, absence: str) -> None:
    lock = os.open(house.runtime / "server.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        async with AsyncExitStack() as stack:
            if absence == "starting":
                fcntl.flock(lock, fcntl.LOCK_EX)
                bridge = await stack.enter_async_context(house.bridge())
            else:
                # As the kernel leaves it: with its file.
                server = socket.socket(socket.AF_UNIX)
                server.bind(str(house.endpoint))
                server.listen()
                server.settimeout(PATIENCE_S)
                if absence == "killed":
                    server.close()
                bridge = await stack.enter_async_context(house.bridge())
                if absence == "killed in the handshake":
                    connection, _ = await asyncio.to_thread(server.accept)
                    connection.close()
                    server.close()
            await bridge.send(request(1, "ping"))
            await stack.enter_async_context(house.open())
            answer = await bridge.receive()
            code, rest = await bridge.finish()
    finally:
        os.close(lock)

    assert (answer["id"], code, rest) == (1, DONE, [])
