"""What a bridge reads out of the lines that pass it, and what it remembers of them until they are answered.

Loaded with every bridge, so it imports nothing at start: `json` comes when there is time. The server reads lines alike.
"""

HANDSHAKE_VERSION = 1
WELCOME = b'{"idea": 1, "ok": true}'
BYE = b'{"idea": 1, "bye": "'
"""What a good-bye begins with, to the byte: lines pass unparsed."""
MAX_LINE_BYTES = 8 * 1024 * 1024
"""The longest JSON-RPC line in either direction, without its end."""
_OWN_ID = "idea: initialize again"
"""Of the repeated `initialize`: the CLI, which had its answer, must not see another."""


def parse(line: bytes) -> object:
    """The line's JSON value; None if there is none, as `null` is no message either."""
    import json  # late, see above

    try:
        return json.loads(str(line, "utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def parse_message(line: bytes) -> dict[str, object]:
    """Empty if it is no JSON object."""
    message = parse(line)
    return message if isinstance(message, dict) else {}


def is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def render(message: object) -> bytes:
    import json  # late, see above

    return json.dumps(message).encode() + b"\n"


def error_line(request_id: object, code: int, message: str) -> bytes:
    """A JSON-RPC error; one that belongs to no request has a null id."""
    shown_id = request_id if is_id(request_id) else None
    return render({"jsonrpc": "2.0", "id": shown_id, "error": {"code": code, "message": message}})


def too_long(line: bytes) -> bytes:
    """The answer to an oversized line, for its request's id where that stands before `params`."""
    message = parse_message(line[:1024].partition(b'"params"')[0].rstrip().rstrip(b",") + b"}")
    told = f"The message is longer than {MAX_LINE_BYTES >> 20} MiB. Shorten it, or name a file."
    return error_line(message.get("id"), -32600, told)


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
    """The CLI's lines by number, as far as a new connection needs them: those without an answer, and the opening.

    A line is kept as it passes and read later: the answer to the first one is quicker than the import of `json`.
    """

    def __init__(self) -> None:
        self.last_number = 0
        """Of the CLI's lines so far."""
        self.unread_bytes = 0
        self._unread: list[tuple[int, bytes]] = []
        """0 is the number of what comes from the server."""
        self._owed: dict[int, tuple[object, bytes]] = {}
        """Request id and line; the id is None where the answer will have none."""
        self._opening: dict[int, bytes] = {}
        """The last `initialize` and what followed it."""
        self._awaits_own = False

    def note_request(self, line: bytes) -> None:
        self.last_number += 1
        self._note(self.last_number, line)

    def note_answer(self, line: bytes) -> bool:
        """False if it answers our own request and is not for the CLI."""
        if self._awaits_own and _OWN_ID.encode() in line and parse_message(line).get("id") == _OWN_ID:
            self._awaits_own = False
            return False
        self._note(0, line)
        return True

    def count(self) -> int:
        """At most so many requests are without an answer."""
        return len(self._owed) + len(self._unread)

    def read(self) -> list[object]:
        """The ids of the requests that the server has yet to answer; None stands for an answer without an id."""
        unread, self._unread, self.unread_bytes = self._unread, [], 0
        for number, line in unread:
            message = parse_message(line)
            if number:
                self._read_request(number, line, message)
            elif "result" in message or "error" in message:
                self._settle(message.get("id"))
        return [request_id for request_id, _ in self._owed.values()]

    def repeats(self) -> dict[int, bytes]:
        """What a new connection begins with, by number, in the order in which it must be sent."""
        self.read()
        lines = dict(self._opening)
        for number, line in self._opening.items():
            message = parse_message(line)
            if number not in self._owed and "id" in message:
                message["id"] = _OWN_ID
                lines[number] = render(message)[:-1]
                self._awaits_own = True
        lines.update((number, line) for number, (_, line) in self._owed.items())
        return lines

    def _note(self, number: int, line: bytes) -> None:
        self._unread.append((number, line))
        self.unread_bytes += len(line)

    def _read_request(self, number: int, line: bytes, message: dict[str, object]) -> None:
        """As the server sees it: what it answers, with the id or without, and what it does not."""
        request_id, method, params = message.get("id"), message.get("method"), message.get("params")
        if "id" in message if "method" in message else not ("result" in message or "error" in message):
            is_known = any(known == request_id for known, _ in self._owed.values())
            self._owed[number] = request_id if is_id(request_id) and not is_known else None, line
            if method == "initialize" and is_id(request_id):
                self._opening = {number: line}
        elif method == "notifications/initialized":
            self._opening[number] = line
        elif method == "notifications/cancelled" and isinstance(params, dict):
            # A request that was taken back gets no answer.
            self._settle(params.get("requestId"))

    def _settle(self, request_id: object) -> None:
        for number, (known, _) in self._owed.items():
            # To Python 5, 5.0 and, if it is 1, true are the same.
            if known == request_id and type(known) is type(request_id):
                del self._owed[number]
                return
