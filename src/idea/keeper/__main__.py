"""Runs as a file of its own, with `-I -S`: nothing of the environment and no site packages, only this source folder."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from idea.keeper.program import main

    sys.exit(main(sys.argv[1:]))
