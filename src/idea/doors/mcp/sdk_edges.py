"""What the official SDK needs around it: a way out without a queue, and what it tells apart by a request's `_meta`."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import mcp_types as types
from mcp.shared.message import SessionMessage

from idea.bridge_lines import is_id


class Outgoing:
    """What the SDK writes to, without a queue and a task between it and the peer."""

    def __init__(self, write: Callable[[types.JSONRPCMessage], Awaitable[None]]) -> None:
        self._write = write

    async def send(self, item: SessionMessage, /) -> None:
        await self._write(item.message)

    async def aclose(self) -> None:
        """The peer outlives the eras it speaks."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


def take_token(raw: dict[str, Any]) -> object:
    """The request's progress token. One of a type that the SDK would refuse the request for is taken out."""
    params = raw.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        return None
    token: object = meta.get("progressToken")
    if not is_id(token):
        meta.pop("progressToken", None)
    return token


def is_stateless(request: types.JSONRPCRequest) -> bool:
    """As the SDK tells the eras apart: by the version that every stateless request carries."""
    meta = (request.params or {}).get("_meta")
    return request.method != "initialize" and isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta
