"""`idea mcp-server`: what a CLI spawns as its MCP server, a pipe between its stdio and the project's endpoint.

It starts in every agent, so it imports nothing of IdeA but `bridge_endpoint` and `bridge_lines`, and like them spares
what costs milliseconds at start: `json`, `socket`, `argparse`, `contextlib` each nearly double a bare interpreter's. It
outlives the server: a connection that ends without a good-bye is made again. `docs/wire/mcp.md` has the protocol; the
server's side is `idea.doors.mcp`.
"""

import _signal  # type: ignore[import-not-found]  # typeshed has `signal` alone, which imports `enum`
import os
import select
import sys
import time
from _socket import socket

if __name__ == "__main__":
    # An isolated interpreter knows the standard library alone. At the end, so that nothing there is hidden.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from idea import bridge_lines as wire
from idea.bridge_endpoint import DONE, LOST, NO_ENDPOINT, REFUSED, USAGE, End, connect, first_connection, greeting

_READ_BYTES, _PENDING_BYTES, _QUIET_MS = 64 * 1024, 1024 * 1024, 100
"""At a time; what may wait for one side before we stop reading from the other; after so long the start is over."""
_MAX_OWED = 1000
"""Requests without an answer at which we stop reading more: a new handshake has to name them all."""
_HANDSHAKE_S = 10.0
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0
"""Between attempts to come back, from the second on."""
_DRAIN_S, _FAREWELL_S = 600.0, 2.0
"""For answers in flight after the end of stdin, and for the last lines to the CLI after the end of the endpoint."""


class Pipe:
    """Relays whole lines both ways until one side ends; a slow reader on one side delays the other side only."""

    def __init__(self, endpoint: str, connection: socket | None, greeting: bytes) -> None:
        """`greeting` is the handshake but for its end."""
        self._endpoint, self._greeting = endpoint, greeting
        self._server = connection
        self._to_server, self._to_cli = bytearray(greeting + b"}\n"), bytearray()
        self._from_server, self._from_cli = wire.Lines(), wire.Lines()
        self._owed = wire.OwedAnswers()
        self._is_welcome, self._was_welcome, self._is_input_open, self._is_output_open = False, False, True, True
        self._deadline: float | None = time.monotonic() + _HANDSHAKE_S
        """When the patience ends with the handshake, with the last answers, or with being away."""
        self._pause_s = 0.0
        """Before the attempt after the next one."""
        if connection is None:
            self._to_server.clear()
            self._wait_longer()

    def run(self) -> int:
        try:
            while self._is_output_open and (
                self._is_input_open or not self._was_welcome or self._to_server or self._to_cli or self._owed.read()
            ):
                self._turn()
        except End as end:
            self._say_farewell(end.sentence)
            raise
        finally:
            self._say_goodbye()
        return DONE

    def _turn(self) -> None:
        if self._deadline is not None and self._deadline <= time.monotonic():
            self._run_out_of_patience()
        # The end of a file is reported whether asked for or not, so what must not be read now is not polled at all.
        poll = select.poll()
        poll.register(1, select.POLLOUT if self._to_cli else 0)
        if self._is_input_open and len(self._to_server) < _PENDING_BYTES and self._owed.count() < _MAX_OWED:
            poll.register(0, select.POLLIN)
        reading = select.POLLIN if len(self._to_cli) < _PENDING_BYTES else 0
        interest = select.POLLOUT * bool(self._to_server) | reading
        if self._server is not None and interest:
            poll.register(self._server.fileno(), interest)
        ready = poll.poll(self._patience_ms())
        if not ready or self._owed.unread_bytes > _PENDING_BYTES or self._owed.count() >= _MAX_OWED:
            self._owed.read()
        for fd, events in ready:
            if fd == 0:
                self._read_cli()
            elif fd == 1:
                self._write_cli(events)
            else:
                self._exchange_with_server(events)

    def _patience_ms(self) -> int | None:
        """Until the deadline, or until there is time to look at what was said."""
        if self._owed.unread_bytes:
            return _QUIET_MS
        return None if self._deadline is None else max(0, int((self._deadline - time.monotonic()) * 1000) + 1)

    def _run_out_of_patience(self) -> None:
        if self._server is None:
            self._come_back()
        elif self._is_welcome:
            raise End(LOST, "IdeA did not answer in time. Restart it.")
        elif self._was_welcome:
            self._lose_server()
        else:
            raise self._unheard()

    # --- the CLI ------------------------------------------------------------------------------------------

    def _read_cli(self) -> None:
        try:
            chunk = os.read(0, _READ_BYTES)
        except OSError:
            chunk = b""
        for line in self._from_cli.feed(chunk) if chunk else self._from_cli.rest():
            if len(line) > wire.MAX_LINE_BYTES:
                self._to_cli += wire.too_long(line)
            elif line.startswith(wire.BYE):
                self._to_cli += wire.error_line(None, -32600, "This is not a JSON-RPC 2.0 message.")
            else:
                # While away only as a measure of what was read: a new connection begins with what is owed.
                self._to_server += line + b"\n"
                self._owed.note_request(line)
        if not chunk:
            self._is_input_open = False
            if self._server is None:
                raise self._lost()
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

    def _say_farewell(self, sentence: str) -> None:
        """No request stays without an answer as long as the CLI reads."""
        self._to_cli += b"".join(wire.error_line(request_id, -32000, sentence) for request_id in self._owed.read())
        give_up_at = time.monotonic() + _FAREWELL_S
        output = select.poll()
        output.register(1, select.POLLOUT)
        while self._to_cli and self._is_output_open and (left_s := give_up_at - time.monotonic()) > 0:
            for _, events in output.poll(int(left_s * 1000) + 1):
                self._write_cli(events)

    # --- the server ---------------------------------------------------------------------------------------

    def _exchange_with_server(self, events: int) -> None:
        assert self._server is not None
        try:
            if events & ~select.POLLOUT:
                # First, because a server that refuses says why and then takes nothing more.
                self._take_from_server(self._server.recv(_READ_BYTES))
            if events & select.POLLOUT and self._server is not None:
                del self._to_server[: self._server.send(self._to_server)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # What it said before it left is still to be read; the end comes after that.
            self._to_server.clear()
        except OSError:
            self._lose_server()

    def _take_from_server(self, chunk: bytes) -> None:
        for line in self._from_server.feed(chunk):
            if not self._is_welcome:
                self._take_verdict(line)
            elif line.startswith(wire.BYE):
                raise End(LOST, str(wire.parse_message(line).get("bye")))
            elif self._owed.note_answer(line):
                self._to_cli += line + b"\n"
                self._pause_s = 0.0
        if not chunk:
            self._lose_server()

    def _take_verdict(self, line: bytes) -> None:
        if line != wire.WELCOME:
            told = wire.parse_message(line).get("error")
            raise End(REFUSED, str(told or "What listens at the endpoint is not this version of IdeA."))
        self._is_welcome = self._was_welcome = True
        self._deadline = None if self._is_input_open else time.monotonic() + _DRAIN_S

    def _lose_server(self) -> None:
        """Without a good-bye: it may come back, as long as the CLI waits for it."""
        assert self._server is not None
        self._server.close()
        self._server, self._is_welcome = None, False
        if not self._is_input_open:
            raise self._lost()
        self._to_server.clear()
        self._wait_longer()

    def _unheard(self) -> End:
        return End(NO_ENDPOINT, "IdeA did not answer. Restart it.")

    def _lost(self) -> End:
        if not self._was_welcome:
            return self._unheard()
        told = "IdeA stopped, and the input ended before it was back; what became of this request is unknown."
        return End(LOST if self._owed.read() else DONE, told)

    def _wait_longer(self) -> None:
        self._deadline = time.monotonic() + self._pause_s
        self._pause_s = min(max(2 * self._pause_s, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S)

    def _come_back(self) -> None:
        try:
            self._server = connect(self._endpoint, 1)
        except End as end:
            if end.code != NO_ENDPOINT:
                raise
            self._wait_longer()
            return
        lines = self._owed.repeats()
        numbers = f', "again": {[*lines]}, "next": {self._owed.last_number + 1}}}'
        self._to_server = bytearray(b"\n".join((self._greeting + numbers.encode(), *lines.values(), b"")))
        self._from_server = wire.Lines()
        self._deadline = time.monotonic() + _HANDSHAKE_S

    def _say_goodbye(self) -> None:
        """So that our asks are taken back at once. Its first byte ends the line that may be half sent."""
        if self._server is not None:
            try:
                self._server.send(b'\n%bthe bridge ends"}\n' % wire.BYE)
            except OSError:
                # Then the server learns from the end of the connection.
                return


def main(arguments: list[str]) -> int:
    """`arguments` begin with `mcp-server`. Returns the exit code."""
    # A CLI that ends us in this way wants its asks back too.
    _signal.signal(_signal.SIGTERM, _signal.default_int_handler)
    try:
        role = "side" if arguments[7:] == ["--side"] else "main"
        given = arguments[:7] if role == "side" else arguments
        if len(given) != 7 or given[1::2] != ["--endpoint", "--project", "--requester"]:
            raise End(USAGE, "Usage: idea mcp-server --endpoint PATH --project ID --requester AGENT_ID [--side]")
        endpoint, project, agent = given[2::2]
        return Pipe(endpoint, first_connection(endpoint), greeting(endpoint, project, agent, role)).run()
    except End as end:
        if end.code != DONE:
            sys.stderr.write(f"idea mcp-server: {end.sentence}\n")
        return end.code
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
