"""The page's emulator, in Node and without a page: what it shows of the bytes that it is given."""

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from idea.domain.sessions import TerminalSize
from scripts.node import find_node

SCRIPT: Final = Path(__file__).parent / "xterm.mjs"
WEB: Final = Path(__file__).parents[2] / "web"

Shown = Mapping[str, Any]
"""Rows with their looks, cursor, modes, which of the two screens."""


@dataclass
class Steps:
    """What a page gets of one terminal, in order."""

    steps: list[list[object]] = field(default_factory=list)

    def begin(self, size: TerminalSize, snapshot: bytes = b"") -> Self:
        self.steps.append(["reset", size.cols, size.rows])
        return self.write(snapshot)

    def write(self, data: bytes) -> Self:
        self.steps.append(["write", base64.b64encode(data).decode()])
        return self

    def show(self) -> Self:
        self.steps.append(["show"])
        return self


@dataclass(frozen=True)
class Page:
    process: "subprocess.Popen[str]"

    def play(self, steps: Steps) -> tuple[Sequence[Shown], str]:
        """What was shown at each `show`, and what it would have typed by itself."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(steps.steps) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the page's emulator failed: its stderr is above"
        played = json.loads(line)
        return played["shown"], played["typed"]


@contextmanager
def running_page() -> Iterator[Page]:
    """Ends at the end of its input."""
    node = find_node()
    assert node is not None, "Node is missing: run `scripts/install test`"
    with subprocess.Popen(
        [node.binary, SCRIPT], cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield Page(process)
