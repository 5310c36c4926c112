"""Small JSON files of our own: an object with a `version`, read with bounds, written whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from idea.adapters.plain_tree import leaves
from idea.adapters.storage.atomic import PRIVATE, read_file, set_aside, write_file
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Conflict
from idea.domain.file_trouble import FileTrouble
from idea.domain.why import Why

VERSION: Final = 1
MAX_STATE_BYTES: Final = 4 * 1024 * 1024

Object = dict[str, Any]
"""As JSON brought it; Any ends where the caller takes it apart."""


def read_state(path: Path, *, limit_bytes: int = MAX_STATE_BYTES) -> Object | None:
    """The object; None if there is no file.

    Raises:
        UnusableFile: not the JSON object that we write, or of a version that we do not know.
    """
    content = read_file(path, limit_bytes=limit_bytes)
    if content is None:
        return None
    found = parse_object(content)
    version = found.get("version")
    if isinstance(version, int) and version > VERSION:
        raise UnusableFile("it was written by a later version of IdeA", "laterVersion")
    if version != VERSION:
        raise UnusableFile("it does not say which version it has", "noVersion")
    return found


def parse_object(content: bytes) -> Object:
    """Raises `UnusableFile` for everything that is not one JSON object in UTF-8 that can be written again."""
    try:
        found = json.loads(content.decode("utf-8-sig"))
        # Only to find out how deep it is: what can just be read is too deep to be written.
        all(True for _ in leaves(found))
        # Half a surrogate pair is valid JSON, and could be stored or sent by nobody after us.
        if b"\\u" in content:
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeError as error:
        raise UnusableFile("it is not valid UTF-8 text", "notText") from error
    except (ValueError, RecursionError) as error:
        raise UnusableFile("it is not valid JSON", "notJson") from error
    if not isinstance(found, dict):
        raise UnusableFile("it does not hold a JSON object", "notJson")
    return found


def write_state(
    path: Path, content: Mapping[str, object], *, mode: int = PRIVATE, limit_bytes: int = MAX_STATE_BYTES
) -> None:
    """Raises `Conflict` or `Refused` when it cannot be stored, also because it could not be read again."""
    text = json.dumps({"version": VERSION, **content}, ensure_ascii=False, indent=1).encode()
    if len(text) > limit_bytes:
        raise Conflict(
            f"{path.name} would be larger than {limit_bytes} bytes.",
            why="stateTooLarge",
            file=path.name,
            limit=limit_bytes,
        )
    write_file(path, text, mode=mode)


def set_aside_with_notice(path: Path, what: str, fault: UnusableFile, instead: str) -> str:
    """Rename the file and say so: what happened, why, what is used now."""
    return _told(path, what, fault, instead)[0]


def set_aside_and_tell(path: Path, what: str, fault: UnusableFile, instead: str, *, why: Why) -> FileTrouble:
    """As `set_aside_with_notice`, with the key that says the same."""
    sentence, name = _told(path, what, fault, instead)
    return FileTrouble(sentence, why, {**fault.fields(), "name": name})


def _told(path: Path, what: str, fault: UnusableFile, instead: str) -> tuple[str, str]:
    name = set_aside(path).name
    return f"{what} could not be used: {fault.reason}. It was renamed to {name}; {instead}.", name
