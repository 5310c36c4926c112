"""The one place that executes what the doors ask for, and publishes that it was asked."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from idea.application.beliefs import Beliefs
from idea.application.commands import (
    AgentStatus,
    AgentView,
    AskAgent,
    AttachConversation,
    CancelQueued,
    Command,
    DetachCell,
    DismissResumable,
    InterruptTurn,
    LaunchAgent,
    ListAgents,
    ListConversations,
    ListResumableAgents,
    ResumeAgents,
    SendMessage,
    StopAgent,
    SwitchView,
    TypePrompt,
)
from idea.application.ports import Clock, NewId
from idea.application.restart.resume_agents import ResumeAgents as Resume
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.attachment import Attachment
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.team.team import Member, Team
from idea.application.turns.ask import Ask
from idea.application.turns.converse import Converse
from idea.application.turns.terminal_prompts import TerminalPrompts
from idea.domain.delegation import Requester, delegation_of_call
from idea.domain.errors import IdeaError
from idea.domain.events import Event, OrchestratorRequestProcessed
from idea.domain.ids import DelegationId, ProjectId
from idea.domain.outcomes import outcome_of

R = TypeVar("R")


class Dispatch:
    """Doors differ in how they parse and render, never in what happens."""

    def __init__(
        self,
        project: ProjectId,
        *,
        team: Team,
        live: LiveSessions,
        beliefs: Beliefs,
        ask: Ask,
        converse: Converse,
        prompts: TerminalPrompts,
        launcher: AgentLauncher,
        attachment: Attachment,
        stopper: AgentStopper,
        resumable: ResumableAgents,
        resume: Resume,
        clock: Clock,
        new_id: NewId,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._ask = ask
        self._converse = converse
        self._prompts = prompts
        self._launcher = launcher
        self._attachment = attachment
        self._stopper = stopper
        self._resumable = resumable
        self._resume = resume
        self._clock = clock
        self._new_id = new_id
        self._publish = publish

    async def __call__(self, requester: Requester, command: Command[R]) -> R:
        """Carry out one command. Cancelling the call takes an ask back. Raises any `IdeaError`."""
        started_at = self._clock.now()
        delegation = self._find_delegation_id(requester, command)
        code = "INTERNAL"
        try:
            result = await self._execute(requester, command, delegation)
            code = "ANSWERED"
        except IdeaError as error:
            code = error.code
            raise
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        finally:
            now = self._clock.now()
            self._publish(
                OrchestratorRequestProcessed(
                    self._project,
                    requester,
                    type(command).__name__,
                    outcome_of(code).name,
                    delegation,
                    now,
                    int((now - started_at).total_seconds() * 1000),
                )
            )
        # The command's own type says what it returns; the match below keeps that promise.
        return cast("R", result)

    def _find_delegation_id(self, requester: Requester, command: object) -> DelegationId | None:
        if not isinstance(command, AskAgent):
            return None
        return DelegationId(self._new_id()) if command.call is None else delegation_of_call(requester, command.call)

    async def _execute(self, requester: Requester, command: object, delegation: DelegationId | None) -> object:
        match command:
            case ListAgents():
                return tuple(self._view(member) for member in self._team.members())
            case AgentStatus(agent=agent):
                return self._view(self._team.resolve(agent))
            case AskAgent(agent=agent, message=message):
                assert delegation is not None
                return await self._ask.ask(
                    requester,
                    agent,
                    message,
                    timeout_s=command.timeout_s,
                    delegation_id=delegation,
                    call=command.call,
                    waits_for_limit=command.waits_for_limit,
                )
            case SendMessage(agent=agent, message=message, message_id=message_id):
                return await self._converse.send(requester, agent, message, message_id=message_id)
            case TypePrompt(agent=agent, text=text):
                await self._prompts.send(requester, agent, text)
                return None
            case InterruptTurn(agent=agent, turn=turn):
                self._converse.interrupt(agent, turn)
                return None
            case CancelQueued(agent=agent, turn=turn):
                return self._converse.cancel(agent, turn)
            case _:
                return await self._tend(command)

    async def _tend(self, command: object) -> object:
        """What concerns the lives of agents and the cells that show them."""
        match command:
            case LaunchAgent():
                return await self._launcher.launch(
                    self._team.resolve(command.agent),
                    node_id=command.node_id,
                    view=command.view,
                    is_reattach=command.is_reattach,
                    opening=command.opening,
                )
            case ListResumableAgents():
                return tuple(self._resumable.list())
            case ResumeAgents(agents=names):
                return await self._resume.resume(names)
            case DismissResumable(agents=names):
                self._dismiss(names)
                return None
            case SwitchView(agent=agent, node_id=node, view=view):
                return await self._launcher.switch(self._team.resolve(agent), node_id=node, view=view)
            case ListConversations(agent=agent):
                return await self._attachment.list(self._team.resolve(agent))
            case AttachConversation(agent=agent, conversation=conversation, node_id=node_id, view=view):
                await self._attachment.attach(self._team.resolve(agent), conversation, node_id=node_id, view=view)
                return None
            case StopAgent(agent=agent):
                return await self._stopper.stop(self._team.resolve(agent))
            case DetachCell(agent=agent_id, node_id=node_id):
                self._live.unbind(agent_id, node_id)
                return None
            case _:
                raise AssertionError(f"no use case for {command!r}")

    def _dismiss(self, names: Sequence[str] | None) -> None:
        if names is None:
            self._resumable.dismiss([each.agent for each in self._resumable.list()])
        else:
            self._resumable.dismiss([self._team.resolve(name).agent.id for name in names])

    def _view(self, member: Member) -> AgentView:
        live = self._live.find(member.agent.id)
        running = member.running
        for_agent = running is not None and running.live.requester.agent is not None
        return AgentView(
            agent=member.agent,
            readiness=self._beliefs.get(member.agent.id),
            session=live.session if live else None,
            conversation=member.conversation,
            queue=len(member.mailbox),
            busy_for=running.waiting.requester_name if running is not None and for_agent else None,
        )
