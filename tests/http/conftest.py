from pathlib import Path

import pytest

from idea.doors.http.app import create_app
from tests.http.asgi import App
from tests.http.fakes import House, build_house


@pytest.fixture
def house(tmp_path: Path) -> House:
    """The services of one project, and the fakes behind them."""
    return build_house(tmp_path)


@pytest.fixture
def app(house: House) -> App:
    return create_app(house.services)
