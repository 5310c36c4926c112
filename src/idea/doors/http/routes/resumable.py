"""What ran before, and letting it go on."""

from fastapi import APIRouter

from idea.application import commands
from idea.domain.errors import IdeaError
from idea.domain.resumable import Resumed
from idea.doors.http import wire
from idea.doors.http.dependencies import TheProject, TheRequester
from idea.doors.http.errors import render_error
from idea.doors.http.render import render_session
from idea.doors.http.render_layouts import render_resumable

router = APIRouter(prefix="/api/projects/{project}/resumable")


@router.get("")
async def list_resumable(project: TheProject, requester: TheRequester) -> list[wire.WireResumable]:
    return render_resumable(await project.dispatch(requester, commands.ListResumableAgents()))


@router.post("/resume")
async def resume_agents(body: wire.SomeAgents, project: TheProject, requester: TheRequester) -> list[wire.WireResumed]:
    names = None if body.agents is None else tuple(body.agents)
    return [_render(each) for each in await project.dispatch(requester, commands.ResumeAgents(names))]


@router.post("/dismiss", status_code=204)
async def dismiss_resumable(body: wire.SomeAgents, project: TheProject, requester: TheRequester) -> None:
    names = None if body.agents is None else tuple(body.agents)
    await project.dispatch(requester, commands.DismissResumable(names))


def _render(resumed: Resumed) -> wire.WireResumed:
    if isinstance(resumed.outcome, IdeaError):
        return wire.WireResumed(agent_id=resumed.agent, session=None, error=render_error(resumed.outcome)[1])
    return wire.WireResumed(agent_id=resumed.agent, session=render_session(resumed.outcome), error=None)
