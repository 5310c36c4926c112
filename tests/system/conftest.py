"""One server a module where tests do not disturb one another, a house of its own where they would."""

from collections.abc import Iterator

import pytest

from tests.system.client import Api
from tests.system.house import House, Server, new_house


@pytest.fixture
def house() -> Iterator[House]:
    with new_house() as house:
        yield house


@pytest.fixture(scope="module")
def demo() -> Iterator[Server]:
    """A running `idea demo`. Tests that share it make agents of their own."""
    with new_house() as house, house.serving("demo") as server:
        yield server


@pytest.fixture
def api(demo: Server) -> Api:
    return Api(demo)
