"""Every test runs in a machine of its own: folders, environment, and no process or thread that outlives it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from scripts.browser import find_browser
from tests import isolation

_ISOLATED = isolation.enter()
"""Entered at import: test modules and their imports must already see it."""
isolation.heed_signals()

LONGEST_FIRST: Final = ("system", "browser", "cli", "bridge", "mcp", "keeper", "screen")
"""Folders whose tests start servers and browsers. What is short then fills the time in which the last long one ends."""

LEAK_EXIT_CODE = 1
_LEFT = "left running"
_left_by_workers: list[str] = []

# The same examples every time, so that a failure is the change's; `pytest --hypothesis-profile=search` tries new ones.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # Short, since tests put sockets there, and a process's name in it would make some paths too long.
    config.option.basetemp = str(_ISOLATED.home.parent / "t")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: most tests wait for a process or a browser rather than compute."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {folder: place for place, folder in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path.parent.name, len(places)))


def pytest_report_header() -> str:
    return f"folders: {_ISOLATED.home.parent}"


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser to drive; give it `--no-sandbox` when root."""
    found = find_browser()
    if found is None:
        pytest.fail("no browser: run scripts/install test, or name one with IDEA_CHROMIUM", pytrace=False)
    return found


@pytest.fixture(autouse=True)
def _nothing_outlives_the_test() -> Iterator[None]:
    """Wider fixtures are set up before this one, so that what they started is not counted."""
    before, environment = isolation.running(), isolation.environment()
    yield
    left = isolation.left_since(before)
    if isolation.environment() != environment:
        left.append("a changed environment (use monkeypatch.setenv)")
    if left:
        pytest.fail(f"the test left behind: {', '.join(left)}", pytrace=False)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """One of the processes that share the tests has ended; only it knows its own folders."""
    _left_by_workers.extend(getattr(node, "workeroutput", {}).get(_LEFT, ()))


# Last, so that the processes that shared the tests are gone.
@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Also finds what detached itself: the folders of this run are in its environment or its command line."""
    left = isolation.end_survivors(_ISOLATED)
    isolation.leave(_ISOLATED)
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        told[_LEFT] = left
        return
    left += _left_by_workers
    if left:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line("")
            for survivor in left:
                reporter.write_line(f"still running after the last test, now ended: {survivor}", red=True)
        session.exitstatus = LEAK_EXIT_CODE
