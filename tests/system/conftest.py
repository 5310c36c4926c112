"""One server for all tests that do not disturb one another, a house of its own where they would."""

import sys
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.system.client import Api
from tests.system.house import House, Server, new_house

# Processes are found and watched as only Linux lets one.
collect_ignore_glob = [] if sys.platform == "linux" else ["test_*.py"]


@pytest.fixture
def house() -> Iterator[House]:
    with new_house() as house:
        yield house


@pytest.fixture(scope="session")
def demo() -> Iterator[Server]:
    """A running `idea demo`, started once: starting costs more than most tests. They make agents of their own in it."""
    with new_house() as house, house.serving("demo") as server:
        yield server
        # Whatever a test did to it, nothing surprised it.
        assert "Traceback" not in server.said(), server.said()


@pytest.fixture
async def api(demo: Server) -> AsyncIterator[Api]:
    """The agents that the test makes go with it."""
    api = Api(demo)
    yield api
    for agent in api.created:
        await api.agent("DELETE", agent)
