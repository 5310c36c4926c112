"""What real programs wrote into a terminal, byte by byte, with the sizes that it had meanwhile."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from idea.application.ports import Screen
from idea.domain.sessions import TerminalSize

FOLDER: Final = Path(__file__).parent / "recordings"


@dataclass(frozen=True)
class Recording:
    name: str
    program: str
    """And its version."""
    sizes: Sequence[tuple[int, TerminalSize]]
    """From which byte on which size; the first from 0 on."""
    output: bytes

    @classmethod
    def read(cls, path: Path) -> Self:
        line, _, output = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        sizes = [(start, TerminalSize(cols, rows)) for start, cols, rows in head["sizes"]]
        return cls(path.stem, head["program"], sizes, output)

    def save(self) -> None:
        sizes = [[start, size.cols, size.rows] for start, size in self.sizes]
        head = json.dumps({"program": self.program, "sizes": sizes})
        (FOLDER / f"{self.name}.terminal").write_bytes(head.encode() + b"\n" + self.output)

    def size_at(self, offset: int) -> TerminalSize:
        return [size for start, size in self.sizes if start <= offset][-1]

    def play(self, screen: Screen, start: int, end: int) -> bytes:
        """Feed `screen`, which has the size of `start`, all before `end`; its answers."""
        answers = []
        for at, size in self.sizes:
            if start < at <= end:
                answers.append(screen.feed(self.output[start:at]))
                screen.resize(size)
                start = at
        return b"".join([*answers, screen.feed(self.output[start:end])])


def all_recordings() -> Sequence[Recording]:
    return [Recording.read(path) for path in sorted(FOLDER.glob("*.terminal"))]
