"""The user's own port: chosen once and kept, because the page's storage in the browser belongs to it."""

from pathlib import Path
from typing import Final

from idea.adapters.storage.json_state import read_state, set_aside_with_notice, write_state
from idea.adapters.storage.unusable import UnusableFile

PORT_FILE: Final = "port.json"


class KeptPort:
    def __init__(self, state_home: Path) -> None:
        """`state_home` is the user's state folder for IdeA; it exists."""
        self.notice: str | None = None
        """After `find`: a sentence for the person if what was kept had to be set aside."""
        self._file = state_home / PORT_FILE

    def find(self) -> int | None:
        """None if none was kept, or what is there is no port; then it is set aside."""
        try:
            port = (read_state(self._file) or {}).get("port")
            if port is None or (isinstance(port, int) and 0 < port < 65_536):
                return port
            raise UnusableFile("it names no port", "notOurs")
        except UnusableFile as error:
            self.notice = set_aside_with_notice(self._file, "The kept port", error, "another one is chosen")
            return None

    def keep(self, port: int) -> None:
        write_state(self._file, {"port": port})
