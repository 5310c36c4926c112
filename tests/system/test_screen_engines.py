"""Both terminal emulators, from outside: each query answered once, whole characters, one screen for all."""

import sys

import pytest

from tests.system.client import Api, ok
from tests.system.house import new_house
from tests.system.terminal import open_terminal

pytestmark = pytest.mark.slow

PROGRAM = r"""
import os, tty
tty.setraw(0)
os.write(1, b"below\r\n\x1b[?1049h\x1b[H")
for byte in "漢字 e\u0301 on the other screen".encode():
    os.write(1, bytes([byte]))
os.write(1, b"\x1b[6n\x1b[c\x1b]7501;?\x1b\\\x1b]11;?\x07\x1b]52;c;?\x07\x1b[21t\x1b[5n")
got = b""
while not got.endswith(b"q"):
    got += os.read(0, 4096)
answers = [got.count(one) for one in (b"R", b"c", b"7501", b"]11;", b"52;", b"\x1b[0n")]
os.write(1, b"\x1b[3;1Hanswers %s" % str(answers).encode())
os.read(0, 1)
os.write(1, b"\x1b[?1049lback to what was ")
os.read(0, 1)
"""


@pytest.mark.parametrize("library", ["", "/nowhere/libghostty.so"], ids=["native", "plain"])
async def test_queries_have_one_answerer_and_late_pages_see_what_the_first_one_does(library: str) -> None:
    more = {"PYGHOSTTY_LIB": library} if library else {}
    with new_house(**more) as house:
        folder = house.folder("shop")
        (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        with house.serving("serve", "--project", str(folder)) as server:
            api = Api(server)
            agent = await api.create("Sh", profile="shell")
            ok(await api.agent("POST", "sh", "/launch", {"view": "terminal", "nodeId": "left"}))
            async with open_terminal(server, agent["id"]) as first:
                await first.type(f"exec {sys.executable} program.py\r")
                await first.until("漢字 é on the other screen")
                async with open_terminal(server, agent["id"]) as late, open_terminal(server, agent["id"]) as later:
                    for page in (late, later):
                        await page.until("漢字 é on the other screen")
                    # One of each: nothing that these pages were shown was answered by them, or once more for them.
                    await late.type("q")
                    for page in (first, late, later):
                        await page.until("answers [1, 1, 1, 1, 0, 1]")
                    await later.type("\r")
                    for page in (first, late, later):
                        await page.until("back to what was")
            if library:
                server.wait_said("a slower one takes its place")
            async with open_terminal(server, agent["id"]) as afterwards:
                await afterwards.until("below")
                assert not any("answers" in line for line in afterwards.lines())
