"""The commands `idea` and `ideai`. `mcp-server` starts in every agent: it leaves before anything is imported."""

import sys


def main() -> int:
    if sys.argv[1:2] == ["mcp-server"]:
        from idea.bridge import main as bridge

        return bridge(sys.argv[1:])
    from idea.doors.cli.main import main as cli

    return cli()


if __name__ == "__main__":
    sys.exit(main())
