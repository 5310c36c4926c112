"""What a profile's TOML file may say: read with bounds, checked strictly, joined with what it extends."""

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import idea
from idea.adapters.plain_tree import TooDeep, leaves, parse_toml
from idea.adapters.profile_signs import HooksTable, ReadinessTable, build_signs
from idea.domain.agents import PermissionMode
from idea.domain.profiles import Face, McpStrategy, Profile, Reach, expand
from idea.domain.terminal_signs import TerminalSigns

MAX_FILE_BYTES: Final = 64 * 1024
"""Ours have 2 KB; a larger one is no profile."""

OWN_PLACES: Final = {"python": os.path.abspath(sys.executable), "package": str(Path(idea.__file__).parent)}
"""Not the interpreter's real path: behind a virtual environment's link lies one without our packages."""

Table = dict[str, Any]
"""A TOML table as read; Any ends at `build_profile`."""


VariableName = Annotated[str, Field(pattern=r"^[^=]+$")]


class UnusableProfile(Exception):
    """The file is no profile; the text says where and why."""


class _FaceTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    args: tuple[str, ...] = ()
    fresh_args: tuple[str, ...] = ()
    resume_args: tuple[str, ...] = ()
    model_args: tuple[str, ...] = ()
    context_args: tuple[str, ...] = ()
    permission_args: dict[PermissionMode, tuple[str, ...]] = Field(default_factory=dict)
    permission_reach: dict[PermissionMode, Reach] = Field(default_factory=dict)


class _TerminalTable(_FaceTable):
    readiness: ReadinessTable | None = None
    hooks: HooksTable | None = None


class _ProfileTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    extends: str | None = None
    name: str | None = None
    command: str = Field(default="", max_length=1024)
    args: tuple[str, ...] = ()
    """More arguments for both faces, after those of the profile that this one extends."""
    engine: str | None = None
    model: str | None = None
    terminal: _TerminalTable | None = None
    structured: _FaceTable | None = None
    env: dict[VariableName, str] = Field(default_factory=dict)
    pass_env: tuple[str, ...] = ()
    mcp: McpStrategy = McpStrategy.NONE
    mcp_args: tuple[str, ...] = ()
    mcp_env: dict[VariableName, str] = Field(default_factory=dict)
    mcp_entry: dict[str, object] = Field(default_factory=dict)
    mcp_declared_in: tuple[str, ...] = ()
    version_args: tuple[str, ...] = ("--version",)
    install_hint: str = ""
    chooses_conversation_id: bool = False
    conversations: Literal["", "claude", "codex", "demo"] = ""
    refusals: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    allow_structured_alongside_pty: bool = True
    suggested_permissions: PermissionMode = PermissionMode.ASK


def read_content(path: Path, *, follow_links: bool) -> bytes:
    """Never blocks on a FIFO or a device. Raises `UnusableProfile`."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise UnusableProfile(f"it cannot be opened: {error.strerror}") from error
    try:
        with open(descriptor, "rb", closefd=False) as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnusableProfile("it is not a regular file")
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnusableProfile(f"it cannot be read: {error.strerror}") from error
    finally:
        os.close(descriptor)
    if len(content) > MAX_FILE_BYTES:
        raise UnusableProfile(f"it is larger than {MAX_FILE_BYTES} bytes")
    return content


def parse_table(content: bytes) -> Table:
    """The file's content, checked on its own.

    Raises:
        UnusableProfile: with the line or key where that is known.
    """
    try:
        table = parse_toml(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnusableProfile("it is not UTF-8 text") from error
    except ValueError as error:
        raise UnusableProfile(f"it is not valid TOML: {error}") from error
    except RecursionError as error:
        raise UnusableProfile("it is not valid TOML: it is nested too deeply") from error
    _check_plain(table)
    _check(table)
    return table


def _check_plain(table: Table) -> None:
    """All of it ends in an argument, a variable or JSON; what fits into none of them must not wait for a launch."""
    try:
        for leaf in leaves(table):
            if isinstance(leaf, str) and "\0" in leaf:
                raise UnusableProfile("a text contains a NUL character, which no program can be given")
            if not isinstance(leaf, (str, int, float)) or (isinstance(leaf, int) and leaf.bit_length() > 63):
                raise UnusableProfile("only texts, numbers of 64 bits, true and false are allowed as values")
    except TooDeep as error:
        raise UnusableProfile(str(error)) from error


def join(parent: Mapping[str, Any], child: Mapping[str, Any], *, keeps_name: bool = False) -> Table:
    """`child` over `parent`: tables key by key, everything else replaced, `args` appended.

    A child that takes its parent's place `keeps_name`; beside its parent it would be taken for it.
    """
    joined = dict(parent)
    if not keeps_name:
        joined.pop("name", None)
    for key, value in child.items():
        below = joined.get(key)
        if key == "args":
            joined[key] = [*(below or []), *value]
        elif isinstance(below, dict) and isinstance(value, dict):
            joined[key] = _over(_without_stale_reach(below, value), value)
        else:
            joined[key] = value
    return joined


def _without_stale_reach(below: Table, above: Table) -> Table:
    """A mode that gets other arguments means what it meant no more, unless that is said too."""
    reach, changed = below.get("permission_reach"), above.get("permission_args")
    if not isinstance(reach, dict) or not isinstance(changed, dict):
        return below
    return {**below, "permission_reach": {mode: said for mode, said in reach.items() if mode not in changed}}


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> Table:
    merged = dict(below)
    for key, value in above.items():
        inner = merged.get(key)
        merged[key] = _over(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged


def build_profile(profile: str, table: Mapping[str, Any]) -> Profile:
    """The profile that a joined table describes.

    Raises:
        UnusableProfile: it cannot be launched in any way.
    """
    read = _check(table)
    if not read.command:
        raise UnusableProfile("it names no command and extends no other profile")
    if read.terminal is None and read.structured is None:
        raise UnusableProfile("it has neither a [terminal] nor a [structured] table, so it could never be started")
    if read.structured is not None and read.engine is None:
        raise UnusableProfile("it has a [structured] table but names no engine that would speak to it")
    return Profile(
        id=profile,
        name=read.name or profile,
        command=_own(read.command),
        engine=read.engine,
        terminal=_face(read.terminal, read.args),
        structured=_face(read.structured, read.args),
        signs=TerminalSigns() if read.terminal is None else build_signs(read.terminal.readiness, read.terminal.hooks),
        env={name: _own(value) for name, value in read.env.items()},
        pass_env=read.pass_env,
        mcp=read.mcp,
        mcp_args=expand(read.mcp_args, OWN_PLACES),
        mcp_env={name: _own(value) for name, value in read.mcp_env.items()},
        mcp_entry=read.mcp_entry,
        mcp_declared_in=read.mcp_declared_in,
        version_args=read.version_args,
        model=read.model,
        install_hint=read.install_hint,
        chooses_conversation_id=read.chooses_conversation_id,
        conversations=read.conversations,
        refusals=read.refusals,
        allow_structured_alongside_pty=read.allow_structured_alongside_pty and read.structured is not None,
        suggested_permissions=read.suggested_permissions,
    )


def _face(table: _FaceTable | None, more: tuple[str, ...]) -> Face | None:
    if table is None:
        return None
    return Face(
        args=expand((*table.args, *more), OWN_PLACES),
        fresh_args=table.fresh_args,
        resume_args=table.resume_args,
        model_args=table.model_args,
        context_args=table.context_args,
        permission_args=table.permission_args,
        permission_reach=table.permission_reach,
    )


def _own(text: str) -> str:
    return expand((text,), OWN_PLACES)[0]


def _check(table: Mapping[str, Any]) -> _ProfileTable:
    try:
        return _ProfileTable.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        why = (
            "is not a key that profiles have"
            if first["type"] == "extra_forbidden"
            else first["msg"].removeprefix("Value error, ")
        )
        raise UnusableProfile(f"{place}: {why}") from error
