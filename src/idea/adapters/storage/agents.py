"""The agents of one project as Markdown files in `.ideai/agents`: what a person or the page wrote."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from idea.adapters.storage.agent_claims import AgentClaims
from idea.adapters.storage.agent_file import (
    MAX_AGENT_BYTES,
    check_fields,
    normal_instructions,
    read_agent,
    read_id,
    slugs_from,
    write_agent,
)
from idea.adapters.storage.atomic import (
    SHARED,
    as_idea_error,
    ensure_folder,
    read_file,
    remove_file,
    safe_child,
    write_file,
)
from idea.adapters.storage.front_matter import BrokenText, Document, new_document, parse_document, render_document
from idea.adapters.storage.unusable import UnusableFile
from idea.adapters.storage.write_journal import WriteJournal
from idea.application.ports import FromFiles, NewId
from idea.domain.agent_names import TakenNames
from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.errors import Conflict, IdeaError, Invalid, NotFound, Refused, broken_file
from idea.domain.ids import AgentId, AgentSlug, is_slug

MAX_FILES: Final = 1_000
"""More files than that are no team; the rest is not read."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Parsed:
    content: bytes
    result: Agent | BrokenAgent


class AgentFiles:
    """A `ports.AgentStore`.

    A file without `id` is one that a person wrote by hand: it gets a fresh id, written into it at the first look.
    """

    def __init__(self, ideai: Path, *, new_id: NewId, journal: WriteJournal) -> None:
        """`ideai` is the project's `.ideai`; `journal` is shared with the project's trust."""
        self._ideai = ideai
        self._folder = ideai / "agents"
        self._new_id = new_id
        self._journal = journal
        self._lock = threading.Lock()
        """Reading, changing and writing a file is one step."""
        self._parsed: dict[AgentSlug, _Parsed] = {}
        self._claims = AgentClaims(line_of=self._line_of)

    async def list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        """By slug. Files that are no agents are told apart, with the reason. Raises `Conflict`, `Refused`."""
        return await asyncio.to_thread(self._locked_list)

    async def read(self, slug: AgentSlug) -> FromFiles[Agent]:
        """As the file says now. Raises `NotFound` if it is gone, `Conflict` if it is broken."""
        return await asyncio.to_thread(self._read_now, slug)

    async def create(self, draft: AgentDraft) -> Agent:
        """Raises `Invalid` for an unusable name, `Conflict` if the slug is taken."""
        return await asyncio.to_thread(self._create, draft)

    async def save(self, agent: Agent, *, base: str | None = None) -> None:
        """Rewrite the file, keeping unknown keys and comments.

        Raises:
            NotFound: the file is gone.
            Conflict: it is broken, belongs to another agent by now, or says something else than version `base`.
        """
        await asyncio.to_thread(self._save, agent, base)

    async def delete(self, slug: AgentSlug) -> None:
        """Idempotent."""
        await asyncio.to_thread(self._delete, slug)

    def _locked_list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        with self._lock:
            return self._list()

    def _list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        agents: list[Agent] = []
        broken: list[BrokenAgent] = []
        # Those without an id get theirs now, and are listed in the order of their ids ever after. Of two that
        # claim the same, the one written last is the copy, or the one that was renamed.
        for path in sorted(self._files(), key=_written_at_ns):
            result = self._read(path)
            if isinstance(result, Agent):
                agents.append(result)
            elif result is not None:
                broken.append(result)
        right, wrong = self._claims.settle(agents)
        return sorted(right, key=lambda one: one.slug), sorted([*broken, *wrong], key=lambda one: one.slug)

    def _read_now(self, slug: AgentSlug) -> FromFiles[Agent]:
        path = self._path(slug)
        with self._lock:
            self._check_right(slug)
            result = self._read(path)
            if result is None:
                raise NotFound("agent file", path.name)
            if isinstance(result, BrokenAgent):
                raise broken_file(path.name, result.explain())
            return FromFiles(result, {path: sha256(self._parsed[slug].content).hexdigest()})

    def _files(self) -> Sequence[Path]:
        ensure_folder(self._ideai)
        try:
            names = [path for path in ensure_folder(self._folder).iterdir() if path.suffix == ".md"]
        except OSError as error:
            raise as_idea_error(error, self._folder, "read") from error
        return sorted(path for path in names if not path.name.startswith("."))[:MAX_FILES]

    def _read(self, path: Path) -> Agent | BrokenAgent | None:
        """None: it went away just now."""
        shown = AgentSlug(path.stem.encode("utf-8", "replace").decode("utf-8"))
        if not is_slug(path.stem):
            reason = "its file name must be of a-z, 0-9, - and _, at most 32, and begin with a letter or digit"
            return BrokenAgent(shown, None, reason, "agentFileName")
        try:
            content = read_file(path, limit_bytes=MAX_AGENT_BYTES)
        except UnusableFile as error:
            return BrokenAgent(shown, None, error.reason, "agentUnusable", error.fields())
        except Refused as error:
            reason = f"it cannot be read: {error.about['detail']}"
            return BrokenAgent(shown, None, reason, "agentUnreadable", error.about)
        if content is None:
            return None
        known = self._parsed.get(shown)
        if known is None or known.content != content:
            known = self._parse(path, shown, content)
            self._parsed[shown] = known
        return known.result

    def _parse(self, path: Path, slug: AgentSlug, content: bytes) -> _Parsed:
        try:
            document = parse_document(content)
            found = read_id(document)
            agent = read_agent(document, slug, agent_id=found or AgentId(self._new_id()))
        except BrokenText as error:
            return _Parsed(content, BrokenAgent(slug, error.line, error.reason, error.why, error.about))
        if found is not None:
            return _Parsed(content, agent)
        document.keys.insert(0, "id", agent.id)
        try:
            return _Parsed(self._write(path, document, before=content), agent)
        except IdeaError as error:
            reason = f"it has no id, and none could be written: {error}"
            named = {name: value for name, value in error.fields().items() if name in ("detail", "errno")}
            return _Parsed(content, BrokenAgent(slug, 1, reason, "agentIdUnwritable", named))

    def _create(self, draft: AgentDraft) -> Agent:
        check_fields(draft)
        if draft.slug is not None and not is_slug(draft.slug):
            raise Invalid(
                f"{draft.slug[:40]!r} cannot be a file's name: use a-z, 0-9, - and _, at most 32.",
                why="slugInvalid",
                name=draft.slug[:40],
            )
        with self._lock:
            slug = self._find_slug(draft)
            agent = draft.to_agent(AgentId(self._new_id()), slug)
            agent = replace(agent, instructions=normal_instructions(agent.instructions))
            document = new_document()
            write_agent(document, agent)
            self._keep(agent, self._write(self._path(slug), document, before=None))
            return agent

    def _find_slug(self, draft: AgentDraft) -> AgentSlug:
        """A free one: names that differ may read alike as files ("C#" and "C++").

        Raises:
            Conflict: the agent could be taken for another.
        """
        taken = self._check_name(draft.name, *([] if draft.slug is None else [draft.slug]))
        return draft.slug or next(slug for slug in slugs_from(draft.name) if taken.find(slug) is None)

    def _check_name(self, *names: str, besides: AgentId | None = None) -> TakenNames:
        """What the agents go by. Raises `Conflict` if one of the names could be taken for it, but for `besides`."""
        agents, broken = self._list()
        taken = TakenNames((agent for agent in agents if agent.id != besides), broken=broken)
        clash = taken.find(*names)
        if clash is not None:
            raise clash.refusal()
        return taken

    def _check_right(self, slug: AgentSlug) -> None:
        """Raises `Conflict` if the file is broken, or claims what is another's."""
        _, broken = self._list()
        for one in broken:
            if one.slug == slug:
                raise broken_file(f"{slug}.md", one.explain())

    def _save(self, agent: Agent, base: str | None) -> None:
        check_fields(agent)
        path = self._path(agent.slug)
        with self._lock:
            self._check_right(agent.slug)
            try:
                content = read_file(path, limit_bytes=MAX_AGENT_BYTES)
                if content is None:
                    raise NotFound("agent file", path.name)
                document = parse_document(content)
                owner = read_id(document)
                present = read_agent(document, agent.slug, agent_id=owner or agent.id)
            except (UnusableFile, BrokenText) as error:
                raise broken_file(path.name, str(error)) from error
            if owner is not None and owner != agent.id:
                raise Conflict(
                    f"{path.name} belongs to another agent by now. Look at it again.",
                    why="fileOfAnother",
                    file=path.name,
                )
            agent = replace(agent, instructions=normal_instructions(agent.instructions))
            if base not in (None, present.version) and present != agent:
                raise Conflict(
                    f"{present.name} was changed since you began. Look at what it says now.",
                    why="agentChanged",
                    agent=present.name,
                )
            if agent.name != present.name:
                self._check_name(agent.name, besides=agent.id)
            write_agent(document, agent)
            self._keep(agent, self._write(path, document, before=content))

    def _delete(self, slug: AgentSlug) -> None:
        path = self._path(slug)
        with self._lock:
            self._files()
            remove_file(path)
            self._parsed.pop(slug, None)

    def _write(self, path: Path, document: Document, *, before: bytes | None) -> bytes:
        try:
            content = render_document(document)
        except BrokenText as error:
            raise Conflict(
                f"{path.name} cannot be changed: {error}. Correct it in an editor first.",
                why="fileBroken",
                file=path.name,
            ) from error
        if len(content) > MAX_AGENT_BYTES:
            raise Invalid(
                f"The instructions are too long: an agent's file has at most {MAX_AGENT_BYTES} bytes.",
                why="instructionsTooLong",
                limit=MAX_AGENT_BYTES,
            )
        if content != before:
            write_file(path, content, mode=SHARED, is_new=before is None)
            self._journal.note(path, before=before, after=content)
        return content

    def _keep(self, agent: Agent, content: bytes) -> None:
        self._parsed[agent.slug] = _Parsed(content, agent)
        self._claims.note(agent)

    def _line_of(self, slug: AgentSlug, key: str) -> int | None:
        return parse_document(self._parsed[slug].content).line_of(key)

    def _path(self, slug: AgentSlug) -> Path:
        if not is_slug(slug):
            raise NotFound("agent", slug)
        return safe_child(self._folder, f"{slug}.md")


def _written_at_ns(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        # It went away just now, which reading it finds out.
        return 0
