"""While somebody types, floods take turns, and an echo goes before all of them."""

import pytest

from idea.keeper.loop import Loop
from idea.keeper.turns import TURN_S, Turns


@pytest.fixture
def loop() -> Loop:
    loop = Loop()
    loop.later(5, loop.stop)
    return loop


def test_all_but_what_is_typed_into_wait_for_turns_as_long_as_somebody_types(loop: Loop) -> None:
    turns = Turns(loop)
    before = turns.hold("flood")

    turns.typed("shell")
    loop.stop()
    loop.run()

    assert (before, turns.hold("flood"), turns.hold("shell")) == (False, True, False)


def test_none_has_its_turn_until_the_echo_has_come_and_then_they_come_in_their_order(loop: Loop) -> None:
    # Longer than this test may last, however slow the machine.
    turns = Turns(loop, echo_s=60)
    seen: list[str] = []

    def echo() -> None:
        seen.append("echo")
        turns.wrote("shell")

    def last() -> None:
        seen.append("second")
        loop.stop()

    turns.wait(lambda: seen.append("first"))
    turns.typed("shell")
    turns.wait(last)
    turns.wrote("another")
    loop.later(TURN_S * 5, echo)
    loop.run()

    assert seen == ["echo", "first", "second"]


def test_they_go_on_without_an_echo(loop: Loop) -> None:
    turns = Turns(loop)
    seen: list[str] = []

    def go_on() -> None:
        seen.append("flood")
        loop.stop()

    turns.typed("a program that echoes nothing")
    turns.wait(go_on)
    loop.run()

    assert seen == ["flood"]


def test_who_does_not_wait_any_more_is_passed_over(loop: Loop) -> None:
    turns = Turns(loop)
    seen: list[str] = []

    def come() -> None:
        seen.append("second")
        loop.stop()

    turns.wait(lambda: seen.append("first")).cancel()
    turns.wait(come)
    loop.run()

    assert seen == ["second"]
