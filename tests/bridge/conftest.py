from pathlib import Path

import pytest

from idea.doors.mcp.endpoint import runtime_dir
from tests.mcp.house import MAIN, House


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A launched agent, and nobody who listens yet."""
    unopened = House(runtime_dir({"XDG_RUNTIME_DIR": str(tmp_path)}))
    unopened.launch(MAIN)
    return unopened
