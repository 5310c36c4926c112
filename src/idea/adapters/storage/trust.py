"""Was exactly this content approved by the person? The approvals lie outside the project, where it cannot reach."""

import asyncio
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from idea.adapters.storage.atomic import ensure_private_tree, read_file, safe_child
from idea.adapters.storage.json_state import parse_object, read_state, set_aside_with_notice, write_state
from idea.adapters.storage.trust_scan import MAX_FILE_BYTES, Subject, scan
from idea.adapters.storage.unusable import UnusableFile
from idea.adapters.storage.write_journal import WriteJournal
from idea.domain.errors import Conflict, Refused
from idea.domain.ids import ProjectId
from idea.domain.trust import TrustVerdict
from idea.domain.visible_text import visible_in_line

_log = logging.getLogger(__name__)


class ProjectTrust:
    """A `ports.Trust`. An approval names a file and the SHA-256 of its bytes; only the latest of a file counts."""

    def __init__(self, root: Path, project: ProjectId, *, state_home: Path, journal: WriteJournal) -> None:
        """`state_home` is the user's state folder for IdeA; `journal` is shared with the stores that write."""
        self._root = root
        self._folder = state_home / "trust"
        self._file = safe_child(self._folder, f"{project}.json")
        self._journal = journal
        self._lock = threading.Lock()
        """The approvals are read, changed and stored in one step."""

    async def look(self) -> TrustVerdict:
        return await asyncio.to_thread(self._look)

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        """`look`, for somebody who will run what `sources` say: files with the SHA-256 of the bytes that were read.

        Raises:
            Conflict: all is approved as it is now, but one of `sources` is something else by now.
        """
        return await asyncio.to_thread(self._look, sources)

    async def approve(self, subject_hash: str) -> TrustVerdict:
        """From now on exactly this content needs no asking.

        Raises:
            Conflict: the content is no longer what `subject_hash` names.
            Refused: something among it cannot be approved, because its content is not fixed.
        """
        return await asyncio.to_thread(self._approve, subject_hash)

    async def record_own_write(self, path: Path) -> None:
        """IdeA itself wrote this file at the person's word; its present content needs no approval.

        Only if the file was trusted, or absent, before: else a change by somebody else would slip in with ours.
        """
        await asyncio.to_thread(self._record_own_write, path)

    def approved_servers(self) -> Mapping[str, object]:
        """The MCP servers of the project's `.mcp.json`, if its present content is approved; blocking."""
        try:
            content = read_file(self._root / ".mcp.json", limit_bytes=MAX_FILE_BYTES)
            if content is None or self._load().get(".mcp.json") != sha256(content).hexdigest():
                return {}
            servers = parse_object(content).get("mcpServers")
        except (UnusableFile, Refused):
            return {}
        return servers if isinstance(servers, dict) else {}

    def _look(self, sources: Mapping[Path, str] = MappingProxyType({})) -> TrustVerdict:
        subjects = scan(self._root)
        with self._lock:
            verdict = _judge(subjects, self._load())
        present = {subject.file: subject.digest for subject in subjects}
        for path, digest in sources.items():
            file = os.path.relpath(path, self._root)
            if verdict.is_trusted and present.get(file) != digest:
                raise Conflict(
                    f"{visible_in_line(file)} has changed just now. Try again.",
                    why="fileChanged",
                    file=visible_in_line(file),
                )
        return verdict

    def _approve(self, subject_hash: str) -> TrustVerdict:
        subjects = scan(self._root)
        with self._lock:
            approved = self._load()
            awaiting = _awaiting(subjects, approved)
            if _hash(awaiting) != subject_hash:
                raise Conflict(
                    "The project's files have changed since you looked at them. Look at them again.", why="filesChanged"
                )
            for subject in awaiting:
                if subject.obstacle is not None:
                    raise Refused(
                        f"{subject.file} cannot be approved: {subject.obstacle}.",
                        why="cannotBeApproved",
                        file=visible_in_line(subject.file),
                    )
            present = {_key(subject.file): subject.digest for subject in subjects}
            self._save(present)
            return _judge(subjects, present)

    def _record_own_write(self, path: Path) -> None:
        write = self._journal.take(path)
        if write is None:
            _log.warning("%s is said to be our own write, but no store of ours wrote it", path)
            return
        file = _key(os.path.relpath(path, self._root))
        with self._lock:
            approved = self._load()
            if any(before is None or before == approved.get(file) for before in write.befores):
                self._save({**approved, file: write.after})

    def _load(self) -> dict[str, str]:
        try:
            state = read_state(self._file)
            rows = (state or {}).get("approved", {})
            if not isinstance(rows, dict) or not all(isinstance(digest, str) for digest in rows.values()):
                raise UnusableFile("it holds no approvals", "notOurs")
        except UnusableFile as error:
            # Nothing is approved then, so that the person is asked once more.
            _log.warning("%s", set_aside_with_notice(self._file, "The list of approvals", error, "you are asked again"))
            return {}
        return rows

    def _save(self, approved: Mapping[str, str]) -> None:
        ensure_private_tree(self._folder)
        write_state(self._file, {"root": os.fspath(self._root), "approved": dict(sorted(approved.items()))})


def _key(file: str) -> str:
    """As JSON can hold it: a name that is not UTF-8 as hexadecimal digits."""
    try:
        file.encode("utf-8")
    except UnicodeEncodeError:
        return f"hex:{os.fsencode(file).hex()}"
    return file


def _awaiting(subjects: Sequence[Subject], approved: Mapping[str, str]) -> Sequence[Subject]:
    return [one for one in subjects if one.obstacle is not None or approved.get(_key(one.file)) != one.digest]


def _judge(subjects: Sequence[Subject], approved: Mapping[str, str]) -> TrustVerdict:
    awaiting = _awaiting(subjects, approved)
    items = tuple(item for subject in awaiting for item in subject.items)
    return TrustVerdict(is_trusted=not awaiting, subject_hash=_hash(awaiting), items=items)


def _hash(subjects: Sequence[Subject]) -> str:
    digest = sha256()
    for subject in subjects:
        # The lengths keep "a" + "bc" apart from "ab" + "c".
        name = subject.file.encode("utf-8", "surrogateescape")
        digest.update(str(len(name)).encode() + b":" + name + subject.digest.encode())
    return digest.hexdigest()
