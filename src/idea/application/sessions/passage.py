"""What an agent is fit for now: a turn, another view, another conversation. Each check raises why not."""

from idea.application.beliefs import Beliefs
from idea.application.sessions.launch_plan import no_chat
from idea.application.sessions.live_sessions import LiveSession
from idea.application.sessions.terminal_conversations import Sight
from idea.application.team.team import Member
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.agents import Agent
from idea.domain.errors import Conflict, Invalid, TargetDied, TargetRateLimited
from idea.domain.ids import DelegationId
from idea.domain.profiles import Face, Profile
from idea.domain.readiness import BeliefSource, ReadinessState
from idea.domain.sessions import SessionKind, SessionRole

AT_WORK = (ReadinessState.WORKING, ReadinessState.WAITING_PERMISSION, ReadinessState.RATE_LIMITED)
TELLING = (BeliefSource.ENGINE, BeliefSource.TERMINAL, BeliefSource.TITLE, BeliefSource.SCREEN)
"""Mere output may be a clock that ticks."""


def check_between_turns(member: Member, live: LiveSession, beliefs: Beliefs) -> None:
    """Raises `Conflict` while a turn runs or waits: it would be lost."""
    name = member.agent.name
    if member.running is not None or len(member.mailbox):
        raise _in_turn(name)
    belief = beliefs.get(member.agent.id)
    if live.session.kind is SessionKind.PTY and belief.state in AT_WORK and belief.source in TELLING:
        raise _in_turn(name)


def check_takes_it_along(member: Member, profile: Profile, face: Face, sight: Sight) -> None:
    """That what was said so far goes on in another face.

    Raises:
        Invalid: the CLI cannot do that.
        Conflict: nobody knows which of its conversations this is.
    """
    name = member.agent.name
    if not face.resume_args or sight is Sight.UNKNOWABLE:
        raise Invalid(
            f"{profile.name} cannot go on with a conversation in that view. Stop {name}, and start it there anew.",
            why="cannotResumeInView",
            profile=profile.name,
            agent=name,
        )
    if sight is Sight.AMBIGUOUS:
        raise Conflict(
            f"Several conversations of {profile.name} began here since {name} did, and IdeA cannot tell which is its.",
            why="conversationUnclear",
            profile=profile.name,
            agent=name,
        )


def judge_role(member: Member, live: LiveSession | None, *, delegation: DelegationId | None) -> SessionRole:
    """Which of its sessions takes a turn; `live` is the main one.

    Raises:
        Invalid: it runs as a terminal, into which nobody else types, and none of its sessions stands beside that.
    """
    if live is not None and live.profile.structured is None:
        raise no_chat(live.profile, member.agent.name)
    if live is None or live.session.kind is not SessionKind.PTY:
        return SessionRole.MAIN
    if delegation is None:
        raise only_people_type(member)
    check_allows_side(member.agent, live.profile)
    return SessionRole.SIDE


def check_allows_side(agent: Agent, profile: Profile) -> None:
    """Raises `Invalid` where the agent's file, or else its profile, wants no session beside its terminal."""
    own = agent.allow_structured_alongside_pty
    if not (profile.allow_structured_alongside_pty if own is None else own):
        raise Invalid(
            f"{agent.name} runs as a terminal, in which only a person writes, and its settings keep it to that. "
            "Stop it, switch its cell to the chat view, or let it answer beside its terminal.",
            why="aloneInTerminal",
            agent=agent.name,
        )


def only_people_type(member: Member) -> Invalid:
    return Invalid(
        f"{member.agent.name} runs as a terminal, in which only a person writes. "
        "Stop it, or switch its cell to the chat view.",
        why="runsAsTerminal",
        agent=member.agent.name,
    )


def check_at_prompt(member: Member, live: LiveSession | None, beliefs: Beliefs) -> TerminalSession:
    """The terminal that the agent runs in, which takes a person's message now.

    Raises:
        Invalid: nothing in its terminal could show that a turn has begun.
        Conflict: it is at something, asks something, or is not known to wait for a message.
        TargetRateLimited: its CLI refuses work.
    """
    name, belief = member.agent.name, beliefs.get(member.agent.id)
    if live is None or not isinstance(live.runner, TerminalSession):
        raise _not_at_prompt(name)
    if not live.profile.signs.has_work and belief.source is not BeliefSource.TERMINAL:
        raise Invalid(
            f"{live.profile.name} does not show when a turn begins, so that nobody could tell whether {name} took the "
            "message. Type it into its terminal.",
            why="noStartSigns",
            profile=live.profile.name,
            agent=name,
        )
    if belief.source not in (*TELLING, BeliefSource.HOOK):
        raise _not_at_prompt(name)
    match belief.state:
        case ReadinessState.IDLE:
            return live.runner
        case ReadinessState.WORKING:
            raise Conflict(
                f"{name} is in a turn. Wait until it has ended, or stop the turn.", why="turnRuns", agent=name
            )
        case ReadinessState.WAITING_PERMISSION:
            raise Conflict(
                f"{name} asks something in its terminal. Answer it there first.", why="asksInTerminal", agent=name
            )
        case ReadinessState.RATE_LIMITED:
            raise TargetRateLimited(name, belief.until)
        case _:
            raise _not_at_prompt(name)


def _in_turn(name: str) -> Conflict:
    return Conflict(f"{name} is in a turn. Wait until it has ended, or stop the turn.", why="turnRuns", agent=name)


def _not_at_prompt(name: str) -> Conflict:
    return Conflict(
        f"{name} is not known to wait for a message at its prompt. Look at its terminal.", why="notAtPrompt", agent=name
    )


def ended_unseen(member: Member) -> TargetDied:
    return TargetDied(member.agent.name, "it ended while no server was there to see it", why="endedUnseen")
