"""Where each CLI looks for what it runs, and what it keeps beside that for itself.

A folder that a project brought along is looked at but for texts and the CLI's own notes. In the user's own folder, as a
project in the home folder has it, the CLI keeps databases, sessions and caches under names that change with every
version; there only what makes it run something is looked at.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

FILES: Final = (".mcp.json", "opencode.json", "opencode.jsonc")

_TEXTS: Final = ("CLAUDE.md", "GEMINI.md", "AGENTS.md", ".gitignore")
_SCRIPTS: Final = ("*.sh", "*.bash", "*.zsh", "*.fish", "*.py", "*.js", "*.mjs", "*.cjs", "*.ts", "*.rb", "*.pl")
"""A hook or a status line often lies directly beside the settings that name it."""
_NOTES: Final = (
    "*.jsonl", "*.log", "*.lock", "*.pid", "*.sqlite", "*.sqlite-*", "cache", "log", "sessions", "tmp", ".tmp",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CliFolder:
    """`/` parts names; patterns are those of `fnmatch`."""

    name: str
    variable: str | None
    """By which the user may put their own folder elsewhere."""
    inert: tuple[str, ...]
    """Directly in it: they say much and make nothing run."""
    definitions: tuple[str, ...]
    """Directly in the user's own: settings, hooks, and what agents, commands, skills and tools are defined by.

    Plugins are not among them: the user installed them through the CLI, and the settings say which are on.
    """
    bundled: tuple[str, ...] = ()
    """Written by the CLI itself, anew with each version."""

    def takes(self, path: str, *, is_users_own: bool) -> bool:
        """Is this looked at? `path` is relative to the folder."""
        if path in self.bundled:
            return False
        if "/" in path:
            return True
        if is_users_own:
            return _fits(path, self.definitions)
        return not _fits(path, self.inert)


FOLDERS: Final = (
    CliFolder(
        ".claude",
        "CLAUDE_CONFIG_DIR",
        inert=(
            *_TEXTS, *_NOTES, "rules", "worktrees", "todos", "plans", "tasks", "projects", "session-env", "statsig",
            "shell-snapshots", "file-history", "agent-memory", "agent-memory-local", "backups", "debug", "telemetry",
        ),
        definitions=(
            "settings*.json", "managed-settings*", "hooks.json", *_SCRIPTS,
            "agents", "commands", "skills", "hooks", "workflows",
        ),
    ),
    CliFolder(
        ".codex",
        "CODEX_HOME",
        # Its rules say which commands need no question; Claude's are texts.
        inert=(
            *_TEXTS, *_NOTES, "archived_sessions", "shell_snapshots", "memories", "worktrees", "thread-writer-locks",
        ),
        definitions=("*.toml", ".env", "hooks.json", *_SCRIPTS, "agents", "prompts", "skills", "rules", "hooks"),
        bundled=("skills/.system",),
    ),
    CliFolder(
        ".gemini",
        None,
        inert=(*_TEXTS, *_NOTES, "history", "plans", "worktrees"),
        definitions=("settings.json", ".env", "*.toml", *_SCRIPTS, "agents", "commands", "skills", "policies", "hooks"),
    ),
    CliFolder(
        ".opencode",
        None,
        inert=(*_TEXTS, "*.log", "plans", "worktrees"),
        definitions=(
            "opencode.json", "opencode.jsonc", "package.json", *_SCRIPTS, "agent*", "command*", "skill*", "mode*",
            "plugin*", "tool*",
        ),
    ),
)  # fmt: skip


def find_users_own(environment: Mapping[str, str]) -> set[tuple[int, int]]:
    """Device and inode of the folders in which the user's CLIs keep what is theirs, however one comes there."""
    home = os.path.expanduser("~")
    places = [Path(home, folder.name) for folder in FOLDERS]
    places += [Path(environment[one.variable]) for one in FOLDERS if one.variable and environment.get(one.variable)]
    return {identity for identity in map(_identity, places) if identity is not None}


def is_users_own(folder: Path, own: Collection[tuple[int, int]]) -> bool:
    return _identity(folder) in own


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
