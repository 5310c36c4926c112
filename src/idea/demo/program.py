"""Builds a demo agent from its command line and runs it to its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from idea.demo import memory
from idea.demo.chat import Chat
from idea.demo.loop import Loop
from idea.demo.mcp_client import McpClient, read_declaration
from idea.demo.options import USAGE, Options, UsageError, parse_options
from idea.demo.play import play
from idea.demo.script import Script, ScriptError, load_script
from idea.demo.session import Session
from idea.demo.turns import Turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The `typing` module itself costs more than the whole demo agent.
    from typing import NoReturn

VERSION = "1.0"
HASTY_STOP_S = 0.4
"""For the MCP server when we were told to end at once."""


def run(arguments: Sequence[str]) -> int:
    """The exit code: 0 after the end of input, 1 for a conversation that cannot be resumed, 2 for a wrong start."""
    if "--version" in arguments:
        print(f"IdeA demo agent {VERSION}")
        return 0
    try:
        options = parse_options(arguments, os.environ)
        script = load_script(options.script)
        mcp = _client(options)
        if options.face == "tui" and not os.isatty(0):
            raise UsageError("--face tui needs a terminal on standard input")
    except (UsageError, ScriptError, ValueError) as error:
        print(f"demo agent: {error}\n{USAGE}", file=sys.stderr, end="")
        return 2
    return _Agent(options, script, mcp).run()


def _client(options: Options) -> McpClient | None:
    if not options.mcp:
        return None
    return McpClient(read_declaration(options.mcp, options.mcp_server), is_quiet=options.face == "tui")


class _Agent:
    """Everything of one process, tied together."""

    def __init__(self, options: Options, script: Script, mcp: McpClient | None) -> None:
        self._options = options
        self._mcp = mcp
        self._loop = Loop()
        if options.face == "tui":
            # Only here: the chat face, of which many start at once, does without the terminal's modules.
            from idea.demo.tui import Tui

            self._face: Chat | Tui = Tui(options, loop=self._loop, end=self.end)
        else:
            self._face = Chat(end=self.end)
        self._script = script

    def run(self) -> NoReturn:
        options, face = self._options, self._face
        try:
            if options.conversation:
                kept = memory.resume(options.state_dir, options.conversation)
            else:
                kept = memory.begin(options.state_dir, options.new_conversation)
        except memory.NoConversation as error:
            face.say({"type": "error", "kind": "resume", "message": str(error)})
            self.end(1)
        session = Session(options, script=self._script, memory=kept, mcp=self._mcp, emit=face.say, end=self.end)
        turns = face.turns = Turns(lambda turn: play(session, turn))
        turns.start()
        face.say({"type": "ready", "conversation": kept.conversation})
        if self._mcp:
            self._mcp.start()
        if options.prompt:
            turns.submit(options.prompt)
        self._loop.run(face)
        self.end(0)

    def end(self, code: int) -> NoReturn:
        """From any thread: leave the terminal and the MCP server in order, then be gone.

        Not by way of the interpreter's own exit, which would wait for a turn that hangs.
        """
        try:
            self._face.close()
            if self._mcp:
                self._mcp.close(HASTY_STOP_S)
        finally:
            os._exit(code)
