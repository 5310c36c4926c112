"""A terminal cell: keys and colours, sizes, floods, ends, and the same screen after a loss and in another browser."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Cell, Ide
from tests.browser.lines import Lines
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

READY = re.compile(r"[$#]\s*$")
"""A shell's prompt, at the end of what is shown."""
AFTER_CTRL_C = re.compile(r"\^C\w*\s*[$#]\s*$")
"""The key throws away what the terminal still holds, so that a line may lack its end, and the echo stands upon it."""


@pytest.fixture
def project(project: Project) -> Project:
    project.create("Sh", profile="shell")
    return project


def started(ide: Ide) -> Cell:
    """The shell's cell, alone and with a prompt."""
    ide.agent("Sh").click()
    cell = ide.cell("sh")
    cell.button("Maximise").click()
    cell.button("Start Sh").click()
    expect(cell.screen).to_contain_text(READY, timeout=AGENT_MS)
    return cell


def rows(cell: Cell) -> list[str]:
    return [text.rstrip().replace("\xa0", " ") for text in cell.screen.locator("> div").all_text_contents()]


def word(cell: Cell, text: str) -> Locator:
    """The last piece of one style that has this text."""
    return cell.screen.locator("span", has_text=text).last


def test_keys_reach_the_shell_and_its_echo_comes_back(ide: Ide) -> None:
    shell = started(ide)
    shell.type("echo $((6*7)) is the answer")
    expect(shell.screen).to_contain_text("42 is the answer")

    shell.keys.press_sequentially("echo hellp")
    shell.keys.press("Backspace")
    shell.keys.press_sequentially("o-there")
    shell.keys.press("Enter")
    expect(shell.screen).to_contain_text("hello-there")
    # A Ctrl-C between the shell's fork and the program's own signals would be lost, as in any terminal.
    shell.type("sh -c 'echo it ru''ns; exec sleep 600'")
    expect(shell.screen).to_contain_text("it runs")
    shell.keys.press("Control+c")
    # A shell throws away what was typed before it is back.
    expect(shell.screen).to_contain_text(AFTER_CTRL_C)
    shell.type("echo still $((1+1)) here")
    expect(shell.screen).to_contain_text("still 2 here")


def test_what_a_program_draws_is_seen_as_it_is_meant(ide: Ide) -> None:
    shell = started(ide)
    shell.type(r"printf '\033[31m%s\033[0m \033[1;38;2;1;2;3m%s\033[0m\n' scar''let bo''ld")
    expect(word(shell, "scarlet")).to_have_class(re.compile(r"xterm-fg-1\b"))
    expect(word(shell, "bold")).to_have_class(re.compile(r"xterm-bold"))
    expect(word(shell, "bold")).to_have_css("color", "rgb(1, 2, 3)")

    shell.type(r"printf '%s|\n%s|\n' '株式会社' '12345''678'")
    expect(shell.screen).to_contain_text("株式会社|")
    shell.type(r"printf 'cafe\314\201 \360\237\221\251\342\200\215\360\237\224\254|\n'")
    expect(shell.screen).to_contain_text("cafe\N{COMBINING ACUTE ACCENT} 👩\N{ZERO WIDTH JOINER}🔬|")
    eventually(
        ide.page,
        lambda: (right_edge(shell, "株式会社|"), right_edge(shell, "12345678|")),
        # Four wide ones take the place of eight; less than a pixel is rounding.
        lambda edges: abs(edges[0] - edges[1]) < 1,
    )

    # Nothing else is in sight, so that what is found about contrast is found about the faint text.
    shell.type(r"clear; printf '\033[2mfaint\033[0m\n'; echo drawn $((1+1))")
    expect(shell.screen).to_contain_text("drawn 2")
    expect(shell.screen.locator(".xterm-dim")).to_have_text("faint")
    assert axe.violations(ide.page) == []


def test_another_size_reaches_the_program(ide: Ide) -> None:
    shell = started(ide)
    shell.type("while sleep 0.1; do clear; stty size; done")
    expect(shell.screen).to_have_text(re.compile(r"^\s*\d+ 1\d\d\s*$"))

    ide.page.set_viewport_size({"width": 900, "height": 720})
    expect(shell.screen).to_have_text(re.compile(r"^\s*\d+ [4-9]\d\s*$"))
    ide.page.set_viewport_size({"width": 1280, "height": 720})
    expect(shell.screen).to_have_text(re.compile(r"^\s*\d+ 1\d\d\s*$"))


def test_floods_pass_or_are_stopped_by_a_key_and_the_page_stays_usable(ide: Ide) -> None:
    shell = started(ide)
    # 2.8 MB, nearly three times what the server sends without an acknowledgement.
    shell.type("seq 1 400000; echo all of $((399999+1)) lines")
    expect(shell.screen).to_contain_text("all of 400000 lines", timeout=AGENT_MS)
    shell.type("echo still $((1+1)) here")
    expect(shell.screen).to_contain_text("still 2 here")

    shell.type("yes endless")
    expect(shell.screen).to_contain_text(re.compile(r"(endless\s*){9}"))
    shell.keys.press("Control+c")
    # A shell throws away what was typed before it is back.
    expect(shell.screen).to_contain_text(AFTER_CTRL_C, timeout=AGENT_MS)
    shell.type("echo stopped $((1+1))")
    expect(shell.screen).to_contain_text("stopped 2")


def test_a_shell_has_the_keyboard_from_its_start_says_how_it_ended_and_starts_again(ide: Ide) -> None:
    shell = started(ide)
    expect(shell.keys).to_be_focused()
    ide.page.keyboard.type("echo typed at $((1+1)) once; exit 3\n")
    expect(shell.root).to_contain_text("Ended, code 3")
    expect(shell.state).to_have_text("exited, code 3")
    expect(shell.screen).to_contain_text("typed at 2 once")

    shell.button("Start again").click()
    expect(shell.screen).to_contain_text(READY, timeout=AGENT_MS)
    expect(shell.state).not_to_have_text("exited, code 3")
    expect(shell.keys).to_be_focused()
    ide.page.keyboard.type("echo and again $((1+1))\n")
    expect(shell.screen).to_contain_text("and again 2")


def test_the_last_screen_of_what_ended_is_seen_whole_by_whoever_comes(ide: Ide, visit: Visit) -> None:
    ide.agent("Sh").click()
    shell = ide.cell("sh")
    shell.button("Start Sh").click()
    expect(shell.screen).to_contain_text(READY, timeout=AGENT_MS)
    shell.type("seq 1 100; echo FATAL the rea''son; exec false")
    end = shell.root.get_by_role("status").filter(has_text="Ended, code 1")
    expect(end).to_be_visible()
    assert_last_line_in_sight(shell, end)
    shell.button("Maximise").click()
    expect(shell.screen).to_contain_text(re.compile(r"80\s*81"))
    shell.button("Restore").click()
    expect(shell.screen).not_to_contain_text(re.compile(r"80\s*81"))
    assert_last_line_in_sight(shell, end)

    ide.reload()
    assert_last_line_in_sight(shell, end)
    small = visit(size=(900, 560))
    small.is_online()
    other = small.cell("sh")
    assert_last_line_in_sight(other, other.root.get_by_role("status").filter(has_text="Ended, code 1"))
    other.button("Start again").click()
    for cell in (other, shell):
        expect(cell.screen).to_contain_text(READY, timeout=AGENT_MS)
        expect(cell.screen).not_to_contain_text("FATAL")


def assert_last_line_in_sight(cell: Cell, end: Locator) -> None:
    line = cell.screen.locator("> div", has_text="FATAL the reason")
    expect(line).to_be_visible()
    bar = end.bounding_box()
    assert bar is not None
    cell.root.page.wait_for_function(
        "([line, bottom]) => line.getBoundingClientRect().bottom <= bottom", arg=[line.element_handle(), bar["y"]]
    )


def test_a_second_browser_shows_the_same_and_both_may_type_and_take_the_size(ide: Ide, visit: Visit) -> None:
    shell = started(ide)
    shell.type("echo typed in the first $((1+1))")
    expect(shell.screen).to_contain_text("typed in the first 2")
    small = visit(size=(900, 560))
    small.is_online()
    small.agent("Sh").click()
    other = small.cell("sh")
    expect(other.screen).to_contain_text("typed in the first 2")
    other.type("echo typed in the second $((1+1))")
    expect(other.screen).to_contain_text("typed in the second 2")
    expect(shell.screen).to_contain_text("typed in the second 2")

    told = other.root.get_by_text("Another browser sets the size of this terminal.")
    shell.root.locator(".xterm").click()
    expect(told).to_be_visible()
    other.root.locator(".xterm").click()
    expect(told).to_have_count(0)
    # Now it is too small for the larger one, which has more room than is used.
    expect(shell.root.get_by_text("Another browser")).to_be_visible()
    shell.root.locator(".xterm").click()
    expect(shell.root.get_by_text("Another browser")).to_have_count(0)


def test_after_other_sizes_all_browsers_show_the_same_rows(ide: Ide, visit: Visit) -> None:
    shell = started(ide)
    second = visit()
    second.is_online()
    second.agent("Sh").click()
    other = second.cell("sh")
    line = "a漢字かな e\u0301 👩‍🔬 " * 6
    shell.type(f"for i in 1 2 3; do echo \"$i {line}|\"; done; echo be''gun")
    expect(other.screen).to_contain_text("begun")

    drawn = shell.root.locator(".xterm-screen")
    for width in (1000, 900, 1280):
        before = drawn.evaluate("screen => getComputedStyle(screen).width")
        ide.page.set_viewport_size({"width": width, "height": 720})
        expect(drawn).not_to_have_css("width", before)
        shell.type(f"echo {width}''px")
        assert_same_rows(shell, other, after=f"{width}px")
    ide.reload()
    expect(shell.screen).to_contain_text("1280px")
    shell.button("Restore").click()
    # Its size is the other browser's by now, until somebody types here.
    expect(shell.button("Restore")).to_have_count(0)
    shell.type("echo to''gether")
    assert_same_rows(shell, other, after="together")


def assert_same_rows(shell: Cell, other: Cell, *, after: str) -> None:
    for cell in (shell, other):
        expect(cell.screen).to_contain_text(re.compile(rf"{after}\s*[$#]\s*$"))
    eventually(shell.root.page, lambda: (rows(other), rows(shell)), lambda both: both[0] == both[1])


LEAST_CONTRAST = """rows => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(value => value / 255).map(
      value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const back = getComputedStyle(rows.closest('.term-cell')).backgroundColor
  return Math.min(...[...rows.querySelectorAll('span')].filter(span => span.textContent.trim() !== '').map(span => {
    const { color, backgroundColor } = getComputedStyle(span)
    const lights = [light(color), light(backgroundColor === 'rgba(0, 0, 0, 0)' ? back : backgroundColor)]
    return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
  }))
}"""


def test_text_can_be_read_on_every_colour_in_both_themes(ide: Ide) -> None:
    shell = started(ide)
    shell.type(
        r"clear; for b in 40 41 42 43 44 45 46 47 100 104 107; do printf '\033[%smdefault' $b;"
        r" for f in 30 31 32 33 34 35 36 37 90 94 97; do printf '\033[%smxx' $f; done; printf '\033[0m\n'; done;"
        r" printf '\033[38;2;255;255;255mwhite\033[38;5;231mtoo\033[30mblack\033[0m\n'; echo dra''wn"
    )
    expect(shell.screen).to_contain_text("drawn")

    assert shell.screen.evaluate(LEAST_CONTRAST) >= 4.4
    before = shell.screen.evaluate("rows => getComputedStyle(rows).color")
    ide.page.emulate_media(color_scheme="dark")
    expect(shell.screen).not_to_have_css("color", before)
    eventually(ide.page, lambda: shell.screen.evaluate(LEAST_CONTRAST), lambda least: least >= 4.4)


def test_a_lost_terminal_comes_back_with_its_screen_and_what_was_missed(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = visit(before=lambda page: lines.lay(page, "/terminal"))
    ide.is_online()
    shell = started(ide)
    go = project.root / "go"
    shell.type(r"printf '\033[32mgre''en\033[0m\n'; until [ -e go ]; do sleep 0.05; done; echo mis''sed")
    expect(word(shell, "green")).to_be_visible()
    lines.cut()
    expect(shell.root).to_contain_text("connection is lost; retrying")
    go.touch()

    lines.mend()
    expect(shell.screen).to_contain_text("missed", timeout=AGENT_MS)
    expect(word(shell, "green")).to_have_class(re.compile(r"xterm-fg-2\b"))
    expect(shell.root).not_to_contain_text("retrying")
    eventually(ide.page, lambda: rows(shell).count("missed"), lambda times: times == 1)


def test_what_is_typed_while_it_attaches_arrives_in_order(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = visit(before=lambda page: lines.lay(page, "/terminal"))
    ide.is_online()
    shell = started(ide)
    lines.hold()
    ide.reload()
    expect(shell.root).to_contain_text("Attaching")
    shell.type("echo typed early $((1+1))")
    lines.release()

    shell.type("echo typed later $((1+1))")
    expect(shell.screen).to_contain_text(re.compile("typed early 2.*typed later 2"))


def test_a_reload_shows_the_same_screen(ide: Ide) -> None:
    shell = started(ide)
    shell.type(r"seq 1 60; printf 'one\nt''wo\n'")
    expect(shell.screen).to_contain_text(re.compile(r"two[$#]\s*$"))
    before = [row for row in rows(shell) if row]
    ide.reload()

    expect(shell.screen).to_contain_text(re.compile(r"two[$#]\s*$"))
    eventually(ide.page, lambda: [row for row in rows(shell) if row][-5:], lambda after: after == before[-5:])


def test_queries_are_answered_by_the_server_alone(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = visit(before=lambda page: lines.lay(page, "/terminal"))
    ide.is_online()
    shell = started(ide)
    # Device attributes, cursor position, mode, colour, clipboard, focus reports, window size.
    shell.type(r"printf '\033[c\033[>c\033[6n\033[?1$p\033]11;?\007\033]52;c;?\007\033[?1004h\033[18t'; echo as''ked")
    expect(shell.screen).to_contain_text("asked")
    ide.reload()
    expect(shell.screen).to_contain_text("asked")
    shell.keys.press_sequentially("x")
    expect(shell.screen).to_contain_text(re.compile(r"x\s*$"))

    typed = b"".join(message for message in lines.sent if isinstance(message, bytes))
    assert b"\x1b" not in typed


def test_only_web_links_can_be_clicked(ide: Ide) -> None:
    shell = started(ide)
    shell.type(r"printf '\033]8;;javascript:window.wasRun=1\033\\%s\033]8;;\033\\\n' cli''ck-me")
    link = word(shell, "click-me")
    expect(link).to_be_visible()
    box = link.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for modifier in ("Shift", "Control", "Alt"):
        ide.page.keyboard.down(modifier)
        ide.page.mouse.click(x, y)
        ide.page.keyboard.up(modifier)
    ide.page.mouse.click(x, y)
    # What a click opens would be there before what is typed after it. A click with Alt types arrows, which go away.
    shell.keys.press("Control+u")
    shell.type("echo do''ne")
    expect(shell.screen).to_contain_text("done")

    assert ide.page.evaluate("window.wasRun") is None
    assert len(ide.context.pages) == 1


def right_edge(shell: Cell, text: str) -> float:
    box = shell.screen.locator("> div", has_text=text).last.locator("span").last.bounding_box()
    assert box is not None
    return box["x"] + box["width"]
