"""What one look at a project shows of its asks."""

from idea.application.record.delegations import SHOWN_CHARS, Delegations
from idea.domain.delegation import Requester, Source, shorten
from idea.domain.ids import AgentId, DelegationId, ProjectId
from tests.fakes.clock import FakeClock
from tests.fakes.records import FakeRecords


def _add(delegations: Delegations, name: str, *, chars: int) -> None:
    delegations.add(
        DelegationId(name),
        requester=Requester(Source.CLI),
        requester_name="human",
        target=AgentId("qa"),
        target_name="Qa",
        message="m" * chars,
        depth=1,
    )


async def test_many_long_asks_do_not_make_a_look_grow_without_end() -> None:
    delegations = Delegations(ProjectId("p"), records=FakeRecords(), clock=FakeClock(), publish=lambda event: None)
    _add(delegations, "open", chars=1_000_000)
    for number in range(60):
        _add(delegations, f"d{number}", chars=1_000_000)
        await delegations.settle(DelegationId(f"d{number}"), "ok")

    shown = delegations.shown()

    numbers = [delegation.number for delegation in shown]
    assert shown[0].id == "open"
    assert numbers == sorted(numbers)
    assert shown[-1].id == "d59"
    assert sum(len(shorten(each.message)) for each in shown[1:]) <= SHOWN_CHARS


async def test_asks_of_a_usual_length_are_all_shown() -> None:
    delegations = Delegations(ProjectId("p"), records=FakeRecords(), clock=FakeClock(), publish=lambda event: None)
    for number in range(200):
        _add(delegations, f"d{number}", chars=2_000)
        await delegations.settle(DelegationId(f"d{number}"), "ok")

    assert len(delegations.shown()) == 200
