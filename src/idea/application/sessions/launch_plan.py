"""The command line of one launch, from the profile's data and the launch's files."""

from dataclasses import dataclass
from typing import Final

from idea.application.ports import LaunchFiles
from idea.domain.agents import Agent
from idea.domain.errors import Invalid
from idea.domain.ids import ConversationId
from idea.domain.layouts import View
from idea.domain.profiles import Face, Profile, arguments
from idea.domain.sessions import SessionKind, SpawnSpec, TerminalSize

SPAWN_MARK: Final = "IDEA_SPAWN_ID"
"""The variable by which the keeper knows whose descendant a process is."""


def kind_of(view: View) -> SessionKind:
    return SessionKind.PTY if view is View.TERMINAL else SessionKind.STRUCTURED


def face_of(profile: Profile, kind: SessionKind, agent_name: str) -> Face:
    """Raises `Invalid` if the CLI has no such face."""
    face = profile.terminal if kind is SessionKind.PTY else profile.structured
    if face is None:
        if kind is SessionKind.PTY:
            raise Invalid(
                f"{profile.name} has no terminal view; use the other one.", why="noTerminalView", profile=profile.name
            )
        raise no_chat(profile, agent_name)
    return face


def no_chat(profile: Profile, agent_name: str) -> Invalid:
    """For whoever wants to see its chat, and for whoever sends it a message."""
    error = Invalid(
        f"{agent_name} runs {profile.name}, which has a terminal only: it takes what is typed there, and no messages.",
        why="noChatView",
        profile=profile.name,
    )
    error.advice = "Ask another agent; a person can type into its terminal."
    return error


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Everything of a launch but the conversation."""

    agent: Agent
    face: Face
    executable: str
    files: LaunchFiles
    cwd: str
    terminal: TerminalSize | None
    lock: str | None
    """Of the agent; its holder then names the process."""
    note: str
    """What the keeper gives back to whoever asks whose process this is."""

    def spec(self, spawn_id: str, conversation: ConversationId | None, *, is_resume: bool) -> SpawnSpec:
        """The process to start; `spawn_id` is new for each."""
        values = {**self.files.placeholders, "conversation": conversation or ""}
        argv = arguments(
            self.face,
            mode=self.agent.permissions,
            mcp_args=(*self.files.mcp_args, *self._hook_args()),
            values=values,
            resumes=is_resume,
        )
        return SpawnSpec(
            spawn_id=spawn_id,
            argv=(self.executable, *argv),
            cwd=self.cwd,
            # What leaves the session and loses its parent is found by this mark when the agent is stopped.
            env={**self.files.env, SPAWN_MARK: spawn_id},
            terminal=self.terminal,
            lock=self.lock,
            note=self.note,
        )

    def _hook_args(self) -> tuple[str, ...]:
        """None where the profile uses the same flag for something of its own: a CLI takes the last one alone."""
        args = self.files.hook_args
        taken = {argument.partition("=")[0] for argument in self.face.args}
        return () if self.terminal is None or taken & set(args[:1]) else args
