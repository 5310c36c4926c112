"""What a terminal program's own status says about its readiness."""

from typing import assert_never

from idea.application.beliefs import Beliefs
from idea.application.terminal_session import TerminalSession
from idea.application.terminal_status import ProgramState
from idea.domain.ids import AgentId
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState


def believe_terminal(beliefs: Beliefs, agent: AgentId, terminal: TerminalSession) -> None:
    """A program that says nothing of itself counts as ready: it runs, and more is not known."""
    status = terminal.status()
    if status is None or status.state is ProgramState.CLEAR:
        beliefs.believe(agent, ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.KEEPER)
        return
    match status.state:
        case ProgramState.WORKING:
            state = ReadinessState.WORKING
        case ProgramState.BLOCKED:
            state = ReadinessState.WAITING_PERMISSION
        case ProgramState.IDLE | ProgramState.DONE | ProgramState.ERROR:
            state = ReadinessState.IDLE
        case _:
            assert_never(status.state)
    beliefs.believe(
        agent, state, ReadinessReason.PROGRAM_STATUS, BeliefSource.TERMINAL, detail=status.message or status.title
    )
