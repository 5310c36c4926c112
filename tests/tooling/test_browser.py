"""Which browser drives the page: the named one, else one that starts."""

from pathlib import Path

import pytest

from scripts.browser import BrowserMissing, find_browser


def put(browser: Path, *, code: int = 0) -> Path:
    browser.parent.mkdir(parents=True, exist_ok=True)
    browser.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
    browser.chmod(0o755)
    return browser


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("IDEA_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "bin"


def test_the_named_one_comes_first(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(path / "chromium")
    monkeypatch.setenv("IDEA_CHROMIUM", str(put(tmp_path / "mine")))

    assert find_browser(tmp_path) == tmp_path / "mine"


def test_a_named_one_that_does_not_start_is_told_not_replaced(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(path / "chromium")
    monkeypatch.setenv("IDEA_CHROMIUM", str(tmp_path / "nowhere"))

    with pytest.raises(BrowserMissing):
        find_browser(tmp_path)


def test_one_without_windows_comes_before_its_sisters(path: Path, tmp_path: Path) -> None:
    put(path / "chromium")
    shell = put(path / "chromium-headless-shell")

    assert find_browser(tmp_path) == shell


def test_one_that_does_not_start_is_passed_over(path: Path, tmp_path: Path) -> None:
    put(path / "chromium", code=1)
    fetched = put(tmp_path / ".cache" / "browsers" / "chromium-1" / "chrome-linux" / "chrome")

    assert find_browser(tmp_path) == fetched
