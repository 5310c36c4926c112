"""The README's pictures: the demo's team in the middle of a question, in a real browser, dark and light.

Clock times differ from run to run; everything else is the demo's script.
"""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import APIRequestContext, Browser, Page, Playwright, ViewportSize, expect, sync_playwright

from scripts.browser import ROOT, BrowserMissing, find_browser

IMAGES: Final = ROOT / "docs" / "images"
THEMES: Final = ("dark", "light")
SIZE: Final = ViewportSize(width=1440, height=900)
MAX_BYTES: Final = 300 * 1024
"""A README is read on slow lines too."""
PACE: Final = "5"
"""So slow that the moment of the picture lasts for seconds."""
START_S: Final = 30
STOP_S: Final = 20
STEP_MS: Final = 60_000

EARLIER: Final = "ask QA: Does the yearly numbering hold?"
OF_BUILD: Final = "Tell me your role."
QUESTION: Final = "Is the invoice page ready to go out?"
ROLE: Final = """\
You build the shop and put it on staging.

- `make dist` first: nothing leaves that was not built anew.
- **Never** deploy without a person's word.
- Say what you deployed, and how to take it back.
"""
NEXT: Final = "Which tests touch the invoice page?"


def take_pictures(folder: Path) -> None:
    """Raises `BrowserMissing`."""
    chromium = find_browser()
    if chromium is None:
        raise BrowserMissing("No browser to take pictures with; `scripts/install test` fetches one.")
    folder.mkdir(parents=True, exist_ok=True)
    with _demo() as ready, sync_playwright() as playwright:
        expect.set_options(STEP_MS)
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--disable-3d-apis"], chromium_sandbox=os.geteuid() != 0
        )
        try:
            _take_all(folder, browser, _requests(playwright, ready), ready["projects"][0]["id"])
        finally:
            browser.close()


def _take_all(folder: Path, browser: Browser, requests: APIRequestContext, project: str) -> None:
    for name in ("Build", "Release"):
        _call(requests, f"/api/projects/{project}/agents", {"name": name, "profile": "demo", "instructions": ROLE})
    pages = {theme: _open(browser, requests, theme) for theme in THEMES}
    first, *_ = pages.values()
    _start_terminal(first)
    for agent, message in (("release", "deploy"), ("main", EARLIER)):
        _call(requests, f"/api/projects/{project}/agents/{agent}/messages", {"message": message})
    main = first.get_by_test_id("cell-main")
    expect(main.get_by_role("log")).to_contain_text("Not looked at: printing from a phone.")
    expect(first.get_by_role("region", name="Needs you")).to_be_visible()
    expect(main.get_by_test_id("state")).to_have_text("idle")
    _call(requests, f"/api/projects/{project}/agents/main/messages", {"message": QUESTION})
    for page in pages.values():
        expect(page.get_by_test_id("cell-qa").get_by_test_id("overlay")).to_be_visible()
    _call(requests, f"/api/projects/{project}/agents/qa/messages", {"message": NEXT})
    for page in pages.values():
        expect(page.get_by_test_id("cell-qa")).to_contain_text("Running 212 tests")
        expect(page.get_by_role("region", name="Queue", exact=True)).to_contain_text("#1")
    for theme, page in pages.items():
        page.get_by_role("textbox", name="Message to Main").focus()
        _keep(folder / f"team-{theme}.png", page.screenshot(animations="disabled", caret="hide"))


def _start_terminal(page: Page) -> None:
    build = page.get_by_test_id("cell-build")
    build.get_by_role("button", name="TUI", exact=True).click()
    build.get_by_role("button", name="Start Build").click()
    keys = build.get_by_role("textbox", name="Terminal of Build")
    expect(build.get_by_test_id("state")).to_have_text("idle")
    keys.press_sequentially(OF_BUILD)
    keys.press("Enter")
    expect(build.locator(".xterm-rows")).to_contain_text("how to take it back.")


def _open(browser: Browser, requests: APIRequestContext, theme: str) -> Page:
    page = browser.new_context(
        viewport=SIZE,
        color_scheme="dark" if theme == "dark" else "light",
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    ).new_page()
    page.goto(_call(requests, "/api/link", {})["url"])
    expect(page.get_by_test_id("connection")).to_have_text("Connected")
    return page


def _keep(path: Path, picture: bytes) -> None:
    if len(picture) > MAX_BYTES:
        sys.exit(f"{path.name} would be {len(picture) // 1024} KB; at most {MAX_BYTES // 1024} KB are kept.")
    path.write_bytes(picture)
    print(f"{path}: {len(picture) // 1024} KB")


# --- the demo -------------------------------------------------------------------------------------------------


def _requests(playwright: Playwright, ready: dict[str, Any]) -> APIRequestContext:
    return playwright.request.new_context(
        base_url=ready["url"].partition("#")[0], extra_http_headers={"Authorization": f"Bearer {ready['token']}"}
    )


def _call(requests: APIRequestContext, path: str, body: object) -> Any:
    answer = requests.post(path, data=body)
    if not answer.ok:
        sys.exit(f"{path}: {answer.status} {answer.text()}")
    return answer.json()


@contextmanager
def _demo() -> Iterator[dict[str, Any]]:
    """`idea demo` with folders of its own; what its ready line says."""
    with tempfile.TemporaryDirectory(prefix="idea-", dir="/tmp") as folder:
        project = Path(folder) / "invoices"
        project.mkdir()
        environment = _environment(Path(folder))
        idea = [sys.executable, "-m", "idea"]
        server = subprocess.Popen(
            [*idea, "demo", str(project), "--port", "0", "--no-browser", "--json"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield _ready_line(server)
        finally:
            server.terminate()
            try:
                server.wait(STOP_S)
            except subprocess.TimeoutExpired:
                server.kill()
            # The agents of a demo that was given a folder outlive its server; no others are found from here.
            subprocess.run(
                [*idea, "stop", "--all"], env=environment, stdout=subprocess.DEVNULL, timeout=STOP_S, check=True
            )


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the person's own gets into a picture."""
    xdg = {
        f"XDG_{name.upper()}": name for name in ("config_home", "state_home", "data_home", "cache_home", "runtime_dir")
    }
    places = {"HOME": "home", "TMPDIR": "tmp", **xdg}
    for name in places.values():
        (folder / name).mkdir(mode=0o700)
    return {
        **{variable: str(folder / name) for variable, name in places.items()},
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "IDEA_DEMO_PACE": PACE,
    }


def _ready_line(server: "subprocess.Popen[str]") -> dict[str, Any]:
    assert server.stdout is not None
    readable, _, _ = select.select([server.stdout], [], [], START_S)
    line = server.stdout.readline() if readable else ""
    if not line:
        sys.exit(f"The demo did not start within {START_S} s.")
    ready: dict[str, Any] = json.loads(line)
    return ready


if __name__ == "__main__":
    try:
        take_pictures(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
    except BrowserMissing as why:
        sys.exit(str(why))
