"""The command line's side of the control socket: the same HTTP API as the page's, over a Unix socket."""

import http.client
import json
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from idea.doors.cli.failure import Failure, not_answering, not_running
from idea.doors.cli.folders import control_sockets, demo_sockets
from idea.doors.cli.rows import Answer, ConversationRow, ProjectRow, ResumedRow, parse_failure
from idea.keeper.peer_uid import peer_pid, peer_uid

ANSWER_WAIT_S: Final = 5.0
"""For what a server says from memory, within milliseconds; one that does not is halted, or hangs."""
REQUEST_WAIT_S: Final = 60.0
"""For every other change but an ask, once it has answered at all; opening a project on a slow disk takes seconds."""
RESUME_WAIT_S: Final = 1_800.0
"""A CLI gets a minute to start, and four start at once."""
ASK_WAIT_S: Final = 2 * 86_400.0
"""The server settles every ask: at most a day in the queue and a day at work."""
LIMIT_WAIT_S: Final = 8 * 86_400.0
"""Limits are of a week at most."""


class Control:
    """A running server. Every method raises `Failure` with what the server said, or that it has gone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._has_answered = False

    def version(self) -> str:
        return str(self._request("GET", "/api/state")["version"])

    def projects(self) -> tuple[ProjectRow, ...]:
        """By time of opening."""
        return tuple(ProjectRow.parse(project) for project in self._request("GET", "/api/state")["projects"])

    def open_project(self, folder: Path, *, takes_over: bool = False) -> ProjectRow:
        """`takes_over`: from whatever server has it open, which is ended."""
        body: dict[str, object] = {"path": str(folder)}
        try:
            return ProjectRow.parse(self._request("POST", "/api/projects", body))
        except Failure as failure:
            holder = failure.fields.get("holder")
            if not takes_over or holder is None:
                raise
        return ProjectRow.parse(self._request("POST", "/api/projects", {**body, "takeOver": holder}))

    def create_link(self) -> tuple[str, int]:
        """A start link, and the UTC epoch milliseconds until which it works."""
        link = self._request("POST", "/api/link")
        return str(link["url"]), int(link["expiresAtMs"])

    def stop(self, project: str, agent: str) -> tuple[int, ...]:
        """End the agent's session and take what waits for it; the pids that survived. Idempotent."""
        answer = self._request("POST", f"{_agent_path(project, agent)}/stop")
        return tuple(map(int, answer["survivors"]))

    def conversations(self, project: str, agent: str) -> tuple[ConversationRow, ...]:
        """The newest first."""
        found = self._request("GET", f"{_agent_path(project, agent)}/conversations")
        return tuple(
            ConversationRow(one["id"], one["firstWords"], one["lastAtMs"], one["sizeBytes"], one["agentId"])
            for one in found
        )

    def attach(self, project: str, agent: str, conversation: str) -> None:
        """The agent's from now on; one that runs goes on with it at once, in its view."""
        state = self._request("GET", _agent_path(project, agent))
        view = "terminal" if (state["session"] or {}).get("kind") == "pty" else "chat"
        body: dict[str, object] = {"conversationId": conversation, "nodeId": None, "view": view}
        self._request("POST", f"{_agent_path(project, agent)}/conversation", body)

    def resume(self, project: str, agents: Sequence[str] | None) -> tuple[ResumedRow, ...]:
        """Each for itself; None: all that can go on. Starting many takes a while."""
        names = None if agents is None else list(agents)
        path = f"/api/projects/{quote(project, safe='')}/resumable/resume"
        answer = self._request("POST", path, {"agents": names}, wait_s=RESUME_WAIT_S)
        return tuple(ResumedRow.parse(one) for one in answer)

    def ask(
        self,
        project: str,
        agent: str,
        message: str,
        *,
        timeout_s: float | None = None,
        waits_for_limit: bool = False,
    ) -> Answer:
        """Waits for the answer; closing the connection (Ctrl-C) takes the ask back."""
        answer = self._request(
            "POST",
            f"{_agent_path(project, agent)}/ask",
            {"message": message, "timeoutSeconds": timeout_s, "waitForLimit": waits_for_limit},
            wait_s=ASK_WAIT_S + (LIMIT_WAIT_S if waits_for_limit else 0.0),
        )
        return Answer(answer["ticketId"], answer["reply"], answer["durationMs"])

    def _request(
        self, method: str, path: str, body: dict[str, object] | None = None, *, wait_s: float = REQUEST_WAIT_S
    ) -> Any:
        if method == "GET":
            wait_s = ANSWER_WAIT_S
        elif not self._has_answered:
            # Else one that hangs would be waited for as long as what is asked of it may take.
            self.version()
        connection = _UnixConnection(self.path, wait_s)
        payload = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            content = answer.read()
        except TimeoutError as error:
            raise not_answering(connection.pid) from error
        except (OSError, http.client.HTTPException) as error:
            raise not_running() from error
        finally:
            connection.close()
        self._has_answered = True
        return _parse(answer.status, content)


def _agent_path(project: str, agent: str) -> str:
    return f"/api/projects/{quote(project, safe='')}/agents/{quote(agent, safe='')}"


def _parse(status: int, content: bytes) -> Any:
    try:
        found: Any = json.loads(content or b"null")
        if status < 400:
            return found
        failure = parse_failure(found)
    except (ValueError, KeyError, TypeError) as error:
        raise Failure("INTERNAL", f"The server's answer ({status}) cannot be understood.") from error
    raise failure


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, wait_s: float) -> None:
        super().__init__("localhost", timeout=wait_s)
        self._path = path
        self.pid: int | None = None
        """Once connected: the server's, as the system says."""

    def connect(self) -> None:
        self.sock = connect(self._path, wait_s=self.timeout or REQUEST_WAIT_S)
        self.pid = peer_pid(self.sock)


def connect(path: Path, *, wait_s: float) -> socket.socket:
    """A connection to a server of our own user. Raises `OSError`."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(wait_s)
        connection.connect(str(path))
        if peer_uid(connection) != os.geteuid():
            raise PermissionError(f"{path} belongs to another user")
    except BaseException:
        connection.close()
        raise
    return connection


def find_control(start: Path) -> Control | None:
    """The server that has `start` open, else the user's own; None if neither answers."""
    return next(answering(control_sockets(start)), None)


def answering(sockets: Iterable[Path]) -> Iterator[Control]:
    """The servers of ours that listen at these sockets, each once."""
    for path in dict.fromkeys(sockets):
        try:
            connect(path, wait_s=ANSWER_WAIT_S).close()
        except (OSError, ValueError):
            continue
        yield Control(path)


def find_controls(start: Path) -> Sequence[Control]:
    """As `find_control`; where neither answers, the demos that run: who tries IdeA out has no other server."""
    control = find_control(start)
    return list(answering(demo_sockets())) if control is None else [control]


def find_others(start: Path, control: Control) -> Iterator[Control]:
    """The servers of ours that run beside this one: the user's own, and demos."""
    for other in answering((*control_sockets(start), *demo_sockets())):
        with suppress(OSError):
            # By the file: one server's socket may be recorded under another name of its folder.
            if not os.path.samefile(other.path, control.path):
                yield other


def get_control(start: Path) -> Control:
    """Raises `Failure` when no server runs, or when several demos do and none of them is meant."""
    controls = find_controls(start)
    if not controls:
        raise not_running()
    if len(controls) > 1:
        paths = ", ".join(str(project.path) for control in controls for project in control.projects())
        raise Failure("INVALID", f"Several demos run: {paths}.", advice="Name the one you mean with --project.")
    return controls[0]
