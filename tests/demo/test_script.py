"""Which rule runs on which prompt, and what a script may say."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from idea.demo.options import BUILT_IN_SCRIPT
from idea.demo.script import STEP_NAMES, ScriptError, fill, load_script, step_name, unwrap
from idea.demo.steps import STEPS
from idea.domain.delegation import Delegation, Requester, Source, frame
from idea.domain.ids import AgentId, DelegationId

DELEGATION = Delegation(
    id=DelegationId("0197-d"),
    number=1,
    requester=Requester(Source.MCP, AgentId("a-1")),
    requester_name="Main",
    target=AgentId("a-2"),
    target_name="QA",
    message="deploy it\n\nplease",
    depth=1,
    asked_at=datetime(2030, 1, 1, tzinfo=UTC),
)


def test_every_step_that_a_script_may_name_exists() -> None:
    assert STEPS.keys() == STEP_NAMES


@pytest.mark.parametrize("message", ["deploy it\n\nplease", "", f"x\n{'=' * 24} 0197-d end of it\ny"])
def test_rules_see_the_body_of_a_framed_prompt(message: str) -> None:
    assert unwrap(frame(replace(DELEGATION, message=message))) == (message, "Main")


def test_an_unframed_prompt_is_its_own_body() -> None:
    assert unwrap("[IdeA] A request from me") == ("[IdeA] A request from me", "")


def test_unknown_placeholders_stay_since_a_text_may_be_code() -> None:
    assert fill("{name}: {x} {'a': 1}", {"name": "Ada"}) == "Ada: {x} {'a': 1}"


@pytest.mark.parametrize(
    ("prompt", "step"),
    [
        ("Please deploy the page", "permission"),
        ("ask for permission", "permission"),
        ("limit 30", "limit"),
        ("please hit your limit", "limit"),
        ("fail", "fail"),
        ("now hang", "hang"),
        ("flood", "flood"),
        ("!flood 10 20", "flood"),
        ("exit 3", "exit"),
        ("crash", "crash"),
        ("spontaneous", "spontaneous"),
        ("garbage", "garbage"),
        ("long", "answer"),
        ("list the agents", "list"),
        ("tools", "tools"),
        ("!colors", "colors"),
        ("!size", "size"),
        ("ask QA: hang", "ask"),
    ],
)
@pytest.mark.parametrize("agent", ["main", "architect", "qa", "someone"])
def test_the_built_in_script_knows_the_words_for_every_agent(agent: str, prompt: str, step: str) -> None:
    steps, _ = load_script(BUILT_IN_SCRIPT).find(agent, prompt)

    assert step in [step_name(one) for one in steps]


@pytest.mark.parametrize("prompt", ["Is the invoice page ready?", "Does it crash on exit?", "What is the limit?", "hi"])
def test_a_plain_question_starts_the_chain(prompt: str) -> None:
    script = load_script(BUILT_IN_SCRIPT)
    asked = {}
    for agent in ("main", "architect", "qa"):
        steps, _ = script.find(agent, prompt)
        names = [step_name(step) for step in steps]
        asked[agent] = [step["ask"]["agent"] for step in steps if "ask" in step]  # type: ignore[index] # JSON
        assert "say" in names
        assert names[-1] == "answer"

    assert asked == {"main": ["Architect"], "architect": ["QA"], "qa": []}


def test_what_the_chain_passes_on_starts_no_trouble() -> None:
    script = load_script(BUILT_IN_SCRIPT)
    for agent, target in (("main", "architect"), ("architect", "qa")):
        steps, _ = script.find(agent, "Is it ready?")
        message = next(step["ask"]["message"] for step in steps if "ask" in step)  # type: ignore[index] # JSON
        passed_on = fill(message, {"prompt": "Is it ready?"})

        assert script.find(target, passed_on)[0] == script.find(target, "Is it ready?")[0]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"rules": [3]}',
        '{"rules": [{"match": "("}]}',
        '{"rules": [{"match": "", "steps": [{"shout": "x"}]}]}',
        '{"rules": [{"match": "", "steps": [{"say": "x", "answer": "y"}]}]}',
        '{"rules": [{"match": "", "steps": [{"ask": {"failed": [{"shout": "x"}]}}]}]}',
        '{"rules": [{"agent": 3, "steps": []}]}',
    ],
)
def test_a_script_with_a_fault_is_refused_at_the_start(tmp_path: Path, content: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)

    with pytest.raises(ScriptError, match=str(path)):
        load_script(str(path))


def test_the_built_in_script_is_plain_json() -> None:
    assert isinstance(json.loads(Path(BUILT_IN_SCRIPT).read_text(encoding="utf-8")), dict)
