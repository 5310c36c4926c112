"""Why a turn's clock stands still, where there are several reasons."""

from idea.application.team.turn_clock import TurnClock


async def test_a_person_who_is_asked_is_named_also_while_a_limit_lasts() -> None:
    clock = TurnClock()
    clock.start(10)
    end_limit = clock.hold()
    end_question = clock.hold("QA: Run a command")

    assert clock.waits_for == "QA: Run a command"
    end_question()
    assert (clock.waits_for, clock.is_held) == ("", True)
    end_limit()
    assert not clock.is_held
    assert clock.asked == "QA: Run a command"
