"""Real programs' output: a terminal that is restored, and a client that comes late, see what everybody sees."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idea.adapters.screen.ghostty import GhosttyScreens
from idea.adapters.screen.plain import PlainScreens
from idea.application.ports import Screen, Screens
from tests.screen.recordings import Recording, all_recordings

RECORDINGS = all_recordings()
POINTS = 40
"""In each recording; with a step that is odd, so that they fall within sequences and characters as well."""
GHOSTTY = GhosttyScreens()

pytestmark = [
    pytest.mark.slow,
    # Thousands of terminals; beside other tests that takes some 20 s.
    pytest.mark.timeout(180),
]


def step_of(recording: Recording) -> int:
    return max(1, len(recording.output) // POINTS) | 1


def assert_same(screen: Screen, expected: Screen, where: object) -> None:
    assert screen.text() == expected.text(), where
    assert screen.title() == expected.title(), where
    assert screen.program_status() == expected.program_status(), where
    # Scrollback, the other screen, cursor, modes, margins, colours: what a new client gets.
    assert screen.snapshot() == expected.snapshot(), where


def new_screen(recording: Recording, screens: Screens = GHOSTTY) -> Screen:
    return screens.create(recording.size_at(0))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_restored_terminal_goes_on_as_if_nothing_had_been(recording: Recording) -> None:
    end = len(recording.output)
    half, whole, live = new_screen(recording), new_screen(recording), new_screen(recording)
    recording.play(half, 0, end // 2)
    answers = recording.play(whole, 0, end)
    answered, at = b"", 0

    for point in range(0, end, step_of(recording)):
        answered += recording.play(live, at, max(at, point))
        at = max(at, point)
        while (render := live.checkpoint()) is None:
            answered += recording.play(live, at, at + 1)
            at += 1

        restored = GHOSTTY.restore(render(), recording.size_at(at))

        assert restored is not None
        assert_same(restored, live, at)
        middle = max(at, end // 2)
        later = recording.play(restored, at, middle)
        if middle == end // 2:
            assert_same(restored, half, at)
        later += recording.play(restored, middle, end)
        assert_same(restored, whole, at)
        assert answered + later == answers, at


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_late_client_sees_what_the_first_one_sees(recording: Recording) -> None:
    end = len(recording.output)
    live, parsed, whole = new_screen(recording), 0, new_screen(recording)
    recording.play(whole, 0, end)

    for at in range(0, end, step_of(recording)):
        recording.play(live, parsed, at)
        parsed = at
        late = GHOSTTY.create(recording.size_at(at))
        assert late.feed(live.snapshot()) == b"", at
        assert late.text() == live.text(), at
        assert late.title() == live.title(), at
        recording.play(late, at, end)
        assert late.text() == whole.text(), at


@pytest.mark.parametrize(
    # The plain one takes other widths for what few fonts have, and cuts off what a new size has no room for.
    "recording",
    [recording for recording in RECORDINGS if recording.name != "unicode"],
    ids=lambda recording: recording.name,
)
def test_what_one_emulator_keeps_the_other_shows(recording: Recording) -> None:
    """At the end of each: the programs have left the alternate screen, which the plain one does not have."""
    size = recording.size_at(len(recording.output))
    pairs: list[tuple[Screens, Screens]] = [(GHOSTTY, PlainScreens()), (PlainScreens(), GHOSTTY)]
    for maker, reader in pairs:
        made = new_screen(recording, maker)
        recording.play(made, 0, len(recording.output))
        render = made.checkpoint()
        assert render is not None

        read = reader.restore(render(), size)

        assert read is not None
        assert words(read) == words(made)
        assert read.program_status() == made.program_status()


@settings(max_examples=30)
@given(data=st.data())
def test_any_number_of_restores_at_any_bytes_changes_nothing(data: st.DataObject) -> None:
    recording = data.draw(st.sampled_from(RECORDINGS))
    end = len(recording.output)
    cuts = data.draw(st.lists(st.integers(0, end), max_size=6))
    whole = new_screen(recording)
    answers = recording.play(whole, 0, end)
    screen, parsed, given_answers = new_screen(recording), 0, b""

    for at in [*sorted(cuts), end]:
        given_answers += recording.play(screen, parsed, at)
        parsed = at
        # Where there can be none, the bytes before come again, as from a keeper that has no newer one.
        if (render := screen.checkpoint()) is not None:
            restored = GHOSTTY.restore(render(), recording.size_at(at))
            assert restored is not None
            screen = restored

    assert_same(screen, whole, cuts)
    assert given_answers == answers


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_inside_a_sequence_there_is_none_unless_it_must_be(recording: Recording) -> None:
    screen = new_screen(recording)
    inside = -1
    while screen.checkpoint() is not None:
        inside += 1
        recording.play(screen, inside, inside + 1)
    whole = new_screen(recording)
    recording.play(whole, 0, len(recording.output))

    render = screen.checkpoint(is_forced=True)

    assert render is not None
    restored = GHOSTTY.restore(render(), recording.size_at(inside + 1))
    assert restored is not None
    recording.play(restored, inside + 1, len(recording.output))
    assert_same(restored, whole, inside)


def words(screen: Screen) -> list[str]:
    """Where a line breaks is not the same in all of them."""
    return "".join(letter for letter in screen.text() if letter.isascii()).split()
