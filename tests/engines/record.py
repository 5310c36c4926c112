"""`python -m tests.engines.record`: records the transcripts anew from the installed CLIs. Read what has changed."""

import asyncio
import dataclasses
import json
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from idea.domain.profiles import Profile
from idea.domain.replies import (
    Decision,
    EngineReady,
    Failed,
    Final,
    Heartbeat,
    PermissionRequested,
    ResumeRefused,
    SpontaneousTurn,
    TextDelta,
)
from scripts.engine_clis import find
from tests.engines.driving import Desk, Session, claude_desk, codex_desk
from tests.engines.transcripts import FOLDER, conversation_of, make_engine, new_ids, replay, shown
from tests.model_server.server import ModelServer

Situation = Callable[[Session], Awaitable[object]]
LONG_KEYS = ("modelUsage", "subagent_stats", "model_usage_since_last_result", "server_tool_use", "cache_creation")
INIT_KEYS = ("type", "subtype", "session_id", "mcp_servers", "permissionMode", "claude_code_version")


def turns(*prompts: str) -> Situation:
    async def play(cli: Session) -> None:
        for prompt in prompts:
            await cli.turn(prompt)

    return play


def decide(decision: Decision) -> Situation:
    async def play(cli: Session) -> None:
        await cli.prompt("[[run touch made]]")
        question = (await cli.until(PermissionRequested))[-1]
        assert isinstance(question, PermissionRequested)
        await cli.decide(question.request_id, decision)
        await cli.until(Final, Failed)

    return play


async def interrupted(cli: Session) -> None:
    await cli.prompt("[[slow]]")
    await cli.until(TextDelta)
    await cli.interrupt()
    await cli.until(Final, Failed)


async def interrupted_codex(cli: Session) -> None:
    await cli.prompt("[[slow]]")
    # Its warning that it does not know the model, then the start of the turn: before that it heeds no signal.
    await cli.until(Heartbeat)
    await cli.until(Heartbeat)
    await cli.interrupt()


async def interrupted_question(cli: Session) -> None:
    await cli.prompt("[[run touch made]]")
    await cli.until(PermissionRequested)
    await cli.interrupt()
    await cli.until(Final, Failed)


async def key_refused(cli: Session) -> None:
    await cli.prompt("[[key]]")
    while not any(isinstance(event, Heartbeat) and "401" in event.note for event in await cli.until(Heartbeat)):
        pass
    await cli.interrupt()
    await cli.until(Final, Failed)


async def by_itself(cli: Session) -> None:
    await cli.turn("[[background sleep 0.5]]")
    await cli.until(SpontaneousTurn)


async def joined(cli: Session) -> None:
    """Our prompt comes while Claude works by itself, and it takes it up in that very turn."""
    await cli.turn("[[background sleep 0.5]]")
    # Not ours, so no event says that it began; its tool call holds it open while our prompt goes in.
    while '"WAKING"' not in str(cli.desk.recorded[-1]):
        await cli.step()
    await cli.turn("[[say ours]]")


async def refused(cli: Session) -> None:
    await cli.until(ResumeRefused)


CLAUDE: Mapping[str, Situation] = {
    "answer": turns("[[say good morning]]", "[[say good night]]"),
    "tools": turns("[[twice]]"),
    "two-blocks": turns("[[blocks]]"),
    "no-message": turns("[[nothing]]"),
    "cleared": turns("[[say before]]", "/clear", "[[say after]]"),
    "compacted": turns("[[say before]]", "/compact", "[[say after]]"),
    "nothing-to-compact": turns("/compact"),
    "permission-once": decide(Decision.ALLOW_ONCE),
    "permission-denied": decide(Decision.DENY),
    "permission-interrupted": interrupted_question,
    "interrupted": interrupted,
    "subagent": turns("[[delegate]]"),
    "woke-by-itself": by_itself,
    "joined-its-own-turn": joined,
    "broken-stream": turns("[[die]]"),
    "key-refused": key_refused,
    "limit": turns("[[limit]]", "[[say back again]]"),
    "throttled": turns("[[throttle]]"),
    "resume-refused": refused,
}
CODEX: Mapping[str, Situation] = {
    "answer": turns("[[say good morning]]"),
    "tools": turns("[[twice]]"),
    "no-message": turns("[[nothing]]"),
    "interrupted": interrupted_codex,
    "broken-stream": turns("[[die]]"),
    "key-refused": turns("[[key]]"),
    "limit": turns("[[limit]]"),
    "resume-refused": turns("[[say hello]]"),
}


async def record(engine: str, name: str, play: Situation, folder: Path) -> None:
    program = find(engine)
    assert program is not None, "scripts/engines install"
    with ModelServer() as model:
        resumes = name == "resume-refused"
        if engine == "claude":
            desk = claude_desk(program, folder, model.url, is_subscriber=name == "limit")
        else:
            desk = codex_desk(program, folder, model.url)
        conversation = conversation_of(FOLDER / engine / name)
        if name in ("woke-by-itself", "joined-its-own-turn", "subagent"):
            desk.profile = with_background(desk.profile)
        cli = Session(desk, conversation=conversation, resumes=resumes)
        cli.engine = make_engine(engine, conversation)
        cli.new_id = new_ids()
        try:
            if engine == "claude":
                await cli.open()
                if not resumes:
                    await cli.until(EngineReady)
            await play(cli)
            await cli.finish()
        finally:
            await cli.end()
    lines = [cleaned(line, desk) for line in desk.recorded]
    target = FOLDER / engine / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "output.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    events = shown(list(replay(make_engine(engine, conversation), lines)))
    (target / "expected.json").write_text(json.dumps(events, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def with_background(profile: Profile) -> Profile:
    """As Claude is by itself: subagents and commands may go on after a turn."""
    face = profile.structured
    assert face is not None
    at = face.args.index("--settings")
    return dataclasses.replace(profile, structured=dataclasses.replace(face, args=face.args[:at] + face.args[at + 2 :]))


def cleaned(line: Mapping[str, object] | str, desk: Desk) -> str:
    """Without this machine's paths, and without the long lists that no engine reads."""
    said: dict[str, Any] = json.loads(line) if isinstance(line, str) else dict(line)
    if said.get("subtype") == "init":
        said = {key: said[key] for key in INIT_KEYS}
    if said.get("type") == "control_response":
        said["response"] = {**said["response"], "response": {}}
    if said.get("idea") == "closed":
        # Codex warns of a home in the temporary folder.
        said["stderr"] = "".join(row for row in str(said["stderr"]).splitlines(True) if "WARNING" not in row)
    text = json.dumps(_without(said), ensure_ascii=False)
    place = str(desk.root.parent)
    # Claude names folders of its own after the project's path.
    return text.replace(place, "/somewhere").replace(place.replace("/", "-").replace("_", "-"), "-somewhere")


def _without(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without(inner) for key, inner in value.items() if key not in LONG_KEYS}
    return [_without(inner) for inner in value] if isinstance(value, list) else value


async def main(only: list[str]) -> None:
    for engine, situations in (("claude", CLAUDE), ("codex", CODEX)):
        for name, play in situations.items():
            if not only or f"{engine}/{name}" in only:
                print(f"{engine}/{name}", flush=True)  # noqa: T201 - it is a program
                with tempfile.TemporaryDirectory() as folder:
                    await record(engine, name, play, Path(folder))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
