"""The processes of one keeper: those being started, those that live, and those that nobody has forgotten yet."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from idea.keeper.child import Child
from idea.keeper.client import Client
from idea.keeper.launching import Launching
from idea.keeper.locks import Locks
from idea.keeper.loop import Loop
from idea.keeper.protocol import Failed, Reason, Spawn, Spawned, Stopped
from idea.keeper.reports import ChildReport
from idea.keeper.spawning import launch
from idea.keeper.turns import Turns

ENDED_KEPT = 256
"""So many ended processes can still be read from. A repeated spawn of an older one would start it again."""
CHILDREN_MAX = 400
NOTE_BYTES = 2048
ID_BYTES = 128
"""As JSON. So all of them fit into one frame."""


class Children:
    """Belongs to the loop's thread."""

    def __init__(
        self,
        *,
        loop: Loop,
        folder: Path,
        locks: Locks,
        on_exit: Callable[[Child], None],
        on_fault: Callable[[Child], None],
        on_progress: Callable[[], None],
    ) -> None:
        """`on_progress` is called when a launch or a process has come to its end."""
        self._loop = loop
        self._turns = Turns(loop)
        self._folder = folder
        self._locks = locks
        self._on_exit = on_exit
        self._on_fault = on_fault
        self._on_progress = on_progress
        self._children: dict[str, Child] = {}
        self._launching: dict[str, Launching] = {}
        self._told_exits: set[str] = set()
        self._forgotten: set[str] = set()
        """Taken over by the client, but not yet at their end."""
        self._on_launched: list[Callable[[], None]] = []

    def __iter__(self) -> Iterator[Child]:
        return iter(tuple(self._children.values()))

    @property
    def is_launching(self) -> bool:
        return bool(self._launching)

    @property
    def has_kept(self) -> bool:
        """Something that a client has not taken over."""
        return len(self._children) > len(self._forgotten)

    def is_own(self, pid: int) -> bool:
        """Somebody here waits for the exit of this process."""
        launchers = (launching.launched.process.pid for launching in self._launching.values())
        return pid in launchers or any(child.pid == pid and not child.has_exited for child in self)

    def find(self, spawn_id: str) -> Child | None:
        return self._children.get(spawn_id)

    def reports(self) -> tuple[ChildReport, ...]:
        """Without those that were taken over and have ended."""
        return tuple(child.report() for child in self if not child.has_exited or child.spawn_id not in self._forgotten)

    def spawn(self, spawn: Spawn, client: Client) -> None:
        if (child := self._children.get(spawn.spawn_id)) is not None:
            client.tell(Spawned(spawn.request, spawn.spawn_id, child.pid))
            child.tell_exit(client)
            return
        if (refusal := self._find_refusal(spawn)) is not None:
            client.tell(Failed(spawn.request, Reason.SPAWN, detail=refusal))
            return
        launching = self._launching.get(spawn.spawn_id)
        if launching is None:
            try:
                launched = launch(spawn)
            except OSError as error:
                where = f": {error.filename}" if error.filename else ""
                detail = f"{error.strerror or error}{where}"
                client.tell(Failed(spawn.request, Reason.SPAWN, error.errno or 0, detail))
                return
            launching = Launching(
                launched,
                lock=spawn.lock,
                loop=self._loop,
                on_end=lambda ended, errno: self._launched(spawn, ended, errno),
            )
            self._launching[spawn.spawn_id] = launching
        launching.askers.append((client, spawn.request))

    def stop(self, request: int, spawn_id: str, grace_s: float, client: Client) -> None:
        child = self._children.get(spawn_id)
        if child is not None:
            child.stop(grace_s, lambda survivors: client.tell(Stopped(request, survivors)))
            return
        if spawn_id in self._launching:
            self._launching[spawn_id].abandon()
        client.tell(Stopped(request, ()))

    def forget(self, spawn_id: str) -> None:
        if spawn_id in self._children:
            self._forgotten.add(spawn_id)
            self._sweep()

    def when_launched(self, call: Callable[[], None]) -> None:
        """Call once none is between its start and its program, where reports do not tell of it: now, if so."""
        if self._launching:
            self._on_launched.append(call)
        else:
            call()

    def abandon_launches(self) -> None:
        for launching in self._launching.values():
            launching.abandon()

    def _find_refusal(self, spawn: Spawn) -> str | None:
        if len(json.dumps(spawn.note)) > NOTE_BYTES or len(json.dumps(spawn.spawn_id)) > ID_BYTES:
            return f"its note is longer than {NOTE_BYTES} bytes, or its id than {ID_BYTES}"
        if sum(not child.has_ended for child in self) + len(self._launching) >= CHILDREN_MAX:
            return f"the keeper has {CHILDREN_MAX} processes already"
        if spawn.lock is not None and not self._locks.holds(spawn.lock):
            return "the keeper does not hold its lock"
        if spawn.lock is not None and (pid := self._find_living(spawn.lock)) is not None:
            return f"process {pid} of this agent runs already"
        return None

    def _find_living(self, lock: str) -> int | None:
        """The lock is ours whoever asks, so it alone would let one server start what another one's launch runs."""
        launching = [one.launched.process.pid for one in self._launching.values() if one.lock == lock]
        living = [child.pid for child in self if child.lock == lock and not child.has_exited]
        return next(iter((*living, *launching)), None)

    def _launched(self, spawn: Spawn, launching: Launching, errno: int | None) -> None:
        del self._launching[spawn.spawn_id]
        pid = launching.launched.process.pid
        if errno is None:
            self._sweep()
            self._children[spawn.spawn_id] = Child(
                spawn,
                launching.launched,
                loop=self._loop,
                turns=self._turns,
                folder=self._folder,
                on_change=self._changed,
                on_fault=self._on_fault,
            )
            if spawn.lock is not None:
                self._locks.name(spawn.lock, pid=pid, spawn_id=spawn.spawn_id)
        for client, request in launching.askers:
            if errno is None:
                client.tell(Spawned(request, spawn.spawn_id, pid))
            else:
                detail = os.strerror(errno) if errno else "its launcher died"
                client.tell(Failed(request, Reason.SPAWN, errno, detail))
        if not self._launching:
            calls, self._on_launched = self._on_launched, []
            for call in calls:
                call()
        self._on_progress()

    def _changed(self, child: Child) -> None:
        if child.has_exited and child.spawn_id not in self._told_exits:
            self._told_exits.add(child.spawn_id)
            self._on_exit(child)
        if child.has_ended:
            self._sweep()
            self._on_progress()

    def _sweep(self) -> None:
        """Forget what was taken over, and the oldest of what nobody ever took; not who leaves processes behind."""
        ended = [child for child in self if child.has_ended]
        due = [child for child in ended if child.spawn_id in self._forgotten]
        kept = [child for child in ended if child.spawn_id not in self._forgotten]
        room = min(ENDED_KEPT, CHILDREN_MAX - (len(self._children) - len(ended)))
        for child in (*due, *kept[: max(0, len(kept) - room)]):
            if not child.has_leftovers():
                child.forget()
                del self._children[child.spawn_id]
                self._forgotten.discard(child.spawn_id)
                self._told_exits.discard(child.spawn_id)
