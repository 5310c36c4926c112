"""The settings of one project in `.ideai/settings.toml`: only what differs from the defaults, the rest as it was."""

import asyncio
import os
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import tomlkit

from idea.adapters.storage.atomic import SHARED, ensure_folder, read_file, write_file
from idea.adapters.storage.json_state import set_aside_and_tell
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Invalid
from idea.domain.file_trouble import FileTrouble
from idea.domain.settings import Settings

SETTINGS_FILE: Final = "settings.toml"
MAX_FILE_BYTES: Final = 64 * 1024

_NAMES: Final = tuple(field.name for field in fields(Settings))


class SettingsFile:
    """A `ports.SettingsStore`. Keys that it does not know, comments and order stay."""

    def __init__(self, ideai: Path) -> None:
        self._ideai = ideai
        self._path = ideai / SETTINGS_FILE
        self._lock = threading.Lock()
        """Reading, changing and writing the file is one step."""

    async def load(self) -> tuple[Settings, FileTrouble | None]:
        """The settings and, where something was wrong, what that was and what became of it.

        A file that is no TOML is set aside. A value that cannot be used counts as absent and stays in the file.
        """
        return await asyncio.to_thread(self._load)

    async def save(self, settings: Settings) -> None:
        """Raises `Refused` or `Conflict` when the file cannot be written."""
        await asyncio.to_thread(self._save, settings)

    def _load(self) -> tuple[Settings, FileTrouble | None]:
        with self._lock:
            document, trouble = self._read()
        settings = Settings()
        complaints: dict[str, str] = {}
        for name in _NAMES:
            if name in document:
                try:
                    settings = _with(settings, name, document[name])
                except Invalid as error:
                    complaints[name] = f"{error} {SETTINGS_FILE} says otherwise; the default is used."
        if complaints:
            # A file that was set aside has nothing left to complain of.
            names = {"names": ", ".join(complaints), "file": SETTINGS_FILE}
            trouble = FileTrouble(" ".join(complaints.values()), "settingsUnusable", names)
        return settings, trouble

    def _save(self, settings: Settings) -> None:
        default = Settings()
        with self._lock:
            ensure_folder(self._ideai)
            document, _ = self._read()
            for name in _NAMES:
                value = getattr(settings, name)
                if value == getattr(default, name):
                    document.pop(name, None)
                elif name not in document or document[name] != value:
                    document[name] = value
            content = tomlkit.dumps(document).encode()
            # A file that would say nothing is not made.
            if content or os.path.lexists(self._path):
                write_file(self._path, content, mode=SHARED)

    def _read(self) -> tuple[tomlkit.TOMLDocument, FileTrouble | None]:
        try:
            content = read_file(self._path, limit_bytes=MAX_FILE_BYTES)
            return _parse(content or b""), None
        except UnusableFile as error:
            return tomlkit.document(), set_aside_and_tell(
                self._path, "The project's settings", error, "the defaults are used", why="settingsSetAside"
            )


def _parse(content: bytes) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(content.decode("utf-8-sig"))
    except Exception as error:
        # A person's text must not end whoever reads it, in whatever way the parser stumbles over it.
        detail = str(error)
        raise UnusableFile(f"it is not valid TOML ({detail})", "notToml", detail=detail) from error


def _with(settings: Settings, name: str, value: Any) -> Settings:
    plain = value.unwrap() if hasattr(value, "unwrap") else value
    values: dict[str, Any] = {one: getattr(settings, one) for one in _NAMES}
    return Settings(**{**values, name: plain})
