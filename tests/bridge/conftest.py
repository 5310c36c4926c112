from collections.abc import Iterator

import pytest

from tests.mcp.house import MAIN, House, short_runtime


@pytest.fixture
def house() -> Iterator[House]:
    """A launched agent, and nobody who listens yet."""
    with short_runtime() as runtime:
        unopened = House(runtime)
        unopened.launch(MAIN)
        yield unopened
