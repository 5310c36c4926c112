"""The agents of one project: their files, and starting and stopping them."""

from typing import Final

from fastapi import APIRouter

from idea.application import commands
from idea.domain.agents import AgentDraft
from idea.domain.errors import NotFound
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.doors.http import wire
from idea.doors.http.dependencies import TheAgent, TheProject, TheRequester
from idea.doors.http.render import names_of, render_agent, render_agents, render_conversation, render_session
from idea.doors.http.services import OpenedProject

AGENTS: Final = "/api/projects/{project}/agents"
router = APIRouter(prefix=AGENTS)


def _draft(body: wire.AgentFields) -> AgentDraft:
    return AgentDraft(
        name=body.name,
        profile=body.profile,
        model=body.model,
        permissions=body.permissions,
        capabilities=tuple(body.capabilities),
        allow_structured_alongside_pty=body.allow_structured_alongside_pty,
        workspace=body.workspace,
        instructions=body.instructions,
    )


def _render(project: OpenedProject, agent: AgentId) -> wire.WireAgent:
    state = project.state()
    known = state.find_agent(agent)
    if known is None:
        raise NotFound("agent", agent)
    return render_agent(known, names_of(state))


@router.get("")
async def list_agents(project: TheProject) -> list[wire.WireAgent]:
    return render_agents(project.state())


@router.post("")
async def create_agent(body: wire.AgentFields, project: TheProject) -> wire.WireAgent:
    agent = await project.create_agent(_draft(body))
    return _render(project, agent.id)


@router.get("/{agent}")
async def get_agent(agent: TheAgent, project: TheProject) -> wire.WireAgent:
    return _render(project, agent)


@router.put("/{agent}")
async def save_agent(body: wire.SaveAgent, agent: TheAgent, project: TheProject) -> wire.WireAgent:
    saved = await project.save_agent(agent, _draft(body), base=body.base)
    return _render(project, saved.id)


@router.delete("/{agent}", status_code=204)
async def delete_agent(agent: TheAgent, project: TheProject) -> None:
    await project.delete_agent(agent)


@router.post("/{agent}/launch")
async def launch_agent(agent: str, body: wire.Launch, project: TheProject, requester: TheRequester) -> wire.WireSession:
    node_id = None if body.node_id is None else NodeId(body.node_id)
    command = commands.LaunchAgent(agent, node_id, body.view, is_reattach=body.is_reattach, opening=body.opening)
    return render_session(await project.dispatch(requester, command))


@router.post("/{agent}/switch")
async def switch_view(agent: str, body: wire.Switch, project: TheProject, requester: TheRequester) -> wire.WireSession:
    return render_session(
        await project.dispatch(requester, commands.SwitchView(agent, NodeId(body.node_id), body.view))
    )


@router.get("/{agent}/conversations")
async def list_conversations(agent: str, project: TheProject, requester: TheRequester) -> list[wire.WireConversation]:
    found = await project.dispatch(requester, commands.ListConversations(agent))
    owners = {state.conversation: state.agent.id for state in project.state().agents if state.conversation is not None}
    return [render_conversation(one, owners.get(one.id)) for one in found]


@router.post("/{agent}/conversation", status_code=204)
async def attach_conversation(agent: str, body: wire.Attach, project: TheProject, requester: TheRequester) -> None:
    node_id = None if body.node_id is None else NodeId(body.node_id)
    conversation = ConversationId(body.conversation_id)
    await project.dispatch(requester, commands.AttachConversation(agent, conversation, node_id, body.view))


@router.post("/{agent}/stop")
async def stop_agent(agent: str, project: TheProject, requester: TheRequester) -> wire.Stopped:
    report = await project.dispatch(requester, commands.StopAgent(agent))
    return wire.Stopped(
        exit_code=None if report.exit is None else report.exit.code,
        signal=None if report.exit is None else report.exit.signal,
        survivors=list(report.survivors),
    )


@router.post("/{agent}/detach", status_code=204)
async def detach_cell(agent: TheAgent, body: wire.Detach, project: TheProject, requester: TheRequester) -> None:
    await project.dispatch(requester, commands.DetachCell(agent, NodeId(body.node_id)))
