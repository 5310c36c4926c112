"""One browser and one real server for all these tests, a project of its own for each."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

import idea
from tests.browser.api import Api, Project
from tests.browser.ide import DESKTOP, Ide
from tests.browser.watching import Watch
from tests.system.house import House, Server, new_house

STEP_MS = 10_000
"""Every wait; what starts agents has a longer one."""
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


Visit = Callable[..., Ide]


@pytest.fixture
def visit(browser: Browser, server: Server, api: Api) -> Iterator[Visit]:
    with visiting(browser, server, api) as visit:
        yield visit


@contextmanager
def visiting(browser: Browser, server: Server, api: Api) -> Iterator[Visit]:
    """Opens the page as a browser that was never here, by a link of its own. At the end nothing went wrong in any."""
    opened: list[Ide] = []

    def visit(
        link: str | None = None,
        *,
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        theme: str = "light",
        user_agent: str | None = None,
        before: Callable[[BrowserContext], None] = lambda _: None,
    ) -> Ide:
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            user_agent=user_agent,
            timezone_id="UTC",
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(STEP_MS)
        watch = Watch(origin_of(server))
        watch.follow(context)
        before(context)
        ide = Ide(context, context.new_page(), watch)
        opened.append(ide)
        ide.page.goto(api.link() if link is None else link)
        return ide

    yield visit
    for ide in opened:
        ide.context.close()
    assert [ide.watch.unexpected() for ide in opened] == [[] for _ in opened]


@pytest.fixture
def ide(project: Project, visit: Visit) -> Ide:
    """The project in a browser on a desk."""
    ide = visit()
    ide.is_online()
    return ide
