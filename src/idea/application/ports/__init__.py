"""What the use cases need from the world. Adapters satisfy these by shape; `bootstrap` proves it."""

from idea.application.ports.clock import Clock, NewId
from idea.application.ports.earlier import EarlierConversations
from idea.application.ports.engines import Engine, EngineLifetime, Engines
from idea.application.ports.files import (
    AgentStore,
    FromFiles,
    LayoutStore,
    ProjectPaths,
    SettingsStore,
    SharedLayoutStore,
    Trust,
)
from idea.application.ports.launches import AGENT_MARK, AgentLocks, LaunchFiles, ProfileCatalog, RunDirectories
from idea.application.ports.processes import AgentProcess, Keeper
from idea.application.ports.records import Records
from idea.application.ports.screens import Screen, Screens
from idea.application.ports.unfinished import StoppedAgents, UnfinishedWork

__all__ = [
    "AGENT_MARK",
    "AgentLocks",
    "AgentProcess",
    "AgentStore",
    "Clock",
    "EarlierConversations",
    "Engine",
    "EngineLifetime",
    "Engines",
    "FromFiles",
    "Keeper",
    "LaunchFiles",
    "LayoutStore",
    "NewId",
    "ProfileCatalog",
    "ProjectPaths",
    "Records",
    "RunDirectories",
    "Screen",
    "Screens",
    "SettingsStore",
    "SharedLayoutStore",
    "StoppedAgents",
    "Trust",
    "UnfinishedWork",
]
