from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from idea.doors.mcp.endpoint import runtime_dir
from tests.mcp.house import MAIN, QA, House


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return runtime_dir({"XDG_RUNTIME_DIR": str(tmp_path)})


@pytest.fixture
async def house(runtime: Path) -> AsyncIterator[House]:
    """An open project with two launched agents."""
    async with House(runtime).open() as opened:
        opened.launch(MAIN)
        opened.launch(QA)
        yield opened
