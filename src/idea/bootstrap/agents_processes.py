"""Which callers on the control socket are programs that an agent of an open project runs."""

import socket

from idea.adapters.inherited import inherited
from idea.application.ports import AGENT_MARK
from idea.application.projects.project import Project
from idea.application.projects.projects import OpenProjects
from idea.domain.errors import NotFound
from idea.keeper.peer_uid import peer_pid
from idea.keeper.tree import is_running


class AgentsProcesses:
    def __init__(self, projects: OpenProjects) -> None:
        self._projects = projects

    def includes(self, peer: socket.socket) -> bool:
        """False as well where the system does not say, and for a terminal in which a person works.

        Who has gone meanwhile counts as an agent's: a person's command waits for its answer.
        """
        try:
            pid = peer_pid(peer)
        except OSError:
            return True
        return not is_running(pid) or any(self._is_ours(agent) for agent in inherited(pid, AGENT_MARK))

    def _is_ours(self, agent: str) -> bool:
        return any(_knows(project, agent) for project in self._projects.list())


def _knows(project: Project, agent: str) -> bool:
    try:
        project.resolve_agent(agent)
    except NotFound:
        return False
    return True
