"""What a CLI said outside of its protocol, which says why it ended."""

from typing import Final

from idea.application.ports import AgentProcess
from idea.domain.sessions import OutputStream

TAIL_CHARS: Final = 4_000
"""The end of it that an error quotes."""


class LastWords:
    """One process's."""

    def __init__(self) -> None:
        self._complaint = ""
        self._stray = ""

    @property
    def text(self) -> str:
        """What it wrote to stderr; if that is nothing, what it wrote to stdout instead of events."""
        return self._complaint if self._complaint.strip() else self._stray

    def stray(self, line: str) -> None:
        """On stdout, where only events belong."""
        self._stray = f"{self._stray}{line}\n"[-TAIL_CHARS:]

    async def keep(self, process: AgentProcess) -> None:
        """Until the end of its stderr."""
        async for chunk in process.output(OutputStream.STDERR):
            text = self._complaint + chunk.data.decode("utf-8", "replace")
            self._complaint = text[-TAIL_CHARS:]
            end = chunk.offset + len(chunk.data)
            await process.consumed(OutputStream.STDERR, end)
            # The tail itself stays, for a server that comes after this one.
            await process.acknowledge(OutputStream.STDERR, max(0, end - TAIL_CHARS))
