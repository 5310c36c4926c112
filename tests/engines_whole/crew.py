"""A user who has the real CLIs and a gateway for their models: profiles of their own, keys in their environment."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.model_server.server import ModelServer
from tests.system.client import WAIT_S, Api, Json, Reply, ok
from tests.system.house import House, Server, new_house

KEYS: Final = {
    "ANTHROPIC_API_KEY": "key-of-a-gateway",
    "GATEWAY_PLAN": "token-of-a-plan",
    "OPENAI_API_KEY": "key-for-codex",
    # As root, Claude refuses the mode `full` without it.
    "IS_SANDBOX": "1",
}
"""In the user's environment, where a person has them; nothing of this machine's is in it."""

PROJECT_TEXTS: Final = {"AGENTS.md": "The project's own words for Codex.\n", "CLAUDE.md": "And those for Claude.\n"}


@dataclass
class Crew:
    """One test's agents in a project that other tests use too; `dismiss` ends and deletes them."""

    api: Api
    model: ModelServer
    hired: list[str] = field(default_factory=list)

    @property
    def house(self) -> House:
        return self.api.server.house

    @property
    def root(self) -> Path:
        return self.api.server.root

    async def hire(self, profile: str, name: str = "", **fields: object) -> Json:
        agent = await self.api.create(name, profile=profile, **fields)
        self.hired.append(agent["slug"])
        return agent

    async def dismiss(self) -> None:
        for slug in self.hired:
            ok(await self.api.agent("DELETE", slug))

    async def dismiss_one(self, agent: Json) -> None:
        self.hired.remove(agent["slug"])
        ok(await self.api.agent("DELETE", agent["slug"]))

    async def reply(self, agent: Json, message: str) -> str:
        """The answer to a question that is answered."""
        reply = ok(await self.api.ask(agent["slug"], message))["reply"]
        assert isinstance(reply, str)
        return reply

    @asynccontextmanager
    async def asking(self, agent: Json, message: str) -> AsyncIterator["asyncio.Task[Reply]"]:
        """An ask that goes on while the block does something else."""
        async with asyncio.TaskGroup() as tasks:
            yield tasks.create_task(self.api.ask(agent["slug"], message), name="ask")

    async def look(self, agent: Json) -> Json:
        found: Json = ok(await self.api.agent("GET", agent["slug"]))
        return found

    def heard(self, words: str) -> Mapping[str, Any]:
        """The last request in which the model got these words."""
        return self.model.wait_for(words, timeout_s=0)

    async def reached_model(self, agent: Json, words: str) -> None:
        """The agent's turn is in the model's hands, with these words in its conversation."""
        introduction = f"You are {agent['name']}, one of several agents"
        await asyncio.to_thread(self.model.wait_for, introduction, words, timeout_s=WAIT_S)

    def process(self, *words: str) -> int:
        """The one process with all of these on its command line."""
        (pid,) = self.house.processes(*words)
        return pid


def write_profiles(house: House, clis: Mapping[str, Path], url: str) -> None:
    """As `docs/guide/real-clis.md` tells a person to do it."""
    folder = house.root / "config" / "idea" / "profiles"
    folder.mkdir(parents=True)
    claude = f"""
command = "{clis["claude"]}"

[env]
ANTHROPIC_BASE_URL = "{url}"
CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = "1"
"""
    (folder / "claude.toml").write_text(f'extends = "claude"{claude}', encoding="utf-8")
    # Signed in with a plan instead of a key; only then does Claude speak of limits.
    plan = (
        'extends = "claude"\nname = "Claude, plan"\npass_env = []\n[env]\nCLAUDE_CODE_OAUTH_TOKEN = "${GATEWAY_PLAN}"\n'
    )
    (folder / "claude-plan.toml").write_text(plan, encoding="utf-8")
    missing = 'extends = "claude"\nname = "Missing Claude"\ncommand = "claude-that-nobody-installed"\n'
    (folder / "missing.toml").write_text(missing, encoding="utf-8")
    # A model that Codex does not know: for its own newer ones it hides tools behind a search or a script.
    codex = f'extends = "codex"\ncommand = "{clis["codex"]}"\nmodel = "scripted-model"\n'
    (folder / "codex.toml").write_text(codex, encoding="utf-8")
    (house.root / "home" / ".codex").mkdir()
    config = f"""
model_provider = "gateway"

[model_providers.gateway]
name = "Gateway"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
"""
    (house.root / "home" / ".codex" / "config.toml").write_text(config, encoding="utf-8")


def sign_in(house: House, root: Path, *, is_trusted: bool) -> None:
    """What the CLIs note when a person has gone through their first dialogs and, if so, trusted the folder."""
    seen = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEYS["ANTHROPIC_API_KEY"]], "rejected": []},
        "projects": {str(root): {"hasTrustDialogAccepted": is_trusted}},
    }
    (house.root / "home" / ".claude.json").write_text(json.dumps(seen), encoding="utf-8")
    if not is_trusted:
        return
    with (house.root / "home" / ".codex" / "config.toml").open("a", encoding="utf-8") as config:
        config.write(f'\n[projects."{root}"]\ntrust_level = "trusted"\n')


@contextmanager
def serving(clis: Mapping[str, Path], url: str, *, is_trusted: bool = True) -> Iterator[Server]:
    """`idea serve` with an empty project that has instructions of its own for the CLIs."""
    with new_house(**KEYS) as house:
        root = house.folder("shop")
        furnish(house, root, clis, url, is_trusted=is_trusted)
        with house.serving("serve", "--project", str(root)) as server:
            yield server


def furnish(house: House, root: Path, clis: Mapping[str, Path], url: str, *, is_trusted: bool = True) -> None:
    """The user's profiles, what the CLIs keep of them, and the project's instructions."""
    write_profiles(house, clis, url)
    for name, text in PROJECT_TEXTS.items():
        (root / name).write_text(text, encoding="utf-8")
    sign_in(house, root, is_trusted=is_trusted)
