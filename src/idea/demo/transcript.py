"""Turns what an agent says into the styled lines of a terminal's transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from idea.demo.ink import BOLD, CYAN, DIM, GREEN, RED, RESET, YELLOW, Markdown, clean, color_table, cut
from idea.demo.session import Line


class Transcript:
    """Whole lines are printed at once, whatever they belong to; `partial` is the line that still streams."""

    def __init__(self, *, cols: Callable[[], int]) -> None:
        self.partial = ""
        self._cols = cols
        self._streamed = ""
        """What streamed since the last complete message, to know that message when it comes."""
        self._markdown = Markdown()

    def prompt(self, text: str) -> list[str]:
        lines = clean(text).split("\n")
        return ["", *(f"{BOLD}{'>' if number == 0 else ' '} {line}{RESET}" for number, line in enumerate(lines))]

    def take(self, line: Line) -> list[str]:
        """The lines to print for `line`."""
        match line:
            case {"type": "delta", "text": str(text)}:
                return self._stream(text)
            case {"type": "message", "text": str(text)}:
                return self._complete(text, "", f"{DIM}⏺{RESET} ")
            case {"type": "result", "text": str(text)}:
                return self._complete(text, f"{DIM}(no answer){RESET}")
            case {"type": "tool", "name": str(name), "summary": str(summary), "phase": "started"}:
                return [*self._finish(), cut(f"⏺ {name}  {clean(summary)}", self._cols())]
            case {"type": "tool", "phase": phase, "detail": str(detail)}:
                shown = cut(clean(detail) or "done", self._cols() - 5)
                return [*self._finish(), f"  {RED if phase == 'failed' else DIM}⎿ {shown}{RESET}"]
            case _:
                return self._take_rare(line)

    def _take_rare(self, line: Line) -> list[str]:
        match line:
            case {"type": "error", "kind": "interrupted"}:
                return [*self._finish(), f"  {YELLOW}⎿ Interrupted{RESET}"]
            case {"type": "error", "message": str(message)}:
                return [*self._finish(), f"{RED}■ {clean(message)}{RESET}"]
            case {"type": "spontaneous", "text": str(text)}:
                return [*self._finish(), f"{DIM}✻ Woke up by itself{RESET}", *self._style(text)]
            case {"type": "garbage", "line": str(text)}:
                return [text]
            case {"type": "colors"}:
                return [*self._finish(), *color_table()]
            case _:
                return []

    def settle_permission(self, title: str, decision: str) -> list[str]:
        is_denied = decision == "deny"
        color, word = (RED, "Denied") if is_denied else (GREEN, "Allowed")
        scope = " for the session" if decision == "allowSession" else ""
        return [f"  {color}⎿ {word}{scope}: {cut(clean(title), self._cols() - 30)}{RESET}"]

    def _stream(self, text: str) -> list[str]:
        starts = not self._streamed
        self._streamed += text
        *lines, self.partial = (self.partial + clean(text)).split("\n")
        return [*([""] if starts else []), *self._style("\n".join(lines) if lines else None)]

    def _complete(self, text: str, empty: str, mark: str = "") -> list[str]:
        is_shown = bool(text) and text == self._streamed
        printed = self._finish()
        self._markdown = Markdown()
        if is_shown:
            return printed
        lines = self._style(text) if text else [empty]
        return [*printed, "", mark + lines[0], *lines[1:]]

    def _finish(self) -> list[str]:
        """End the line that streams."""
        partial, self.partial, self._streamed = self.partial, "", ""
        return list(self._style(partial)) if partial else []

    def _style(self, text: str | None) -> list[str]:
        lines: Iterable[str] = () if text is None else clean(text).split("\n")
        return [row for line in lines for row in self._markdown.rows(line, self._cols() - 1)]


def banner(cols: int, *, name: str, model: str, permissions: str, conversation: str) -> list[str]:
    about = f"  {model} · permissions {permissions} · conversation {conversation}"
    keys = "  Enter sends, Alt-Enter starts a line, Esc stops a turn, Ctrl-D ends."
    return [
        f"{CYAN}✻{RESET} {BOLD}{cut(clean(name), 40)}{RESET} {DIM}· the demo agent of IdeA{RESET}",
        *(f"{DIM}{cut(clean(line), cols)}{RESET}" for line in (about, keys)),
    ]
