"""One server and a few browsers for all these tests, a project of its own for each."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

import idea
from tests.browser.api import Api, Project
from tests.browser.browsers import STEP_MS, Browsers, Visit
from tests.browser.ide import Ide
from tests.system.house import House, Server, new_house

CHROMIUM = (
    # Without a GPU the terminal draws into the page, where its text can be read.
    "--disable-gpu",
    "--disable-3d-apis",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Stopped when the last of these tests is over: its loop would be in the way of the asynchronous ones."""
    with sync_playwright() as running:
        expect.set_options(STEP_MS)
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright, chromium: Path) -> Iterator[Browser]:
    # Root has no sandbox to give away.
    launched = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM, chromium_sandbox=os.geteuid() != 0)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def built_page() -> None:
    if not (Path(idea.__file__).parent / "static" / "index.html").is_file():
        pytest.fail("The page is not built: run `scripts/install run`, then these tests again.", pytrace=False)


@pytest.fixture
def house() -> Iterator[House]:
    with new_house() as house:
        yield house


@pytest.fixture(scope="package")
def server(built_page: None) -> Iterator[Server]:
    with new_house() as house, house.serving("serve") as server:
        yield server


@pytest.fixture
def api(playwright: Playwright, server: Server) -> Iterator[Api]:
    with calling(playwright, server) as api:
        yield api


@contextmanager
def calling(playwright: Playwright, server: Server) -> Iterator[Api]:
    requests = playwright.request.new_context(
        base_url=origin_of(server), extra_http_headers={"Authorization": f"Bearer {server.token}"}
    )
    yield Api(requests)
    requests.dispose()


def origin_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
def project(api: Api, server: Server, request: pytest.FixtureRequest) -> Iterator[Project]:
    """The only open project, with Main, Architect and QA as demo agents."""
    folder = server.house.folder(f"p{abs(hash(request.node.nodeid)) % 10**8}")
    opened = api.open(folder)
    for name in ("Main", "Architect", "QA"):
        opened.create(name)
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def browsers(playwright: Playwright, browser: Browser, server: Server) -> Iterator[Browsers]:
    with calling(playwright, server) as api:
        browsers = Browsers(browser, origin_of(server), api.link)
        yield browsers
        browsers.close()


@pytest.fixture
def visit(browsers: Browsers, request: pytest.FixtureRequest) -> Iterator[Visit]:
    before = request.session.testsfailed
    # What a failed test has done to its browsers is nobody's to know.
    with browsers.visiting(is_kept=lambda: request.session.testsfailed == before) as visit:
        yield visit


@pytest.fixture
def ide(project: Project, visit: Visit) -> Ide:
    """The project in a browser on a desk."""
    ide = visit()
    ide.is_online()
    return ide
