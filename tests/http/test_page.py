"""The page's files: what is served, how long it may be kept, and that nothing else of the disk is."""

import os
from pathlib import Path

import pytest

from idea.doors.http.app import create_app
from tests.http.asgi import App, ask
from tests.http.fakes import SECRET, build_house

BEARER = ("authorization", f"Bearer {SECRET}")


@pytest.fixture
def app(tmp_path: Path) -> App:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>")
    (page / "assets" / "main-B4x_9-.js").write_text("1")
    (page / "assets" / "main.css").write_text("")
    (page / "assets" / ".hidden.js").write_text("")
    (page / "assets" / "odd.exe").write_text("")
    (page / "secret.js").write_text("")
    (tmp_path / "outside.js").write_text("outside")
    (page / "assets" / "link.js").symlink_to(tmp_path / "outside.js")
    os.mkfifo(page / "assets" / "pipe.js")
    return create_app(build_house(tmp_path).services)


async def test_the_page_is_asked_for_anew_and_its_assets_never(app: App) -> None:
    page = await ask(app, "GET", "/")
    script = await ask(app, "GET", "/assets/main-B4x_9-.js")

    assert (page.status, page.header("cache-control")) == (200, "no-cache")
    assert page.header("content-type") == "text/html; charset=utf-8"
    assert (script.status, script.header("cache-control")) == (200, "public, max-age=31536000, immutable")
    assert script.header("content-type") == "text/javascript; charset=utf-8"
    assert script.header("x-content-type-options") == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../outside.js",
        "/assets/..",
        "/assets/%2e%2e%2foutside.js",
        "/assets/..\\outside.js",
        "/assets/\0main.css",
        "/assets/main.css\0.js",
        "/assets//etc/passwd",
        "/assets/",
        "/assets/.hidden.js",
        "/assets/odd.exe",
        "/assets/link.js",
        "/assets/pipe.js",
        "/assets/nothing.js",
        "/favicon.svg",
        "/secret.js",
        "/index.html",
        "/static/../../etc/passwd",
    ],
)
async def test_nothing_but_the_built_files_is_served(app: App, path: str) -> None:
    assert (await ask(app, "GET", path, headers=[BEARER])).status == 404


async def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    answer = await ask(create_app(build_house(tmp_path).services), "GET", "/")

    assert answer.status == 503
    assert b"not built" in answer.body
    assert answer.header("cache-control") == "no-store"


async def test_everyone_gets_the_same_bytes(app: App) -> None:
    with_credential = await ask(app, "GET", "/", headers=[BEARER])

    assert with_credential.body == (await ask(app, "GET", "/")).body
