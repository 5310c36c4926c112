"""The HTTP side: routes a request to its wire, streams the answer, keeps what was asked."""

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, Self

from tests.model_server import anthropic, responses
from tests.model_server.scenarios import Step, Text, choose

WIRES: Mapping[str, ModuleType] = {"/v1/messages": anthropic, "/v1/responses": responses}
SIDE_ANSWER = Step((Text("ok"),))
"""For requests without tools: titles, probes, classifiers that a CLI makes on its own account."""
MAX_KEPT = 1000
"""Requests; a CLI that asks the same for ever must not fill the memory."""
HELD_S = 60.0
"""At most; longer than any test waits."""


class ModelServer:
    """Serves from its construction until `close`, on a port of its own."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Mapping[str, Any]] = []
        """The bodies of what CLIs asked with tools, oldest first."""
        self._arrived = threading.Condition()
        self._broken: set[str] = set()
        self._may_answer = threading.Event()
        self._may_answer.set()
        server = self

        class Handler(_Handler):
            owner = server

        self._http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._http.daemon_threads = True
        # Else closing would wait for a stream that is slow on purpose.
        self._http.block_on_close = False
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def keep(self, body: Mapping[str, Any]) -> None:
        with self._arrived:
            self.requests.append(body)
            del self.requests[:-MAX_KEPT]
            self._arrived.notify_all()

    def wait_for(self, *words: str, timeout_s: float) -> Mapping[str, Any]:
        """The newest request that holds all of these, arrived or still to come. Raises `TimeoutError`."""

        def holds_all(body: Mapping[str, Any]) -> bool:
            text = json.dumps(body, ensure_ascii=False)
            return all(word in text for word in words)

        def find() -> Mapping[str, Any] | None:
            return next(filter(holds_all, reversed(self.requests)), None)

        with self._arrived:
            found = self._arrived.wait_for(find, timeout_s)
        if found is None:
            raise TimeoutError(f"no request with {words} came within {timeout_s} s")
        return found

    @contextmanager
    def holding(self) -> Iterator[None]:
        """What CLIs ask with tools meanwhile is answered at the end: a turn lasts until it has been seen."""
        self._may_answer.clear()
        try:
            yield
        finally:
            self._may_answer.set()

    def wait_free(self) -> None:
        self._may_answer.wait(HELD_S)

    def breaks(self, step: Step) -> bool:
        """A connection breaks once for each step, so that a CLI's second attempt succeeds."""
        is_new = repr(step) not in self._broken
        self._broken.add(repr(step))
        return is_new or step.dies_again

    def close(self) -> None:
        self._may_answer.set()
        self._http.shutdown()
        self._thread.join(timeout=5)
        self._http.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self) -> None:
        """Until the process is interrupted."""
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ModelServer

    def log_message(self, format: str, *args: object) -> None:
        """Tests' output is for tests."""

    def do_HEAD(self) -> None:
        self._answer(200, {}, {})

    def do_GET(self) -> None:
        self._answer(200, {}, {"object": "list", "data": [], "models": [], "has_more": False})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._answer(200, {}, {"input_tokens": 42})
            return
        wire = WIRES.get(path)
        if wire is None:
            self._answer(404, {}, {"error": {"type": "not_found_error", "message": path}})
            return
        step = SIDE_ANSWER
        if wire.has_tools(body):
            self.owner.keep(body)
            self.owner.wait_free()
            step = choose(wire.conversation(body))
        try:
            self._play(wire, body, step)
        except ConnectionError:
            self.close_connection = True

    def _play(self, wire: ModuleType, body: Mapping[str, Any], step: Step) -> None:
        if step.refusal is not None:
            self._answer(*wire.refusal(step.refusal))
        elif not body.get("stream"):
            self._answer(200, {}, wire.whole(body, step))
        else:
            self._stream(wire, body, step)

    def _stream(self, wire: ModuleType, body: Mapping[str, Any], step: Step) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, (name, event) in enumerate(wire.events(body, step)):
            if number == step.dies_after and self.owner.breaks(step):
                self.connection.shutdown(socket.SHUT_RDWR)
                raise ConnectionAbortedError
            if step.gap_s and "delta" in name:
                time.sleep(step.gap_s)
            self._chunk(f"event: {name}\ndata: {json.dumps(event)}\n\n".encode())
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _answer(self, status: int, headers: Mapping[str, str], body: Mapping[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
