"""Profiles: built in, the user's, the project's; what extends what, and what each file's mistake does."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from idea.adapters.profiles import ProfileFiles
from idea.domain.agents import PermissionMode
from idea.domain.errors import EngineFailed, NotFound
from idea.domain.profiles import McpStrategy, Profile, Reach

ENVIRONMENT = {"HOME": "/home/ada", "PATH": "/nowhere", "SHELL": "/bin/sh"}
SMALL = 'command = "tool"\n[terminal]\nargs = ["--tui"]\n'


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "config" / "profiles"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / ".ideai" / "profiles"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def catalog(user: Path, project: Path) -> ProfileFiles:
    return ProfileFiles(user_dir=user, project_dir=project, environment=ENVIRONMENT)


def test_the_built_in_profiles_are_all_usable(catalog: ProfileFiles) -> None:
    found = {profile.id: profile for profile in catalog.list()}

    assert {"claude", "codex", "demo", "shell"} <= found.keys()
    assert list(catalog.broken) == []
    assert (found["claude"].engine, found["claude"].mcp) == ("claude", McpStrategy.CONFIG_FILE)
    assert found["claude"].mcp_entry["alwaysLoad"] is True
    assert found["codex"].mcp is McpStrategy.FLAG
    assert found["shell"].structured is None
    for profile in (found["claude"], found["codex"]):
        assert profile.structured is not None
        assert set(profile.structured.permission_args) == set(PermissionMode)
        for face in (profile.structured, profile.terminal):
            assert face is not None
            assert set(face.permission_reach) == set(face.permission_args)
        assert profile.structured.resume_args
    # Where nothing would show that a turn began, no message is typed for a person.
    assert {name for name, profile in found.items() if profile.signs.has_work} == {"claude", "codex", "demo"}


def test_a_profile_extends_another_and_changes_only_what_it_says(user: Path, catalog: ProfileFiles) -> None:
    write(
        user,
        "fast",
        'extends = "claude"\nargs = ["--effort", "low"]\nmodel = "small"\nenv = { EXTRA = "1" }\n'
        '[structured.permission_args]\nask = ["--permission-mode", "dontAsk"]\n',
    )

    fast, claude = catalog.get("fast"), catalog.get("claude")

    assert (fast.name, fast.model, fast.command, fast.mcp_args) == ("fast", "small", claude.command, claude.mcp_args)
    assert fast.env == {**claude.env, "EXTRA": "1"}
    assert fast.terminal is not None
    assert fast.structured is not None
    assert claude.structured is not None
    assert fast.structured.args == (*claude.structured.args, "--effort", "low")
    assert fast.terminal.args[-2:] == ("--effort", "low")
    assert fast.structured.permission_args[PermissionMode.ASK] == ("--permission-mode", "dontAsk")
    assert fast.structured.permission_args[PermissionMode.PLAN] == ("--permission-mode", "plan")
    # What other arguments mean is not what the first ones meant.
    assert PermissionMode.ASK not in fast.structured.permission_reach
    assert fast.structured.permission_reach[PermissionMode.PLAN] is Reach.PLANS


def test_a_chain_of_profiles_adds_up_in_whatever_order_the_files_stand(user: Path, catalog: ProfileFiles) -> None:
    write(user, "a-child", 'extends = "z-parent"\nargs = ["--child"]\n')
    write(user, "z-parent", SMALL + "\n").write_text('args = ["--parent"]\n' + SMALL, encoding="utf-8")

    child = catalog.get("a-child")

    assert child.terminal is not None
    assert child.terminal.args == ("--tui", "--parent", "--child")


def test_a_profile_may_take_the_place_of_the_built_in_one_that_it_extends(user: Path, catalog: ProfileFiles) -> None:
    write(user, "claude", 'extends = "claude"\ncommand = "/opt/claude"\n')

    assert catalog.get("claude").command == "/opt/claude"
    assert catalog.get("claude").name == "Claude Code"
    assert catalog.get("claude").engine == "claude"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("command = \nargs = []\n", "line 1"),
        (SMALL + "colour = 1\n", "terminal.colour"),
        ("comand = 'x'\n", "comand"),
        ("command = 7\n", "command"),
        ("[terminal]\n", "names no command"),
        ('command = "x"\n', "neither"),
        ('command = "x"\n[structured]\n', "engine"),
        ('extends = "nobody"\n', "nobody"),
        ('extends = "broken"\n', "broken"),
        ('command = "x"\nmcp = "telepathy"\n[terminal]\n', "mcp"),
        ('command = "x"\n[terminal.permission_args]\nalways = []\n', "permission_args.always"),
        ("command = " + "[" * 5000, "TOML"),
        ("command = " + "9" * 5000, "TOML"),
        ("mcp_entry." + "a." * 20_000 + "b = 1\n" + SMALL, "dots"),
        ("mcp_entry." + "a." * 50 + "b = 1\n" + SMALL, "nested"),
        ("mcp_entry = { a = 0x" + "f" * 5_000 + " }\n" + SMALL, "64 bits"),
        ("mcp_entry = { a = 1979-05-27 }\n" + SMALL, "allowed"),
        ('args = ["\\u0000"]\n' + SMALL, "NUL"),
        ('env = { "a=b" = "x" }\n' + SMALL, "env.a=b"),
    ],
)
def test_a_file_with_a_mistake_is_told_and_the_others_work(
    user: Path, catalog: ProfileFiles, text: str, reason: str
) -> None:
    path = write(user, "broken", text)
    write(user, "fine", SMALL)

    [broken] = catalog.broken

    assert broken.path == path
    assert reason in broken.reason
    assert catalog.get("fine").command == "tool"
    with pytest.raises(NotFound) as missing:
        catalog.get("broken")
    assert "fine" in missing.value.choices


def test_two_profiles_that_extend_each_other_are_both_broken(user: Path, catalog: ProfileFiles) -> None:
    write(user, "one", 'extends = "two"\n')
    write(user, "two", 'extends = "one"\n')

    assert [broken.path.stem for broken in catalog.broken] == ["one", "two"]


def test_a_change_on_disk_is_seen(user: Path, catalog: ProfileFiles) -> None:
    path = write(user, "mine", SMALL)
    assert catalog.get("mine").command == "tool"

    path.write_text(SMALL.replace("tool", "another"), encoding="utf-8")
    assert catalog.get("mine").command == "another"

    path.unlink()
    with pytest.raises(NotFound):
        catalog.get("mine")


def test_a_change_that_keeps_size_and_time_is_seen(project: Path, catalog: ProfileFiles) -> None:
    path = write(project, "mine", SMALL)
    before = path.stat()
    assert catalog.get("mine").command == "tool"

    path.write_text(SMALL.replace("tool", "evil"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert catalog.get("mine").command == "evil"


def test_a_profile_tells_which_files_of_the_project_it_was_made_of(
    user: Path, project: Path, catalog: ProfileFiles
) -> None:
    mine = write(user, "mine", SMALL)
    parent = write(project, "parent", 'extends = "mine"\nmodel = "p"\n')
    child = write(project, "child", 'extends = "parent"\nmodel = "c"\n')
    write(project, "other", SMALL)

    sources = catalog.read("child").sources

    assert sources == {path: sha256(path.read_bytes()).hexdigest() for path in (parent, child)}
    assert catalog.read("mine").sources == {}
    assert mine not in sources


def test_in_a_project_only_plain_files_count(tmp_path: Path, project: Path, catalog: ProfileFiles) -> None:
    outside = write(tmp_path / "outside", "real", SMALL)
    (project / "linked.toml").symlink_to(outside)
    os.mkfifo(project / "pipe.toml")
    write(project, "large", "#" * 100_000)
    write(project, "Bad Name", SMALL)

    assert sorted(broken.path.stem for broken in catalog.broken) == ["Bad Name", "large", "linked", "pipe"]


def test_a_linked_folder_in_a_project_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "outside", "evil", SMALL)
    ideai = tmp_path / ".ideai"
    ideai.mkdir()
    (ideai / "profiles").symlink_to(tmp_path / "outside")

    catalog = ProfileFiles(user_dir=None, project_dir=ideai / "profiles", environment=ENVIRONMENT)

    assert "evil" not in {profile.id for profile in catalog.list()}


def test_a_cli_sees_the_common_variables_its_own_and_nothing_else() -> None:
    mine = {
        **ENVIRONMENT,
        "LC_ALL": "C",
        "XDG_CONFIG_HOME": "/c",
        "ANTHROPIC_API_KEY": "k",
        "CLAUDE_CONFIG_DIR": "/d",
        "CLAUDE_CODE_SESSION_ID": "of the Claude that IdeA was started in",
        "OPENAI_API_KEY": "other",
        "DATABASE_PASSWORD": "secret",
    }
    catalog = ProfileFiles(user_dir=None, environment=mine)

    seen = catalog.environment(catalog.get("claude"))

    own = catalog.get("claude").env
    assert set(seen) == {*ENVIRONMENT, "LC_ALL", "XDG_CONFIG_HOME", "ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR", *own}


def test_a_value_takes_in_the_users_variable_or_says_which_one_is_missing(user: Path) -> None:
    write(
        user,
        "gateway",
        'extends = "claude"\nenv = { ANTHROPIC_BASE_URL = "https://${GATE}/v1", MODE = "${MODE:-safe}" }\n',
    )
    has = ProfileFiles(user_dir=user, environment={**ENVIRONMENT, "GATE": "gate.example"})
    lacks = ProfileFiles(user_dir=user, environment=ENVIRONMENT)

    seen = has.environment(has.get("gateway"))

    assert (seen["ANTHROPIC_BASE_URL"], seen["MODE"]) == ("https://gate.example/v1", "safe")
    with pytest.raises(EngineFailed) as failed:
        lacks.environment(lacks.get("gateway"))
    assert "$GATE" in failed.value.reason


def test_our_own_interpreter_and_package_are_filled_in(user: Path, catalog: ProfileFiles) -> None:
    write(user, "own", 'command = "{python}"\n[terminal]\nargs = ["{package}/x.py", "{name}"]\n')

    own = catalog.get("own")

    assert own.terminal is not None
    assert Path(own.terminal.args[0]).parent.name == "idea"
    assert own.terminal.args[1] == "{name}"
    assert os.access(catalog.executable(own), os.X_OK)


def test_a_program_is_found_on_path_but_never_in_the_project(tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n", encoding="utf-8")
    tool.chmod(0o755)
    catalog = ProfileFiles(user_dir=None, environment={"PATH": f".:bin:{tool.parent}"})

    assert catalog.executable(Profile("p", "P", "tool")) == str(tool)
    for command in ("./bin/tool", "bin/tool", "absent", ""):
        with pytest.raises(EngineFailed):
            catalog.executable(Profile("p", "P", command, install_hint="Get it."))


def test_the_shell_is_the_persons_own_or_a_plain_one(tmp_path: Path) -> None:
    own = ProfileFiles(user_dir=None, environment=ENVIRONMENT)
    none = ProfileFiles(user_dir=None, environment={"PATH": "/usr/bin:/bin"})

    assert own.executable(own.get("shell")) == "/bin/sh"
    assert none.executable(none.get("shell")).endswith("/sh")
