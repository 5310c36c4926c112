"""What a start costs: `python bench/start.py [--rounds N]`. Exit code 1 if a bar is missed.

`idea --help`, and a server from its spawn to its ready line, each in ratio to a bare interpreter, in turns in the same
minutes; and what an idle server holds in memory once everything it loads in the background is there.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

MAX_HELP: Final = 14.0
MAX_LISTENING: Final = 100.0
MAX_IDLE_MB: Final = 90.0

BARE: Final = (sys.executable, "-I", "-S", "-c", "pass")
IDEA: Final = (sys.executable, "-m", "idea")
END_S: Final = 20.0
STEADY_S: Final = 1.0
"""Memory that has not grown for so long is what the server holds."""
STEADY_LIMIT_S: Final = 30.0


def time_run(command: tuple[str, ...], env: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True, timeout=END_S)
    return time.perf_counter() - started


def serve(home: Path, env: dict[str, str], *, measures_memory: bool) -> tuple[float, float]:
    """Seconds to the ready line; MB held when idle (0 if not measured)."""
    project = home / "project"
    project.mkdir(exist_ok=True)
    command = (*IDEA, "serve", "--project", str(project), "--port", "0", "--no-browser", "--json")
    started = time.perf_counter()
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        json.loads(server.stdout.readline())
        elapsed = time.perf_counter() - started
        held = steady_mb(server.pid) if measures_memory else 0.0
        server.send_signal(signal.SIGTERM)
        server.wait(END_S)
    return elapsed, held


def steady_mb(pid: int) -> float:
    held, since, deadline = 0.0, time.monotonic(), time.monotonic() + STEADY_LIMIT_S
    while time.monotonic() - since < STEADY_S and time.monotonic() < deadline:
        time.sleep(0.1)
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        now = int(status.split("VmRSS:")[1].split()[0]) / 1024
        if now > held + 0.1:
            held, since = now, time.monotonic()
    return held


def report(name: str, value: float, unit: str, bar: float, *, of: str = "") -> bool:
    is_met = value <= bar
    print(f"{name:34} {value:7.1f} {unit:3} bar {bar:g}  {'ok' if is_met else 'MISSED'}{of}")
    return is_met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    rounds = parser.parse_args().rounds
    bare: list[float] = []
    helped: list[float] = []
    listening: list[float] = []
    with tempfile.TemporaryDirectory(prefix="idea-bench-") as folder:
        home = Path(folder)
        runtime = home / "run"
        runtime.mkdir(mode=0o700)
        env = {
            "HOME": folder,
            "PATH": os.defpath,
            "XDG_RUNTIME_DIR": str(runtime),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }
        serve(home, env, measures_memory=False)
        for _ in range(rounds):
            bare.append(time_run(BARE, env))
            helped.append(time_run((*IDEA, "--help"), env))
            listening.append(serve(home, env, measures_memory=False)[0])
        held = serve(home, env, measures_memory=True)[1]
    base = median(bare)
    print(f"bare interpreter: {base * 1000:.1f} ms (median of {rounds})")
    met = [
        report("idea --help", median(helped) / base, "x", MAX_HELP, of=f"  {median(helped) * 1000:.0f} ms"),
        report(
            "server listening", median(listening) / base, "x", MAX_LISTENING, of=f"  {median(listening) * 1000:.0f} ms"
        ),
        report("idle server", held, "MB", MAX_IDLE_MB),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
