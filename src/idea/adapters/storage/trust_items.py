"""What a configuration file would make run: every command, variable, permission, hook and MCP server in it.

The files of the CLIs are trees of keys that mean much the same everywhere, so one walk by key reads them all. What it
does not know it names too, as a FILE item: nothing is passed over in silence.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from idea.adapters.plain_tree import parse_toml
from idea.adapters.storage.front_matter import BrokenText, parse_document
from idea.domain.counted import counted
from idea.domain.trust import TrustItem, TrustKind, TrustNote
from idea.domain.visible_text import visible, visible_in_line

MAX_ITEMS: Final = 200
MAX_FILE_CHARS: Final = 400_000
"""Per file. A longer list ends between two items, each of which is whole, and says how many more there are; the
approval covers the whole file all the same."""
MAX_DEPTH: Final = 12
MAX_NUMBER_BITS: Final = 1_024
"""Python refuses to write down a number of more than 4,300 digits."""


@dataclass(frozen=True, slots=True)
class Found:
    """As `TrustItem`, before its file is known and its text is made visible."""

    kind: TrustKind
    text: str
    note: TrustNote | None = None
    fields: Mapping[str, object] = field(default_factory=dict)


_SERVERS: Final = {"mcpServers", "mcp_servers", "mcp"}
_VARIABLES: Final = {"env", "environment", "mcp_env"}
_PERMISSIONS: Final = {
    "permissions", "permission", "permission_args", "defaultMode", "approvalMode", "approval_policy", "sandbox_mode",
    "sandbox", "sandbox_workspace_write", "enabledMcpjsonServers", "enableAllProjectMcpServers",
    "skipDangerousModePermissionPrompt", "autoAccept", "trust_level", "projects",
}  # fmt: skip
_COMMANDS: Final = {
    "command", "args", "version_args", "fresh_args", "resume_args", "model_args", "context_args", "mcp_args",
    "mcp_entry", "extends", "notify", "plugin", "plugins", "enabledPlugins", "extraKnownMarketplaces", "formatter",
    "lsp", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "gcpAuthRefresh",
}  # fmt: skip
_OTHER_ENVIRONMENT: Final = {"pass_env", "model_provider", "model_providers", "shell_environment_policy", "provider"}


def list_trust_items(file: str, content: bytes) -> Sequence[TrustItem]:
    """`file` is relative to the project; at least one item for each file."""
    path = PurePosixPath(file)
    if path.match(".ideai/agents/*.md"):
        found = list(_agent(content))
    else:
        parse = _PARSERS.get(path.suffix)
        found = list(_configuration(content, parse)) if parse is not None else [_uninterpreted(content)]
    shown = visible_in_line(file)
    items = [trust_item(shown, one) for one in _those_that_fit(found)]
    if len(found) > len(items):
        count = len(found) - len(items)
        text = f"… and {count} more; look into the file"
        items.append(TrustItem(TrustKind.FILE, shown, text, "more", {"count": count}))
    return items


def trust_item(file: str, found: Found) -> TrustItem:
    """`file` is visible already."""
    fields = {key: visible_in_line(value) if isinstance(value, str) else value for key, value in found.fields.items()}
    return TrustItem(found.kind, file, visible(found.text), found.note, fields)


def _those_that_fit(found: Sequence[Found]) -> Iterator[Found]:
    room = MAX_FILE_CHARS
    for one in found[:MAX_ITEMS]:
        room -= len(one.text)
        if room < 0:
            return
        yield one


def _agent(content: bytes) -> Iterator[Found]:
    try:
        keys: Mapping[str, Any] = parse_document(content).keys
    except BrokenText as error:
        place = "" if error.line is None else f", line {error.line}"
        fields = {"why": error.why, "line": "" if error.line is None else str(error.line), **error.about}
        yield Found(TrustKind.FILE, f"not a usable agent file{place}: {error.reason}", "agentUnusable", fields)
        return
    profile, mode, model = keys.get("profile"), keys.get("permissions"), keys.get("model")
    yield Found(
        TrustKind.COMMAND,
        f"runs profile {_leaf(profile)}" + (f" with model {_leaf(model)}" if model else ""),
        "runsProfile",
        {"profile": _leaf(profile), "model": _leaf(model) if model else ""},
    )
    yield Found(TrustKind.PERMISSION_MODE, _leaf(mode) if mode is not None else "ask")
    for key in ("workspace", "capabilities"):
        if keys.get(key):
            yield Found(TrustKind.FILE, f"{key}: {_leaf(keys[key])}")


def _configuration(content: bytes, parse: Callable[[str], Any]) -> Iterator[Found]:
    try:
        tree = parse(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        yield Found(TrustKind.FILE, "its content could not be understood; look into the file", "notUnderstood")
        return
    if not isinstance(tree, dict):
        yield _uninterpreted(content)
        return
    others: list[str] = []
    yield from _walk(tree, "", others, depth=0)
    if others:
        names = ", ".join(dict.fromkeys(others))
        yield Found(TrustKind.FILE, f"also sets {names}", "alsoSets", {"names": names})
    elif not tree:
        yield Found(TrustKind.FILE, "empty", "empty")


def _walk(tree: Mapping[str, Any], place: str, others: list[str], *, depth: int) -> Iterator[Found]:
    for key, value in tree.items():
        path = f"{place}.{key}" if place else key
        if key in _SERVERS and isinstance(value, dict):
            for name, server in value.items():
                yield from _server(name, server)
        elif key == "hooks":
            yield from _hooks(value)
        elif key in _VARIABLES and isinstance(value, dict):
            yield from (Found(TrustKind.ENVIRONMENT, f"{name}={_leaf(setting)}") for name, setting in value.items())
        elif key in _OTHER_ENVIRONMENT:
            yield from (Found(TrustKind.ENVIRONMENT, line) for line in _lines(path, value))
        elif key in _PERMISSIONS:
            yield from (Found(TrustKind.PERMISSION_MODE, line) for line in _lines(path, value))
        elif key in _COMMANDS or key.endswith("Command"):
            yield from (Found(TrustKind.COMMAND, line) for line in _lines(path, value))
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            yield from _walk(value, path, others, depth=depth + 1)
        else:
            others.append(path)


def _server(name: str, server: Any) -> Iterator[Found]:
    if not isinstance(server, dict):
        yield Found(TrustKind.MCP_SERVER, f"{name}: {_leaf(server)}")
        return
    command, args = server.get("command"), server.get("args", [])
    words = [*(command if isinstance(command, list) else [command]), *(args if isinstance(args, list) else [args])]
    address = server.get("url") or server.get("httpUrl")
    what = (
        _leaf(address) if command is None and address else shlex.join(_leaf(word) for word in words if word is not None)
    )
    yield Found(TrustKind.MCP_SERVER, f"{name}: {what}")
    for key, value in server.items():
        if key in _VARIABLES and isinstance(value, dict):
            yield from (
                Found(TrustKind.ENVIRONMENT, f"{name}: {one}={_leaf(setting)}") for one, setting in value.items()
            )
        elif key not in ("command", "args", "url", "httpUrl", "type"):
            yield Found(TrustKind.MCP_SERVER, f"{name}: {key} = {_leaf(value)}")


def _hooks(value: Any) -> Iterator[Found]:
    """`{event: [{matcher, hooks: [{type, command}]}]}`, or whatever else: then as it stands."""
    for event, groups in value.items() if isinstance(value, dict) else [("hooks", value)]:
        for group in groups if isinstance(groups, list) else [groups]:
            inner = group.get("hooks") if isinstance(group, dict) else None
            matcher = group.get("matcher") if isinstance(group, dict) else None
            where = f"{event} {_leaf(matcher)}" if matcher else event
            for hook in inner if isinstance(inner, list) else [group]:
                is_plain = isinstance(hook, dict) and hook.keys() <= {"type", "command"} and "command" in hook
                yield Found(TrustKind.HOOK, f"{where}: {_leaf(hook['command']) if is_plain else _leaf(hook)}")


def _lines(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield f"{path}.{key} = {_leaf(inner)}"
    elif path == "command" or path.endswith(".command"):
        yield _leaf(value)
    else:
        yield f"{path} = {_leaf(value)}"


def _leaf(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return shlex.join(value)
    return json.dumps(_readable(value), ensure_ascii=False, default=str)


def _readable(value: Any, depth: int = 0) -> Any:
    """What can be written down whatever it is: the approval covers the file's bytes, also those that are cut here."""
    if isinstance(value, (Mapping, Set, list, tuple)) and depth > MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {_leaf(key): _readable(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (Set, list, tuple)):
        return [_readable(inner, depth + 1) for inner in value]
    if isinstance(value, int) and value.bit_length() > MAX_NUMBER_BITS:
        return f"… ({value.bit_length()} bits)"
    return value


def _uninterpreted(content: bytes) -> Found:
    text = f"{counted(len(content), 'byte')} that IdeA does not interpret; look into the file"
    return Found(TrustKind.FILE, text, "notInterpreted", {"bytes": len(content)})


_PARSERS: Final[Mapping[str, Callable[[str], Any]]] = {
    ".json": json.loads,
    ".jsonc": json.loads,
    ".toml": parse_toml,
}
