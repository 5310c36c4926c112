"""YAML front matter and a Markdown body: taken apart with bounds, put together with the person's own words kept."""

import io
import re
from dataclasses import dataclass
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent
from ruamel.yaml.util import load_yaml_guess_indent

from idea.domain.unicode import without_lone_surrogates
from idea.domain.why import Why

MAX_FRONT_MATTER_CHARS: Final = 32 * 1024
MAX_DEPTH: Final = 16
MAX_NODES: Final = 2_000

_FENCED: Final = re.compile(r"\A---[ \t]*\n(?P<front>.*?)^---[ \t]*(?:\n|\Z)(?P<body>.*)\Z", re.DOTALL | re.MULTILINE)
_FIRST_LINE: Final = 2
"""The file's line on which the front matter begins, after the opening fence."""


class BrokenText(Exception):
    """The text is not what it should be; `line` counts from 1 in the whole file. `about`: what the key `why` names."""

    def __init__(self, reason: str, line: int | None, why: Why, **about: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.why = why
        self.about = about


@dataclass(slots=True)
class Document:
    """A file taken apart. `keys` may be changed; it remembers comments, order and quotes."""

    keys: CommentedMap
    body: str
    """As written, line ends as LF."""
    uses_crlf: bool
    sequence_indent: int | None
    sequence_offset: int | None

    def line_of(self, key: str) -> int | None:
        """Where a key stands in the file."""
        position = self.keys.lc.data.get(key) if self.keys.lc.data else None
        return position[0] + _FIRST_LINE if position else None


def parse_document(content: bytes) -> Document:
    """Raises `BrokenText`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenText(
            "it is not valid UTF-8 text", content.count(b"\n", 0, error.start) + 1, "agentNotText"
        ) from error
    if "\0" in text:
        raise BrokenText("it contains NUL bytes", text.count("\n", 0, text.index("\0")) + 1, "agentNotText")
    uses_crlf = "\r\n" in text
    found = _FENCED.match(text.replace("\r\n", "\n"))
    if found is None:
        raise BrokenText(
            "it must begin with a block of settings between two lines of three dashes (---)", 1, "agentNoSettings"
        )
    front = found["front"]
    if len(front) > MAX_FRONT_MATTER_CHARS:
        raise BrokenText(
            f"its front matter is longer than {MAX_FRONT_MATTER_CHARS} characters", _FIRST_LINE, "agentTooMuch"
        )
    try:
        _check_bounds(front)
        keys, indent, offset = _load(front)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + _FIRST_LINE if mark is not None else None
        problem = _one_line(error.problem or error.context or "it is not valid YAML")
        raise BrokenText(problem, line, "agentNotYaml", detail=problem) from error
    except BrokenText:
        raise
    except Exception as error:
        # Somebody else's text must not end whoever reads it, and the parser fails in more ways than it names: a value
        # that is not what its tag says raises whatever came up (KeyError, IndexError, AssertionError …).
        raise BrokenText("its front matter is not valid YAML", _FIRST_LINE, "agentNotYaml") from error
    return Document(keys, found["body"], uses_crlf, indent, offset)


def new_document() -> Document:
    return Document(CommentedMap(), "", uses_crlf=False, sequence_indent=None, sequence_offset=None)


def render_document(document: Document) -> bytes:
    """The file's new content. Raises `BrokenText` for keys that can be read and not be written again."""
    buffer = io.StringIO()
    yaml = _yaml()
    if document.sequence_indent is not None:
        yaml.indent(mapping=2, sequence=document.sequence_indent, offset=document.sequence_offset or 0)
    try:
        yaml.dump(document.keys, buffer)
    except Exception as error:
        # As when it is read: what the person put beside our keys can be anything.
        raise BrokenText("its front matter cannot be written again", _FIRST_LINE, "agentNotYaml") from error
    text = f"---\n{buffer.getvalue()}---\n{document.body}"
    return (text.replace("\n", "\r\n") if document.uses_crlf else text).encode()


def _yaml() -> YAML:
    # One for each use: the object keeps state and is not made for threads.
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    return yaml


def _check_bounds(front: str) -> None:
    """Before anything is built: references can make a few lines into gigabytes, nesting can exhaust the stack."""
    depth = nodes = 0
    for event in _yaml().parse(front):
        line = event.start_mark.line + _FIRST_LINE
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor is not None):
            raise BrokenText("anchors and references (& and *) are not allowed here", line, "agentAnchors")
        nodes += isinstance(event, NodeEvent)
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > MAX_DEPTH or nodes > MAX_NODES:
            raise BrokenText("it is nested too deeply or has too many entries", line, "agentTooMuch")


def _load(front: str) -> tuple[CommentedMap, int | None, int | None]:
    keys: Any = _yaml().load(front)
    if not isinstance(keys, CommentedMap):
        raise BrokenText("it must hold keys and values, such as `name: QA`", _FIRST_LINE, "agentNoSettings")
    _, indent, offset = load_yaml_guess_indent(front)
    return keys, indent, offset


def _one_line(text: str) -> str:
    """For a person: a parser quotes what it stumbled over, whatever that is."""
    return " ".join(without_lone_surrogates(text).split())
