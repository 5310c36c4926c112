"""Coming in: start codes, start links, credentials."""

from http import HTTPStatus

from fastapi import APIRouter, Request

from idea.doors.http import wire
from idea.doors.http.caller import caller_of
from idea.doors.http.dependencies import TheServices, TheSockets
from idea.doors.http.errors import TransportRefusal
from idea.doors.http.render import render_credential
from idea.doors.http.start_link import start_link
from idea.doors.http.times import to_ms

router = APIRouter(prefix="/api")


@router.post("/session")
async def create_session(body: wire.StartCode, services: TheServices, sockets: TheSockets) -> wire.BrowserCredential:
    if not services.start_codes.redeem(body.code):
        raise TransportRefusal(HTTPStatus.UNAUTHORIZED, "This start link was already used, or is older than 60 s.")
    issued = await services.credentials.issue(body.label)
    sockets.note_change()
    return wire.BrowserCredential(id=issued.id, credential=issued.secret)


@router.post("/link")
async def create_link(services: TheServices) -> wire.StartLink:
    issued = services.start_codes.issue()
    return wire.StartLink(url=start_link(services.address, issued.code), expires_at_ms=to_ms(issued.expires_at))


@router.get("/credentials")
async def list_credentials(request: Request, services: TheServices) -> list[wire.WireCredential]:
    current = caller_of(request.scope).credential
    return [render_credential(each, current=current) for each in services.credentials.list()]


@router.delete("/credentials/{credential}", status_code=204)
async def revoke_credential(credential: str, services: TheServices, sockets: TheSockets) -> None:
    await services.credentials.revoke(credential)
    sockets.revoke(credential)
