"""Who a request comes from, as the guard established it; routes read it from the ASGI scope."""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from idea.domain.delegation import Source

_KEY: Final = "idea.caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """`credential` is the id of what was presented; None on the control socket and on open routes."""

    source: Source
    credential: str | None = None


def set_caller(scope: MutableMapping[str, Any], caller: Caller) -> None:
    scope[_KEY] = caller


def caller_of(scope: MutableMapping[str, Any]) -> Caller:
    caller = scope[_KEY]
    assert isinstance(caller, Caller), "the guard runs before every route"
    return caller
