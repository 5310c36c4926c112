"""What an agent is fit for now: a turn, another view, another conversation. Each check raises why not."""

from idea.application.beliefs import Beliefs
from idea.application.launch_plan import no_chat
from idea.application.live_sessions import LiveSession
from idea.application.team import Member
from idea.application.terminal_conversations import Sight
from idea.domain.errors import Conflict, Invalid, TargetDied
from idea.domain.profiles import Face, Profile
from idea.domain.readiness import BeliefSource, ReadinessState
from idea.domain.sessions import SessionKind

AT_WORK = (ReadinessState.WORKING, ReadinessState.WAITING_PERMISSION, ReadinessState.RATE_LIMITED)
TELLING = (BeliefSource.ENGINE, BeliefSource.TERMINAL, BeliefSource.TITLE, BeliefSource.SCREEN)
"""Mere output may be a clock that ticks."""


def check_between_turns(member: Member, live: LiveSession, beliefs: Beliefs) -> None:
    """Raises `Conflict` while a turn runs or waits: it would be lost."""
    name = member.agent.name
    if member.running is not None or len(member.mailbox):
        raise Conflict(f"{name} is in a turn. Wait until it has ended, or stop the turn.", why="turnRuns", agent=name)
    belief = beliefs.get(member.agent.id)
    if live.session.kind is SessionKind.PTY and belief.state in AT_WORK and belief.source in TELLING:
        raise Conflict(f"{name} is in a turn. Wait until it has ended, or stop the turn.", why="turnRuns", agent=name)


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


def check_takes_turns(member: Member, live: LiveSession | None) -> None:
    """Raises `Invalid` for an agent that runs as a terminal: nobody else types into it."""
    if live is not None and live.profile.structured is None:
        raise no_chat(live.profile, member.agent.name)
    if live is not None and live.session.kind is SessionKind.PTY:
        raise Invalid(
            f"{member.agent.name} runs as a terminal, which takes messages only from its own keyboard. "
            "Stop it, or switch its cell to the chat view.",
            why="runsAsTerminal",
            agent=member.agent.name,
        )


def ended_unseen(member: Member) -> TargetDied:
    return TargetDied(member.agent.name, "it ended while no server was there to see it", why="endedUnseen")
