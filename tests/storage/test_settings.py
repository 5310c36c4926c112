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
    assert await settings_file.load() == (Settings(turn_timeout_s=60, locale="fr"), ())


async def test_unknown_keys_and_comments_stay(root: Path, settings_file: SettingsFile) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_text('# ours\nlocale = "fr" # we are in Lyon\nfuture = true\n\n[table]\nkey = 1\n')

    await settings_file.save(Settings(locale="en"))

    assert path.read_text() == '# ours\nlocale = "en" # we are in Lyon\nfuture = true\n\n[table]\nkey = 1\n'


BROKEN = [
    (b"\0" * 300, "1"),
    (b"locale = ", "1"),
    (b"queue_wait_s = 5\nx = [\n", "2"),
    (b"# ours\nlocale = french\n", "2"),
    (b"\xff", ""),
    (b"a = 1\na = 2", "2"),
    (b"x" * 100_000, ""),
    (b"a" + b".a" * 200 + b" = 1", ""),
]


@pytest.mark.parametrize(("content", "line"), BROKEN)
async def test_settings_that_are_no_toml_are_told_with_the_place_and_left_alone(
    root: Path, settings_file: SettingsFile, content: bytes, line: str
) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_bytes(content)

    settings, (trouble,) = await settings_file.load()

    assert settings == Settings()
    assert (trouble.why, trouble.about["file"], trouble.about["line"]) == ("settingsBroken", "settings.toml", line)
    assert "0x00" not in trouble.sentence
    assert not list(path.parent.glob("*.broken-*"))
    assert path.read_bytes() == content


async def test_saving_over_settings_that_cannot_be_read_keeps_them_aside(
    root: Path, settings_file: SettingsFile
) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_bytes(b"x = [")

    trouble = await settings_file.save(Settings(locale="fr"))

    assert trouble is not None
    assert trouble.why == "settingsSetAside"
    assert (root / ".ideai" / str(trouble.about["name"])).read_bytes() == b"x = ["
    assert await settings_file.load() == (Settings(locale="fr"), ())


async def test_what_is_no_setting_is_told_in_bounds(root: Path, settings_file: SettingsFile) -> None:
    keys = ["host", "bind", "table.key", '"\\u202eevil"', f"k{'x' * 500}", *(f"more{number}" for number in range(9))]
    (root / ".ideai" / "settings.toml").write_text("\n".join(["locale = 'fr'", *(f"{key} = 1" for key in keys)]))

    settings, (trouble,) = await settings_file.load()

    assert settings == Settings(locale="fr")
    assert (trouble.why, trouble.about["file"]) == ("settingsUnknown", "settings.toml")
    names = str(trouble.about["names"])
    assert names.startswith('host, bind, table, "\\u202eevil", ')
    assert names.endswith("…")
    assert len(names) < 500


@pytest.mark.parametrize(
    "line", ["turn_timeout_s = 0", "turn_timeout_s = 'x'", "turn_timeout_s = [1]", "locale = 'xx'"]
)
async def test_a_value_that_cannot_be_used_costs_only_itself(
    root: Path, settings_file: SettingsFile, line: str
) -> None:
    path = root / ".ideai" / "settings.toml"
    path.write_text(f"queue_wait_s = 5\n{line}\n")

    settings, (notice,) = await settings_file.load()

    assert settings == Settings(queue_wait_s=5)
    assert notice.fields() == {"why": "settingsUnusable", "names": line.split()[0], "file": "settings.toml"}
    assert path.read_text() == f"queue_wait_s = 5\n{line}\n"


async def test_settings_behind_a_link_or_a_fifo_are_not_read(root: Path, settings_file: SettingsFile) -> None:
    path = root / ".ideai" / "settings.toml"
    path.symlink_to("/dev/zero")
    assert (await settings_file.load())[1]
    path.unlink()
    os.mkfifo(path)
    assert (await settings_file.load())[1]

    await settings_file.save(Settings(locale="fr"))

    assert await settings_file.load() == (Settings(locale="fr"), ())
