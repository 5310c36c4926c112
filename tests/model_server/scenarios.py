"""What the model says, by the marker in the prompt: `[[name argument]]`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final


@dataclass(frozen=True)
class Text:
    text: str
    """`{result}` stands for what the last tool call returned."""


@dataclass(frozen=True)
class Thinking:
    text: str


@dataclass(frozen=True)
class Call:
    tool: str
    """Its name without the prefix that a CLI puts before it."""
    input: Mapping[str, object] = field(default_factory=dict)


class Refusal(StrEnum):
    LIMIT = "limit"
    """The subscription is used up for an hour."""
    THROTTLE = "throttle"
    KEY = "key"
    OVERLOAD = "overload"


@dataclass(frozen=True)
class Step:
    """One answer of the model."""

    blocks: tuple[Text | Thinking | Call, ...] = ()
    refusal: Refusal | None = None
    gap_s: float = 0.0
    """Between pieces of text."""
    dies_after: int | None = None
    """Cut the connection after so many events of a streamed answer, the first time."""
    dies_again: bool = False
    """Every time."""

    @property
    def calls(self) -> int:
        return sum(isinstance(block, Call) for block in self.blocks)


Steps = Sequence[Step]
LIMIT_S: Final = 3600
"""How long a refusal for a limit says that it lasts."""
PIECE_CHARS: Final = 12
SLOW_TEXT: Final = (
    "This answer takes its time, word by word, so that somebody can interrupt it somewhere in the middle."
)


def say(argument: str) -> Steps:
    return [Step((Text(argument or "Hello from the scripted model."),))]


def ask(argument: str) -> Steps:
    """`[[ask AGENT: MESSAGE]]`: delegate, then conclude with the reply. MESSAGE may hold a marker of its own."""
    agent, _, message = argument.partition(":")
    call = Call("idea_ask_agent", {"agent": agent.strip(), "message": message.strip()})
    return [
        Step((Text(f"I will ask {agent.strip()} first."), call)),
        Step((Text("Conclusion: {result}"),)),
    ]


def twice(argument: str) -> Steps:
    """A preamble, a call, a word in between, another call, the conclusion. `[[twice AGENT]]` asks another than QA."""
    asking = {"agent": argument or "QA", "message": "run the tests"}
    return [
        Step((Text("PREAMBLE: I will look who is there."), Call("idea_list_agents"))),
        Step((Text("MIDDLE: now I delegate."), Call("idea_ask_agent", asking))),
        Step((Text("CONCLUSION: QA is done."),)),
    ]


def run(argument: str) -> Steps:
    """`[[run COMMAND]]` with Claude's shell tool."""
    return _shell(Call("Bash", {"command": argument, "description": "Run it"}))


def execute(argument: str) -> Steps:
    """`[[exec COMMAND]]` with Codex's shell tool."""
    return _shell(Call("exec_command", {"cmd": argument}))


def _shell(call: Call) -> Steps:
    return [Step((Text("I run a command."), call)), Step((Text("Ran: {result}"),))]


def write(argument: str) -> Steps:
    """`[[write PATH]]`: a new file with two lines."""
    call = Call("Write", {"file_path": argument, "content": "first\nsecond\n"})
    return [Step((Text("I write a file."), call)), Step((Text("Written."),))]


def delegate(argument: str) -> Steps:
    """Claude's own subagent."""
    prompt = {"description": "look", "prompt": "[[say the subagent's words]]", "subagent_type": "general-purpose"}
    return [Step((Text("I send a subagent."), Call("Task", prompt))), Step((Text("The subagent is back."),))]


def background(argument: str) -> Steps:
    """A shell command in the background, whose end makes Claude begin a turn by itself."""
    call = Call("Bash", {"command": argument or "sleep 1", "run_in_background": True, "description": "Wait"})
    return [Step((Text("I start it."), call)), Step((Text("It runs in the background."),))]


def woken(argument: str) -> Steps:
    """Claude began this turn itself, because something in the background ended; a call keeps it open for a while."""
    call = Call("Bash", {"command": "sleep 1", "description": "WAKING"})
    return [Step((Text("I woke up."), call)), Step((Text("I was woken."),))]


SCENARIOS: Final[Mapping[str, Callable[[str], Steps]]] = {
    "say": say,
    "ask": ask,
    "twice": twice,
    "run": run,
    "exec": execute,
    "write": write,
    "delegate": delegate,
    "background": background,
    "woken": woken,
    "blocks": lambda _: [Step((Thinking("Let me see."), Text("First part."), Text("Second part.")))],
    "nothing": lambda _: [Step()],
    "slow": lambda _: [Step((Text(SLOW_TEXT),), gap_s=0.2)],
    # Longer than any test waits: a turn that is there to be ended from outside.
    "drone": lambda _: [Step((Text(SLOW_TEXT * 40),), gap_s=0.2)],
    "die": lambda _: [Step((Text("The connection breaks before this is said."),), dies_after=4)],
    "vanish": lambda _: [
        Step((Text("The connection always breaks before this is said."),), dies_after=4, dies_again=True)
    ],
    "limit": lambda _: [Step(refusal=Refusal.LIMIT)],
    "throttle": lambda _: [Step(refusal=Refusal.THROTTLE)],
    "key": lambda _: [Step(refusal=Refusal.KEY)],
    "overload": lambda _: [Step(refusal=Refusal.OVERLOAD)],
}


@dataclass(frozen=True)
class Spoken:
    """One piece of the conversation that a request carries."""

    role: str
    """`user`, `assistant` or `tool`: a tool's result."""
    text: str


def choose(conversation: Sequence[Spoken]) -> Step:
    """The step that is due, its texts filled in."""
    name, argument, after = "say", "", len(conversation)
    for index in range(len(conversation) - 1, -1, -1):
        found = _order(conversation[index])
        if found is not None:
            (name, argument), after = found, index + 1
            break
    results = [spoken.text for spoken in conversation[after:] if spoken.role == "tool"]
    left = len(results)
    steps = SCENARIOS.get(name, say)(argument)
    due = steps[-1]
    for step in steps:
        if left < step.calls or step.calls == 0:
            due = step
            break
        left -= step.calls
    return _filled(due, results[-1] if results else "")


def _order(spoken: Spoken) -> tuple[str, str] | None:
    if spoken.role != "user":
        return None
    return ("woken", "") if "<task-notification>" in spoken.text else find_marker(spoken.text)


def find_marker(text: str) -> tuple[str, str] | None:
    """The first marker's name and argument. An argument may hold markers itself."""
    start = text.find("[[")
    depth, index = 0, start
    while 0 <= index < len(text):
        if text.startswith("[[", index):
            depth, index = depth + 1, index + 2
        elif text.startswith("]]", index):
            depth, index = depth - 1, index + 2
            if depth == 0:
                name, _, argument = text[start + 2 : index - 2].partition(" ")
                return name, argument.strip()
        else:
            index += 1
    return None


def _filled(step: Step, result: str) -> Step:
    blocks = tuple(
        Text(block.text.replace("{result}", result)) if isinstance(block, Text) else block for block in step.blocks
    )
    return replace(step, blocks=blocks)


def resolve(wanted: str, offered: Sequence[str]) -> str:
    """What the CLI calls the tool: exactly so, or with something before it."""
    return next((tool for tool in sorted(offered, key=len) if tool.endswith(wanted)), wanted)


def pieces(text: str) -> Iterator[str]:
    """A text as it streams."""
    for start in range(0, len(text), PIECE_CHARS):
        yield text[start : start + PIECE_CHARS]


def plain(content: object) -> str:
    """The text of a message's or result's content, whichever of its shapes it has."""
    match content:
        case str():
            return content
        case list():
            return "\n".join(plain(part) for part in content)
        case dict():
            return plain(content.get("text", content.get("content", "")))
        case _:
            return ""
