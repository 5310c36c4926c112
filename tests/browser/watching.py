"""What a browser reports besides what it shows: errors, breaches of the policy, requests to elsewhere."""

import re
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

_LOUD: Final = ("error", "warning")
_TELL_BREACHES: Final = """
    addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI}`))
"""


@dataclass
class Watch:
    """Everything in one context that a person would call broken."""

    origin: str
    faults: list[str] = field(default_factory=list)
    _expected: list[re.Pattern[str]] = field(default_factory=list)

    def follow(self, context: BrowserContext) -> None:
        context.add_init_script(_TELL_BREACHES)
        context.on("console", self._heard)
        context.on("weberror", self._threw)
        context.on("request", self._asked)

    def begin(self) -> None:
        """What was before was another test's."""
        self.faults.clear()
        self._expected.clear()

    def expect(self, pattern: str) -> None:
        """Faults that fit are part of this test, from its start to its end."""
        self._expected.append(re.compile(pattern))

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not any(one.search(fault) for one in self._expected)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in _LOUD:
            self.faults.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _threw(self, error: WebError) -> None:
        self.faults.append(f"uncaught: {error.error}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "blob:", "data:")):
            self.faults.append(f"request to elsewhere: {request.url}")
