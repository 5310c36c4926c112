"""The page's sockets as lines that a test can cut and mend."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Page, WebSocketRoute

_GONE: Final = 4000
"""A code of no meaning: the page may not tell a cut from any other loss."""


@dataclass
class Lines:
    """Everything between one browser and the server's sockets."""

    sent: list[str | bytes] = field(default_factory=list)
    """By the page, in order, over all sockets."""
    _open: list[tuple[WebSocketRoute, WebSocketRoute]] = field(default_factory=list)
    _is_cut: bool = False
    _held: list[Callable[[], None]] | None = None

    def lay(self, page: Page, path: str) -> None:
        """From now on `path` goes through here; call it before the page opens."""
        page.route_web_socket(lambda url: url.partition("?")[0].endswith(path), self._connect)

    def cut(self) -> None:
        self._is_cut = True
        for page, server in self._open:
            page.close(code=_GONE)
            server.close()
        self._open.clear()

    def mend(self) -> None:
        self._is_cut = False

    def hold(self) -> None:
        """From now on the page hears nothing, though it is connected; what the server says waits."""
        self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for tell in held:
            tell()

    def _connect(self, page: WebSocketRoute) -> None:
        if self._is_cut:
            page.close(code=_GONE)
            return
        server = page.connect_to_server()
        self._open.append((page, server))
        page.on_message(lambda message: self._send(server, message))
        server.on_message(lambda message: self._tell(page, message))

    def _send(self, server: WebSocketRoute, message: str | bytes) -> None:
        self.sent.append(message)
        server.send(message)

    def _tell(self, page: WebSocketRoute, message: str | bytes) -> None:
        if self._held is None:
            page.send(message)
        else:
            self._held.append(lambda: page.send(message))
