"""The commands `idea` and `ideai`. What starts beside agents leaves before anything is imported."""

import sys


def main() -> int:
    if sys.argv[1:2] == ["mcp-server"]:
        from idea.bridge import main as bridge

        return bridge(sys.argv[1:])
    if sys.argv[1:2] == ["keeper"]:
        from idea.keeper.program import main as keeper

        return keeper(sys.argv[2:])
    from idea.doors.cli.main import main as cli

    return cli()


if __name__ == "__main__":
    sys.exit(main())
