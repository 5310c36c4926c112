"""`idea mcp-server`: what a CLI spawns as its MCP server, a pipe between its stdio and the project's endpoint.

It starts in every agent, so it is one file that imports nothing of IdeA, and spares what costs milliseconds at start:
`json`, `socket`, `argparse`, `contextlib` each nearly double a bare interpreter's. `json` comes when there is time.
`docs/wire/mcp.md` has the protocol; the server's side is `idea.doors.mcp`.
"""

import os
import select
import stat
import sys
import time
from _socket import AF_UNIX, SOCK_STREAM, socket

HANDSHAKE_VERSION = 1
WELCOME = b'{"idea": 1, "ok": true}'
MAX_LINE_BYTES = 8 * 1024 * 1024
"""The longest JSON-RPC line in either direction, without its end."""
DONE, USAGE, NO_ENDPOINT, REFUSED, LOST = 0, 2, 3, 4, 5

_READ_BYTES, _PENDING_BYTES, _QUIET_MS = 64 * 1024, 1024 * 1024, 100
"""At a time; what may wait for one side before we stop reading from the other; after so long the start is over."""
_CONNECT_TRIES, _CONNECT_PAUSE_S, _HANDSHAKE_S = 75, 0.02, 10.0
"""Tries are for a server whose queue of new connections is full; CLIs must hear of a failure within 2 s."""
_DRAIN_S, _FAREWELL_S = 600.0, 2.0
"""For answers in flight after the end of stdin, and for the last lines to the CLI after the end of the endpoint."""


class End(Exception):
    """The bridge cannot go on: its exit code, and a sentence for the CLI's log."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def parse(line: bytes) -> object:
    """The line's JSON value; None if there is none, as `null` is no message either."""
    import json  # late, see above

    try:
        return json.loads(str(line, "utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def error_line(request_id: object, code: int, message: str) -> bytes:
    """A JSON-RPC error; one that belongs to no request has a null id."""
    import json  # late, see above

    shown_id, error = request_id if is_id(request_id) else None, {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": shown_id, "error": error}).encode() + b"\n"


def too_long(line: bytes) -> bytes:
    """The answer to an oversized line, for its request's id where that stands before `params`."""
    message = parse(line[:1024].partition(b'"params"')[0].rstrip().rstrip(b",") + b"}")
    told = f"The message is longer than {MAX_LINE_BYTES >> 20} MiB. Shorten it, or name a file."
    return error_line(message.get("id") if isinstance(message, dict) else None, -32600, told)


class Lines:
    """Cuts a byte stream into lines without their ends. One that is too long is cut off just above the limit."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        lines: list[bytes] = []
        for number, piece in enumerate(chunk.split(b"\n")):
            if number:
                lines += self.rest()
            self._held += piece[: MAX_LINE_BYTES + 1 - len(self._held)]
        return lines

    def rest(self) -> list[bytes]:
        """The line that the stream ended in, if any; blank lines are nothing."""
        line = bytes(self._held)
        self._held.clear()
        return [line] if line and not line.isspace() else []


class OwedAnswers:
    """The ids of the requests that the server has yet to answer; None stands for an answer without an id."""

    def __init__(self) -> None:
        self._ids: list[object] = []
        self._unread: list[tuple[bytes, bool]] = []
        self.unread_bytes = 0

    def note(self, line: bytes, *, is_from_cli: bool) -> None:
        """Keeps the line for `ids` to read: the answer to the first one is quicker than the import of `json`."""
        self._unread.append((line, is_from_cli))
        self.unread_bytes += len(line)

    def ids(self) -> list[object]:
        unread, self._unread, self.unread_bytes = self._unread, [], 0
        for line, is_from_cli in unread:
            self._read(parse(line), is_from_cli)
        return self._ids

    def _read(self, message: object, is_from_cli: bool) -> None:
        """As the server sees it: what it answers, with the id or without, and what it does not."""
        known = message if isinstance(message, dict) else {}
        request_id, is_response = known.get("id"), "result" in known or "error" in known
        if not is_from_cli:
            if is_response:
                self._settle(request_id)
        elif "id" in known if "method" in known else not is_response:
            self._ids.append(request_id if is_id(request_id) and request_id not in self._ids else None)
        elif known.get("method") == "notifications/cancelled" and isinstance(known.get("params"), dict):
            # A request that was taken back gets no answer.
            self._settle(known["params"].get("requestId"))

    def _settle(self, request_id: object) -> None:
        if request_id in self._ids:
            self._ids.remove(request_id)


def secret_path(endpoint: str, agent: str) -> str:
    return f"{endpoint.removesuffix('.sock')}.{agent}.secret"


def connect(endpoint: str) -> socket:
    """A non-blocking connection. Raises `End` unless the endpoint is ours alone and somebody listens."""
    missing = End(NO_ENDPOINT, f"IdeA does not listen at {endpoint}. Open the project in IdeA, then start this again.")
    try:
        folder, file = os.lstat(os.path.dirname(endpoint) or "."), os.lstat(endpoint)
    except OSError as error:
        raise missing from error
    is_ours = folder.st_uid == file.st_uid == os.geteuid() and not folder.st_mode & 0o077
    if not is_ours or not stat.S_ISDIR(folder.st_mode) or not stat.S_ISSOCK(file.st_mode):
        raise End(REFUSED, f"{endpoint} must be your socket, in a real folder that only you can enter (mode 0700).")
    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.setblocking(False)
    for _ in range(_CONNECT_TRIES):
        try:
            connection.connect(endpoint)
            return connection
        except BlockingIOError:
            time.sleep(_CONNECT_PAUSE_S)
        except OSError:
            break
    raise missing


def greeting(endpoint: str, project: str, agent: str) -> bytes:
    """The handshake line, with the launch secret. Raises `End` if there is none that only we can read."""
    path = secret_path(endpoint, os.path.basename(agent))
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise End(REFUSED, "This agent has no session in IdeA (any more). Start it from IdeA.") from error
    with os.fdopen(file, "rb") as reader:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise End(REFUSED, f"{path} must be a file that only you can read (mode 0600).")
        values = (project, agent, str(reader.read(1024), "utf-8", "replace").strip(), os.urandom(16).hex())
    if not all(value.replace("-", "").replace("_", "").isalnum() for value in values):
        raise End(REFUSED, "The project, the agent or its secret is no name that IdeA gave.")
    line = '{{"idea": {}, "project": "{}", "requester": "{}", "secret": "{}", "instance": "{}"}}\n'
    return line.format(HANDSHAKE_VERSION, *values).encode()


class Pipe:
    """Relays whole lines both ways until one side ends; a slow reader on one side delays the other side only."""

    def __init__(self, connection: socket, first_line: bytes) -> None:
        self._server = connection
        self._to_server, self._to_cli = bytearray(first_line), bytearray()
        self._from_server, self._from_cli = Lines(), Lines()
        self._owed = OwedAnswers()
        self._is_welcome, self._is_input_open, self._is_output_open = False, True, True
        self._deadline: float | None = time.monotonic() + _HANDSHAKE_S

    def run(self) -> int:
        try:
            while self._is_output_open and (
                self._is_input_open or not self._is_welcome or self._to_server or self._to_cli or self._owed.ids()
            ):
                self._turn()
        except End as end:
            self._say_farewell(end.sentence)
            raise
        return DONE

    def _turn(self) -> None:
        # The end of a file is reported whether asked for or not, so what must not be read now is not polled at all.
        poll = select.poll()
        poll.register(1, select.POLLOUT if self._to_cli else 0)
        if self._is_input_open and len(self._to_server) < _PENDING_BYTES:
            poll.register(0, select.POLLIN)
        reading = select.POLLIN if len(self._to_cli) < _PENDING_BYTES else 0
        if interest := select.POLLOUT * bool(self._to_server) | reading:
            poll.register(self._server.fileno(), interest)
        ready = poll.poll(self._patience_ms())
        if not ready or self._owed.unread_bytes > _PENDING_BYTES:
            self._owed.ids()
        for fd, events in ready:
            if fd == 0:
                self._read_cli()
            elif fd == 1:
                self._write_cli(events)
            else:
                self._exchange_with_server(events)

    def _patience_ms(self) -> int | None:
        """Until the deadline, or until there is time to look at what was said."""
        if self._deadline is not None and self._deadline < time.monotonic():
            raise End(LOST if self._is_welcome else NO_ENDPOINT, "IdeA did not answer in time. Restart it.")
        if self._owed.unread_bytes:
            return _QUIET_MS
        return None if self._deadline is None else max(1, int((self._deadline - time.monotonic()) * 1000))

    def _read_cli(self) -> None:
        try:
            chunk = os.read(0, _READ_BYTES)
        except OSError:
            chunk = b""
        for line in self._from_cli.feed(chunk) if chunk else self._from_cli.rest():
            if len(line) > MAX_LINE_BYTES:
                self._to_cli += too_long(line)
            else:
                self._to_server += line + b"\n"
                self._owed.note(line, is_from_cli=True)
        if not chunk:
            self._is_input_open = False
            self._deadline = time.monotonic() + _DRAIN_S if self._is_welcome else self._deadline

    def _write_cli(self, events: int) -> None:
        try:
            # No more than surely fits: our stdout may be shared, so it cannot be made non-blocking.
            del self._to_cli[: os.write(1, self._to_cli[: select.PIPE_BUF])]
            self._is_output_open = events == select.POLLOUT
        except BlockingIOError:
            return
        except OSError:
            self._is_output_open = False

    def _exchange_with_server(self, events: int) -> None:
        try:
            if events & ~select.POLLOUT:
                # First, because a server that refuses says why and then takes nothing more.
                self._take_from_server(self._server.recv(_READ_BYTES))
            if events & select.POLLOUT:
                del self._to_server[: self._server.send(self._to_server)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._to_server.clear()
        except OSError:
            self._take_from_server(b"")

    def _take_from_server(self, chunk: bytes) -> None:
        for line in self._from_server.feed(chunk):
            if self._is_welcome:
                self._owed.note(line, is_from_cli=False)
                self._to_cli += line + b"\n"
            elif line == WELCOME:
                self._is_welcome = True
                self._deadline = None if self._is_input_open else time.monotonic() + _DRAIN_S
            else:
                answer = parse(line)
                told = answer.get("error") if isinstance(answer, dict) else None
                raise End(REFUSED, str(told or "What listens at the endpoint is not this version of IdeA."))
        if not chunk:
            raise End(LOST, "IdeA closed the project or stopped; what became of this request is unknown.")

    def _say_farewell(self, sentence: str) -> None:
        """No request stays without an answer as long as the CLI reads."""
        self._to_cli += b"".join(error_line(request_id, -32000, sentence) for request_id in self._owed.ids())
        give_up_at = time.monotonic() + _FAREWELL_S
        output = select.poll()
        output.register(1, select.POLLOUT)
        while self._to_cli and self._is_output_open and (left_s := give_up_at - time.monotonic()) > 0:
            for _, events in output.poll(int(left_s * 1000) + 1):
                self._write_cli(events)


def main(arguments: list[str]) -> int:
    """`arguments` begin with `mcp-server`. Returns the exit code."""
    try:
        if len(arguments) != 7 or arguments[1::2] != ["--endpoint", "--project", "--requester"]:
            raise End(USAGE, "Usage: idea mcp-server --endpoint PATH --project ID --requester AGENT_ID")
        endpoint, project, agent = arguments[2::2]
        return Pipe(connect(endpoint), greeting(endpoint, project, agent)).run()
    except End as end:
        sys.stderr.write(f"idea mcp-server: {end.sentence}\n")
        return end.code
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
