"""The API's description: what is served at `/api/openapi.json`, printed by `python -m idea.doors.http.openapi`.

Sockets have no place in OpenAPI, so their frames are added as component schemas and the page's types come
from one file.
"""

import json
import sys
from typing import Any, Final, Literal

from fastapi import FastAPI
from pydantic import TypeAdapter

from idea import __version__
from idea.domain.conversation import Mark
from idea.domain.errors import CancelledBy
from idea.domain.notices import NoticeCode
from idea.domain.outcomes import OUTCOMES
from idea.domain.trust import TrustNote
from idea.domain.why import Fault, Why
from idea.doors.http import wire
from idea.doors.http.errors import TRANSPORT
from idea.doors.http.routes import agents, conversation, layouts, projects, resumable, session

ROUTERS: Final = (
    session.router,
    projects.router,
    layouts.router,
    resumable.router,
    agents.router,
    conversation.router,
)

_Mode = Literal["validation", "serialization"]
_FRAMES: Final[tuple[tuple[str, Any, _Mode], ...]] = (
    ("AnyEvent", wire.AnyEvent, "serialization"),
    ("ServerFrame", wire.ServerFrame, "serialization"),
    ("Hello", wire.Hello, "validation"),
    ("TerminalHello", wire.TerminalHello, "validation"),
    ("TerminalClientFrame", wire.TerminalClientFrame, "validation"),
    ("TerminalServerFrame", wire.TerminalServerFrame, "serialization"),
    ("WireError", wire.WireError, "serialization"),
    ("Why", Why, "serialization"),
    ("Fault", Fault, "serialization"),
    ("NoticeCode", NoticeCode, "serialization"),
    ("TrustNote", TrustNote, "serialization"),
    ("CancelledBy", CancelledBy, "serialization"),
    ("Mark", Mark, "serialization"),
)


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of `app` with the frames of the sockets."""
    document = app.openapi()
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    inputs = [(name, mode, TypeAdapter(shape)) for name, shape, mode in _FRAMES]
    named, shared = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}")
    schemas.update(shared.get("$defs", {}))
    for (name, _), schema in named.items():
        if "$ref" not in schema or not schema["$ref"].endswith(f"/{name}"):
            schemas[name] = schema
    # Plain texts in the shapes, since a later server may know more; the page words all of this one's.
    codes = sorted({*OUTCOMES, *(row.code for row in TRANSPORT.values())})
    schemas["OutcomeCode"] = {"title": "OutcomeCode", "type": "string", "enum": codes}
    return document


def render_openapi(document: dict[str, Any]) -> str:
    """Stable from run to run, so that a difference is a change of the API."""
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def build_api() -> FastAPI:
    """The routes without their services."""
    api = FastAPI(
        title="IdeA",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: _camel(route.name),
        responses={"default": {"model": wire.WireError, "description": "What went wrong, and what to do"}},
    )
    for router in ROUTERS:
        api.include_router(router)
    return api


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


if __name__ == "__main__":
    sys.stdout.write(render_openapi(describe(build_api())))
