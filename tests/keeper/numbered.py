"""A client of a keeper that counts: run as a program, it is killed in the middle of a flood.

Arguments: the keeper's socket, a spawn's id, a stream, a file, and the size of the file at which it dies ("never" to
read to the end). It appends what it reads to the file and acknowledges what is in there, from where the file ends on.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Final

from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.sessions import OutputStream, Restored

NEVER: Final = "never"
NUMBERS: Final = (
    "import sys\nfor start in range(0, {count}, 1000):\n"
    "    sys.stdout.write(''.join(f'{{number:07}}\\n' for number in range(start, start + 1000)))"
)
"""A program that says every number below `count` on a line of its own."""


async def main(path: str, spawn_id: str, stream: str, file: str, dies_at: str) -> None:
    limit = None if dies_at == NEVER else int(dies_at)
    keeper, ready = SocketKeeper(Path(path)), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        process = await keeper.attach(spawn_id)
        assert process is not None
        kept = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        end = os.fstat(kept).st_size
        async for chunk in process.output(OutputStream(stream), offset=end):
            assert not isinstance(chunk, Restored)
            assert chunk.offset == end
            end += os.write(kept, chunk.data)
            if limit is not None and end >= limit:
                # By itself, since nobody else is sure to be scheduled before the flood is over.
                os.kill(os.getpid(), signal.SIGKILL)
            await process.consumed(OutputStream(stream), end)
            await process.acknowledge(OutputStream(stream), end)
        await process.wait()
        await keeper.forget(spawn_id)
        await keeper.aclose()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
