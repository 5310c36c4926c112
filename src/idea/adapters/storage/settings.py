"""The settings of one project in `.ideai/settings.toml`: only what differs from the defaults, the rest as it was."""

import asyncio
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import tomlkit

from idea.adapters.plain_tree import parse_toml
from idea.adapters.storage.atomic import SHARED, ensure_folder, read_file, write_file
from idea.adapters.storage.json_state import set_aside_and_tell
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Invalid
from idea.domain.file_trouble import FileTrouble
from idea.domain.settings import Settings

SETTINGS_FILE: Final = "settings.toml"
MAX_FILE_BYTES: Final = 64 * 1024
MAX_NAMES: Final = 8
MAX_NAME_CHARS: Final = 40
"""Of one key that is told of as unknown."""
_PLAIN: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_NAME_CHARS}}}")
_PLACE: Final = re.compile(r" \(?at (?:line (?P<line>\d+),? col(?:umn)? \d+|end of document)\)?$")
"""As both parsers end their messages."""

_NAMES: Final = tuple(field.name for field in fields(Settings))


class SettingsFile:
    """A `ports.SettingsStore`. Keys that it does not know, comments and order stay."""

    def __init__(self, ideai: Path) -> None:
        self._ideai = ideai
        self._path = ideai / SETTINGS_FILE
        self._lock = threading.Lock()
        """Reading, changing and writing the file is one step."""

    async def load(self) -> tuple[Settings, Sequence[FileTrouble]]:
        """The settings and what is wrong with the file, which stays as it is: somebody may be writing in it just now.

        From one that cannot be read nothing is taken. A value that cannot be used counts as absent.
        """
        return await asyncio.to_thread(self._load)

    async def save(self, settings: Settings) -> FileTrouble | None:
        """A file that cannot be read is set aside first, and that is told.

        Raises `Refused` or `Conflict` when the file cannot be written.
        """
        return await asyncio.to_thread(self._save, settings)

    def _load(self) -> tuple[Settings, Sequence[FileTrouble]]:
        try:
            with self._lock:
                document = self._read()
        except UnusableFile as error:
            return Settings(), (_broken(error),)
        settings = Settings()
        complaints: dict[str, str] = {}
        for name in _NAMES:
            if name in document:
                try:
                    settings = _with(settings, name, document[name])
                except Invalid as error:
                    complaints[name] = f"{error} {SETTINGS_FILE} says otherwise; the default is used."
        return settings, tuple(_complain(complaints, [name for name in document if name not in _NAMES]))

    def _save(self, settings: Settings) -> FileTrouble | None:
        default = Settings()
        with self._lock:
            ensure_folder(self._ideai)
            document, trouble = self._read_to_write()
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
        return trouble

    def _read(self) -> tomlkit.TOMLDocument:
        """Raises `UnusableFile`."""
        return _parse(read_file(self._path, limit_bytes=MAX_FILE_BYTES) or b"")

    def _read_to_write(self) -> tuple[tomlkit.TOMLDocument, FileTrouble | None]:
        try:
            return self._read(), None
        except UnusableFile as error:
            return tomlkit.document(), set_aside_and_tell(
                self._path, "The project's settings", error, "the ones just saved are used", why="settingsSetAside"
            )


def _parse(content: bytes) -> tomlkit.TOMLDocument:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeError as error:
        raise UnusableFile("it is not valid UTF-8 text", "notText") from error
    try:
        # First, since it says best what is wrong and where.
        parse_toml(text)
        return tomlkit.parse(text)
    except Exception as error:
        # A person's text must not end whoever reads it, in whatever way the parsers stumble over it.
        detail, line = _place(str(error), text)
        raise UnusableFile(f"it is not valid TOML ({detail})", "notToml", detail=detail, line=line) from error


def _place(message: str, text: str) -> tuple[str, str]:
    """What the parser says, and the number of the line; empty where it names none."""
    found = _PLACE.search(message)
    if found is None:
        return message, ""
    line = found["line"] or str(len(text.splitlines()))
    return message[: found.start()], line


def _broken(error: UnusableFile) -> FileTrouble:
    line = error.about.get("line", "")
    where = f"{SETTINGS_FILE}, line {line}," if line else SETTINGS_FILE
    sentence = f"{where} cannot be read: {error.reason}. The defaults are used until it is corrected."
    return FileTrouble(sentence, "settingsBroken", {**error.fields(), "line": line, "file": SETTINGS_FILE})


def _complain(unusable: Mapping[str, str], unknown: Sequence[str]) -> Iterator[FileTrouble]:
    if unusable:
        names = {"names": ", ".join(unusable), "file": SETTINGS_FILE}
        yield FileTrouble(" ".join(unusable.values()), "settingsUnusable", names)
    if unknown:
        names = {"names": _listed(unknown), "file": SETTINGS_FILE}
        sentence = f"A project has no such settings, so they are ignored: {names['names']} in {SETTINGS_FILE}."
        yield FileTrouble(sentence, "settingsUnknown", names)


def _listed(names: Sequence[str]) -> str:
    """As they can be shown anywhere: a key may be any text."""
    shown = [name if _PLAIN.fullmatch(name) else json.dumps(name[:MAX_NAME_CHARS]) for name in names[:MAX_NAMES]]
    more = ["…"] if len(names) > MAX_NAMES else []
    return ", ".join((*shown, *more))


def _with(settings: Settings, name: str, value: Any) -> Settings:
    plain = value.unwrap() if hasattr(value, "unwrap") else value
    values: dict[str, Any] = {one: getattr(settings, one) for one in _NAMES}
    return Settings(**{**values, name: plain})
