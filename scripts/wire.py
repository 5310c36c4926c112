"""Is what the page knows of the API what the server serves? `check` compares, `write` generates.

`web/openapi.json` comes from the server's code, `web/src/wire/types.gen.ts` from that.
"""

import subprocess
import sys
from pathlib import Path

from scripts.node import find_node

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
SCHEMA = WEB / "openapi.json"
TYPES = WEB / "src" / "wire" / "types.gen.ts"

GENERATE_LIMIT_S = 120


class NotGenerated(Exception):
    """A generator failed; the message holds what it said."""


def main(mode: str) -> int:
    before = {path: path.read_bytes() if path.exists() else b"" for path in (SCHEMA, TYPES)}
    try:
        generate()
        stale = [path for path, content in before.items() if path.read_bytes() != content]
    except NotGenerated as why:
        print(why)
        stale = [*before]
        mode = "check"
    if mode == "write" or not stale:
        return 0
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)
    print("Behind the server's code:", *(str(path.relative_to(ROOT)) for path in stale), "- run scripts/fix.")
    return 1


def generate() -> None:
    """Raises `NotGenerated`."""
    schema = _said([sys.executable, "-m", "idea.doors.http.openapi"])
    if schema != (SCHEMA.read_text(encoding="utf-8") if SCHEMA.exists() else None):
        SCHEMA.write_text(schema, encoding="utf-8")
    node = find_node()
    if node is None:
        raise NotGenerated("Node is missing; `scripts/install check` fetches one.")
    made = node.run_npm(["run", "--silent", "generate"], cwd=WEB, timeout_s=GENERATE_LIMIT_S)
    if made.returncode != 0:
        raise NotGenerated(made.stdout)


def _said(argv: list[str]) -> str:
    ended = subprocess.run(argv, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=GENERATE_LIMIT_S, check=False)
    if ended.returncode != 0:
        raise NotGenerated(ended.stderr)
    return ended.stdout


if __name__ == "__main__":
    if sys.argv[1:] not in (["check"], ["write"]):
        sys.exit("usage: python -m scripts.wire check|write")
    sys.exit(main(sys.argv[1]))
