"""What a terminal's state promises: the same picture in a fresh terminal, answers to programs, no more."""

import re
from dataclasses import replace

import pytest

from idea.adapters.screen.checkpoint import FORM, Checkpoint
from idea.adapters.screen.choice import AvailableScreens
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.adapters.screen.plain import PlainScreens
from idea.application.ports import Screen, Screens
from idea.domain.sessions import TerminalSize

SIZE = TerminalSize(20, 6)
LINES = "".join(f"line {number}\r\n" for number in range(20))

EVERYWHERE: dict[str, str | bytes] = {
    "empty": "",
    "plain": "hello\r\nworld \x1b[1;31mred\x1b[0m done",
    "wide and combining": "漢字かな e\u0301 |end\r\nline2 界",
    "scrollback": LINES,
    "blank rows under scrollback": LINES + "\r\n\r\n\r\n\x1b[Htop",
    "nothing but blank rows": "a\r\n" + "\r\n" * 12,
    "little scrollback": LINES[: LINES.index("line 8")],
    "modes": "\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[?1h\x1b[?25lprompt> ",
    "colours": "".join(f"\x1b[38;5;{n}m#\x1b[48;2;{n};0;100m*" for n in range(40)) + "\x1b[0m",
    "title": "\x1b]2;a title\x07text",
    "alternate screen": LINES + "$ vim\x1b[?1049h\x1b[2J\x1b[H~ vim\r\n~\x1b[?25l\x1b[3;10Hhere",
    "older alternate screen": "below\x1b[?47h\x1b[2;2Habove",
    "a sequence cut short": "abc\x1b[3",
    "a title cut short": "abc\x1b]2;ti",
    "a character cut short": "abc€".encode()[:-1],
}
NATIVE: dict[str, str | bytes] = {
    "emoji": "😀 👨‍👩‍👧 |end\r\nx",
    "pending wrap": "b" * 20,
    "wrapped lines": "xyz" * 60,
    "wide at the edge": "a" * 19 + "界" + "b" * 19 + "界",
    "margins": "\x1b[2;4r\x1b[2;1Hin region\r\nmore\r\nmore\r\nmore",
    "origin mode": "\x1b[2;4r\x1b[?6h\x1b[2;3Hx",
    "coloured blanks": "\x1b[44m\x1b[2J\x1b[3;3Hx\x1b[0m",
    "own colours": "\x1b]4;1;rgb:11/22/33\x07\x1b]11;rgb:44/55/66\x07\x1b[31mred",
    "links": LINES
    + "\x1b]8;;https://a.example\x1b\\here\x1b]8;;\x1b\\ and \x1b]8;;https://b.example\x1b\\界\x1b]8;;\x1b\\",
    "a gap in a look": "\x1b[43mmarked\x1b[0m\x1b[5C|\r\n\x1b[7ma\x1b[4Cb",
    "cursor style": "\x1b[5 qbar",
    "line drawing": "\x1b(0lqk",
    "insert mode": "abc\x1b[4h\x1b[H",
}
CASES = [
    *((PlainScreens(), name, data) for name, data in EVERYWHERE.items()),
    *((GhosttyScreens(), name, data) for name, data in (EVERYWHERE | NATIVE).items()),
]


def bytes_of(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()


@pytest.mark.parametrize(
    ("screens", "data"),
    [(screens, bytes_of(data)) for screens, _, data in CASES],
    ids=[f"{type(screens).__name__[:-7].lower()}: {name}" for screens, name, _ in CASES],
)
def test_a_snapshot_paints_the_same_into_a_fresh_terminal(screens: Screens, data: bytes) -> None:
    screen = screens.create(SIZE)
    screen.feed(data)
    painted = screens.create(SIZE)

    answers = painted.feed(screen.snapshot())

    assert answers == b""
    assert painted.text() == screen.text()
    assert painted.title() == screen.title()
    # Cursor, modes, colours, scrollback: whatever a snapshot says of the one it must say of the other.
    assert painted.snapshot() == screen.snapshot()
    # And what is rendered later and elsewhere is of the moment in which it was frozen.
    frozen, before = screen.freeze(), screen.snapshot()
    screen.feed(b"later")
    assert frozen() == before


@pytest.mark.parametrize(
    ("screens", "data"),
    [(screens, bytes_of(data)) for screens, _, data in CASES],
    ids=[f"{type(screens).__name__[:-7].lower()}: {name}" for screens, name, _ in CASES],
)
def test_a_picture_without_scrollback_paints_the_same_screen(screens: Screens, data: bytes) -> None:
    screen = screens.create(SIZE)
    screen.feed(b"above it\r\n" * 100 + data)
    painted = screens.create(SIZE)

    answers = painted.feed(screen.freeze(is_whole=False)())

    assert answers == b""
    assert painted.text() == screen.text()
    assert painted.cursor_row() == screen.cursor_row()
    # Cursor, modes, colours, the screen below the alternate one.
    assert painted.freeze(is_whole=False)() == screen.freeze(is_whole=False)()
    assert len(painted.snapshot()) < len(screen.snapshot())


@pytest.mark.parametrize(
    ("screens", "data"),
    [(screens, bytes_of(data)) for screens, _, data in CASES],
    ids=[f"{type(screens).__name__[:-7].lower()}: {name}" for screens, name, _ in CASES],
)
def test_a_checkpoint_makes_the_same_terminal_even_by_its_painting(screens: Screens, data: bytes) -> None:
    screen = screens.create(SIZE)
    screen.feed(b"\x1b]7501;state=idle:app=x\x07" + data)
    render = screen.checkpoint(is_forced=True)
    assert render is not None
    checkpoint = Checkpoint.unpack(render())
    assert checkpoint is not None
    other_version = replace(checkpoint, emulator="of another version", exact=b"unreadable")
    damaged = replace(checkpoint, exact=checkpoint.exact[:-9])

    for kept in (checkpoint, other_version, damaged):
        restored = screens.restore(kept.pack(), SIZE)
        assert restored is not None
        assert restored.text() == screen.text()
        assert restored.title() == screen.title()
        assert restored.program_status() == screen.program_status() == "state=idle:app=x"
        assert restored.snapshot() == screen.snapshot()


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
@pytest.mark.parametrize("data", [b"", b"idea-screen 2\n", FORM, FORM + b"x" * 50])
def test_a_checkpoint_of_another_form_is_not_guessed_at(screens: Screens, data: bytes) -> None:
    assert screens.restore(data, SIZE) is None


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
def test_a_restored_terminal_answers_and_hears_as_any_other(screens: Screens) -> None:
    screen = screens.create(SIZE)
    # Asked before, and the second one of them while the size changes: no answer of then is told now.
    screen.feed(b"\x1b[6n\x1b[?2048hab")
    render = screen.checkpoint()
    assert render is not None

    restored = screens.restore(render(), TerminalSize(10, 4))

    assert restored is not None
    assert restored.feed(b"") == b""
    assert restored.feed(b"c\x1b[6n") == b"\x1b[1;4R"
    assert restored.feed(b"\x1b]7501;?\x1b\\\x1b]7501;state=idle:app=y\x07") == b"\x1b]7501;?\x1b\\"
    assert restored.program_status() == "state=idle:app=y"
    assert restored.feed(b"0123456789") == b""
    assert restored.text().startswith("abc0123456\n789")


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
@pytest.mark.parametrize("begun", [b"\x1b", b"\x1b[3", b"\x1b]2;ti", b"\xe2\x82", b"\xf0\x9f\x91"])
def test_what_has_begun_is_cut_off_only_when_that_is_asked_for(screens: Screens, begun: bytes) -> None:
    screen = screens.create(SIZE)
    assert screen.checkpoint() is not None

    screen.feed(b"abc" + begun)

    assert screen.checkpoint() is None
    assert screen.checkpoint(is_forced=True) is not None
    screen.feed(b"\x18\x1b\\ok")
    assert screen.checkpoint() is not None


def test_a_sequence_too_long_to_be_kept_loses_no_more_than_itself() -> None:
    screen = GhosttyScreens().create(SIZE)
    screen.feed(b"\x1b]2;title\x07before\x1b]2;" + b"x" * 100_000)
    render = screen.checkpoint(is_forced=True)
    assert render is not None

    restored = GhosttyScreens().restore(render(), SIZE)

    assert restored is not None
    assert restored.text() == "before"
    assert restored.title() == "title"


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
@pytest.mark.parametrize(
    ("begun", "rest", "text"),
    [(b"abc\x1b[3", b"1mred", "abcred"), ("x漢".encode()[:-1], "漢".encode()[-1:] + b"y", "x漢y")],
)
def test_what_goes_on_belongs_to_what_was_cut_short(screens: Screens, begun: bytes, rest: bytes, text: str) -> None:
    screen, painted = screens.create(SIZE), screens.create(SIZE)
    screen.feed(begun)
    painted.feed(screen.snapshot())

    painted.feed(rest)

    assert painted.text() == text


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
def test_under_the_alternate_screen_the_primary_one_is_kept(screens: Screens) -> None:
    screen, painted = screens.create(SIZE), screens.create(SIZE)
    screen.feed(LINES.encode() + b"$ vim\x1b[?1049h\x1b[2Jin vim")
    painted.feed(screen.snapshot())
    assert painted.text().strip() == "in vim"

    painted.feed(b"\x1b[?1049lback")

    assert painted.text() == "line 15\nline 16\nline 17\nline 18\nline 19\n$ vimback"


def test_links_and_what_is_marked_are_painted_as_they_are() -> None:
    screen = GhosttyScreens().create(SIZE)
    screen.feed(b"\x1b]8;id=7;https://a.example/?b\x1b\\here\x1b]8;;\x1b\\ no \x1b[43mmark\x1b[0m\x1b[3C|")
    # Where it leads is nobody's to run: only the page's own rules say what may be opened.
    screen.feed(b"\r\n\x1b]8;;javascript:1\x1b\\x\x1b]8;;\x1b\\")

    painted = screen.snapshot()

    assert painted.count(b"h") == "https, here".count("h")
    assert re.search(rb"\]8;;https://a\.example/\?b\x1b\\(\x1b\[0m)*here\x1b\]8;;\x1b\\", painted)
    assert re.search(rb"mark(\x1b\[0m)*\x1b\[3C\|", painted)


@pytest.mark.parametrize("step", range(1, 8))
def test_a_link_is_painted_wherever_the_output_was_cut(step: int) -> None:
    output = b"....\x1b]8;;https://a.example/\x1b\\here\x1b]8;;\x1b\\"
    screen = GhosttyScreens().create(SIZE)
    for start in range(0, len(output), step):
        screen.feed(output[start : start + step])

    assert b"]8;;https://a.example/" in screen.snapshot()


def test_text_is_the_visible_rows() -> None:
    for screens in (GhosttyScreens(), PlainScreens()):
        screen: Screen = screens.create(SIZE)
        screen.feed(LINES.encode() + b"\r\n  \x1b[31mlast")
        assert screen.text() == "line 16\nline 17\nline 18\nline 19\n\n  last"


QUERIES = {
    b"\x1b[c": rb"\x1b\[\?[\d;]+c",
    b"\x1b[5n": rb"\x1b\[0n",
    b"ab\x1b[6n": rb"\x1b\[1;3R",
    b"\x1b]10;?\x07": rb"\x1b\]10;rgb:[\da-f/]+(\x07|\x1b\\)",
    b"\x1b]11;?\x1b\\": rb"\x1b\]11;rgb:[\da-f/]+(\x07|\x1b\\)",
    b"\x1b]7501;?\x1b\\\x1b[c": rb"\x1b\]7501;\?\x1b\\\x1b\[\?[\d;]+c",
}
UNANSWERED = [b"\x1b[21t", b"\x1b[20t", b"\x1b[14t", b"\x1b]52;c;?\x07", b"\x1b]2;?\x07", b"\x05", b"\x1b[?u"]


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
def test_programs_get_their_answers_and_no_others(screens: Screens) -> None:
    for query, answer in QUERIES.items():
        assert re.fullmatch(answer, screens.create(SIZE).feed(query)), query
    for query in UNANSWERED:
        assert screens.create(SIZE).feed(b"\x1b]2;secret\x07" + query) == b"", query


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
def test_a_program_tells_its_status(screens: Screens) -> None:
    screen = screens.create(SIZE)
    assert screen.program_status() == ""

    screen.feed(b"x\x1b]7501;state=working:app=codex\x1b\\y\x1b]7501;state=idle:app=codex\x07z")

    assert screen.program_status() == "state=idle:app=codex"
    assert screen.text() == "xyz"


@pytest.mark.parametrize("screens", [GhosttyScreens(), PlainScreens()], ids=["ghostty", "plain"])
def test_a_program_takes_pastes_from_when_it_asks_for_them_on(screens: Screens) -> None:
    screen = screens.create(SIZE)
    assert not screen.takes_pastes()

    screen.feed(b"\x1b[?2004h")
    render = screen.checkpoint()
    assert render is not None
    restored = screens.restore(render(), SIZE)
    screen.feed(b"\x1b[?2004l")

    assert restored is not None
    assert restored.takes_pastes()
    assert not screen.takes_pastes()


def test_a_wide_character_at_the_edge_survives_resizing() -> None:
    screen = GhosttyScreens().create(TerminalSize(80, 24))
    screen.feed(("a" * 79 + "界").encode())

    for cols in (79, 80, 81, 79, 80):
        screen.resize(TerminalSize(cols, 24))
        assert screen.text().replace("\n", "") == "a" * 79 + "界"


def test_any_width_can_be_taken_and_painted() -> None:
    for screens in (GhosttyScreens(), PlainScreens()):
        screen: Screen = screens.create(TerminalSize(80, 24))
        screen.feed(("a" * 79 + "界 😀 👨‍👩‍👧" * 3).encode())
        for cols in (*range(1, 30), 300, 1000, 1):
            screen.resize(TerminalSize(cols, 1 + cols % 7))
            screens.create(TerminalSize(cols, 1 + cols % 7)).feed(screen.snapshot())


def test_bytes_that_are_no_text_break_nothing() -> None:
    for screens in (GhosttyScreens(), PlainScreens()):
        screen: Screen = screens.create(SIZE)
        for byte in range(256):
            screen.feed(bytes([27, byte, 0x5B, byte, 0xFF]) + b"\x1b\\")
        screen.feed(b"\x18\x1bc" + bytes(range(128, 256)) + b"ok")
        assert "ok" in screen.text()
        screen.snapshot()


def test_the_native_emulator_is_preferred() -> None:
    assert isinstance(AvailableScreens().create(SIZE), type(GhosttyScreens().create(SIZE)))
