"""The keeper is killed while agents work: every turn comes to its end, everybody can be asked again."""

import pytest

from tests.chaos.checks import Outcome, outcome_of
from tests.chaos.plan import NAMES, plan_of_lost_keeper
from tests.chaos.runs import SEED, end_all, new_storm
from tests.system.client import ok

pytestmark = [pytest.mark.slow, pytest.mark.soak, pytest.mark.timeout(300)]


async def test_whatever_moment_the_keeper_is_killed_at_its_agents_are_told_lost_and_the_rest_goes_on() -> None:
    with new_storm() as storm:
        async with storm.finished([plan_of_lost_keeper(SEED)]) as api:
            for name in NAMES:
                ok(await api.ask(name.lower(), "work again"))
            outcome = await outcome_of(api, storm.seen, storm.root)

            assert _faults(outcome) == []
            [lost] = [notice for notice in storm.seen.notices if notice["code"] == "keeperLost"]
            assert lost["fields"]["why"] == "keeperEnded"
            assert "Traceback" not in api.server.said()
            for name in NAMES:
                ok(await api.agent("POST", name.lower(), "/stop"))
            # Another one than at the start.
            storm.note_keeper()
            await end_all(storm, api)


def _faults(outcome: Outcome) -> list[str]:
    """Each accepted message is one turn with one end; who died with the keeper says so."""
    found = []
    for message in outcome.seen.accepted:
        turns = [turn for turn in outcome.turns if (turn.agent, turn.message) == (message.agent, message.text)]
        if len(turns) != 1:
            found.append(f"{message} is on record {len(turns)} times")
    for turn in outcome.turns:
        ends = [item for item in turn.items if item["kind"] in ("answer", "failure")]
        if turn.kinds[0] != "prompt" or len(ends) != 1 or turn.items[-1] is not ends[0]:
            found.append(f"{turn.agent} on {turn.message}: {turn.kinds}")
            continue
        if ends[0].get("outcome") == "ENGINE_FAILED":
            # A CLI that was starting is started in the next keeper; none is to blame.
            found.append(f"{turn.agent} on {turn.message}: {ends[0]['text']}")
    found += [f"is open: {one}" for one in outcome.delegations if one["settledAtMs"] is None]
    return found
