"""A project in the user's home folder: what the CLIs keep there for themselves is nothing that a project brought."""

from pathlib import Path

import pytest

from idea.adapters.storage.trust import ProjectTrust

RUNS = {
    ".claude": (
        "settings.json", "settings.local.json", "status-line.sh", "agents/tester.md", "commands/ship/it.md",
        "skills/deploy/SKILL.md", "skills/deploy/run.py", "hooks/before.sh", "workflows/night.js",
    ),
    ".codex": (
        "config.toml", "fast.config.toml", ".env", "hooks.json", "hooks/notify.py", "prompts/review.md",
        "skills/deploy/SKILL.md", "rules/default.rules", "agents/tester.toml",
    ),
}  # fmt: skip
KEPT = {
    ".claude": (
        ".credentials.json", ".last-cleanup", "CLAUDE.md", "history.jsonl", "stats-cache.json", "policy-limits.json",
        "projects/-home-ada/1.jsonl", "sessions/1.json", "session-env/1/env.sh", "shell-snapshots/1.sh", "todos/1.json",
        "tasks/1/2.json", "teams/a/config.json", "plans/a.md", "file-history/1/a@v1", "debug/1.txt",
        "paste-cache/1.txt",
        "statsig/1", "telemetry/1.json", "cache/changelog.md", "ide/1.lock", "backups/.claude.json.backup.1",
        "local/node_modules/.bin/claude", "local/package.json", "plugins/cache/shop/tool/1.0/hooks/hooks.json",
        "plugins/known_marketplaces.json", "something-of-the-next-version/1/state.json",
    ),
    ".codex": (
        "auth.json", "AGENTS.md", "history.jsonl", "installation_id", "version.json", "models_cache.json",
        ".codex-global-state.json", "state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm", "logs_2.sqlite",
        "sessions/2026/11/30/rollout-1.jsonl", "archived_sessions/rollout-2.jsonl", "log/codex-tui.log",
        "shell_snapshots/1.sh", "memories/MEMORY.md", "thread-writer-locks/.coordination.lock", "tmp/arg0/apply_patch",
        ".tmp/plugins.sync.lock", "packages/0.171.0/bin/codex", "plugins/cache/shop/tool/hooks.json",
        "skills/.system/creator/SKILL.md", "something-of-the-next-version/1/state.json",
    ),
}  # fmt: skip


def fill(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}", encoding="utf-8")


@pytest.mark.parametrize("name", RUNS)
async def test_what_makes_a_cli_run_something_is_looked_at_and_nothing_else_of_it(
    trust: ProjectTrust, root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root))
    fill(root / name, (*RUNS[name], *KEPT[name]))

    verdict = await trust.look()

    assert {item.file for item in verdict.items} == {f"{name}/{file}" for file in RUNS[name]}


@pytest.mark.parametrize(("name", "variable"), [(".claude", "CLAUDE_CONFIG_DIR"), (".codex", "CODEX_HOME")])
async def test_a_cli_whose_own_folder_is_put_into_the_project_keeps_its_state_there(
    trust: ProjectTrust, root: Path, name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(root / name))
    fill(root / name, (*RUNS[name], *KEPT[name]))

    verdict = await trust.look()

    assert {item.file for item in verdict.items} == {f"{name}/{file}" for file in RUNS[name]}


async def test_a_used_cli_folder_of_thousands_of_files_can_be_approved_and_stays_so(
    trust: ProjectTrust, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root))
    fill(root / ".claude", ("settings.json",))
    fill(root / ".claude" / "projects" / "-shop", tuple(f"{number}.jsonl" for number in range(2_100)))
    assert (await trust.approve((await trust.look()).subject_hash)).is_trusted

    fill(root / ".claude" / "sessions", ("later.json",))
    assert (await trust.look()).is_trusted
    (root / ".claude" / "settings.json").write_text('{"hooks": {}}', encoding="utf-8")
    assert not (await trust.look()).is_trusted


@pytest.mark.parametrize("name", RUNS)
async def test_of_a_folder_that_the_project_brought_all_but_texts_and_notes_is_looked_at(
    trust: ProjectTrust, root: Path, name: str
) -> None:
    brought = ("lib/helper.sh", "plugins/a/hooks/hooks.json", "anything.json")
    notes = ("AGENTS.md", "sessions/1.jsonl", "state_5.sqlite", "history.jsonl", "worktrees/a/b.py")
    fill(root / name, (*RUNS[name], *brought, *notes))

    verdict = await trust.look()

    expected = {f"{name}/{file}" for file in (*RUNS[name], *brought)}
    assert {item.file for item in verdict.items} == expected
