from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.mcp.house import MAIN, QA, House, short_runtime


@pytest.fixture
def runtime() -> Iterator[Path]:
    with short_runtime() as folder:
        yield folder


@pytest.fixture
def short_path() -> Iterator[Path]:
    """As `tmp_path`, where the path of a socket must fit."""
    with TemporaryDirectory(prefix="idea-") as folder:
        yield Path(folder)


@pytest.fixture
async def house(runtime: Path) -> AsyncIterator[House]:
    """An open project with two launched agents."""
    async with House(runtime).open() as opened:
        opened.launch(MAIN)
        opened.launch(QA)
        yield opened
