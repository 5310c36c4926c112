"""Becomes the agent's program: run by the keeper's interpreter with `-I -S`, which is gone after the exec.

It does what must happen between fork and exec, where Python code in the keeper itself would block every
agent: controlling terminal, parent-death signal, signal dispositions. It says on its status pipe how far
it came: "+" just before the exec, then an errno if that failed; the pipe closes itself at the exec.

Arguments: status descriptor, keeper's pid, "terminal" or "pipes", the environment's LC_CTYPE with a "=" before
it (or nothing), then the program's argv.
"""

import os
import sys


def main() -> None:
    status = int(sys.argv[1])
    os.set_inheritable(status, False)
    _die_with(int(sys.argv[2]))
    _default_signals()
    if sys.argv[3] == "terminal":
        _take_terminal()
    env = _restored_environment(sys.argv[4])
    argv = sys.argv[5:]
    os.write(status, b"+")
    try:
        os.execve(argv[0], argv, env)
    except OSError as error:
        os.write(status, str(error.errno).encode())
    os._exit(127)


def _die_with(keeper: int) -> None:
    if sys.platform == "linux":
        import ctypes

        # PR_SET_PDEATHSIG, SIGKILL: the keeper is gone, so nobody is left to ask nicely and wait.
        ctypes.CDLL(None).prctl(1, 9)
    if os.getppid() != keeper:
        os._exit(127)


def _default_signals() -> None:
    # The C half of `signal`: importing the Python half doubles the cost of a launch.
    import _signal  # type: ignore[import-not-found]  # CPython's own, without stubs

    # Python ignores these two, and an ignored signal stays ignored across exec; a keeper that was started
    # with nohup would hand on the others.
    for name in ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGQUIT", "SIGHUP", "SIGTERM"):
        number = getattr(_signal, name, None)
        if number is not None:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _restored_environment(lc_ctype: str) -> dict[bytes, bytes]:
    # An interpreter in the C locale writes LC_CTYPE=C.UTF-8 into its environment (PEP 538).
    env = dict(os.environb)
    env.pop(b"LC_CTYPE", None)
    if lc_ctype:
        env[b"LC_CTYPE"] = os.fsencode(lc_ctype[1:])
    return env


if __name__ == "__main__":
    main()
