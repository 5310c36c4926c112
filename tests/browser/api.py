"""The API beside the page, for what a test sets up and looks up. Refusals fail the test."""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import APIRequestContext

Json = dict[str, Any]
CALL_MS: Final = 15_000
"""Stopping a project's agents takes 5 s each at worst."""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Api:
    requests: APIRequestContext

    def call(self, method: str, path: str, body: object = None) -> Any:
        answer = self.requests.fetch(path, method=method, data=body, timeout=CALL_MS)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if answer.body() else None

    def link(self) -> str:
        """A start link that nobody has used."""
        return str(self.call("POST", "/api/link")["url"])

    def projects(self) -> list[Json]:
        found: list[Json] = self.call("GET", "/api/state")["projects"]
        return found

    def open(self, folder: Path) -> "Project":
        return Project(self, self.call("POST", "/api/projects", {"path": str(folder)})["id"], folder)


@dataclass(frozen=True)
class Project:
    api: Api
    id: str
    root: Path

    def call(self, method: str, path: str = "", body: object = None) -> Any:
        return self.api.call(method, f"/api/projects/{self.id}{path}", body)

    def create(self, name: str = "", **fields: object) -> Json:
        """A demo agent, with a name of its own unless one is given."""
        made: Json = self.call(
            "POST", "/agents", {"name": name or f"Agent{next(_numbers)}", "profile": "demo", **fields}
        )
        return made

    def ask(self, agent: str, message: str) -> str:
        """A person's ask; the answer, when it is there."""
        return str(self.call("POST", f"/agents/{agent}/ask", {"message": message})["reply"])

    def state(self) -> Json:
        return next(one for one in self.api.projects() if one["id"] == self.id)

    def close(self) -> None:
        self.call("DELETE")
