"""Makes the recordings anew: `python -m tests.screen.record [NAME…]`. What is not installed here stays as it is."""

import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from idea.adapters.screen.ghostty import GhosttyScreens
from idea.domain.sessions import TerminalSize
from scripts.engine_clis import find
from tests.demo.agents import COMMAND, environment, write_script
from tests.model_server.server import ModelServer
from tests.screen.recordings import FOLDER, Recording

WAIT_S: Final = 20.0
QUIET_S: Final = 0.4
"""Whoever says nothing for so long has drawn all."""
SIZE: Final = TerminalSize(80, 24)
KEY: Final = "key-of-nobody"
SOCKET: Final = "recording"
_LAUNCH: Final = """\
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_TEXT: Final = "".join(
    f"\x1b[3{number % 8}mline {number}\x1b[0m of some text, 漢字 and é, {'word ' * (number % 17)}\n"
    for number in range(120)
)
_UNICODE: Final = """\
import os, signal, sys
def draw():
    print("\\x1b[2J\\x1b[H", os.get_terminal_size(), sep="")
    for number in range(40):
        print("😀 👨‍👩‍👧 🇫🇷 ❤️ 👍🏽", number, "漢字かな交じり文" * 5, "e\u0301a\u0308o\u0302\u0323 ส้ำ नमस्ते " * 3)
        print("x" * (76 + number % 5) + "界", "שלום", "|", end="\\r\\n", flush=True)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH, signal.SIGUSR1})
draw()
while signal.sigwait({signal.SIGWINCH}):
    draw()
"""
_QUERIES: Final = """\
import os, tty
tty.setraw(0)
for number in range(60):
    os.write(1, b"\\x1b[%d;%dH\\x1b[6n%d" % (number % 24 + 1, number, number))
    for query in (b"[c", b"[>c", b"]7501;?\\x1b\\\\", b"[c",
         b"]11;?\\x07", b"[?2026$p", b"P$qm\\x1b\\\\", b"[5n", b"[?u"):
        os.write(1, b"\\x1b" + query)
    os.write(1, b"\\x1b]2;asked %d\\x07\\x1b]7501;state=working:app=asks\\x07" % number)
    while not os.read(0, 65536).endswith(b"n"):
        pass
"""


class Recorder:
    """A program on a PTY, whose queries are answered, with keys and sizes as from a person."""

    def __init__(self, *argv: str, env: Mapping[str, str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        self._screen = GhosttyScreens().create(SIZE)
        self.output = b""
        self.sizes = [(0, SIZE)]
        self._set_size(SIZE)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
            cwd=cwd,
        )
        os.close(slave)

    def press(self, *keys: str) -> None:
        """One after the other, each when what the one before has caused is drawn."""
        for key in keys:
            os.write(self._master, key.encode())
            self.settle()

    def shows(self, text: str) -> None:
        deadline = time.monotonic() + WAIT_S
        while text not in self._screen.text():
            if time.monotonic() > deadline or not self._read(1.0):
                raise AssertionError(f"no {text!r}:\n{self._screen.text()}")

    def settle(self) -> None:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline and self._read(QUIET_S, is_quiet_fine=True):
            pass

    def resize(self, cols: int, rows: int) -> None:
        self.sizes.append((len(self.output), TerminalSize(cols, rows)))
        self._screen.resize(TerminalSize(cols, rows))
        self._set_size(TerminalSize(cols, rows))
        self.settle()

    def answer(self, answers: bytes) -> bytes:
        """What the program gets of what the terminal would say."""
        return answers

    def end(self) -> None:
        self._process.kill()
        self._process.wait(WAIT_S)
        os.close(self._master)

    def _read(self, timeout_s: float, *, is_quiet_fine: bool = False) -> bool:
        """Whether there was output; with `is_quiet_fine`, silence is a no as well."""
        if not select.select([self._master], [], [], timeout_s)[0]:
            return not is_quiet_fine
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.output += data
        os.write(self._master, self.answer(self._screen.feed(data)))
        return True

    def _set_size(self, size: TerminalSize) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))


def vim(recorder: Recorder) -> None:
    recorder.shows("line 1")
    recorder.press(":syntax on\r", ":set number hlsearch\r", "/word\r", "nnn", "ihello 界 \x1b", ":split\r", "\x06")
    recorder.press("\x17\x17", "Vjjd", "u", ":vsplit\r")
    recorder.resize(100, 30)
    recorder.resize(60, 20)
    recorder.press("G", "gg", ":qa!\r")


def less(recorder: Recorder) -> None:
    recorder.shows("line 1")
    recorder.press(" ", " ", "/99\r", "b", "G")
    recorder.resize(50, 15)
    recorder.press("g", "q")


def tmux(recorder: Recorder) -> None:
    recorder.shows("$")
    recorder.press("cat text\r", "\x02%", "head -30 text\r", '\x02"', "printf '\\033[?1049halt\\033[?25l'\r")
    recorder.resize(120, 30)
    recorder.press("\x02o", "\x02[", "\x15", "q", "\x02z", "exit\r", "\x02d")


def htop(recorder: Recorder) -> None:
    recorder.shows("PID")
    recorder.press("\x1bOB", "\x1bOP")
    recorder.resize(100, 30)
    recorder.press("q", "q")


def demo(recorder: Recorder) -> None:
    recorder.shows("ready")
    recorder.press("good morning\r", "é漢字😀\r")
    recorder.resize(100, 20)
    recorder.press("and again\r", "\x04")


def claude(recorder: Recorder) -> None:
    recorder.shows("trust")
    recorder.settle()
    recorder.press("\x1b[B", "\r")
    recorder.shows("❯")
    recorder.settle()
    recorder.press("[[say Hello 漢字 😀, this is **bold** and `code`.]]")
    recorder.press("\r")
    recorder.shows("Hello 漢字")
    recorder.settle()
    recorder.resize(100, 30)
    recorder.press("?", "/")
    recorder.resize(60, 20)
    recorder.press("\x03", "\x03")


def unicode(recorder: Recorder) -> None:
    recorder.settle()
    for cols in (79, 80, 300, 40):
        recorder.resize(cols, 24)


def queries(recorder: Recorder) -> None:
    recorder.settle()


Program = tuple[Callable[[Recorder], None], Sequence[str]]


def programs(root: Path) -> Mapping[str, Program]:
    rules = {"match": "", "steps": [{"say": "I look at it."}, {"answer": "You said **{prompt}**."}]}
    python = (sys.executable, "-I", "-S", "-c")
    return {
        "vim": (vim, ("vim", "--clean", "-n", "text")),
        "less": (less, ("less", "-R", "text")),
        "tmux": (tmux, ("tmux", "-u", "-L", SOCKET, "-f", str(root / "tmux.conf"), "new")),
        # In a world of its own, where it sees nobody else.
        "htop": (htop, ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "htop")),
        "demo": (demo, (*COMMAND, "--face", "tui", "--name", "Ada", "--script", write_script(root, rules))),
        "claude": (claude, (str(find("claude") or "claude"),)),
        "unicode": (unicode, (*python, _UNICODE)),
        "queries": (queries, (*python, _QUERIES)),
    }


def furnish(root: Path) -> None:
    (root / "home").mkdir()
    (root / "project").mkdir()
    (root / "project" / "text").write_text(_TEXT, encoding="utf-8")
    # Without the machine's name.
    tmux_settings = 'set -g status-right ""\nset -g default-command "PS1=\'$ \' sh"\n'
    (root / "tmux.conf").write_text(tmux_settings, encoding="utf-8")
    seen = {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": [KEY]}}
    (root / "home" / ".claude.json").write_text(json.dumps(seen), encoding="utf-8")


def record(name: str, program: Program, env: Mapping[str, str], cwd: Path) -> Recording:
    drive, argv = program
    recorder = Recorder(*argv, env=env, cwd=cwd)
    try:
        drive(recorder)
    finally:
        recorder.end()
    return Recording(name, version(name, argv), recorder.sizes, recorder.output)


def version(name: str, argv: Sequence[str]) -> str:
    if argv[0] == sys.executable:
        return "our own"
    command = [name if name == "htop" else argv[0], "-V" if name == "tmux" else "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def main(names: Sequence[str]) -> int:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="r") as folder, ModelServer() as model:
        root = Path(folder)
        furnish(root)
        env = environment(
            HOME=str(root / "home"),
            TERM="xterm-256color",
            LANG="C.UTF-8",
            TMUX_TMPDIR=folder,
            ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_API_KEY=KEY,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
        )
        known = programs(root)
        for name in names or known:
            program = known[name][1][0]
            if shutil.which(name if name == "htop" else program) is None:
                sys.stderr.write(f"{name} is not installed\n")
                continue
            recording = record(name, known[name], env, root / "project")
            recording.save()
            sys.stderr.write(f"{name}: {len(recording.output)} bytes, {recording.program}\n")
        subprocess.run(["tmux", "-L", SOCKET, "kill-server"], env=env, check=False, capture_output=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
