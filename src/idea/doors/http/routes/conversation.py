"""Talking to an agent: its record, messages, asks, and the requests it makes of a person."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from idea.application import commands
from idea.domain.delegation import Delegation
from idea.domain.ids import RequestId, TurnId
from idea.doors.http import wire
from idea.doors.http.caller import caller_of
from idea.doors.http.dependencies import TheAgent, TheProject, TheRequester, TheSockets
from idea.doors.http.disconnect import run_while_connected
from idea.doors.http.render_turns import render_item, render_queued
from idea.doors.http.routes.agents import AGENTS

router = APIRouter(prefix=AGENTS + "/{agent}")


@router.get("/conversation")
async def list_items(
    agent: TheAgent,
    project: TheProject,
    before: Annotated[int | None, Query(ge=1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> wire.Items:
    items = await project.list_items(agent, before_seq=before, limit=limit)
    # The record counts up from 1, so that the first number tells whether something lies before it.
    return wire.Items(items=[render_item(item) for item in items], has_more=bool(items) and items[0].seq > 1)


@router.get("/queue")
async def list_waiting(
    agent: TheAgent,
    project: TheProject,
    after: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[wire.WireQueuedTurn]:
    return [render_queued(turn) for turn in project.list_waiting(agent, after=after, limit=limit)]


@router.post("/messages")
async def send_message(
    agent: str, body: wire.SendMessage, project: TheProject, requester: TheRequester
) -> wire.MessageQueued:
    turn = await project.dispatch(requester, commands.SendMessage(agent, body.message, body.message_id))
    return wire.MessageQueued(turn_id=turn)


@router.post("/terminal/prompt", status_code=204)
async def type_prompt(agent: str, body: wire.TypedPrompt, project: TheProject, requester: TheRequester) -> None:
    """Answers when the turn has begun, after some seconds at most."""
    await project.dispatch(requester, commands.TypePrompt(agent, body.text))


@router.post("/ask")
async def ask_agent(
    agent: str, body: wire.Ask, project: TheProject, requester: TheRequester, request: Request, sockets: TheSockets
) -> wire.AskAnswered:
    """Answers when the target's final message is there. Hanging up takes the ask back."""
    command = commands.AskAgent(agent, body.message, body.timeout_seconds, waits_for_limit=body.wait_for_limit)
    with sockets.hold(caller_of(request.scope).credential) as revoked:
        asking = project.dispatch(requester, command)
        return _render_answer(await run_while_connected(request, asking, target=agent, revoked=revoked))


def _render_answer(delegation: Delegation) -> wire.AskAnswered:
    assert delegation.settled_at is not None
    assert delegation.reply is not None
    took = delegation.settled_at - delegation.asked_at
    return wire.AskAnswered(
        outcome="answered",
        ticket_id=delegation.id,
        reply=delegation.reply,
        duration_ms=int(took.total_seconds() * 1000),
    )


@router.post("/interrupt", status_code=204)
async def interrupt_turn(agent: str, body: wire.TurnRef, project: TheProject, requester: TheRequester) -> None:
    await project.dispatch(requester, commands.InterruptTurn(agent, TurnId(body.turn_id)))


@router.post("/cancel")
async def cancel_turn(
    agent: str, body: wire.TurnRef, project: TheProject, requester: TheRequester
) -> wire.MessageTakenBack:
    message = await project.dispatch(requester, commands.CancelQueued(agent, TurnId(body.turn_id)))
    return wire.MessageTakenBack(message=message)


@router.post("/permissions/{request_id:path}", status_code=204)
async def decide_permission(request_id: str, body: wire.Decide, agent: TheAgent, project: TheProject) -> None:
    await project.decide_permission(agent, RequestId(request_id), body.decision)
