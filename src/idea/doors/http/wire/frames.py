"""The frames of the two sockets."""

from typing import Annotated, Literal

from pydantic import Field

from idea.doors.http.wire.events import AnyEvent
from idea.doors.http.wire.shape import Wire
from idea.doors.http.wire.values import Snapshot


class Hello(Wire):
    """The client's first text frame on either socket, within 5 s. `epoch`, `seq`: what it already has."""

    type: Literal["hello"]
    credential: str
    epoch: str | None = None
    seq: int | None = None


class Ping(Wire):
    """Either socket's client asks whether somebody is there; what it sent before was taken when the answer comes."""

    type: Literal["ping"]


class Pong(Wire):
    """The answer to the pings that came so far."""

    type: Literal["pong"]


class SnapshotFrame(Wire):
    type: Literal["snapshot"]
    snapshot: Snapshot


class CaughtUp(Wire):
    """Everything after the client's seq follows as events; no snapshot was needed."""

    type: Literal["caughtUp"]
    epoch: str
    seq: int


class EventFrame(Wire):
    type: Literal["event"]
    event: AnyEvent


class CredentialsChanged(Wire):
    """A browser came in, or one was revoked; `GET /api/credentials` lists them. Told once, without a number."""

    type: Literal["credentialsChanged"]


ServerFrame = Annotated[SnapshotFrame | CaughtUp | EventFrame | CredentialsChanged | Pong, Field(discriminator="type")]


class TerminalHello(Hello):
    """As Hello, with the client's size. `isWhole`: the first picture has the scrollback, too."""

    cols: int = Field(ge=1, le=1000)
    rows: int = Field(ge=1, le=1000)
    is_whole: bool = True


class TerminalResize(Wire):
    type: Literal["resize"]
    cols: int = Field(ge=1, le=1000)
    rows: int = Field(ge=1, le=1000)


class TerminalAck(Wire):
    """So many bytes of binary frames, in all since the last `reset`, were parsed."""

    type: Literal["ack"]
    bytes: int = Field(ge=0)


class TerminalScrollback(Wire):
    """Asks for a picture with the scrollback, where the last one was not whole."""

    type: Literal["scrollback"]


TerminalClientFrame = Annotated[TerminalResize | TerminalAck | TerminalScrollback | Ping, Field(discriminator="type")]


class TerminalReset(Wire):
    """Clear and take this size; the next binary frame paints the screen (inert: answers nothing), with its scrollback
    if it `isWhole`."""

    type: Literal["reset"]
    cols: int
    rows: int
    is_whole: bool


class TerminalInputRefused(Wire):
    """The program does not read: nothing of what was sent last was typed."""

    type: Literal["inputRefused"]


class TerminalEnded(Wire):
    type: Literal["ended"]
    exit_code: int | None
    signal: int | None


TerminalServerFrame = Annotated[
    TerminalReset | TerminalInputRefused | TerminalEnded | Pong, Field(discriminator="type")
]
