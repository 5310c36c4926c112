"""What a page makes of the events: a snapshot, and each event applied to it as `docs/wire/http.md` says."""

import copy
from collections.abc import Callable, Iterable
from typing import Final

from tests.system.client import Json

_FIELDS: Final = (
    "name", "profile", "model", "permissions", "capabilities", "allowStructuredAlongsidePty", "workspace",
    "instructions",
)  # fmt: skip
"""What is news about an agent that the page knows."""


class Page:
    """One project of a snapshot, kept up to date. Records what the snapshot has no place for: the conversations."""

    def __init__(self, snapshot: Json, project: str) -> None:
        self.epoch: str = snapshot["epoch"]
        self.seq: int = snapshot["seq"]
        self.project: Json = next(each for each in copy.deepcopy(snapshot["projects"]) if each["id"] == project)
        self.items: list[Json] = []

    def take(self, events: Iterable[Json]) -> None:
        for event in events:
            assert event["seq"] == self.seq + 1, "numbers count up by one"
            self.seq = event["seq"]
            if event["projectId"] == self.project["id"] and event["type"] in _APPLY:
                _APPLY[event["type"]](self, event)

    def agent(self, agent_id: str) -> Json:
        found: Json = next(agent for agent in self.project["agents"] if agent["id"] == agent_id)
        return found

    def state(self) -> Json:
        """Comparable with another page's, whatever the order in which things arrived."""
        project = copy.deepcopy(self.project)
        project["agents"].sort(key=lambda agent: agent["slug"])
        project["delegations"].sort(key=lambda delegation: delegation["number"])
        return project

    # --- what each event changes --------------------------------------------------------------------------

    def _agent_saved(self, event: Json) -> None:
        known = [agent for agent in self.project["agents"] if agent["id"] == event["agent"]["id"]]
        if known:
            known[0].update({field: event["agent"][field] for field in _FIELDS})
        else:
            self.project["agents"].append(event["agent"])

    def _agent_removed(self, event: Json) -> None:
        self.project["agents"] = [agent for agent in self.project["agents"] if agent["id"] != event["agentId"]]

    def _session_changed(self, event: Json) -> None:
        self.agent(event["agentId"]).update(session=event["session"], conversationId=event["conversationId"])

    def _turn_started(self, event: Json) -> None:
        live = {
            "turnId": event["turnId"],
            "requester": event["requester"],
            "ticketId": event["ticketId"],
            "startedAtMs": event["atMs"],
            "text": "",
            "tools": [],
            "announcements": [],
        }
        self.agent(event["agentId"])["liveTurn"] = live

    def _live(self, event: Json, agent: str) -> Json | None:
        live: Json | None = self.agent(event[agent])["liveTurn"]
        return live if live is not None and live["turnId"] == event["turnId"] else None

    def _text_streamed(self, event: Json) -> None:
        if (live := self._live(event, "agentId")) is not None:
            assert event["offset"] == len(live["text"])
            live["text"] += event["text"]

    def _tool_changed(self, event: Json) -> None:
        if (live := self._live(event, "agentId")) is not None:
            others = [tool for tool in live["tools"] if tool["callId"] != event["tool"]["callId"]]
            live["tools"] = [*others, event["tool"]] if event["tool"]["phase"] == "started" else others

    def _announced(self, event: Json) -> None:
        if (live := self._live(event, "target")) is not None:
            live["announcements"].append({"text": event["text"], "atMs": event["atMs"]})
            live["text"] = ""

    def _delegation_changed(self, event: Json) -> None:
        delegation = event["delegation"]
        others = [one for one in self.project["delegations"] if one["ticketId"] != delegation["ticketId"]]
        self.project["delegations"] = [*others, delegation]

    def _permission_settled(self, event: Json) -> None:
        self.project["permissions"] = [
            one
            for one in self.project["permissions"]
            if (one["agentId"], one["requestId"]) != (event["agentId"], event["requestId"])
        ]


_APPLY: Final[dict[str, Callable[[Page, Json], None]]] = {
    "trustChanged": lambda page, event: page.project.update(trust=event["trust"]),
    "settingsChanged": lambda page, event: page.project.update(settings=event["settings"]),
    "layoutChanged": lambda page, event: page.project.update(layout=event["layout"]),
    "layoutsChanged": lambda page, event: page.project.update(layouts=event["layouts"], layout=event["layout"]),
    "resumableChanged": lambda page, event: page.project.update(resumable=event["resumable"]),
    "agentSaved": Page._agent_saved,
    "agentRemoved": Page._agent_removed,
    "agentFilesBroken": lambda page, event: page.project.update(broken=event["broken"]),
    "agentReadinessChanged": lambda page, event: page.agent(event["agentId"]).update(readiness=event["readiness"]),
    "sessionChanged": Page._session_changed,
    "queueChanged": lambda page, event: page.agent(event["agentId"]).update(
        queue=event["queue"], queueLength=event["queueLength"]
    ),
    "turnStarted": Page._turn_started,
    "turnTextStreamed": Page._text_streamed,
    "turnToolChanged": Page._tool_changed,
    "agentAnnouncement": Page._announced,
    "turnEnded": lambda page, event: page.agent(event["agentId"]).update(liveTurn=None),
    "conversationAppended": lambda page, event: page.items.append(event["item"]),
    "delegationChanged": Page._delegation_changed,
    "permissionAsked": lambda page, event: page.project["permissions"].append(event["permission"]),
    "permissionSettled": Page._permission_settled,
}
