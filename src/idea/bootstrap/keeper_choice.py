"""Which keeper a project has: what lives there, and only without that the setting."""

from collections.abc import Callable

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.keeper_program import has_living_keeper
from idea.adapters.keeper.link import OnHeld
from idea.adapters.keeper.renewed import RenewedKeeper
from idea.application.ports import ProjectPaths
from idea.domain.errors import IdeaError
from idea.domain.settings import IN_PROCESS
from idea.doors.mcp.endpoint import keeper_socket


async def choose_keeper(
    kind: str,
    paths: ProjectPaths,
    *,
    is_throw_away: bool,
    on_lost: Callable[[IdeaError | None], None],
    on_held: OnHeld,
) -> InProcessKeeper | RenewedKeeper:
    """The setting holds where nobody lives: agents that do are their keeper's, whatever was set meanwhile.

    What lies in a throw-away folder must not outlive it, whatever kills us.
    """
    socket = keeper_socket(paths.endpoint)
    if is_throw_away or (kind == IN_PROCESS and not await has_living_keeper(socket, state=paths.state)):
        return InProcessKeeper(paths.state, on_held=on_held)
    return RenewedKeeper(socket, state=paths.state, on_lost=on_lost, on_held=on_held)
