"""How failures look on this door: one map from outcomes to statuses, and the refusals only HTTP knows."""

from dataclasses import replace
from http import HTTPStatus
from typing import Final

from idea.domain.errors import IdeaError
from idea.domain.outcomes import Outcome, advise, outcome_of
from idea.doors.http.wire import WireError

TRANSPORT: Final = {
    row.http_status: row
    for row in (
        Outcome("BAD_REQUEST", "BadRequest", 400, 4, "Send a plain HTTP/1.1 request to a path."),
        Outcome("UNAUTHENTICATED", "Unauthenticated", 401, 12, "Run `idea link` and open the address that it prints."),
        Outcome("WRONG_ORIGIN", "WrongOrigin", 403, 12, "Open the page at the address that `idea link` prints."),
        Outcome("METHOD_NOT_ALLOWED", "MethodNotAllowed", 405, 4, "GET /api/openapi.json tells the methods."),
        Outcome("TOO_SLOW", "TooSlow", 408, 4, "Send the whole request at once."),
        Outcome("TOO_LARGE", "TooLarge", 413, 4, "Send less in one request."),
        Outcome("NOT_JSON", "NotJson", 415, 4, "Send the body as application/json."),
        Outcome("WRONG_HOST", "WrongHost", 421, 12, "Use the address that `idea link` prints, or --allow-host."),
    )
}
"""Refusals before any use case is reached, by status."""


class TransportRefusal(Exception):
    """A request that is refused for its form; `message` names what was wrong, never a secret."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def render_error(error: IdeaError) -> tuple[int, WireError]:
    row = replace(outcome_of(error.code), advice=advise(error))
    return row.http_status, _fill(row, str(error), error.fields())


def render_refusal(refusal: TransportRefusal) -> tuple[int, WireError]:
    return int(refusal.status), _fill(TRANSPORT[refusal.status], refusal.message, {})


def render_internal() -> tuple[int, WireError]:
    row = outcome_of("INTERNAL")
    return row.http_status, _fill(row, "Something went wrong inside IdeA.", {})


def _fill(row: Outcome, message: str, fields: dict[str, object]) -> WireError:
    return WireError(code=row.code, outcome=row.name, message=message, advice=row.advice, fields=fields)
