"""The whole door as one ASGI application: routes, sockets, errors, and the guard around them."""

import logging
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import TypeVar

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp

from idea.domain.errors import IdeaError, Invalid, NotFound
from idea.doors.http import events_socket, page, terminal_socket
from idea.doors.http.errors import TransportRefusal, render_error, render_internal, render_refusal
from idea.doors.http.guard import Guard
from idea.doors.http.live_sockets import LiveSockets
from idea.doors.http.openapi import build_api, describe, render_openapi
from idea.doors.http.services import Services
from idea.doors.http.wire import WireError
from idea.doors.wrong_input import explain_wrong_input, name_wrong_input

E = TypeVar("E", bound=Exception)

_log = logging.getLogger(__name__)


def create_app(services: Services) -> ASGIApp:
    """What a listener serves. Raises `Invalid` for an unusable `allow_hosts` entry."""
    return Guard(create_routes(services), credentials=services.credentials, address=services.address)


def create_routes(services: Services) -> FastAPI:
    """The routes without their guard; never serve these themselves."""
    routes = build_api()

    @cache
    def document() -> bytes:
        # Not before somebody asks: it takes longer than the rest of the start.
        return render_openapi(describe(routes)).encode()

    async def get_openapi() -> Response:
        return Response(document(), media_type="application/json")

    routes.add_api_route("/api/openapi.json", get_openapi, include_in_schema=False)
    for router in (events_socket.router, terminal_socket.router, page.router):
        routes.include_router(router)
    routes.state.services = services
    routes.state.sockets = LiveSockets()
    _answer(routes, IdeaError, _on_idea_error)
    _answer(routes, TransportRefusal, _on_refusal)
    _answer(routes, RequestValidationError, _on_invalid)
    _answer(routes, HTTPException, _on_http_exception)
    _answer(routes, Exception, _on_bug)
    return routes


def _answer(routes: FastAPI, kind: type[E], answer: Callable[[Request, E], Response]) -> None:
    """What a route raises of this kind, and of no narrower one, is answered so."""

    async def on_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, kind)
        return answer(request, error)

    routes.add_exception_handler(kind, on_error)


def _respond(status: int, error: WireError) -> JSONResponse:
    return JSONResponse(error.model_dump(mode="json", by_alias=True), status_code=status)


def _on_idea_error(request: Request, error: IdeaError) -> Response:
    return _respond(*render_error(error))


def _on_refusal(request: Request, error: TransportRefusal) -> Response:
    return _respond(*render_refusal(error))


def _on_invalid(request: Request, error: RequestValidationError) -> Response:
    """Names the places that were wrong. What was sent there stays unsaid, it may be a secret."""
    problems = error.errors()
    clauses = "; ".join(dict.fromkeys(explain_wrong_input(problem) for problem in problems))
    names = ", ".join(dict.fromkeys(name for problem in problems if (name := name_wrong_input(problem))))
    return _respond(*render_error(Invalid(f"The request does not fit: {clauses}.", why="doesNotFit", names=names)))


def _on_http_exception(request: Request, refused: HTTPException) -> Response:
    """What the framework itself refuses. A status that nothing here is known to raise is a fault of ours."""
    match refused.status_code:
        case HTTPStatus.NOT_FOUND:
            answer = _respond(*render_error(NotFound("address", request.url.path)))
        case HTTPStatus.METHOD_NOT_ALLOWED:
            refusal = TransportRefusal(HTTPStatus.METHOD_NOT_ALLOWED, f"{request.method} is not possible here.")
            answer = _respond(*render_refusal(refusal))
        case HTTPStatus.BAD_REQUEST:
            # A body that the parser of JSON stumbles over in a way of its own: no UTF-8, a number of 5,000 digits,
            # 100,000 brackets. To the sender it is the same as a bracket that is missing.
            unread = Invalid("The request does not fit: the body is not valid JSON.", why="doesNotFit", names="")
            answer = _respond(*render_error(unread))
        case _:
            _log.error("%s %s ended in an unforeseen status %d", request.method, request.url.path, refused.status_code)
            answer = _respond(*render_internal())
    answer.headers.update(refused.headers or {})
    return answer


def _on_bug(request: Request, error: Exception) -> Response:
    """The listener logs the traceback; the caller learns nothing of it."""
    return _respond(*render_internal())
