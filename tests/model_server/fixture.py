"""The scripted model as a pytest fixture; import it into a `conftest.py`."""

from collections.abc import Iterator

import pytest

from tests.model_server.server import ModelServer


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server
