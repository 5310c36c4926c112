"""Checkpoints of terminals on their way from the client, in pieces; the last piece makes one count."""

from pathlib import Path

from idea.keeper.client import Client
from idea.keeper.outputs import OutputPipe
from idea.keeper.protocol import Checkpoint, Done, Failed, Reason
from idea.keeper.unlinked import Blob


class Checkpoints:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._coming: dict[str, tuple[int, Blob]] = {}
        """By spawn: the next piece's number, and the pieces before it."""

    def take(self, piece: Checkpoint, output: OutputPipe | None, client: Client) -> None:
        """Every piece is answered. A failed one leaves the terminal's last checkpoint and its bytes as they are."""
        if output is None:
            client.tell(Failed(piece.request, Reason.UNKNOWN))
            return
        if piece.offset < output.acknowledged:
            # It stands for less than what may be forgotten: what lies between both would be nowhere.
            self.forget(piece.spawn_id)
            client.tell(Failed(piece.request, Reason.UNSUPPORTED, detail="it is below what was acknowledged"))
            return
        part, blob = (0, Blob(self._folder)) if piece.part == 0 else self._coming.pop(piece.spawn_id, (-1, None))
        if blob is None or part != piece.part:
            client.tell(Failed(piece.request, Reason.UNSUPPORTED, detail="a piece is missing"))
            return
        try:
            blob.append(piece.data)
        except OSError as error:
            self.forget(piece.spawn_id)
            client.tell(Failed(piece.request, Reason.FULL, error.errno or 0, error.strerror or str(error)))
            return
        if piece.part + 1 < piece.parts:
            self._coming[piece.spawn_id] = (piece.part + 1, blob)
        else:
            output.keep_checkpoint(piece.offset, blob)
        client.tell(Done(piece.request))

    def forget(self, spawn_id: str) -> None:
        self._coming.pop(spawn_id, None)

    def drop_parts(self) -> None:
        """Their client is gone, and with it the rest of them."""
        self._coming.clear()
