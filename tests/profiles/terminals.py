"""What CLIs wrote into their terminals, with marks where it is known what they were at."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

FOLDER: Final = Path(__file__).parent / "terminals"


@dataclass(frozen=True)
class Mark:
    offset: int
    """In the output: so much of it was there."""
    situation: str


@dataclass(frozen=True)
class MarkedOutput:
    name: str
    """`PROFILE-…`."""
    program: str
    """And its version."""
    marks: Sequence[Mark]
    output: bytes

    @property
    def profile(self) -> str:
        return self.name.partition("-")[0]

    @classmethod
    def read(cls, path: Path) -> Self:
        line, _, output = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        return cls(path.stem, head["program"], [Mark(*mark) for mark in head["marks"]], output)

    def save(self) -> None:
        FOLDER.mkdir(exist_ok=True)
        head = {"program": self.program, "marks": [[mark.offset, mark.situation] for mark in self.marks]}
        (FOLDER / f"{self.name}.terminal").write_bytes(json.dumps(head).encode() + b"\n" + self.output)


def all_outputs() -> Sequence[MarkedOutput]:
    return [MarkedOutput.read(path) for path in sorted(FOLDER.glob("*.terminal"))]
