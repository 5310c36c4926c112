"""What the routes are handed: the services, the project a path names, and who calls.

Coroutines all of them, though none waits: others are called in threads, where a request overtakes the one before it.
"""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from idea.domain.delegation import Requester
from idea.domain.ids import AgentId
from idea.doors.http.caller import caller_of
from idea.doors.http.live_sockets import LiveSockets
from idea.doors.http.services import OpenedProject, Services


async def _services(connection: HTTPConnection) -> Services:
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services


async def _sockets(connection: HTTPConnection) -> LiveSockets:
    sockets = connection.app.state.sockets
    assert isinstance(sockets, LiveSockets)
    return sockets


TheServices = Annotated[Services, Depends(_services)]
TheSockets = Annotated[LiveSockets, Depends(_sockets)]


async def _project(project: str, services: TheServices) -> OpenedProject:
    return services.projects.get(project)


TheProject = Annotated[OpenedProject, Depends(_project)]


async def _agent(agent: str, project: TheProject) -> AgentId:
    return project.resolve_agent(agent)


TheAgent = Annotated[AgentId, Depends(_agent)]


async def _requester(connection: HTTPConnection) -> Requester:
    return Requester(source=caller_of(connection.scope).source)


TheRequester = Annotated[Requester, Depends(_requester)]
