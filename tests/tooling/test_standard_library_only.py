"""What starts in every agent, or where nothing may be installed, imports the standard library and itself alone."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [
    ROOT / "src" / "idea" / "bridge.py",
    ROOT / "src" / "idea" / "bridge_endpoint.py",
    ROOT / "src" / "idea" / "bridge_lines.py",
    ROOT / "src" / "idea" / "hook.py",
    *sorted((ROOT / "src" / "idea" / "keeper").rglob("*.py")),
    *sorted((ROOT / "src" / "idea" / "demo").rglob("*.py")),
    *(ROOT / "scripts" / f"{name}.py" for name in ("browser", "install_steps", "node", "page")),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(ROOT)))
def test_it_imports_no_other_package(source: Path) -> None:
    imported = set(_imported(ast.parse(source.read_text(encoding="utf-8"))))

    assert imported - sys.stdlib_module_names <= {"idea", "scripts"}


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
