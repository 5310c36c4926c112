"""The chat face, from outside: a real process and its lines."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo.agents import COMMAND, chat_agent, environment, write_script
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


def test_a_preamble_a_tool_and_a_conclusion_come_in_this_order(tmp_path: Path) -> None:
    steps = [
        {"say": "I'll look."},
        {"tool": {"name": "Bash", "summary": "ls", "seconds": 0}},
        {"answer": "Done, {name}."},
    ]
    with chat_agent("--name", "Ada", "--script", write_script(tmp_path, {"match": "", "steps": steps})) as agent:
        ready = agent.next()
        lines = agent.turn("go")

    assert ready["type"] == "ready"
    assert [line["type"] for line in lines] == ["turn", "message", "tool", "tool", "usage", "result"]
    assert lines[-1]["text"] == "Done, Ada."


def test_a_turn_without_an_answer_ends_with_an_empty_result(tmp_path: Path) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"say": "Hm."}]})) as agent:
        assert agent.until("ready")
        assert agent.turn("go")[-1] == {"type": "result", "text": ""}


@pytest.mark.parametrize(
    "step", [{"hang": {}}, {"wait": {"seconds": 9999}}, {"tool": {"summary": "x", "seconds": 9999}}]
)
def test_an_interrupt_ends_whatever_waits(tmp_path: Path, step: dict[str, object]) -> None:
    rules = [{"match": "stuck", "steps": [{"say": "waiting"}, step]}, {"match": "", "steps": [{"answer": "fine"}]}]
    with chat_agent("--script", write_script(tmp_path, *rules)) as agent:
        agent.prompt("stuck")
        agent.until("message")
        agent.send(type="interrupt")
        ended = agent.until("result", "error")[-1]
        after = agent.turn("again")[-1]

    assert (ended["type"], ended["kind"]) == ("error", "interrupted")
    assert after["text"] == "fine"


def test_an_interrupt_right_behind_its_prompt_is_not_lost(tmp_path: Path) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"hang": {}}]})) as agent:
        agent.prompt("one")
        agent.send(type="interrupt")

        assert agent.until("error")[-1]["kind"] == "interrupted"


def test_sigint_interrupts_the_turn_and_the_agent_lives(tmp_path: Path) -> None:
    rules = [
        {"match": "stuck", "steps": [{"say": "waiting"}, {"hang": {}}]},
        {"match": "", "steps": [{"answer": "ok"}]},
    ]
    with chat_agent("--script", write_script(tmp_path, *rules)) as agent:
        agent.prompt("stuck")
        agent.until("message")
        agent.process.send_signal(signal.SIGINT)
        assert agent.until("error")[-1]["kind"] == "interrupted"
        assert agent.turn("again")[-1]["text"] == "ok"


def test_sigterm_ends_a_hanging_agent_with_143(tmp_path: Path) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"say": "x"}, {"hang": {}}]})) as agent:
        agent.prompt("go")
        agent.until("message")
        agent.process.terminate()

        assert agent.wait() == 143


@pytest.mark.parametrize("step", [{"hang": {}}, {"permission": {"title": "May I?", "detail": "rm"}}])
def test_after_the_end_of_input_nothing_waits_for_a_person(tmp_path: Path, step: dict[str, object]) -> None:
    rules = [{"match": "stuck", "steps": [step]}, {"match": "", "steps": [{"answer": "ok"}]}]
    with chat_agent("--script", write_script(tmp_path, *rules)) as agent:
        agent.prompt("stuck")
        agent.prompt("then this")
        agent.end_input()
        assert agent.wait() == 0
        ends = [line for line in agent.rest() if line["type"] in ("error", "result")]

    assert [line.get("kind", line.get("text")) for line in ends] == ["interrupted", "ok"]


def test_prompts_are_played_one_after_another(tmp_path: Path) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"answer": "to {prompt}"}]})) as agent:
        for text in ("one", "two", "three"):
            agent.prompt(text)

        assert [agent.until("result")[-1]["text"] for _ in range(3)] == ["to one", "to two", "to three"]


def test_a_permission_is_asked_remembered_for_the_session_and_denied(tmp_path: Path) -> None:
    permission = {
        "title": "Run {prompt}",
        "detail": "make {prompt}",
        "allowed": [{"answer": "did"}],
        "denied": [{"answer": "did not"}],
    }
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"permission": permission}]})) as agent:
        agent.prompt("it")
        asked = agent.until("permission")[-1]
        agent.send(type="permission", id="another", decision="allowOnce")
        agent.send(type="permission", id=str(asked["id"]), decision="allowSession")
        first = agent.until("result")[-1]["text"]
        second = agent.turn("it")
        agent.prompt("other")
        agent.send(type="permission", id=str(agent.until("permission")[-1]["id"]), decision="deny")
        third = agent.until("result")[-1]["text"]

    assert asked["detail"] == "make it"
    assert (first, second[-1]["text"], third) == ("did", "did", "did not")
    assert "permission" not in [line["type"] for line in second]


@pytest.mark.parametrize(
    ("mode", "tool", "answer"), [("full", "Bash", "did"), ("edit", "Edit", "did"), ("plan", "Bash", "no")]
)
def test_a_permission_mode_decides_without_asking(tmp_path: Path, mode: str, tool: str, answer: str) -> None:
    permission = {"tool": tool, "title": "x", "allowed": [{"answer": "did"}], "denied": [{"answer": "no"}]}
    script = write_script(tmp_path, {"match": "", "steps": [{"permission": permission}]})
    with chat_agent("--permissions", mode, "--script", script) as agent:
        assert agent.turn("go")[-1]["text"] == answer


def test_a_limit_holds_until_its_time(tmp_path: Path) -> None:
    with chat_agent(
        "--script", write_script(tmp_path, {"match": "", "steps": [{"limit": {"seconds": 3600}}]})
    ) as agent:
        first, second = agent.turn("go"), agent.turn("again")

    assert [line["type"] for line in first[-2:]] == ["limit", "error"]
    assert first[-1]["kind"] == "limited"
    assert second[-2] == first[-2]


@pytest.mark.parametrize(("step", "code"), [({"exit": {"code": 7}}, 7), ({"crash": {}}, -signal.SIGKILL)])
def test_it_can_die_in_the_middle_of_a_turn(tmp_path: Path, step: dict[str, object], code: int) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [step]})) as agent:
        agent.prompt("go")

        assert agent.wait() == code


def test_garbage_and_a_flood_of_stderr_pass_by(tmp_path: Path) -> None:
    steps = [
        {"garbage": {}},
        {"stderr": {"bytes": 1000}},
        {"flood": {"lines": 200, "bytes": 50}},
        {"answer": "still here"},
    ]
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": steps})) as agent:
        lines = agent.turn("go")
        agent.end_input()
        agent.wait()
        stderr = agent.stderr()

    assert lines[-1]["text"] == "still here"
    assert sum(line["type"] == "delta" for line in lines) == 200
    assert len(agent.garbage) == 1
    assert len(stderr) == 1000


def test_a_grandchild_outlives_the_agent_and_holds_its_pipe(tmp_path: Path) -> None:
    steps = [{"spawn_grandchild": {"seconds": 60}}, {"answer": "{pid}"}]
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": steps})) as agent:
        grandchild = int(str(agent.turn("go")[-1]["text"]))
        agent.end_input()
        assert agent.wait() == 0

        os.kill(grandchild, 0)
        os.kill(grandchild, signal.SIGKILL)


def test_something_may_be_said_after_the_turn(tmp_path: Path) -> None:
    steps = [{"spontaneous": {"text": "Woke up.", "seconds": 1}}, {"answer": "Asleep."}]
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": steps})) as agent:
        assert agent.turn("go")[-1]["text"] == "Asleep."
        assert agent.until("spontaneous")[-1]["text"] == "Woke up."


def test_lines_that_are_no_message_are_skipped(tmp_path: Path) -> None:
    with chat_agent("--script", write_script(tmp_path, {"match": "", "steps": [{"answer": "ok"}]})) as agent:
        assert agent.process.stdin is not None
        agent.process.stdin.write(b'nonsense\n{"type":"unknown"}\n[1]\n\xff\xfe\n\n')

        assert agent.turn("go")[-1]["text"] == "ok"


def test_a_conversation_is_gone_on_with_and_an_unknown_one_refused(tmp_path: Path) -> None:
    state = ("--state-dir", str(tmp_path))
    with chat_agent(*state, "--new-conversation", "c-1") as agent:
        assert agent.next() == {"type": "ready", "conversation": "c-1"}
        agent.turn("the weather, please")
        agent.end_input()
        assert agent.wait() == 0
    with chat_agent(*state, "--conversation", "c-1") as agent:
        assert agent.next() == {"type": "ready", "conversation": "c-1"}
        assert "the weather, please" in str(agent.turn("What did I say first?")[-1]["text"])
    for unknown in ("c-2", "../c-1"):
        with chat_agent(*state, "--conversation", unknown) as agent:
            refused = agent.next()
            assert (refused["type"], refused["kind"]) == ("error", "resume")
            assert agent.wait() == 1


def test_a_session_without_a_prompt_can_be_resumed(tmp_path: Path) -> None:
    for flag in ("--new-conversation", "--conversation"):
        with chat_agent("--state-dir", str(tmp_path), flag, "c-1") as agent:
            assert agent.next() == {"type": "ready", "conversation": "c-1"}
            agent.end_input()
            assert agent.wait() == 0


@pytest.mark.parametrize(
    "arguments",
    [("--face", "neither"), ("--unknown", "x"), ("--agent",), ("--script", "/nowhere.json"), ("--mcp", "/no")],
)
def test_a_wrong_start_is_explained_and_ends_with_2(arguments: tuple[str, ...]) -> None:
    with chat_agent(*arguments) as agent:
        assert agent.wait() == 2
        assert "demo agent:" in agent.stderr()


def test_it_runs_as_a_module_too_and_tells_its_version() -> None:
    for command in (COMMAND, [sys.executable, "-m", "idea.demo.agent"]):
        said = subprocess.run(
            [*command, "--version"], env=environment(), capture_output=True, timeout=PATIENCE_S, check=True
        )
        assert said.stdout.startswith(b"IdeA demo agent ")


def test_the_end_of_its_reader_is_its_end(tmp_path: Path) -> None:
    script = write_script(tmp_path, {"match": "", "steps": [{"flood": {"lines": 10**7}}]})
    with subprocess.Popen(
        [*COMMAND, "--script", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"type":"prompt","text":"go"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()

        assert process.wait(PATIENCE_S) == 0
