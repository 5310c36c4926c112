"""Running a server in this process, for `serve`, `demo` and an `idea` that finds none."""

import asyncio
import gc
import logging
from dataclasses import dataclass
from typing import Final

import click

from idea.domain.errors import IdeaError
from idea.doors.cli.browser import has_browser, open_browser
from idea.doors.cli.failure import fail
from idea.doors.cli.output import print_json
from idea.settings import ReadyLine, ServeOptions

BROWSER_WAIT_S: Final = 10.0
"""Until a browser that has to start has taken its address."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How the start is told."""

    as_json: bool
    opens_browser: bool

    def tell(self, url: str, ready: ReadyLine | None = None) -> None:
        """`ready` None: the project was opened in a server that runs elsewhere."""
        if self.as_json:
            print_json({"url": url} if ready is None else ready_line(ready))
        else:
            click.echo(f"IdeA is ready. This address works once, for 60 seconds (`idea link` prints another):\n{url}")
        if self.opens_browser and has_browser():
            telling = open_browser(url)
            if ready is None:
                # This process ends next, and the thread with it.
                telling.join(BROWSER_WAIT_S)


def ready_line(ready: ReadyLine) -> dict[str, object]:
    return {
        "url": ready.url,
        "token": ready.token,
        "pid": ready.pid,
        "version": ready.version,
        "projects": [{"id": project.id, "path": project.path} for project in ready.projects],
    }


def serve_here(options: ServeOptions, manner: Manner) -> None:
    """Until Ctrl-C, SIGTERM or SIGHUP. Raises `Failure`."""
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
                on_ready=lambda ready: manner.tell(ready.url, ready),
                say=lambda sentence: click.echo(sentence, err=True),
            )
        )
    except IdeaError as error:
        raise fail(error) from error
    except BaseExceptionGroup as group:
        raise _first(group) from group


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What a caller may be told, if that is all there is; a bug stays the group it is."""
    expected, bugs = group.split(IdeaError)
    if expected is None or bugs is not None:
        return group
    error: BaseException = expected
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, IdeaError)
    return fail(error)
