"""Who is meant by a name, as doors ask for an agent."""

from dataclasses import replace

import pytest

from idea.domain.agent_names import find_named
from idea.domain.agents import Agent
from idea.domain.ids import AgentId, AgentSlug

MAIN = Agent(AgentId("01890a5d-ac96-774b-bcce-b302099a8057"), AgentSlug("lead"), "M\xe1in Ⅳ", "demo")
QA = replace(MAIN, id=AgentId("01890a5d-ac96-774b-bcce-b302099a8058"), slug=AgentSlug("qa"), name="Straße")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("M\xe1in Ⅳ", MAIN),
        ("MA\u0301IN iv", MAIN),
        (" m\u200ba\u200d\u0301in\xa0 ＩＶ ", MAIN),
        ("LEAD", MAIN),
        (MAIN.id, MAIN),
        ("strasse", QA),
        ("main iv", None),
        ("m\xe1iniv", None),
        ("", None),
        ("\u200b", None),
    ],
)
def test_an_agent_is_found_by_what_reads_like_its_name(wanted: str, found: Agent | None) -> None:
    assert find_named([QA, MAIN], wanted) == found
