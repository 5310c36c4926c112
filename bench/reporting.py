"""What the benchmarks of terminals print, and what they read of processes."""

import os
from pathlib import Path


def report(name: str, value: float, bar: float, *, is_least: bool, unit: str = "x", of: str = "") -> bool:
    is_met = value >= bar if is_least else value <= bar
    sign, word = ">=" if is_least else "<=", "ok" if is_met else "MISSED"
    print(f"{name:44} {value:8.2f} {unit:3} bar {sign} {bar:<5g} {word}{of}")
    return is_met


def memory_mb(*pids: int) -> float:
    found = 0
    for pid in pids:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        found += int(status.split("VmRSS:")[1].split()[0])
    return found / 1024


def cpu_s(*pids: int) -> float:
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
