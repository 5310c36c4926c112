"""Real programs' output in the page's own emulator: who was there all the time and who comes late see the same."""

from collections.abc import Iterator

import pytest

from idea.adapters.screen.ghostty import GhosttyScreens
from idea.domain.sessions import TerminalSize
from tests.screen.page import Page, Steps, running_page
from tests.screen.recordings import Recording, all_recordings

RECORDINGS = all_recordings()
POINTS = 8
"""In each recording; odd steps, so that they fall within sequences and characters as well."""
SIZE = TerminalSize(40, 6)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with running_page() as page:
        yield page


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_late_page_shows_what_one_shows_that_was_there_all_the_time(recording: Recording, page: Page) -> None:
    end = len(recording.output)
    sizes = dict(recording.sizes)
    points = sorted({*sizes, *range(0, end, end // POINTS | 1), end} - {0})
    screen, live = GhosttyScreens().create(sizes[0]), Steps().begin(sizes[0])
    late, at = [], 0

    for point in points:
        live.write(recording.output[at:point])
        recording.play(screen, at, point)
        at = point
        if point in sizes:
            # Whoever is there gets the screen anew, because no two emulators break lines alike.
            live.begin(sizes[point], screen.snapshot())
        live.show()
        late.append(page.play(Steps().begin(recording.size_at(point), screen.snapshot()).show()))

    shown, typed = page.play(live)
    for point, seen, (painted, answers) in zip(points, shown, late, strict=True):
        assert painted == [seen], point
        assert answers == ""
    assert typed == ""


@pytest.mark.parametrize(
    "output",
    [
        b"\x1b[43mmarked\x1b[0m\x1b[10C|\x1b[5D\x1b[43mx",
        b"\x1b[7mone\x1b[10Ctwo\x1b[0m and \x1b[4mthree \x1b[0m",
        b"\x1b]8;;https://one.example/a?b=c\x1b\\link\x1b]8;;\x1b\\ \x1b[3Cand \x1b]8;id=1;http://two.example\x1b\\other\x1b]8;;\x07",
        "\x1b]8;;https://one.example\x1b\\漢字 \x1b[41m字\x1b]8;;\x1b\\".encode(),
        "漢字かな交じり文漢字かな交じり文漢字かな交じり文漢字かな交じり文|\x1b[2J\x1b[Hinstead\r\n".encode(),
        "x漢字かな交じり文漢字かな交じり文漢字かな交じり文漢字かな交じり文|".encode(),
        "x漢字かな交じり文漢字かな交じり文漢字かな\x1b[2;1Hnow narrow".encode(),
        "😀 👨‍👩‍👧 🇫🇷 ❤️ 👍🏽 🫠 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ส้ำ ก็ नमस्ते क्षि e\u0301 한국어 각|".encode(),
    ],
)
@pytest.mark.parametrize("above", [0, 30])
def test_what_is_hard_to_paint_is_painted(output: bytes, above: int, page: Page) -> None:
    """On the screen, and once it has left it."""
    screen = GhosttyScreens().create(SIZE)
    output = b"begun\r\n" + output + b"\x1b[0m" + b"\r\nmore" * above
    # The link's beginning falls between two pieces.
    for at in range(0, len(output), 7):
        screen.feed(output[at : at + 7])

    (live,), _ = page.play(Steps().begin(SIZE).write(output).show())
    (late,), _ = page.play(Steps().begin(SIZE, screen.snapshot()).show())

    assert late == live
