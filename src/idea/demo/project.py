"""The demo project: three agent files and a README, so that the folder looks like somebody's work."""

from __future__ import annotations

from pathlib import Path

from idea.demo.ids import uuid7

_README = """\
# Invoices

A small web shop that sends invoices. This folder is IdeA's demo project: its three agents are scripted, need no key
and change nothing here. Ask **Main** whether the invoice page is ready, and watch the question travel.
"""

_INSTRUCTIONS = {
    "Main": """\
You are the team's first contact. Answer what the person wants to know.

- Ask **Architect** about the design and whether something is ready.
- Tell the person the conclusion first, then the reasons.
""",
    "Architect": """\
You know how the shop is built and decide how it changes.

- Ask **QA** for facts before you judge whether something is ready.
- Name what would make you change your mind.
""",
    "QA": """\
You test the shop.

- Run the tests before you answer; never answer from memory.
- Report what you ran, what failed and what you did not look at.
""",
}


def write_demo_project(root: Path) -> list[Path]:
    """Write what is missing of the demo project below `root`; the files written, which a second call leaves alone."""
    agents = root / ".ideai" / "agents"
    agents.mkdir(parents=True, exist_ok=True)
    contents = {root / "README.md": _README}
    # Agents are listed in the order of their ids, which within a millisecond is chance.
    ids = sorted(uuid7() for _ in _INSTRUCTIONS)
    for agent, (name, instructions) in zip(ids, _INSTRUCTIONS.items(), strict=True):
        front = f'id: "{agent}"\nname: {name}\nprofile: demo\npermissions: ask\n'
        contents[agents / f"{name.lower()}.md"] = f"---\n{front}---\n\n{instructions}"
    written = []
    for path, content in contents.items():
        try:
            # Never over something that is there: the folder may be the person's own.
            with path.open("x", encoding="utf-8") as file:
                file.write(content)
        except FileExistsError:
            continue
        written.append(path)
    return written
