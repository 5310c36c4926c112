"""What a CLI runs at certain moments of a session, its hooks: tells the server which moment it is, and nothing else.

It says nothing to the CLI, holds it up for a second at most, and fails in silence: no agent suffers for being watched.
The last moment is kept in a file as well, for a server that is away. It speaks to the endpoint as the bridge does.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress

if __name__ == "__main__":
    # An isolated interpreter knows the standard library alone. At the end, so that nothing there is hidden.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from idea import bridge_endpoint

INPUT_BYTES = 4 * 1024 * 1024
"""A CLI tells of a moment in less, though a tool's whole output may be among it."""
FIELD_CHARS = 500
PATIENCE_S = 1.0
"""For a server that is busy."""


def main(arguments: list[str]) -> None:
    """Raises whatever goes wrong."""
    keys = ("--endpoint", "--project", "--requester", "--keep", "--fields")
    if tuple(arguments[::2]) != keys:
        raise ValueError(f"expected {keys}")
    endpoint, project, agent, kept, fields = arguments[1::2]
    told = json.loads(sys.stdin.buffer.read(INPUT_BYTES))
    ran = {
        "event": str(told["hook_event_name"]),
        "fields": {name: told[name][:FIELD_CHARS] for name in fields.split(",") if isinstance(told.get(name), str)},
    }
    # First, so that a server that is told looks at nothing older.
    keep(kept, json.dumps(ran).encode())
    tell(endpoint, bridge_endpoint.greeting(endpoint, project, agent), ran)


def keep(path: str, content: bytes) -> None:
    """In place of what was there, at one stroke."""
    draft = f"{path}.{os.getpid()}"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "wb") as writer:
        writer.write(content)
    os.replace(draft, path)


def tell(endpoint: str, greeting: bytes, ran: Mapping[str, object]) -> None:
    """Returns when the server has heard it: the CLI's next hook must not overtake this one."""
    connection = bridge_endpoint.connect(endpoint, 1)
    try:
        connection.settimeout(PATIENCE_S)
        connection.send(greeting + b', "hook": ' + json.dumps(ran).encode() + b"}\n")
        connection.recv(1024)
    finally:
        connection.close()


if __name__ == "__main__":
    # Whatever goes wrong, the CLI would show it to the person, or take it for a veto.
    with suppress(Exception):
        main(sys.argv[1:])
