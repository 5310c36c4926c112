"""What one seed decides: who is asked what in which life of the server, and when each life ends."""

import random
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

NAMES: Final = ("Ada", "Bob", "Cem", "Dea", "Eve", "Fay")
"""Each asks only those behind it, so that no ask can close a circle."""
LIVES: Final = 5
MESSAGES: Final = 5
"""New ones in each life."""
LEAVES: Final = ("work", "work", "work", "deploy", "deploy", "flood", "fail", "crash", "hang")


@dataclass(frozen=True)
class Message:
    agent: str
    text: str
    is_ask: bool
    """By a call that waits for the answer, as the command line makes one, and not from the page."""


@dataclass(frozen=True)
class Kill:
    """At the n-th event or after so many seconds, whichever comes first, and then a moment later."""

    events: int
    after_s: float
    later_s: float
    number: signal.Signals
    at_start_s: float | None
    """Before the next life, one that is killed so soon after its start that it may not have listened yet."""


@dataclass(frozen=True)
class Life:
    messages: Sequence[Message]
    kill: Kill | None
    """Of the server."""
    keeper_killed_at: int | None = None
    """At the n-th event, in a life whose server goes on."""


@dataclass(frozen=True)
class Expected:
    """What a turn with some message looks like when it is over."""

    kinds: tuple[str, ...]
    answer: str | None
    """None: it ends in a failure. As a regular expression."""
    asks: tuple[tuple[str, str], ...] = ()
    """Target and message, in their order."""


def plan(seed: int) -> list[Life]:
    """The last life is not killed."""
    dice = random.Random(seed)
    tokens = (f"t{number}" for number in range(1, 1000))
    return [
        Life(
            [_message(dice, next(tokens)) for _ in range(MESSAGES)],
            None if number == LIVES - 1 else _kill(dice),
        )
        for number in range(LIVES)
    ]


def plan_of_lost_keeper(seed: int) -> Life:
    """One life, with work for everybody, in the middle of which the keeper is killed."""
    dice = random.Random(seed)
    messages = [_message(dice, f"t{number}") for number in range(1, 2 * MESSAGES + 1)]
    return Life(messages, kill=None, keeper_killed_at=dice.randrange(20, 150))


def _message(dice: random.Random, token: str) -> Message:
    position = min(dice.randrange(len(NAMES)), dice.randrange(len(NAMES)))
    return Message(NAMES[position], _task(dice, position, token), is_ask=dice.random() < 0.25)


def _task(dice: random.Random, position: int, token: str) -> str:
    behind = range(position + 1, len(NAMES))
    shape = dice.random()
    if len(behind) >= 2 and shape < 0.2:
        one, two = sorted(dice.sample(list(behind), 2))
        return f"fan {NAMES[one]} {NAMES[two]}: {_task(dice, two, token)}"
    if behind and shape < 0.7:
        target = dice.choice(behind)
        return f"ask {NAMES[target]}: {_task(dice, target, token)}"
    return f"{dice.choice(LEAVES)} {token}"


def _kill(dice: random.Random) -> Kill:
    return Kill(
        events=int(dice.expovariate(1 / 60)) + 1,
        after_s=dice.uniform(0.05, 8),
        later_s=dice.choice((0, dice.uniform(0, 0.03))),
        number=signal.SIGTERM if dice.random() < 0.12 else signal.SIGKILL,
        at_start_s=dice.uniform(0, 2.5) if dice.random() < 0.3 else None,
    )


def expect(agent: str, message: str) -> Expected:
    """Follows from the demo agents' script."""
    word, _, rest = message.partition(" ")
    if word == "ask":
        target, _, passed = rest.partition(": ")
        return Expected(("prompt", "asked", "tool", "answer"), _told(target, passed), ((target, passed),))
    if word == "fan":
        targets, _, passed = rest.partition(": ")
        asks = tuple((target, passed + half) for target, half in zip(targets.split(), "ab", strict=True))
        kinds = ("prompt", "asked", "tool", "asked", "tool", "answer")
        return Expected(kinds, " ".join(_says(target, each) for target, each in asks), asks)
    token = re.escape(rest)
    match word:
        case "work":
            return Expected(("prompt", "tool", "tool", "answer"), f"{agent} did {token}\\.")
        case "flood":
            return Expected(("prompt", "tool", "answer"), f"{agent} flooded {token}\\.")
        case "deploy":
            # It is always allowed.
            return Expected(("prompt", "tool", "tool", "answer"), f"{agent} deployed {token}\\.")
        case "fail" | "crash" | "hang":
            # Whatever hangs is stopped.
            return Expected(("prompt", "failure"), None)
        case _:
            raise AssertionError(message)


def _told(target: str, message: str) -> str:
    if expect(target, message).answer is None:
        return f"{target} gave no answer: .+"
    return _says(target, message)


def _says(target: str, message: str) -> str:
    answer = expect(target, message).answer
    # Whatever the error's words are.
    return f"{target} says: {'.+' if answer is None else answer}"


def walk(agent: str, message: str) -> Iterator[tuple[str, str]]:
    """The message itself and what comes of it: each agent with what it is told."""
    yield agent, message
    for target, passed in expect(agent, message).asks:
        yield from walk(target, passed)
