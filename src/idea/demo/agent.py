"""Entry of the demo agent, run by path so that it starts without `site`: `python -I -S …/idea/demo/agent.py`.

By path is why it is so short: Python caches the byte code of what is imported, never of the script itself.
"""

import sys


def main() -> int:
    """Parse the command line and live until input ends; the exit code."""
    if not __package__:
        # Last, so that nothing beside our package can shadow the standard library.
        sys.path.append(__file__.rsplit("/", 3)[0])
    from idea.demo.program import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
