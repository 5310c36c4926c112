"""`idea demo --check`: one real chain of asks, Main → Architect → QA, through real bridges, printed as it happens.

The server is a process of its own, as a person would start it; this side only looks on and asks.
"""

import json
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import click
from websockets.sync.client import ClientConnection, unix_connect

from idea.doors.cli.control import Control
from idea.doors.cli.failure import Failure
from idea.doors.cli.folders import control_sockets

QUESTION: Final = "Is the invoice page ready to go out?"
CHAIN: Final = (("human", "main"), ("main", "architect"), ("architect", "qa"))
"""Who must have got an answer from whom."""
START_WAIT_S: Final = 60.0
"""For the server's first line, on a machine that is busy."""
CHAIN_WAIT_S: Final = 120.0
"""The chain takes about five seconds."""
STOP_WAIT_S: Final = 20.0
"""Three agents end within 5 s each at worst."""


def run_check() -> int:
    """0 only if Main got the conclusion and gave its own."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as trouble:
        try:
            with _demo_server(trouble) as folder:
                return _follow(Control(next(control_sockets(folder))))
        except Failure:
            trouble.seek(0)
            click.echo(trouble.read(), err=True, nl=False)
            raise


@contextmanager
def _demo_server(trouble: IO[str]) -> Iterator[Path]:
    """The folder of the project that a demo server of its own has open."""
    command = [sys.executable, "-m", "idea", "demo", "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=trouble, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield _read_folder(server.stdout)
        finally:
            server.terminate()
            try:
                server.wait(STOP_WAIT_S)
            except subprocess.TimeoutExpired:
                server.kill()


def _read_folder(stdout: IO[str]) -> Path:
    line: list[str] = []
    reader = threading.Thread(target=lambda: line.append(stdout.readline()), daemon=True)
    reader.start()
    reader.join(START_WAIT_S)
    try:
        return Path(json.loads(line[0])["projects"][0]["path"])
    except (IndexError, KeyError, ValueError) as error:
        raise Failure("LOST", "The demo server did not start.", advice="What it said is above.") from error


def _follow(control: Control) -> int:
    """Ask Main and print everything that is said meanwhile."""
    project = control.projects()[0]
    names = {agent.id: agent.name for agent in project.agents} | {"human": "You"}
    outcome: list[str | Failure] = []

    def ask() -> None:
        try:
            outcome.append(control.ask(project.id, "main", QUESTION, timeout_s=CHAIN_WAIT_S).reply)
        except Failure as failure:
            outcome.append(failure)

    with unix_connect(str(control.path), "ws://localhost/api/events", compression=None) as events:
        events.send(json.dumps({"type": "hello", "credential": ""}))
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        answered = _print_exchange(events, names)
        asking.join(CHAIN_WAIT_S)
    if not outcome:
        raise Failure("TIMEOUT", f"Main did not answer within {CHAIN_WAIT_S:g} s.")
    if isinstance(outcome[0], Failure):
        raise outcome[0]
    slugs = {agent.id: agent.slug for agent in project.agents} | {"human": "human"}
    got = {(slugs.get(requester), slugs.get(target)) for requester, target in answered}
    if not got >= set(CHAIN):
        raise Failure("TURN_FAILED", "Main answered, but not every conclusion came back along the chain.")
    click.echo("\nThe conclusion came back along the whole chain.")
    return 0


def _print_exchange(events: ClientConnection, names: dict[str, str]) -> set[tuple[str, str]]:
    """Until the person's own ask is settled: (requester, target) of every answer that came back."""
    answered: set[tuple[str, str]] = set()
    while True:
        try:
            frame: dict[str, Any] = json.loads(events.recv(CHAIN_WAIT_S))
        except TimeoutError:
            return answered
        event = frame.get("event", {"type": frame["type"]})
        if event["type"] == "agentAnnouncement":
            _say(names[event["target"]], event["text"])
        elif event["type"] == "delegationChanged":
            delegation = event["delegation"]
            requester, target = delegation["requester"]["id"], delegation["targetId"]
            _print_delegation(delegation, names[requester], names[target])
            if delegation["state"] == "answered":
                answered.add((requester, target))
            if requester == "human" and delegation["settledAtMs"] is not None:
                return answered


def _print_delegation(delegation: dict[str, Any], requester: str, target: str) -> None:
    match delegation["state"]:
        case "queued":
            _say(f"{requester} → {target}", delegation["message"])
        case "answered":
            _say(f"{target} ⇒ {requester}", delegation["reply"])
        case "failed":
            _say(f"{target} ✗ {requester}", delegation["explanation"])


def _say(who: str, text: str) -> None:
    """Further lines stand below the first, so that one sees where the next speaks."""
    click.echo(f"{who}: {textwrap.indent(text, '    ').lstrip()}")
