"""How a session's process is started in the project's keeper, whatever becomes of that meanwhile."""

from idea.application.ports import AgentProcess, Keeper
from idea.domain.errors import Closed, EngineFailed, KeeperSilent, Lost, lost_with_keeper
from idea.domain.sessions import SpawnSpec


async def start_process(keeper: Keeper, spec: SpawnSpec, *, agent_name: str) -> AgentProcess:
    """Nothing is left behind when it fails.

    Raises:
        EngineFailed: it cannot be started.
        Lost: its keeper ended first; it can be started in the next one.
    """
    try:
        return await keeper.spawn(spec)
    except Closed as gone:
        raise EngineFailed(agent_name, str(gone)) from gone
    except KeeperSilent as silent:
        raise EngineFailed(agent_name, str(silent), tail="", why=silent.why, **silent.about) from silent
    except Lost as lost:
        raise lost_with_keeper(agent_name) from lost
