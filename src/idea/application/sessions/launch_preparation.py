"""What a launch runs: read as the files say at that moment, judged, found on this machine, and given its own files."""

import json
from dataclasses import dataclass
from pathlib import Path

from idea.application.ports import ProfileCatalog, RunDirectories
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.launch_plan import LaunchPlan, face_of
from idea.domain.agents import Agent
from idea.domain.profiles import Face, Profile
from idea.domain.sessions import SessionKind, SessionRole, TerminalSize


@dataclass(frozen=True, slots=True)
class Candidate:
    """What would be started, approved as it is."""

    agent: Agent
    profile: Profile
    kind: SessionKind
    face: Face
    executable: str


class LaunchPreparation:
    """`judge`, then `write`; nothing runs yet."""

    def __init__(
        self, root: Path, *, approved: ApprovedFiles, profiles: ProfileCatalog, run_directories: RunDirectories
    ) -> None:
        self._root = root
        self._approved = approved
        self._profiles = profiles
        self._run_directories = run_directories

    async def judge(self, known: Agent, kind: SessionKind) -> Candidate:
        """Not `known`: what runs is what the files say now, since that is what is judged.

        Raises:
            NotFound, Conflict, TrustRequired: as `ApprovedFiles.read`.
            Invalid: the CLI has no such face.
            EngineFailed: its program is not there.
        """
        agent, profile = await self._approved.read(known)
        face = face_of(profile, kind, agent.name)
        return Candidate(agent, profile, kind, face, self._profiles.executable(profile))

    async def check(self) -> None:
        """Raises `TrustRequired` if something of the project waits for an approval."""
        await self._approved.check()

    async def write(
        self,
        candidate: Candidate,
        role: SessionRole,
        *,
        lock: str | None,
        earlier: str | None = None,
        is_same_launch: bool = False,
    ) -> LaunchPlan:
        """The files of the launch, and its command line. `earlier` as in `RunDirectories.keep_earlier`; None: as it is.

        Raises:
            Invalid: the instructions are too long for the CLI.
            Refused, Conflict: they cannot be written.
        """
        agent, profile = candidate.agent, candidate.profile
        if earlier is not None:
            await self._run_directories.keep_earlier(agent, role, earlier)
        files = await self._run_directories.prepare(agent, profile, role, is_same_launch=is_same_launch)
        # All by which a server without a record of it can tell what it is.
        note = {
            "id": agent.id,
            "agent": agent.slug,
            "name": agent.name,
            "kind": candidate.kind,
            "role": role,
            "profile": profile.id,
        }
        return LaunchPlan(
            agent,
            candidate.face,
            candidate.executable,
            files,
            cwd=str(self._root / agent.workspace) if agent.workspace else str(self._root),
            terminal=TerminalSize() if candidate.kind is SessionKind.PTY else None,
            lock=lock,
            note=json.dumps(note),
        )
