"""A chat cell: writing, waiting, stopping, and text that must not become more than text."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Cell, Ide
from tests.browser.waiting import eventually, next_picture

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE_ITEMS: Final = 60
"""So many are fetched at once."""
HOSTILE: Final = """\
<img src=x onerror="window.wasRun = 1"><script>window.wasRun = 1</script>
<iframe src="https://elsewhere.example/"></iframe>

[click](javascript:window.wasRun=1) and [site](https://elsewhere.example/docs)

![pixel](https://elsewhere.example/pixel.png)

**bold** survives.
"""


def hangs(cell: Cell) -> None:
    cell.say("hang")
    expect(cell.log).to_contain_text("I am thinking about it for ever.", timeout=AGENT_MS)


# --- writing --------------------------------------------------------------------------------------------------


def test_enter_sends_shift_enter_breaks_the_line_and_the_composer_grows_to_a_bound(ide: Ide) -> None:
    main = ide.cell("main")
    main.composer.fill("  \n ")
    main.composer.press("Enter")
    expect(main.root.get_by_role("button", name="Send")).to_be_disabled()
    main.composer.fill("")
    main.composer.press_sequentially("list")
    low = height(main.composer)
    main.composer.press("Shift+Enter")
    main.composer.press_sequentially("the team")
    eventually(ide.page, lambda: height(main.composer), lambda now: now > low)
    main.composer.press("Enter")
    expect(main.composer).to_have_value("")
    # What was only spaces was not sent before it.
    expect(main.log.get_by_text("list\nthe team")).to_be_visible()
    expect(main.log).to_contain_text("The team:", timeout=AGENT_MS)
    eventually(ide.page, lambda: height(main.composer), lambda now: now == low)
    main.composer.press("ArrowUp")
    expect(main.composer).to_have_value("list\nthe team")

    main.composer.fill("\n".join("12345678"))
    eight = eventually(ide.page, lambda: height(main.composer), lambda now: now > low)
    main.composer.fill("\n".join("1234567890" * 3))
    eventually(ide.page, lambda: main.composer.evaluate("box => box.scrollHeight > box.clientHeight"), bool)
    assert height(main.composer) <= eight * 1.1


def test_a_draft_survives_another_view_and_a_reload(ide: Ide) -> None:
    main = ide.cell("main")
    main.composer.fill("not yet sent")
    main.show("TUI")
    main.show("Chat")
    expect(main.composer).to_have_value("not yet sent")

    ide.reload()

    expect(main.composer).to_have_value("not yet sent")


# --- waiting and stopping -------------------------------------------------------------------------------------


def test_messages_wait_with_their_place_are_taken_back_and_come_next_when_a_turn_is_stopped(ide: Ide) -> None:
    main = ide.cell("main")
    hangs(main)
    main.say("tools")
    main.say("list")
    waiting = main.root.get_by_role("list", name="Queue").get_by_role("listitem")
    expect(waiting).to_have_text([re.compile(r"queued: you are #1\s*tools"), re.compile(r"queued: you are #2\s*list")])
    waiting.first.get_by_role("button", name="Take this message back").click()
    expect(waiting).to_have_text([re.compile(r"queued: you are #1\s*list")])
    expect(main.composer).to_have_value("tools")

    main.button("Stop turn").click()
    expect(main.log).to_contain_text("You stopped this turn")
    expect(main.log).to_contain_text("The team:")
    expect(main.state).to_have_text("idle")
    for never in ("I can use:", "I am thinking about it for ever."):
        expect(main.log).not_to_contain_text(never)
    expect(waiting).to_have_count(0)


def test_an_ask_that_its_asker_stopped_stands_once(ide: Ide) -> None:
    main = ide.cell("main")
    main.say("ask QA: hang")
    expect(ide.cell("qa").log).to_contain_text("I am thinking about it for ever.", timeout=AGENT_MS)
    main.button("Stop turn").click()

    expect(main.delegation("QA", "failed")).to_be_visible(timeout=AGENT_MS)
    expect(main.log).to_contain_text("You stopped this turn")
    expect(main.state).to_have_text("idle")
    expect(main.log).not_to_contain_text("idea_ask_agent")


def test_what_ends_a_turn_is_shown_with_its_reason_and_the_agent_takes_the_next(ide: Ide) -> None:
    main = ide.cell("main")
    main.say("fail")
    expect(main.log).to_contain_text("The model is overloaded (529). Nothing was done.", timeout=AGENT_MS)
    expect(main.state).to_have_text("idle")

    main.say("exit 3")
    expect(main.state).to_have_text("exited, code 3", timeout=AGENT_MS)
    expect(main.log).to_contain_text("The turn ended without an answer")
    main.say("what did I say first?")
    expect(main.log).to_contain_text("The first thing you said in this conversation: “fail”", timeout=AGENT_MS)

    main.say("limit 3600")
    expect(main.state).to_have_text(re.compile(r"^limit until \d\d:\d\d$"), timeout=AGENT_MS)
    expect(ide.page.get_by_role("contentinfo")).to_contain_text(re.compile(r"1 limited until \d\d:\d\d"))


# --- text -----------------------------------------------------------------------------------------------------


def test_what_an_agent_or_the_person_writes_stays_text(ide: Ide, project: Project) -> None:
    project.create("Eve", instructions=HOSTILE)
    ide.agent("Eve").click()
    eve = ide.cell("eve")
    eve.say("instructions")

    expect(eve.log).to_contain_text("bold survives.", timeout=AGENT_MS)
    expect(eve.log.locator("strong", has_text="bold")).to_be_visible()
    expect(eve.log).to_contain_text('<img src=x onerror="window.wasRun = 1">')
    expect(eve.log.locator("img, script, iframe, [onerror]")).to_have_count(0)
    expect(eve.log.get_by_role("link", name="click")).to_have_count(0)
    site = eve.log.get_by_role("link", name="site")
    expect(site).to_have_attribute("href", "https://elsewhere.example/docs")
    expect(site).to_have_attribute("rel", re.compile("noopener"))

    eve.say('list <img src=x onerror="window.wasRun = 1"> **not bold**')
    expect(eve.log).to_contain_text('list <img src=x onerror="window.wasRun = 1"> **not bold**')
    expect(eve.log).to_contain_text("The team:")
    assert ide.page.evaluate("window.wasRun") is None


def test_a_long_answer_has_headings_a_table_code_to_copy_and_tools_that_unfold(ide: Ide) -> None:
    ide.context.grant_permissions(["clipboard-read", "clipboard-write"])
    main = ide.cell("main")
    main.say("long")
    expect(main.log.get_by_role("heading", name="How an invoice is made")).to_be_visible(timeout=AGENT_MS)
    expect(main.log).to_contain_text("That is all there is to it.")
    expect(main.log.get_by_role("table").get_by_role("cell", name="41 ms")).to_be_visible()
    # Coloured once it is complete.
    expect(main.log.locator("pre span").first).to_be_visible()

    main.log.get_by_role("button", name="Copy code").click()
    expect(main.log.get_by_role("button", name="Copied")).to_be_visible()
    copied = ide.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("def issue(order: Order")
    assert copied.rstrip().endswith("issued_at=at)")

    line = main.log.get_by_role("button", name="Read docs/invoices.md")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(main.log).not_to_contain_text("312 lines")
    line.click()
    expect(main.log).to_contain_text("312 lines")


def test_a_long_conversation_comes_in_pages(ide: Ide, project: Project) -> None:
    for number in range(1, PAGE_ITEMS // 2 + 6):
        project.ask("main", f"tools {number}.")
    ide.reload()
    main = ide.cell("main")
    expect(main.log).to_contain_text(f"tools {PAGE_ITEMS // 2 + 5}.")
    expect(main.log).not_to_contain_text("tools 1.")
    eventually(ide.page, lambda: is_at_end(main), bool)

    main.log.evaluate("log => { log.scrollTop = 0 }")
    expect(main.log).to_contain_text("tools 1.")
    expect(main.button("Load earlier messages")).to_have_count(0)
    eventually(
        ide.page,
        lambda: re.findall(r"tools (\d+)\.", main.log.text_content() or ""),
        lambda numbers: numbers == [str(number) for number in range(1, PAGE_ITEMS // 2 + 6)],
    )


def test_a_reader_who_scrolled_up_is_left_in_peace(ide: Ide, project: Project) -> None:
    project.ask("main", "long")
    project.ask("main", "long")
    ide.reload()
    main = ide.cell("main")
    expect(main.log).to_contain_text("That is all there is to it.")
    eventually(ide.page, lambda: is_at_end(main), bool)
    main.log.hover()
    ide.page.mouse.wheel(0, -400)
    latest = main.root.get_by_role("button", name="Latest")
    expect(latest).to_be_visible()
    project.ask("main", "tools")
    expect(main.log).to_contain_text("I can use:")
    expect(main.state).to_have_text("idle")
    next_picture(ide.page)
    assert not is_at_end(main)

    latest.click()
    expect(latest).to_have_count(0)
    eventually(ide.page, lambda: is_at_end(main), bool)


def test_a_flood_of_text_leaves_the_page_usable(ide: Ide) -> None:
    main = ide.cell("main")
    main.say("flood")
    expect(main.log).to_contain_text("That was the flood.", timeout=AGENT_MS)

    main.say("list")
    expect(main.log).to_contain_text("The team:")


def height(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["height"]


def is_at_end(cell: Cell) -> bool:
    return bool(cell.log.evaluate("log => log.scrollHeight - log.scrollTop - log.clientHeight < 48"))


def test_what_is_typed_while_a_message_is_on_its_way_is_kept_and_sent_after_it(ide: Ide) -> None:
    main = ide.cell("main")
    held: list[Route] = []
    ide.page.route("**/agents/*/messages", lambda route: route.continue_() if held else held.append(route))
    main.composer.press_sequentially("list")
    main.composer.press("Enter")
    expect(main.root.get_by_role("status")).to_have_text("Sending…")
    main.composer.press_sequentially("tools")
    main.composer.press("Enter")
    main.composer.press_sequentially("third")

    held[0].continue_()
    expect(main.log).to_contain_text("The team:", timeout=AGENT_MS)
    expect(main.log).to_contain_text("I can use:", timeout=AGENT_MS)
    expect(main.composer).to_have_value("third")
