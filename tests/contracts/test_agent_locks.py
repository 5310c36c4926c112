"""The promises of `ports.AgentLocks`, kept by the keeper and by the fake."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from idea.adapters.keeper.agent_locks import KeptAgentLocks
from idea.application.ports import AgentLocks
from idea.domain.errors import Invalid, Refused
from idea.domain.ids import AgentId
from tests.fakes.processes import FakeLocks
from tests.keeper.running import in_process

ADA = AgentId("ada")
BOTH = pytest.mark.parametrize("kind", ["real", "fake"])


@pytest.fixture
async def locks(kind: str, tmp_path: Path) -> AsyncIterator[AgentLocks]:
    if kind == "fake":
        yield FakeLocks()
        return
    async with in_process() as keeper:
        yield KeptAgentLocks(keeper, tmp_path)


@BOTH
async def test_a_lock_is_taken_and_let_go_as_often_as_one_likes(locks: AgentLocks) -> None:
    assert await locks.acquire(ADA, "Ada") == await locks.acquire(ADA, "Ada")
    await locks.release(ADA)
    await locks.release(ADA)


async def test_two_keepers_exclude_one_another_and_what_is_no_lock_is_refused(tmp_path: Path) -> None:
    async with in_process() as one, in_process() as other:
        first, second = KeptAgentLocks(one, tmp_path), KeptAgentLocks(other, tmp_path)
        await first.acquire(ADA, "Ada")
        with pytest.raises(Refused):
            await second.acquire(ADA, "Ada")
        await first.release(ADA)
        await second.acquire(ADA, "Ada")

        (tmp_path / "locks" / "bob").symlink_to(tmp_path / "outside")
        with pytest.raises(Refused):
            await first.acquire(AgentId("bob"), "Bob")
        with pytest.raises(Invalid):
            await first.acquire(AgentId("../../x"), "X")
        assert not (tmp_path / "outside").exists()
