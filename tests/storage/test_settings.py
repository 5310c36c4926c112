import os
from pathlib import Path

import pytest

from idea.adapters.storage.settings import SettingsFile
from idea.domain.settings import Settings

GARBAGE = [b"", b"{}", b"[]", b"null", b"\0" * 30_925, b"{", b"\xff\xfe", b"[" * 100_000, b'{"version": 2}', b"NaN"]


@pytest.fixture
def settings_file(root: Path) -> SettingsFile:
    return SettingsFile(root / ".ideai")


async def test_only_what_differs_from_the_defaults_is_stored(root: Path, settings_file: SettingsFile) -> None:
    path = root / ".ideai" / "settings.toml"
    await settings_file.save(Settings())
    assert not path.exists()

    await settings_file.save(Settings(turn_timeout_s=60, locale="fr"))

    assert path.read_text() == 'turn_timeout_s = 60\nlocale = "fr"\n'
    assert await settings_file.load() == (Settings(turn_timeout_s=60, locale="fr"), None)


async def test_unknown_keys_and_comments_stay(root: Path, settings_file: SettingsFile) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_text('# ours\nlocale = "fr" # we are in Lyon\nfuture = true\n\n[table]\nkey = 1\n')

    await settings_file.save(Settings(locale="en"))

    assert path.read_text() == '# ours\nlocale = "en" # we are in Lyon\nfuture = true\n\n[table]\nkey = 1\n'


@pytest.mark.parametrize("content", [b"\0" * 300, b"locale = ", b"\xff", b"a = 1\na = 2", b"x" * 100_000])
async def test_settings_that_are_no_toml_are_set_aside(root: Path, settings_file: SettingsFile, content: bytes) -> None:
    (root / ".ideai" / "settings.toml").write_bytes(content)

    settings, notice = await settings_file.load()

    assert settings == Settings()
    assert notice is not None
    assert (notice.why, str(notice.about["name"])[:20]) == ("settingsSetAside", "settings.toml.broken")
    assert [path.read_bytes() for path in (root / ".ideai").glob("settings.toml.broken-*")] == [content]
    assert await settings_file.load() == (Settings(), None)


@pytest.mark.parametrize(
    "line", ["turn_timeout_s = 0", "turn_timeout_s = 'x'", "turn_timeout_s = [1]", "locale = 'xx'"]
)
async def test_a_value_that_cannot_be_used_costs_only_itself(
    root: Path, settings_file: SettingsFile, line: str
) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_text(f"queue_wait_s = 5\n{line}\n")

    settings, notice = await settings_file.load()

    assert settings == Settings(queue_wait_s=5)
    assert notice is not None
    assert notice.fields() == {"why": "settingsUnusable", "names": line.split()[0], "file": "settings.toml"}
    assert path.read_text() == f"queue_wait_s = 5\n{line}\n"


async def test_settings_behind_a_link_or_a_fifo_are_not_read(root: Path, settings_file: SettingsFile) -> None:
    path = root / ".ideai" / "settings.toml"
    path.symlink_to("/dev/zero")
    assert (await settings_file.load())[1] is not None
    os.mkfifo(path)
    assert (await settings_file.load())[1] is not None

    await settings_file.save(Settings(locale="fr"))

    assert await settings_file.load() == (Settings(locale="fr"), None)
