"""The real CLIs and the scripted model for the tests marked `engines`."""

from pathlib import Path

import pytest

from scripts.engine_clis import find
from tests.model_server.fixture import model_server as model_server


def _installed(name: str) -> Path:
    found = find(name)
    if found is None:
        pytest.fail(f"{name} is not installed: run scripts/engines test", pytrace=False)
    return found


@pytest.fixture
def claude_cli() -> Path:
    return _installed("claude")


@pytest.fixture
def codex_cli() -> Path:
    return _installed("codex")
