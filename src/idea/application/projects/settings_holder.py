"""The settings of a project as they are now, for everyone who reads them at the moment of use."""

from idea.domain.settings import Settings


class SettingsHolder:
    def __init__(self) -> None:
        self.value = Settings()

    def __call__(self) -> Settings:
        return self.value
