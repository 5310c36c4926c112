"""Builds what becomes of a message to one project's agents. No decisions."""

from dataclasses import dataclass

from idea.application.ports import ProjectPaths
from idea.application.supervisor import Supervisor
from idea.application.turns.ask import Ask
from idea.application.turns.converse import Converse
from idea.application.turns.limit_ends import LimitEnds
from idea.application.turns.limit_waits import LimitWaits
from idea.application.turns.open_asks import OpenAsks
from idea.application.turns.terminal_prompts import TerminalPrompts
from idea.application.turns.turn_runner import TurnRunner
from idea.bootstrap.assemble_sessions import AgentSessions
from idea.bootstrap.project_facts import ProjectFacts
from idea.bootstrap.project_ports import ProjectPorts


@dataclass(frozen=True, slots=True)
class AgentTurns:
    runner: TurnRunner
    open_asks: OpenAsks
    ask: Ask
    converse: Converse
    prompts: TerminalPrompts


def assemble_turns(
    paths: ProjectPaths, ports: ProjectPorts, facts: ProjectFacts, sessions: AgentSessions, *, supervisor: Supervisor
) -> AgentTurns:
    open_asks = OpenAsks(
        delegations=facts.delegations, settings=facts.settings, supervisor=supervisor, clock=ports.clock
    )
    limit_waits = LimitWaits(
        team=facts.team,
        delegations=facts.delegations,
        open_asks=open_asks,
        record=facts.turns,
        supervisor=supervisor,
        clock=ports.clock,
        new_id=ports.new_id,
    )
    runner = TurnRunner(
        paths.id,
        launcher=sessions.launcher,
        lives=sessions.lives,
        sides=sessions.sides,
        live=facts.live,
        beliefs=facts.beliefs,
        transcript=facts.transcript,
        delegations=facts.delegations,
        record=facts.turns,
        permissions=facts.permissions,
        limit_waits=limit_waits,
        settings=facts.settings,
        clock=ports.clock,
        publish=facts.publish,
    )
    ask = Ask(
        team=facts.team,
        live=facts.live,
        delegations=facts.delegations,
        open_asks=open_asks,
        transcript=facts.transcript,
        turns=facts.turns,
        settings=facts.settings,
        new_id=ports.new_id,
    )
    converse = Converse(
        team=facts.team,
        live=facts.live,
        approved=facts.approved,
        turns=facts.turns,
        clock=ports.clock,
        new_id=ports.new_id,
    )
    prompts = TerminalPrompts(team=facts.team, live=facts.live, beliefs=facts.beliefs)
    facts.beliefs.watch(prompts.note)
    facts.beliefs.watch(LimitEnds(beliefs=facts.beliefs, supervisor=supervisor, clock=ports.clock).note)
    return AgentTurns(runner, open_asks, ask, converse, prompts)
