"""How to run one kind of CLI, as data; the TOML files in `idea/profiles/` hold the built-in ones.

Arguments and environment values may contain these placeholders, filled at launch by `expand`:
`{name}` `{slug}` `{agent_id}` `{root}` `{run_dir}` `{model}` `{conversation}` `{context_file}`
`{context}` `{hooks_file}` `{mcp_config}` `{mcp_command}` `{mcp_args_toml}` `{mcp_server}`. `{python}` and
`{package}` (our interpreter and the folder of our package) are filled when a profile is read. An argument list given
under a placeholder's own key (`model_args`, `resume_args` …) is left out when the value is missing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from idea.domain.agents import PermissionMode
from idea.domain.terminal_signs import TerminalSigns

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")


class McpStrategy(StrEnum):
    """How the CLI learns of the project's MCP server; always from the run directory, never the root."""

    NONE = "none"
    CONFIG_FILE = "configFile"
    """We write `mcp.json` into the run directory; `mcp_args` say how to name it."""
    FLAG = "flag"
    """Everything is in `mcp_args`."""
    ENV = "env"
    """Everything is in `mcp_env`."""


class Reach(StrEnum):
    """How far a CLI goes by itself in one permission mode of one face; a key of the page's catalogue."""

    ASKS = "asks"
    """Before it changes a file or runs a command that may change something."""
    EDITS = "edits"
    """Files without asking; asks before other changes."""
    EDITS_CONFINED = "editsConfined"
    """Files and commands within the project without network, in a sandbox; cannot ask for more."""
    EDITS_CONFINED_ASKS = "editsConfinedAsks"
    """The same, and asks for more."""
    PLANS = "plans"
    """Asks before anything but planning."""
    READS = "reads"
    """Cannot ask: what is more than reading is refused."""
    ALL = "all"
    """Everything, unasked."""
    ALL_UNCONFINED = "allUnconfined"
    """The same, out of the sandbox that it has otherwise."""


@dataclass(frozen=True, slots=True)
class Face:
    """One way to start the CLI: as a terminal program or headless."""

    args: tuple[str, ...] = ()
    fresh_args: tuple[str, ...] = ()
    """Appended for a conversation that starts now."""
    resume_args: tuple[str, ...] = ()
    """Appended to go on with `{conversation}`; empty means the CLI cannot resume in this face."""
    model_args: tuple[str, ...] = ()
    context_args: tuple[str, ...] = ()
    permission_args: Mapping[PermissionMode, tuple[str, ...]] = field(default_factory=dict)
    permission_reach: Mapping[PermissionMode, Reach] = field(default_factory=dict)
    """What each of these means, where that is known."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of CLI."""

    id: str
    name: str
    command: str
    """A program looked up on PATH, or `{python}` for our own interpreter."""
    engine: str | None = None
    """Which engine speaks to it headless: `claude`, `codex`, `demo`; None means terminal only."""
    terminal: Face | None = None
    structured: Face | None = None
    signs: TerminalSigns = field(default_factory=TerminalSigns)
    """By which it shows in its terminal what it is at."""
    env: Mapping[str, str] = field(default_factory=dict)
    pass_env: tuple[str, ...] = ()
    """Variables of the user's environment that this CLI may see beside the common ones; `PREFIX_*` allowed."""
    mcp: McpStrategy = McpStrategy.NONE
    mcp_args: tuple[str, ...] = ()
    mcp_env: Mapping[str, str] = field(default_factory=dict)
    mcp_entry: Mapping[str, object] = field(default_factory=dict)
    """Extra keys of our entry in the written declaration (`alwaysLoad` …)."""
    mcp_declared_in: tuple[str, ...] = ()
    """Files in which the CLI finds servers of the user's besides: ours takes a name that none of these has."""
    version_args: tuple[str, ...] = ("--version",)
    model: str | None = None
    """The model of agents that name none; None leaves it to the CLI."""
    install_hint: str = ""
    """How to get it, one command or sentence."""
    chooses_conversation_id: bool = False
    """We choose the id of a new conversation (`{conversation}` in `fresh_args`)."""
    conversations: str = ""
    """Which reader finds the CLI's own conversations: `claude`, `codex`, `demo`; empty: nobody knows how."""
    refusals: tuple[str, ...] = ()
    """What the CLI writes to stderr or on its screen, before it ends, when it knows no such conversation."""
    allow_structured_alongside_pty: bool = True
    suggested_permissions: PermissionMode = PermissionMode.ASK
    """What the form proposes for a new agent; an agent file that says nothing means `ask`."""


@dataclass(frozen=True, slots=True)
class ProfileHealth:
    """What looking for a profile's CLI found, in plain words."""

    profile: Profile
    executable: str | None
    version: str | None
    missing: str | None
    """A sentence: what is missing and how to get it; None when it can be launched."""


def expand(items: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Fill the placeholders of an argument list; an unknown one stays as it is (it may be the CLI's own).

    Filled-in text is not looked at again: an agent's instructions may talk about `{root}`.
    """
    return tuple(PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), item) for item in items)


def arguments(
    face: Face, *, mode: PermissionMode, mcp_args: Sequence[str], values: Mapping[str, str], resumes: bool
) -> tuple[str, ...]:
    """What follows the program's name for one launch.

    The order is part of the profiles' contract: what names the conversation comes last, because some CLIs
    resume by a subcommand. `mcp_args` are the profile's; the lists of a missing model or context are left out.
    """
    parts = [*face.args, *face.permission_args.get(mode, ())]
    if values.get("model"):
        parts += face.model_args
    if values.get("context"):
        parts += face.context_args
    parts += mcp_args
    parts += face.resume_args if resumes else face.fresh_args
    return expand(parts, values)
