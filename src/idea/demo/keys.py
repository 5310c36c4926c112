"""Turns the bytes of a terminal into keys, pastes and the terminal's own replies."""

from __future__ import annotations

import codecs
import re

Key = tuple[str, str]
"""(`text`, what was typed), (`paste`, its text), (`key`, a name), (`reply`, the terminal's answer)."""

ESCAPE_S = 0.05
"""An escape alone for so long is the Esc key and not the begin of a sequence."""

_TOKEN = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1bP[^\x1b]*\x1b\\"
    r"|\x1b\[(?!200~)(?P<csi>[0-?]*[ -/]*[@-~])"
    r"|\x1bO(?P<ss3>.)"
    r"|\x1b(?P<alt>[^\[\]OP\x1b])"
    r"|(?P<escape>\x1b)(?=\x1b)"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)",
    re.DOTALL,
)
_CSI = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "4~": "end",
    "3~": "delete",
    "13;2u": "newline",
    "27;2;13~": "newline",
}
_CONTROL = {
    "\r": "enter",
    "\n": "newline",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x01": "home",
    "\x05": "end",
    "\x02": "left",
    "\x06": "right",
    "\x03": "interrupt",
    "\x04": "close",
    "\x0b": "killRight",
    "\x15": "killLeft",
    "\x17": "killWord",
    "\x0c": "redraw",
    "\x10": "up",
    "\x0e": "down",
    "\t": "tab",
}


class Keys:
    """Keeps what is incomplete (a split character, an unfinished sequence or paste) for the next bytes."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def is_undecided(self) -> bool:
        """Whether `flush` should be called if nothing follows within `ESCAPE_S`."""
        return self._rest.startswith("\x1b") and not self._rest.startswith("\x1b[200~")

    def feed(self, data: bytes) -> list[Key]:
        text = self._rest + self._decoder.decode(data)
        keys, position = [], 0
        while match := _TOKEN.match(text, position):
            position = match.end()
            if key := _key(match):
                keys.append(key)
        self._rest = text[position:]
        return keys

    def flush(self) -> list[Key]:
        """Nothing followed: a lone escape was the Esc key, half a sequence is nothing."""
        if not self.is_undecided:
            return []
        lone, self._rest = self._rest == "\x1b", ""
        return [("key", "escape")] if lone else []


def _key(match: re.Match[str]) -> Key | None:
    kind, value = match.lastgroup, match[match.lastgroup] if match.lastgroup else ""
    match kind:
        case "text" | "paste":
            return kind, value.replace("\r\n", "\n").replace("\r", "\n")
        case "osc":
            return "reply", value
        case "csi" if value.startswith("?"):
            return "reply", value
        case "csi" | "ss3":
            return ("key", _CSI[value]) if value in _CSI else None
        case "alt":
            return ("key", "newline") if value in "\r\n" else None
        case "escape":
            return "key", "escape"
        case "control":
            return ("key", _CONTROL[value]) if value in _CONTROL else None
    return None
