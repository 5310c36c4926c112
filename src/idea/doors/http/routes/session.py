"""Coming in: start codes, start links, credentials."""

from http import HTTPStatus

from fastapi import APIRouter, Request

from idea.domain.errors import NotFound
from idea.doors.http import wire
from idea.doors.http.caller import caller_of
from idea.doors.http.dependencies import TheServices, TheSockets
from idea.doors.http.errors import TransportRefusal
from idea.doors.http.render import render_credential, to_ms
from idea.doors.http.services import START_CODE_LIFE
from idea.doors.http.start_link import start_link

router = APIRouter(prefix="/api")


@router.post("/session")
async def create_session(body: wire.StartCode, services: TheServices) -> wire.BrowserCredential:
    if not services.start_codes.redeem(body.code, services.clock.now()):
        life = f"{START_CODE_LIFE.total_seconds():g} s"
        raise TransportRefusal(HTTPStatus.UNAUTHORIZED, f"This start link was already used, or is older than {life}.")
    credential, secret = services.credentials.issue(body.label)
    return wire.BrowserCredential(id=credential, credential=secret)


@router.post("/link")
async def create_link(services: TheServices) -> wire.StartLink:
    now = services.clock.now()
    url = start_link(services.address, services.start_codes.issue(now))
    return wire.StartLink(url=url, expires_at_ms=to_ms(now + START_CODE_LIFE))


@router.get("/credentials")
async def list_credentials(request: Request, services: TheServices) -> list[wire.WireCredential]:
    current = caller_of(request.scope).credential
    return [render_credential(each, current=current) for each in services.credentials.list()]


@router.delete("/credentials/{credential}", status_code=204)
async def revoke_credential(credential: str, services: TheServices, sockets: TheSockets) -> None:
    if not services.credentials.revoke(credential):
        raise NotFound("credential", credential)
    sockets.revoke(credential)
