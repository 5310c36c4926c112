"""Running a server in this process, for `serve`, `demo` and an `idea` that finds none."""

import asyncio
import gc
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import click

from idea.adapters.storage.locks import Holder, ServerRuns
from idea.domain.errors import IdeaError
from idea.doors.cli.browser import has_browser, open_browser
from idea.doors.cli.control import Control
from idea.doors.cli.enter_key import EnterKey, has_keys
from idea.doors.cli.failure import Failure, fail
from idea.doors.cli.output import OutputLost, print_json, say, to_stdout
from idea.doors.cli.own_command import own_command
from idea.settings import ReadyLine, ServeOptions

BROWSER_WAIT_S: Final = 10.0
"""Until a browser that has to start has taken its address."""


class Demo(StrEnum):
    """What becomes of a demo's folder at its end."""

    STAYS = "It stays."
    GOES = "It goes when the demo ends."


@dataclass(frozen=True, slots=True)
class Manner:
    """How the start is told."""

    as_json: bool
    opens_browser: bool
    demo: Demo | None = None

    @property
    def hears_enter(self) -> bool:
        """A program that reads JSON types nothing."""
        return not self.as_json and has_keys()

    def tell(self, url: str, ready: ReadyLine | None = None) -> None:
        """`ready` None: the project was opened in a server that runs elsewhere. Raises `OutputLost`."""
        with to_stdout():
            if self.as_json:
                print_json({"url": url} if ready is None else ready_line(ready))
            else:
                click.echo(f"IdeA is ready. This address works once, for 60 seconds:\n{url}")
                click.echo("\n".join(self._tell_further(ready)))
        if self.opens_browser and has_browser():
            telling = open_browser(url)
            if ready is None:
                # This process ends next, and the thread with it.
                telling.join(BROWSER_WAIT_S)

    def _tell_further(self, ready: ReadyLine | None) -> Iterator[str]:
        """How one comes in again. A demo's folder is nowhere else to be read."""
        if self.demo is None or ready is None or not ready.projects:
            yield self._another(own_command("link"), ready)
            return
        folder = ready.projects[0].path
        yield self._another(own_command("link", "--project", folder), ready)
        yield f"The demo's project lies in {folder}. {self.demo}"

    def _another(self, command: str, ready: ReadyLine | None) -> str:
        return f"`{command}` prints another{', and so does Enter here' if ready and self.hears_enter else ''}."


def _begin(manner: Manner, ready: ReadyLine) -> None:
    manner.tell(ready.url, ready)
    if manner.hears_enter:
        EnterKey(lambda: say(f"Another address, once, for 60 seconds:\n{ready.new_url()}")).listen()


def ready_line(ready: ReadyLine) -> dict[str, object]:
    return {
        "url": ready.url,
        "token": ready.token,
        "pid": ready.pid,
        "version": ready.version,
        "projects": [{"id": project.id, "path": project.path} for project in ready.projects],
    }


def serve_here(options: ServeOptions, manner: Manner) -> None:
    """Until Ctrl-C, SIGTERM or SIGHUP. Raises `Failure`; `OutputLost` where its address reaches nobody."""
    # What is loaded stays to the end: no collection has to look for garbage in it, now or later.
    gc.disable()
    from idea.bootstrap import run_server

    gc.freeze()
    gc.enable()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        asyncio.run(
            run_server(
                options,
                on_ready=lambda ready: _begin(manner, ready),
                say=say,
            )
        )
    except ServerRuns as error:
        raise Failure(error.code, str(error), advice=_advise(error.holder, options)) from error
    except IdeaError as error:
        raise fail(error) from error
    except BaseExceptionGroup as group:
        raise _first(group) from group


def _advise(holder: Holder, options: ServeOptions) -> str:
    """What to do about a server that has the folders of this one."""
    if not options.is_demo:
        return f"`{own_command('link')}` prints its address, `--take-over` ends it."
    try:
        projects = () if holder.control is None else Control(holder.control).projects()
    except Failure:
        # It has just ended, or hangs; then only its process is known.
        projects = ()
    link = "".join(
        f"`{own_command('link', '--project', project.path)}` prints its address, " for project in projects[:1]
    )
    ending = "Ctrl-C in its terminal" + ("" if holder.pid is None else f" or `kill {holder.pid}`")
    return f"{link}{ending} ends it."


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What a caller may be told, if that is all there is; a bug stays the group it is."""
    expected, bugs = group.split((IdeaError, OutputLost))
    if expected is None or bugs is not None:
        return group
    error: BaseException = expected
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return fail(error) if isinstance(error, IdeaError) else error
