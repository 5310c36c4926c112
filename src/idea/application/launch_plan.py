"""The command line of one launch, from the profile's data and the launch's files."""

from collections.abc import Mapping
from dataclasses import dataclass

from idea.application.ports import LaunchFiles
from idea.domain.agents import Agent
from idea.domain.errors import Invalid
from idea.domain.ids import ConversationId
from idea.domain.profiles import Face, Profile, expand
from idea.domain.sessions import SessionKind, SpawnSpec, TerminalSize


def face_of(profile: Profile, kind: SessionKind) -> Face:
    """Raises `Invalid` if the CLI has no such face."""
    face = profile.terminal if kind is SessionKind.PTY else profile.structured
    if face is None:
        what = "terminal" if kind is SessionKind.PTY else "chat"
        raise Invalid(f"{profile.name} has no {what} view; use the other one.")
    return face


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Everything of a launch but the conversation."""

    agent: Agent
    face: Face
    executable: str
    files: LaunchFiles
    cwd: str
    terminal: TerminalSize | None

    def spec(self, spawn_id: str, conversation: ConversationId | None, *, is_resume: bool) -> SpawnSpec:
        """Options come before the conversation's arguments, which may be a subcommand of the CLI."""
        face, files = self.face, self.files
        mode = face.permission_args.get(self.agent.permissions, ())
        arguments = (
            *face.args,
            *face.context_args,
            *(face.model_args if self.agent.model else ()),
            *mode,
            *files.mcp_args,
            *(face.resume_args if is_resume else face.fresh_args),
        )
        values: Mapping[str, str] = {**files.placeholders, "conversation": conversation or ""}
        return SpawnSpec(
            spawn_id=spawn_id,
            argv=(self.executable, *expand(arguments, values)),
            cwd=self.cwd,
            env=files.env,
            terminal=self.terminal,
        )
