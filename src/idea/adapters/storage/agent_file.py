"""What one agent file means, and how a changed agent is written back into it."""

import re
import unicodedata
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import Any, Final

from ruamel.yaml.comments import CommentedMap

from idea.adapters.storage.front_matter import BrokenText, Document
from idea.domain.agent_names import explain_bad_name
from idea.domain.agents import Agent, AgentDraft, PermissionMode
from idea.domain.alike import composed
from idea.domain.errors import Invalid
from idea.domain.ids import AgentId, AgentSlug, is_slug
from idea.domain.unicode import without_lone_surrogates
from idea.domain.why import Why

MAX_AGENT_BYTES: Final = 256 * 1024
"""Of the whole file; a larger one is no agent, whatever it says."""
MAX_VALUE_CHARS: Final = 200
MAX_SLUG_CHARS: Final = 32
MAX_CAPABILITIES: Final = 100

_WHY_BY_KEY: Final[Mapping[str, Why]] = {
    "name": "nameInvalid",
    "profile": "profileInvalid",
    "model": "modelInvalid",
    "workspace": "workspaceInvalid",
}

Check = Callable[[str], str | None]
"""A clause that says what is wrong with a value, or None."""

# Names that a program on Windows would open as a device.
_DEVICES: Final = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


def read_agent(document: Document, slug: AgentSlug, *, agent_id: AgentId) -> Agent:
    """The agent that the document describes; `agent_id` as `read_id` gave it, or a fresh one.

    Raises:
        BrokenText: with the line of the key that is at fault.
    """
    fields = _Fields(document)
    return Agent(
        id=agent_id,
        slug=slug,
        name=composed(fields.need_text("name", check=explain_bad_name)),
        profile=fields.need_text("profile", check=explain_bad_profile),
        model=fields.find_text("model", check=explain_bad_model),
        permissions=fields.permissions(),
        capabilities=fields.texts("capabilities", check=explain_bad_capabilities),
        allow_structured_alongside_pty=fields.flag("allowStructuredAlongsidePty"),
        workspace=fields.find_text("workspace", check=explain_bad_workspace),
        instructions=instructions_of(document.body),
    )


def read_id(document: Document) -> AgentId | None:
    """None where a person wrote the file by hand and gave none.

    Raises:
        BrokenText: it is no UUID; it names files, so nothing else is taken.
    """
    text = _Fields(document).find_text("id")
    if text is None:
        return None
    try:
        is_uuid = str(uuid.UUID(text)) == text
    except ValueError:
        is_uuid = False
    if not is_uuid:
        raise BrokenText(
            "id must be a UUID; remove the line and a new one is made", document.line_of("id"), "agentIdInvalid"
        )
    return AgentId(text)


def write_agent(document: Document, agent: Agent) -> None:
    """Change only what differs: keys that are not ours, comments and order stay."""
    ask_is_implied = "permissions" not in document.keys and agent.permissions is PermissionMode.ASK
    wanted: dict[str, object] = {
        "id": agent.id,
        "name": agent.name,
        "profile": agent.profile,
        "model": agent.model,
        "permissions": None if ask_is_implied else agent.permissions.value,
        "capabilities": list(agent.capabilities) or None,
        "allowStructuredAlongsidePty": agent.allow_structured_alongside_pty,
        "workspace": agent.workspace,
    }
    for key, value in wanted.items():
        _set(document.keys, key, value)
    if instructions_of(document.body) != agent.instructions:
        document.body = f"\n{agent.instructions}\n" if agent.instructions else ""


def instructions_of(body: str) -> str:
    """The body without the blank lines around it."""
    return body.strip("\n").rstrip()


def slugs_from(name: str) -> Iterator[AgentSlug]:
    """File names for an agent of this name, the best first and without end."""
    slug = _slug_from(name)
    yield slug
    for number in count(2):
        ending = f"-{number}"
        yield AgentSlug(slug[: MAX_SLUG_CHARS - len(ending)].rstrip("-") + ending)


def _slug_from(name: str) -> AgentSlug:
    """`agent` where nothing of the name can be written in ASCII."""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:MAX_SLUG_CHARS].strip("-")
    if _DEVICES.fullmatch(slug):
        slug = f"{slug}-agent"
    return AgentSlug(slug if is_slug(slug) else "agent")


def explain_bad_profile(profile: str) -> str | None:
    return None if is_slug(profile) else "must be the id of a profile, such as claude or codex"


def explain_bad_model(model: str) -> str | None:
    # The value becomes an argument of its own; with a dash in front it would be an option.
    if model.startswith("-") or not all(char.isprintable() for char in model) or len(model) > MAX_VALUE_CHARS:
        return "must be a model's name, without a dash in front"
    return None


def explain_bad_capabilities(capabilities: Sequence[str]) -> str | None:
    if len(capabilities) > MAX_CAPABILITIES:
        return f"must be at most {MAX_CAPABILITIES} texts"
    if not all(len(one) <= MAX_VALUE_CHARS and one.isprintable() for one in capabilities):
        return f"must be texts of at most {MAX_VALUE_CHARS} characters, without control characters"
    return None


def explain_bad_workspace(workspace: str) -> str | None:
    path = PurePosixPath(workspace)
    if path.is_absolute() or ".." in path.parts or "\\" in workspace or not workspace.isprintable():
        return "must be a folder within the project, relative to it"
    return None


def normal_instructions(instructions: str) -> str:
    """As a file gives it back: one kind of line end, no half surrogates, no blank lines around it."""
    text = without_lone_surrogates(instructions.replace("\r\n", "\n").replace("\0", ""))
    return text.strip("\n").rstrip()


def check_fields(agent: Agent | AgentDraft) -> None:
    """What a file could not be read with is not written into one. Raises `Invalid`."""
    model, workspace = agent.model, agent.workspace
    capabilities = explain_bad_capabilities(agent.capabilities)
    if capabilities is not None:
        raise Invalid(f"The agent's capabilities {capabilities}.", why="doesNotFit", names="capabilities")
    complaints: tuple[tuple[str, Why, str | None], ...] = (
        ("name", "nameInvalid", explain_bad_name(agent.name)),
        ("profile", "profileInvalid", explain_bad_profile(agent.profile)),
        ("model", "modelInvalid", explain_bad_model(model) if model is not None else None),
        ("workspace", "workspaceInvalid", explain_bad_workspace(workspace) if workspace is not None else None),
    )
    for what, why, complaint in complaints:
        if complaint is not None:
            raise Invalid(f"The agent's {what} {complaint}.", why=why)


def _set(keys: CommentedMap, key: str, value: object) -> None:
    if value is None:
        # An empty value in the file means the same as no key and may stay.
        if keys.get(key) is not None:
            del keys[key]
    elif keys.get(key) != value:
        keys[key] = value


class _Fields:
    """Typed access to the keys, with the line in every complaint."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._keys: Mapping[str, Any] = document.keys

    def need_text(self, key: str, *, check: Check) -> str:
        value = self.find_text(key, check=check)
        if value is None:
            raise BrokenText(f"{key} is missing", self._document.line_of(key) or 1, "agentKeyMissing", key=key)
        return value

    def find_text(self, key: str, *, check: Check | None = None) -> str | None:
        value = self._keys.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._broken(key, "must be a text; put it in quotes")
        complaint = check(value) if check is not None else None
        if complaint is not None:
            raise self._broken(key, complaint)
        return str(value)

    def permissions(self) -> PermissionMode:
        value = self.find_text("permissions")
        modes = [mode.value for mode in PermissionMode]
        if value is None:
            return PermissionMode.ASK
        if value not in modes:
            reason = f"permissions must be one of {', '.join(modes)}, not {value[:40]!r}"
            line = self._document.line_of("permissions")
            raise BrokenText(reason, line, "agentPermissionsUnknown", modes=", ".join(modes))
        return PermissionMode(value)

    def texts(self, key: str, *, check: Callable[[Sequence[str]], str | None]) -> tuple[str, ...]:
        value = self._keys.get(key)
        if value is None:
            return ()
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        if not is_list or not all(isinstance(one, str) for one in value):
            raise self._broken(key, "must be a list of texts")
        complaint = check(value)
        if complaint is not None:
            raise self._broken(key, complaint)
        return tuple(str(one) for one in value)

    def flag(self, key: str) -> bool | None:
        value = self._keys.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._broken(key, "must be true or false")
        return value

    def _broken(self, key: str, complaint: str) -> BrokenText:
        why = _WHY_BY_KEY.get(key, "agentKeyUnusable")
        return BrokenText(f"{key} {complaint}", self._document.line_of(key), why, key=key)
