"""The settings of a project as they are now, for everyone who reads them at the moment of use."""

from collections.abc import Callable

from idea.application.ports import SettingsStore
from idea.application.projects.notices import Notices
from idea.domain.events import Event, SettingsChanged
from idea.domain.ids import ProjectId
from idea.domain.settings import Settings


class KnownSettings:
    def __init__(
        self, project: ProjectId, *, store: SettingsStore, notices: Notices, publish: Callable[[Event], None]
    ) -> None:
        self._project = project
        self._store = store
        self._notices = notices
        self._publish = publish
        self._value = Settings()

    def __call__(self) -> Settings:
        return self._value

    async def load(self) -> None:
        """As the file says, for who opens the project; what of it cannot be used is told."""
        self._value, troubles = await self._store.load()
        self._notices.tell_settings(troubles)

    async def reload(self) -> None:
        """The file may have changed: everybody who shows the settings is told."""
        before = self._value
        await self.load()
        if self._value != before:
            self._publish(SettingsChanged(self._project, self._value))

    async def save(self, settings: Settings) -> None:
        """Raises `Refused`, `Conflict`: they stay as they were."""
        self._notices.tell(await self._store.save(settings))
        self._value = settings
        self._publish(SettingsChanged(self._project, settings))
