"""Starting a project's keeper, and looking at or ending one without being its server."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from idea.adapters.keeper.greeting import ATTACH_S, Conversation, other_version
from idea.adapters.keeper.linked import as_kept
from idea.adapters.keeper.lock_holder import LockHolder, find_lock_holder
from idea.adapters.keeper.process_ends import wait_gone
from idea.domain.errors import KeeperSilent, Lost, Refused
from idea.domain.sessions import KeptChild
from idea.keeper import program
from idea.keeper.protocol import (
    PROTOCOL,
    Attach,
    Attached,
    Close,
    Command,
    Event,
    Failed,
    KeeperClosed,
    Reason,
    Stop,
    Stopped,
)

START_S: Final = 10.0
"""It needs some 50 ms; a machine that is busy, a few seconds."""
END_S: Final = 5.0
"""Beyond the grace: the kills, their verification, and the keeper's own end."""
ENDING_S: Final = 10.0
"""A keeper that is ending is waited for: its agents have their time."""
CALL_S: Final = 5.0
"""A keeper that is called back listens within milliseconds, unless its machine is in trouble."""
LOOK_AGAIN_S: Final = 0.05
"""Nobody tells when a process that is not ours has made its socket, or let go of the lock beside it."""
E = TypeVar("E", bound=Event)
_FILE: Final = Path(program.__file__).with_name("__main__.py")


@dataclass(frozen=True, slots=True)
class KeeperReport:
    """What a keeper says of itself to whoever looks."""

    pid: int
    version: str
    protocol: int
    epoch: int
    is_closing: bool
    children: Sequence[KeptChild]


async def start_keeper(socket: Path, *, state: Path) -> None:
    """Make sure that a keeper listens at `socket`, whose folder is private; one that lives is left as it is.

    It runs on its own, whatever becomes of us. `state` is the project's private folder: the log and what is too much
    for the memory go there.

    One that lives elsewhere, since its folder was removed, and holds the project's agents is called back instead.

    Raises:
        Refused: it cannot be started there, or does not come back; says why.
        KeeperSilent: one lives there and does not answer.
    """
    arguments = ["--socket", os.fspath(socket), "--state", os.fspath(state), "--detach"]
    loop = asyncio.get_running_loop()
    deadline = loop.time() + ENDING_S
    while loop.time() < deadline:
        found = await look(socket)
        if found is not None and not found.is_closing:
            return
        if found is not None and await wait_gone((found.pid,)):
            continue
        holder = await asyncio.to_thread(find_lock_holder, state)
        if holder is not None:
            await _call_back(holder, socket)
            return
        code, said = await asyncio.to_thread(_start, arguments)
        if code == 0:
            return
        if code != program.EXIT_ANOTHER:
            detail = said or f"code {code}"
            raise Refused(
                f"The project's keeper could not be started: {detail}.", why="keeperDoesNotStart", detail=detail
            )
        # Another one was quicker and does not listen yet, or has listened and is about to end.
        await asyncio.sleep(LOOK_AGAIN_S)
    raise Refused(f"The project's keeper at {socket} neither answers nor ends.", why="keeperDoesNotEnd")


async def has_living_keeper(socket: Path, *, state: Path) -> bool:
    """Does a keeper of the project live that has processes, or what they said at their end?"""
    try:
        found = await look(socket)
    except Lost:
        return True
    if found is not None and found.children:
        return True
    return await asyncio.to_thread(find_lock_holder, state) is not None


async def _call_back(holder: LockHolder, socket: Path) -> None:
    """Raises `Refused` when it does not listen there in time."""
    await asyncio.to_thread(holder.call_back)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + CALL_S
    while loop.time() < deadline:
        if await look(socket) is not None:
            return
        await asyncio.sleep(LOOK_AGAIN_S)
    raise Refused(
        f"The project's keeper (process {holder.pid}) lives, but does not open its socket. "
        "Try again in a minute, or end it and its agents with `idea stop`.",
        why="keeperUnreachable",
        pid=holder.pid,
    )


async def look(socket: Path) -> KeeperReport | None:
    """None when no keeper lives there. Raises `KeeperSilent` when it does not answer."""
    conversation = await Conversation.begin(socket)
    if conversation is None:
        return None
    conversation.close()
    hello = conversation.hello
    children = [as_kept(report) for report in hello.children]
    return KeeperReport(hello.pid, hello.version, hello.protocol, hello.epoch, hello.is_closing, children)


async def end_keeper(socket: Path, *, grace_s: float) -> tuple[int, ...] | None:
    """Stop its agents and end it; the pids that survived, or None when no keeper lives there.

    Raises:
        Lost: it does not say that it has ended.
    """
    conversation = await Conversation.begin(socket)
    if conversation is None:
        return None
    try:
        return (await _ask(conversation, Close(grace_s), KeeperClosed, wait_s=grace_s + END_S)).survivors
    finally:
        conversation.close()


async def stop_process(socket: Path, spawn_id: str, *, grace_s: float) -> tuple[int, ...] | None:
    """Stop one of its processes and leave the others; the pids that survived, or None when no keeper lives there.

    How the process ended is kept for the next server. One that is attached is shut out: whoever calls this has the
    project's lock.

    Raises:
        Lost: it does not answer.
        Conflict: it does not work with this version; `end_keeper` ends it with all its agents.
    """
    conversation = await Conversation.begin(socket)
    if conversation is None:
        return None
    try:
        protocol = min(PROTOCOL, conversation.hello.protocol)
        await _ask(conversation, Attach(protocol), Attached, wait_s=ATTACH_S)
        return (await _ask(conversation, Stop(1, spawn_id, grace_s), Stopped, wait_s=grace_s + END_S)).survivors
    finally:
        conversation.close()


async def _ask(conversation: Conversation, command: Command, kind: type[E], *, wait_s: float) -> E:
    """The first event of this kind. Raises `Lost` when none comes, `Conflict` when it knows no such command."""
    conversation.say(command)
    try:
        async with asyncio.timeout(wait_s):
            while (event := await conversation.next()) is not None:
                if isinstance(event, kind):
                    return event
                if isinstance(event, Failed) and event.reason is Reason.UNSUPPORTED:
                    raise other_version(conversation.hello)
    except TimeoutError as error:
        raise KeeperSilent(conversation.hello.pid) from error
    raise Lost("The keeper")


def _start(arguments: Sequence[str]) -> tuple[int, str]:
    """Its code and what it said. What is started here is gone when this returns; the keeper has left it."""
    try:
        done = subprocess.run(
            # Neither the environment nor site packages: what the keeper imports is the standard library and itself.
            [sys.executable, "-I", "-S", os.fspath(_FILE), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"PATH": os.defpath},
            start_new_session=True,
            timeout=START_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, f"it said nothing for {START_S:.0f} s"
    except OSError as error:
        return -1, error.strerror or str(error)
    return done.returncode, done.stderr.decode("utf-8", "replace").strip()
