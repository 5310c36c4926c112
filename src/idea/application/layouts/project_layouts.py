"""The named layouts of one project: which is shown, what a team shares of them, and which cells are marked as alive."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from idea.application.ports import LayoutStore, SharedLayoutStore
from idea.application.team.team import Team
from idea.domain.alike import reading
from idea.domain.errors import Conflict
from idea.domain.events import Event, LayoutChanged, LayoutsChanged
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, AgentSlug, ProjectId
from idea.domain.layouts import Layout, Layouts, check_layout_name, name_taken, unmarked
from idea.domain.marks import Ran, mark_running, ran_in, reconcile
from idea.domain.shared_layouts import (
    BrokenLayout,
    LayoutList,
    SharedLayout,
    as_published,
    content_hash,
    is_as_published,
    list_layouts,
    publish,
    take_over,
)

ON_DISK = "file"
"""The origin of a change that no client made."""


class ProjectLayouts:
    """What the page saves is written first and true only then."""

    def __init__(
        self,
        project: ProjectId,
        *,
        store: LayoutStore,
        shared: SharedLayoutStore,
        team: Team,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._store = store
        self._shared_store = shared
        self._team = team
        self._publish = publish
        self._value = Layouts()
        self._shared: Mapping[str, SharedLayout] = {}
        self._broken: tuple[BrokenLayout, ...] = ()
        self._list = self._look()
        # Invariant: what the store has is `_value`, and what is computed from one is written before the other changes.
        self._at_work = asyncio.Lock()

    async def load(self) -> FileTrouble | None:
        """What the file says, reconciled; written only if that changed anything."""
        async with self._at_work:
            self._value, trouble = await self._store.load()
            reconciled = reconcile(self._value)
            if reconciled != self._value:
                await self._keep(reconciled)
            self._list = self._look()
            return trouble

    def ran(self) -> Mapping[AgentId, Ran]:
        """What ran when the layouts were last written."""
        return ran_in(self._value)

    @property
    def current(self) -> Layout:
        return self._value.current

    def list(self) -> LayoutList:
        """As everybody was told last."""
        return self._list

    def _look(self) -> LayoutList:
        taken = {name: self._taken(shared) for name, shared in self._shared.items()}
        return list_layouts(self._value.shown, self._value.named, taken, self._broken)

    # --- what the page asks for ---------------------------------------------------------------------------

    async def save(self, layout: Layout, *, origin: str, base: str | None = None) -> str:
        """Geometry and cells of the layout of this name; its version then. `base`: the version that was changed into
        it, None where that does not matter.

        Raises:
            NotFound: there is none of this name.
            Conflict: it has another version by now.
        """
        async with self._at_work:
            known = self._value.get(layout.name)
            if base is not None and base != content_hash(known):
                raise Conflict(f"The layout {known.name} was changed meanwhile.", why="layoutChanged", name=known.name)
            saved = replace(known, geometry=layout.geometry, cells=layout.cells)
            # Who runs has not changed by it, but maybe which cell says so.
            await self._keep(mark_running(self._value.change(layout.name, lambda _: saved), self.ran().values()))
            if layout.name == self._value.shown:
                self._publish(LayoutChanged(self._project, self.current, origin))
            self._tell_if_other()
            return content_hash(saved)

    async def create(self, name: str, *, origin: str) -> None:
        """A copy of the shown one, shown from now on. Raises `Invalid`, `Conflict`."""
        async with self._at_work:
            self._check_free(name)
            copy = replace(unmarked(self.current), name=name, published=None)
            await self._show(self._value.put(copy), name, origin)

    async def show(self, name: str, *, origin: str) -> None:
        """Also one that is only offered, of which there is an own copy then. Raises `NotFound`, `Conflict`."""
        async with self._at_work:
            layouts = self._value
            if layouts.find(name) is None and name in self._shared:
                layouts = layouts.put(self._taken(self._shared[name]))
            await self._show(layouts, name, origin)

    async def rename(self, name: str, new: str, *, origin: str) -> None:
        """Its shared file too. Raises `NotFound`, `Invalid`, `Conflict`."""
        async with self._at_work:
            self._value.get(name)
            self._check_free(new, besides=name)
            shared = self._shared.get(name)
            await self._keep(self._value.rename(name, new))
            if shared is not None and new != name:
                # The old one first: where case does not tell names apart, both are one file.
                await self._remove_shared(name)
                await self._put_shared(replace(shared, name=new))
            self._tell(origin)

    async def delete(self, name: str) -> None:
        """Its shared file too. Raises `NotFound`, `Conflict` for the last one."""
        async with self._at_work:
            if self._value.find(name) is not None:
                await self._keep(mark_running(self._value.remove(name), self.ran().values()))
            elif name not in self._shared:
                self._value.get(name)
            await self._remove_shared(name)
            self._tell("")

    async def share(self, name: str) -> None:
        """Publish it as it is now. Raises `NotFound`, `Refused`, `Conflict`."""
        async with self._at_work:
            layout = self._value.get(name)
            await self._put_shared(publish(layout, self._slug_of))
            await self._keep(self._value.change(name, as_published))
            self._tell_if_other()

    async def unshare(self, name: str) -> None:
        """Remove its file. The own copy stays; one that was only offered is gone. Raises `NotFound`."""
        async with self._at_work:
            if name not in self._shared:
                self._value.get(name)
            await self._remove_shared(name)
            self._tell_if_other()

    async def take(self, name: str, *, origin: str) -> None:
        """Replace the own copy by what the file says. Raises `NotFound`, `Conflict` if it is not shared."""
        async with self._at_work:
            layout = self._value.get(name)
            shared = self._shared.get(name)
            if shared is None:
                raise Conflict(
                    f"{name} is not shared, so there is nothing to take over.", why="layoutNotShared", name=name
                )
            await self._take(layout, self._taken(shared))
            self._tell(origin)

    # --- what comes from elsewhere ------------------------------------------------------------------------

    async def reload(self) -> None:
        """The shared files have changed, or who the team is: copies that nobody changed here follow."""
        async with self._at_work:
            shared, broken = await self._shared_store.list()
            self._shared = {layout.name: layout for layout in shared}
            self._broken = tuple(broken)
            before = content_hash(self.current)
            for name, file in self._shared.items():
                own, taken = self._value.find(name), self._taken(file)
                if own is not None and is_as_published(own) and content_hash(own) != content_hash(taken):
                    await self._take(own, taken)
            if content_hash(self.current) != before:
                self._tell(ON_DISK)
            else:
                self._tell_if_other()

    async def mark(self, ran: Iterable[Ran]) -> None:
        """Write down what runs or may be resumed; nothing is written where nothing changed."""
        async with self._at_work:
            marked = mark_running(self._value, ran)
            if marked != self._value:
                await self._keep(marked)

    async def write_again(self) -> None:
        """What is true, where somebody removed the file."""
        async with self._at_work:
            await self._keep(self._value)

    # --- within the lock ----------------------------------------------------------------------------------

    async def _keep(self, layouts: Layouts) -> None:
        await self._store.save(layouts)
        self._value = layouts

    async def _show(self, layouts: Layouts, name: str, origin: str) -> None:
        await self._keep(mark_running(layouts.show(name), self.ran().values()))
        self._tell(origin)

    async def _take(self, own: Layout, taken: Layout) -> None:
        await self._keep(mark_running(self._value.change(own.name, lambda _: taken), self.ran().values()))

    async def _put_shared(self, layout: SharedLayout) -> None:
        await self._shared_store.save(layout)
        self._shared = {**self._shared, layout.name: layout}
        self._broken = tuple(broken for broken in self._broken if broken.name != layout.name)

    async def _remove_shared(self, name: str) -> None:
        await self._shared_store.delete(name)
        self._shared = {each: layout for each, layout in self._shared.items() if each != name}

    def _tell(self, origin: str) -> None:
        self._list = self._look()
        self._publish(LayoutsChanged(self._project, self._list, self.current, origin))

    def _tell_if_other(self) -> None:
        if self._look() != self._list:
            self._tell("")

    def _check_free(self, name: str, *, besides: str | None = None) -> None:
        check_layout_name(name)
        taken = {*(layout.name for layout in self._value.named), *self._shared, *(one.name for one in self._broken)}
        if reading(name) in {reading(each) for each in taken - {besides}}:
            raise name_taken(name)

    def _taken(self, shared: SharedLayout) -> Layout:
        return take_over(shared, self._find_agent)

    def _find_agent(self, agent: AgentId, slug: AgentSlug | None) -> AgentId:
        if self._team.find(agent) is not None or slug is None:
            return agent
        same = next((member.agent.id for member in self._team.members() if member.agent.slug == slug), None)
        return agent if same is None else same

    def _slug_of(self, agent: AgentId) -> AgentSlug | None:
        member = self._team.find(agent)
        return None if member is None else member.agent.slug
