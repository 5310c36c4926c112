"""Stopping agents that run without a server: their keeper is asked, and what it says is checked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from idea.adapters.keeper.keeper_program import end_keeper, stop_process
from idea.adapters.keeper.lock_holder import LockHolder
from idea.adapters.keeper.process_ends import wait_gone
from idea.adapters.storage.locks import ProjectLock
from idea.adapters.storage.stopped import StoppedFile
from idea.domain.agent_names import find_named
from idea.domain.counted import counted
from idea.domain.errors import IdeaError, Lost
from idea.doors.cli.account import Account, join
from idea.doors.cli.failure import Failure, fail
from idea.doors.cli.kept import FoundKeeper, KeptAgent

GRACE_S: Final = 5.0
"""Between SIGTERM and SIGKILL, as when a server stops an agent."""
END_ROUNDS: Final = 3
"""Of waiting for a keeper that was told by a signal, and gives its agents 3 s of their own."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """What became of one keeper."""

    keeper: FoundKeeper
    survivors: tuple[int, ...]
    failure: Failure | None = None


def end_keepers(keepers: Sequence[FoundKeeper], account: Account) -> None:
    """End them with their agents, all at once."""
    for ended in asyncio.run(_end_all(keepers)):
        keeper, names = ended.keeper, [agent.name for agent in ended.keeper.running_agents]
        ids = [agent.id for agent in keeper.running_agents]
        if ended.failure is not None:
            account.blame(ended.failure)
            continue
        if keeper.holder is not None:
            ids = [*keeper.holder.agents]
            names = [counted(len(ids), "agent")] if ids else []
        if names:
            account.say(f"Stopped {join(names)} in {keeper.where} and ended the keeper.")
        else:
            account.say(f"Ended the keeper of {keeper.where}, which held nobody.")
        _note_stopped(keeper, ids)
        account.blame_survivors(keeper.where, ended.survivors)


def stop_kept_agent(keeper: FoundKeeper, wanted: str, account: Account) -> None:
    """Raises `Failure`: no such agent, no answer, or a server has the project open."""
    if keeper.report is None:
        raise _silent(keeper)
    agent = _find(keeper, wanted)
    if agent.exit is not None:
        account.say(f"{agent.name} does not run in {keeper.where}.")
        return
    try:
        survivors = _stop_alone(keeper, [one for one in keeper.running if one == agent or one.id == agent.id != ""])
    except Lost as error:
        raise _silent(keeper) from error
    except IdeaError as error:
        raise fail(error) from error
    account.say(f"Stopped {agent.name} in {keeper.where}.")
    _note_stopped(keeper, [agent.id])
    account.blame_survivors(keeper.where, survivors)


def _note_stopped(keeper: FoundKeeper, agents: Sequence[str]) -> None:
    """The next server is to know that they were not lost."""
    ids = [agent for agent in agents if agent]
    if keeper.project is None or not ids:
        return
    try:
        StoppedFile(keeper.project.path / ".ideai" / "state").note(ids)
    except IdeaError:
        # They have ended, which is what was asked for; at worst they are offered again.
        return


def _find(keeper: FoundKeeper, wanted: str) -> KeptAgent:
    # An agent that was started again stands behind its earlier process.
    agent = find_named((*keeper.running, *keeper.agents), wanted)
    if agent is None:
        names = join([one.name for one in keeper.running_agents])
        advice = f"There run: {names}." if names else "None runs there."
        raise Failure("NOT_FOUND", f"No agent called {wanted} runs in {keeper.where}.", advice=advice)
    return agent


def _stop_alone(keeper: FoundKeeper, processes: Sequence[KeptAgent]) -> tuple[int, ...]:
    """With the project's lock, so that no server can be attached, nor come meanwhile."""
    assert keeper.project is not None, "a project that is not known has no name to be chosen by"
    lock = ProjectLock(keeper.project.path / ".ideai" / "state")
    lock.acquire()
    try:
        return asyncio.run(_stop(keeper, processes))
    finally:
        lock.release()


async def _stop(keeper: FoundKeeper, processes: Sequence[KeptAgent]) -> tuple[int, ...]:
    pids: set[int] = set()
    for process in processes:
        pids |= {process.pid, *(await stop_process(keeper.socket, process.spawn_id, grace_s=GRACE_S) or ())}
    return await wait_gone(pids)


async def _end_all(keepers: Sequence[FoundKeeper]) -> Sequence[_Ended]:
    async with asyncio.TaskGroup() as tasks:
        ending = [tasks.create_task(_end(keeper), name="end-keeper") for keeper in keepers]
    return [task.result() for task in ending]


async def _end(keeper: FoundKeeper) -> _Ended:
    if keeper.holder is not None:
        return await _end_unreachable(keeper, keeper.holder)
    if keeper.report is None:
        # It had its time to answer.
        return _Ended(keeper, (), _silent(keeper))
    pids = {keeper.report.pid, *(agent.pid for agent in keeper.running)}
    try:
        pids.update(await end_keeper(keeper.socket, grace_s=GRACE_S) or ())
    except Lost:
        # It hangs, or was ended by somebody else before it could say anything.
        survivors = await wait_gone(pids)
        return _Ended(keeper, survivors, _silent(keeper) if keeper.report.pid in survivors else None)
    except IdeaError as error:
        return _Ended(keeper, (), fail(error))
    return _Ended(keeper, await wait_gone(pids))


async def _end_unreachable(keeper: FoundKeeper, holder: LockHolder) -> _Ended:
    if not await asyncio.to_thread(holder.end):
        return _Ended(keeper, (), _silent(keeper))
    survivors: tuple[int, ...] = (holder.pid, *holder.pids)
    for _ in range(END_ROUNDS):
        survivors = await wait_gone(survivors)
    return _Ended(keeper, survivors, _silent(keeper) if holder.pid in survivors else None)


def _silent(keeper: FoundKeeper) -> Failure:
    advice = "" if keeper.pid is None else f"`kill -9 {keeper.pid}` ends it, and its agents with it."
    return Failure("LOST", f"The keeper of {keeper.where} ({keeper.process}) does not answer.", advice=advice)
