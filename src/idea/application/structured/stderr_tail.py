"""The end of what a CLI complained of, which says why it ended."""

from typing import Final

from idea.application.ports import AgentProcess
from idea.domain.sessions import OutputStream

TAIL_CHARS: Final = 4_000
"""The end of stderr that an error quotes."""


class StderrTail:
    """One process's."""

    def __init__(self) -> None:
        self.text = ""

    async def keep(self, process: AgentProcess) -> None:
        """Until its end."""
        async for chunk in process.output(OutputStream.STDERR):
            text = self.text + chunk.data.decode("utf-8", "replace")
            self.text = text[-TAIL_CHARS:]
            end = chunk.offset + len(chunk.data)
            await process.consumed(OutputStream.STDERR, end)
            # The tail itself stays, for a server that comes after this one.
            await process.acknowledge(OutputStream.STDERR, max(0, end - TAIL_CHARS))
