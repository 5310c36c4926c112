from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from idea.adapters.ids import UuidV7
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.trust import ProjectTrust
from idea.adapters.storage.write_journal import WriteJournal
from idea.domain.ids import ProjectId
from tests.storage.recording import OpenRecord


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An opened project's folder."""
    root = tmp_path / "project"
    for name in ("agents", "state", "run"):
        (root / ".ideai" / name).mkdir(parents=True)
    return root


@pytest.fixture
def state_home(tmp_path: Path) -> Path:
    return tmp_path / "state-home"


@pytest.fixture
def journal() -> WriteJournal:
    return WriteJournal()


@pytest.fixture
def agent_files(root: Path, journal: WriteJournal) -> AgentFiles:
    return AgentFiles(root / ".ideai", new_id=UuidV7(), journal=journal)


@pytest.fixture
def trust(root: Path, state_home: Path, journal: WriteJournal) -> ProjectTrust:
    return ProjectTrust(root, ProjectId("p"), state_home=state_home, journal=journal)


@pytest.fixture
def state(root: Path) -> Path:
    return root / ".ideai" / "state"


@pytest.fixture
async def records(state: Path) -> AsyncIterator[OpenRecord]:
    records = OpenRecord(state)
    assert await records.open() == []
    yield records
    await records.aclose()
