"""The terminal face on a real PTY."""

import base64
import re
import signal
from pathlib import Path

import pytest

from tests.demo.agents import declare, write_script
from tests.demo.terminals import terminal_agent

pytestmark = pytest.mark.slow

ANSWERS = {"match": "", "steps": [{"say": "I look at it."}, {"answer": "You said **{prompt}**."}]}
HANGS = {"match": "^stuck", "steps": [{"say": "On it."}, {"hang": {}}]}


def test_a_typed_prompt_is_answered_in_the_transcript(tmp_path: Path) -> None:
    with terminal_agent("--name", "Ada", "--script", write_script(tmp_path, ANSWERS)) as agent:
        agent.shows("Ada · the demo agent", "Ada · ready")
        agent.send("good morning")
        screen = agent.shows("You said good morning.", "Ada · ready")

    assert "> good morning" in screen
    assert screen.index("I look at it.") < screen.index("You said")


def test_an_ask_goes_through_the_declared_server(tmp_path: Path) -> None:
    steps = [{"ask": {"agent": "echo", "message": "{prompt}", "as": "reply"}}, {"answer": "They say {reply}"}]
    declaration, _ = declare(tmp_path)
    script = write_script(tmp_path, {"match": "", "steps": steps})
    with terminal_agent("--mcp", declaration, "--script", script) as agent:
        agent.send("ready?")

        agent.shows("idea_ask_agent  echo: ready?", "They say echo: ready?")


@pytest.mark.parametrize("key", ["\x1b", "\x03"])
def test_escape_and_ctrl_c_stop_the_turn_only(tmp_path: Path, key: str) -> None:
    with terminal_agent("--script", write_script(tmp_path, HANGS, ANSWERS)) as agent:
        agent.send("stuck")
        agent.shows("On it.", "Esc stops")
        agent.type(key)
        agent.shows("Interrupted", "ready")
        agent.send("hello")

        agent.shows("You said hello.")


def test_ctrl_d_ends_it_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with terminal_agent("--script", write_script(tmp_path, ANSWERS)) as agent:
        agent.shows("ready")
        assert agent.screen.mode(2004)
        agent.type("\x04")

        assert agent.wait() == 0
        assert not agent.screen.mode(2004)
        assert agent.screen.mode(25)
        assert "ready" not in agent.screen.text()


def test_sigterm_ends_it_with_143_and_restores_the_terminal(tmp_path: Path) -> None:
    with terminal_agent("--script", write_script(tmp_path, HANGS)) as agent:
        agent.send("stuck")
        agent.shows("On it.")
        agent.process.send_signal(signal.SIGTERM)

        assert agent.wait() == 143
        assert not agent.screen.mode(2004)


@pytest.mark.parametrize(("key", "answer"), [("y", "went ahead"), ("n", "left it")])
def test_a_permission_is_answered_by_a_key(tmp_path: Path, key: str, answer: str) -> None:
    permission = {
        "title": "Remove the folder",
        "detail": "rm -r dist\nrm -r build",
        "allowed": [{"answer": "went ahead"}],
        "denied": [{"answer": "left it"}],
    }
    script = write_script(tmp_path, {"match": "", "steps": [{"permission": permission}]})
    with terminal_agent("--script", script) as agent:
        agent.send("go")
        agent.shows("? Remove the folder", "rm -r dist", "rm -r build", "y allow once")
        agent.type(key)

        agent.shows(answer, "ready")


def test_a_paste_of_many_lines_is_one_prompt(tmp_path: Path) -> None:
    rule = {"match": "(?s)line 0.*line 399", "steps": [{"answer": "all of it"}]}
    with terminal_agent("--script", write_script(tmp_path, rule)) as agent:
        agent.shows("ready")
        agent.type("\x1b[200~" + "\r".join(f"line {number}" for number in range(400)) + "\x1b[201~")
        agent.shows("line 399")
        agent.type("\r")

        agent.shows("all of it")


def test_the_composer_edits_several_lines_and_wide_characters(tmp_path: Path) -> None:
    with terminal_agent(
        "--script", write_script(tmp_path, {"match": "", "steps": [{"answer": "<{prompt}>"}]})
    ) as agent:
        agent.shows("ready")
        agent.type("日本語x\x7f\x1b\rsecond\x01the \x05 line")
        agent.shows("> 日本語\n  the second line")
        assert agent.screen.cursor[0] == 2 + len("the second line")
        agent.type("\r")

        agent.shows("<日本語\nthe second line>")


def test_a_resize_redraws_within_the_new_width(tmp_path: Path) -> None:
    with terminal_agent("--script", write_script(tmp_path, ANSWERS)) as agent:
        agent.shows("─" * 79)
        agent.type("unsent")
        agent.shows("> unsent")
        agent.resize(50, 20)
        narrow = agent.until(lambda screen: "─" * 49 in screen and "─" * 50 not in screen)
        agent.resize(100, 30)
        wide = agent.shows("─" * 99)
        agent.send("\x15!size")

    assert narrow.count("> unsent") == wide.count("> unsent") == 1


def test_size_and_colors_are_shown() -> None:
    with terminal_agent("--agent", "nobody") as agent:
        agent.send("!size")
        agent.shows("80 x 24")
        agent.send("!colors")
        agent.shows("16 and 256 colours.")

        assert b"\x1b[48;5;255m" in agent.raw


def test_a_flood_keeps_every_line_in_order_and_can_be_stopped(tmp_path: Path) -> None:
    rules = [
        {"match": "all", "steps": [{"flood": {"lines": 2000, "bytes": 40}}, {"answer": "done"}]},
        {"match": "stop", "steps": [{"flood": {"lines": 10**8, "bytes": 40}}]},
    ]
    with terminal_agent("--script", write_script(tmp_path, *rules)) as agent:
        agent.send("all")
        agent.shows("done", "ready")
        numbers = [int(number) for number in re.findall(rb" (\d+) \xc2\xb7", agent.raw)]
        agent.send("stop")
        agent.shows("Esc stops", "·····")
        agent.type("\x1b")
        agent.shows("Interrupted")

    assert numbers == list(range(2000))


def test_the_title_says_whether_it_works(tmp_path: Path) -> None:
    with terminal_agent("--name", "Ada", "--script", write_script(tmp_path, HANGS)) as agent:
        agent.until_raw("\x1b]0;✳ Ada\x1b\\".encode())
        agent.send("stuck")
        agent.until_raw("\x1b]0;◐ Ada\x1b\\".encode())
        agent.until_raw("\x1b]0;◑ Ada\x1b\\".encode())


def test_the_status_goes_to_a_terminal_that_knows_it(tmp_path: Path) -> None:
    permission = {"permission": {"title": "May I?", "allowed": [{"answer": "ok"}]}}
    script = write_script(tmp_path, {"match": "", "steps": [permission]})
    with terminal_agent("--script", script, answers_status=True) as agent:
        agent.until_raw(b"\x1b]7501;state=idle:")
        agent.send("go")
        agent.shows("May I?")
        agent.until_raw(b"kind=permission:msg=" + base64.b64encode(b"May I?"))
        agent.type("y")
        agent.shows("ok", "ready")
        agent.type("\x04")
        agent.wait()
        states = [part.split(b":")[0].decode() for part in agent.raw.split(b"\x1b]7501;state=")[1:]]

    assert states == ["idle", "working", "blocked", "working", "done", "idle", "clear"]


def test_no_status_goes_to_a_terminal_that_does_not_know_it(tmp_path: Path) -> None:
    with terminal_agent("--script", write_script(tmp_path, ANSWERS)) as agent:
        agent.send("hi")
        agent.shows("You said hi.", "ready")

    assert b"state=" not in agent.raw


def test_the_agents_words_cannot_command_the_terminal(tmp_path: Path) -> None:
    steps = [{"say": "\x1b]0;owned\x07a\x1b[2Jb"}, {"answer": "\x1b[31mred"}]
    with terminal_agent("--script", write_script(tmp_path, {"match": "", "steps": steps})) as agent:
        agent.send("hi")
        agent.shows("ab", "red", "> hi")

    assert b"owned" not in agent.raw
    assert b"\x1b[31mred" not in agent.raw


def test_an_unknown_conversation_is_refused_in_words(tmp_path: Path) -> None:
    with terminal_agent("--state-dir", str(tmp_path), "--conversation", "c-9") as agent:
        assert agent.wait() == 1
        assert "No conversation found" in agent.screen.text()
