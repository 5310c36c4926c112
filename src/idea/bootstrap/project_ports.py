"""What a project is built on: one adapter, or fake, for each port."""

from dataclasses import dataclass

from idea.application.ports import (
    AgentLocks,
    AgentStore,
    Clock,
    EarlierConversations,
    Engines,
    Keeper,
    LayoutStore,
    NewId,
    ProfileCatalog,
    Records,
    RunDirectories,
    Screens,
    SettingsStore,
    SharedLayoutStore,
    StoppedAgents,
    Trust,
    UnfinishedWork,
)
from idea.domain.terminal_belief import Matches


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectPorts:
    """Everything outside that one project's use cases need."""

    keeper: Keeper
    engines: Engines
    screens: Screens
    matches: Matches
    profiles: ProfileCatalog
    trust: Trust
    run_directories: RunDirectories
    locks: AgentLocks
    records: Records
    work: UnfinishedWork
    agents: AgentStore
    settings: SettingsStore
    layouts: LayoutStore
    shared_layouts: SharedLayoutStore
    earlier: EarlierConversations
    stopped: StoppedAgents
    clock: Clock
    new_id: NewId
