"""Starting a project's keeper, and looking at or ending one without being its server."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from idea.adapters.keeper.greeting import Conversation
from idea.adapters.keeper.linked import as_kept
from idea.domain.errors import Lost, Refused
from idea.domain.sessions import KeptChild
from idea.keeper import program
from idea.keeper.protocol import Close, KeeperClosed

START_S: Final = 10.0
"""It needs some 50 ms; a machine that is busy, a few seconds."""
END_S: Final = 5.0
"""Beyond the grace: the kills, their verification, and the keeper's own end."""
ENDING_TRIES: Final = 100
ENDING_NAP_S: Final = 0.1
"""A keeper that is ending is waited for: its socket is free in a moment."""
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


async def start_keeper(socket: Path, *, state: Path, idle_s: float | None = None) -> None:
    """Make sure that a keeper listens at `socket`, whose folder is private; one that lives is left as it is.

    It runs on its own, whatever becomes of us. `state` is the project's private folder: the log and what is too much
    for the memory go there.

    Raises:
        Refused: it cannot be started there; says why.
        Lost: one lives there and does not answer.
    """
    arguments = ["--socket", os.fspath(socket), "--state", os.fspath(state), "--detach"]
    if idle_s is not None:
        arguments += ["--idle-s", str(idle_s)]
    for _ in range(ENDING_TRIES):
        found = await look(socket)
        if found is not None and not found.is_closing:
            return
        if found is None:
            code, said = await asyncio.to_thread(_start, arguments)
            if code == 0:
                return
            if code != program.EXIT_ANOTHER:
                raise Refused(f"The project's keeper could not be started: {said or f'code {code}'}.")
        # Another one was quicker, or is about to end.
        await asyncio.sleep(ENDING_NAP_S)
    raise Refused(f"The project's keeper at {socket} neither answers nor ends.")


async def look(socket: Path) -> KeeperReport | None:
    """None when no keeper lives there. Raises `Lost` when it does not answer."""
    conversation = await Conversation.begin(socket)
    if conversation is None:
        return None
    conversation.writer.close()
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
        conversation.say(Close(grace_s))
        async with asyncio.timeout(grace_s + END_S):
            async for event in conversation.events:
                if isinstance(event, KeeperClosed):
                    return event.survivors
    except TimeoutError as error:
        raise Lost("The keeper") from error
    finally:
        conversation.writer.close()
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
