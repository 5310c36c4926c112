"""`make` needs what the README names: git, make and Python, with whatever shell the system has."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CALLED = sorted({"python", *re.findall(r"scripts/(\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))})


@pytest.mark.parametrize("name", CALLED)
def test_a_script_that_make_calls_is_one_for_every_shell(name: str) -> None:
    script = ROOT / "scripts" / name
    text = script.read_text(encoding="utf-8")

    assert text.startswith("#!/bin/sh\n")
    assert [word for word in ("bash", "BASH", "pipefail", "[[", "local ") if word in text] == []
    subprocess.run(["/bin/sh", "-n", script], check=True, timeout=5)


def test_a_python_is_found_where_there_is_no_other_shell(tmp_path: Path) -> None:
    for name, target in (("sh", "/bin/sh"), ("python3", sys.executable)):
        (tmp_path / name).symlink_to(target)

    found = subprocess.run(
        [ROOT / "scripts" / "python"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=5,
    )

    assert found.stdout == f"{tmp_path / 'python3'}\n"
    assert os.access(ROOT / "scripts" / "install", os.X_OK)
