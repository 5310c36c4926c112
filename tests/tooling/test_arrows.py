"""Do the contracts between packages catch what they are there for? Each is shown a violation in a copy of the code."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
ALONE = ("keeper", "bridge", "demo")

PLANTED = [
    ("arrows", "application/commands.py", "import idea.adapters"),
    ("arrows", "adapters/__init__.py", "import idea.doors.http"),
    ("arrows", "doors/mcp/__init__.py", "import idea.doors.http.app"),
    ("arrows", "a_new_module.py", ""),
    ("areas", "application/team/team.py", "import idea.application.sessions.live_sessions"),
    ("areas", "application/a_new_area.py", ""),
    ("domain", "domain/ids.py", "import asyncio"),
    ("domain", "domain/ids.py", "def late() -> None:\n    import sqlite3\n"),
    ("keeper", "keeper/__init__.py", "import idea.domain.ids"),
    ("bridge", "bridge.py", "import idea.domain.ids"),
    ("demo", "demo/__init__.py", "import idea.domain.ids"),
    ("engines", "adapters/engines/demo.py", "import idea.adapters.engines.codex"),
    ("engines", "adapters/engines/a_new_engine.py", ""),
    ("engine-parts", "adapters/engines/codex.py", "import idea.adapters.engines.claude_tools"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "module", "line"), PLANTED)
def test_a_planted_violation_is_found(contract: str, module: str, line: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("static", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "src" / "idea" / module).open("a", encoding="utf-8") as planted:
        planted.write(f"\n{line}\n")

    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache", "--contract", contract],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        timeout=30,  # reads all of the package
        check=False,
    )

    assert (linted.returncode, "1 broken" in linted.stdout) == (1, True), linted.stdout + linted.stderr


def test_every_contract_is_shown_a_violation() -> None:
    assert {contract["id"] for contract in CONTRACTS} == {contract for contract, _, _ in PLANTED}


@pytest.mark.parametrize("alone", ALONE)
def test_what_stands_alone_is_kept_from_every_other_package(alone: str) -> None:
    contract = next(contract for contract in CONTRACTS if contract["id"] == alone)
    names = {path.stem for path in (ROOT / "src" / "idea").iterdir() if _is_code(path)} - {"__init__"}

    others = {f"idea.{name}" for name in names} - {*contract["source_modules"]}

    assert f"idea.{alone}" in contract["source_modules"]
    assert {*contract["forbidden_modules"]} == others


def _is_code(path: Path) -> bool:
    return path.suffix == ".py" or any(path.glob("*.py"))
