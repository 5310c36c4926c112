"""Agents and the profiles of their CLIs, without files."""

from collections.abc import Sequence
from dataclasses import replace

from idea.application.ports import FromFiles
from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.errors import Conflict, NotFound
from idea.domain.ids import AgentId, AgentSlug
from idea.domain.profiles import Face, Profile, ProfileHealth
from idea.domain.terminal_signs import HookRule, Hooks, Sign, TerminalSigns

_FACE = Face(args=("{slug}",), resume_args=("--resume", "{conversation}"), context_args=("--context", "{context_file}"))


PROFILES = {
    "scripted": Profile("scripted", "Scripted", "scripted", engine="scripted", structured=_FACE, terminal=_FACE),
    "per-turn": Profile("per-turn", "Per turn", "per-turn", engine="scripted", structured=_FACE, terminal=_FACE),
    "choosing": Profile(
        "choosing",
        "Choosing",
        "choosing",
        engine="scripted",
        structured=_FACE,
        terminal=replace(_FACE, fresh_args=("--new", "{conversation}")),
        chooses_conversation_id=True,
        conversations="kept",
        refusals=("No conversation found",),
    ),
    "finding": Profile(
        "finding", "Finding", "finding", engine="scripted", structured=_FACE, terminal=_FACE, conversations="kept"
    ),
    "telling": Profile(
        "telling",
        "Telling",
        "telling",
        engine="scripted",
        structured=_FACE,
        terminal=_FACE,
        conversations="kept",
        signs=TerminalSigns(hooks=Hooks(("{hooks_file}",), (HookRule("Stop", Sign.IDLE),), conversation="session_id")),
    ),
    "forgetful": Profile(
        "forgetful", "Forgetful", "forgetful", engine="scripted", structured=_FACE, terminal=Face(args=("{slug}",))
    ),
    "alone": Profile(
        "alone",
        "Alone",
        "alone",
        engine="scripted",
        structured=_FACE,
        terminal=_FACE,
        allow_structured_alongside_pty=False,
    ),
    "chatless": Profile("chatless", "Chatless", "chatless", terminal=_FACE),
}


class FakeProfiles:
    def list(self) -> Sequence[Profile]:
        return list(PROFILES.values())

    def get(self, profile: str) -> Profile:
        if profile not in PROFILES:
            raise NotFound("profile", profile, choices=list(PROFILES))
        return PROFILES[profile]

    def read(self, profile: str) -> FromFiles[Profile]:
        return FromFiles(self.get(profile), {})

    async def health(self, profile: Profile) -> ProfileHealth:
        return ProfileHealth(profile, f"/bin/{profile.command}", "1", None)

    def executable(self, profile: Profile) -> str:
        return f"/bin/{profile.command}"


class FakeAgentStore:
    def __init__(self, *agents: Agent) -> None:
        self.agents = {agent.slug: agent for agent in agents}
        self.broken: tuple[BrokenAgent, ...] = ()

    async def list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        return [self.agents[slug] for slug in sorted(self.agents)], self.broken

    async def read(self, slug: AgentSlug) -> FromFiles[Agent]:
        if any(one.slug == slug for one in self.broken):
            raise Conflict(f"{slug}.md is broken.")
        if slug not in self.agents:
            raise NotFound("agent file", slug)
        return FromFiles(self.agents[slug], {})

    async def create(self, draft: AgentDraft) -> Agent:
        slug = draft.slug or AgentSlug(draft.name.lower())
        if slug in self.agents:
            raise Conflict(f"There is an agent {slug} already.")
        self.agents[slug] = make_agent(slug, profile=draft.profile)
        return self.agents[slug]

    async def save(self, agent: Agent, *, base: str | None = None) -> None:
        if base not in (None, self.agents[agent.slug].version):
            raise Conflict(f"{agent.name} was changed since you began.")
        self.agents[agent.slug] = agent

    async def delete(self, slug: AgentSlug) -> None:
        self.agents.pop(slug, None)


def make_agent(slug: str, *, profile: str = "scripted") -> Agent:
    return Agent(AgentId(f"id-{slug}"), AgentSlug(slug), slug.capitalize(), profile)
