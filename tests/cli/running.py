"""`idea …` as a process, beside a server whose answers the test decides."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.http.serving import Serving

WAIT_S = 20
"""A command takes a quarter of a second; the machine may be busy."""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str


async def run_idea(
    *arguments: str | Path,
    door: Serving | None,
    cwd: Path,
    stdin: str | None = None,
    env: Mapping[str, str] | None = None,
    interrupt_when: asyncio.Event | None = None,
) -> Ended:
    """`door` None: no server runs. With `interrupt_when` the process gets a Ctrl-C then."""
    runtime = door.control.parent.parent if door is not None else cwd
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "idea",
        *map(str, arguments),
        cwd=cwd,
        env={**os.environ, "XDG_RUNTIME_DIR": str(runtime), "TMPDIR": str(cwd), **(env or {})},
        stdin=DEVNULL if stdin is None else PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        async with asyncio.timeout(WAIT_S):
            if interrupt_when is not None:
                await interrupt_when.wait()
                process.send_signal(signal.SIGINT)
            out, err = await process.communicate(None if stdin is None else stdin.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())
