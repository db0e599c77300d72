"""Processes below a process, read from /proc: who they are, what they took of the processor and of memory."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def children(pid: int) -> list[int]:
    """Ids of its children now, in the order in which they were started; none where it has ended."""
    child_ids: list[int] = []
    try:
        for task in (PROC / str(pid) / "task").iterdir():
            child_ids += map(int, (task / "children").read_text().split())
    except OSError:
        return child_ids
    return child_ids


def family(pid: int) -> list[int]:
    """The process itself and all below it."""
    return [pid, *(each for child in children(pid) for each in family(child))]


def cpu_seconds(pid: int) -> float:
    """Of the processor, in user and kernel mode, by all threads; 0 where it has ended."""
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_megabytes(pid: int) -> float:
    """The most memory it has had resident so far, pages shared with others included; 0 where it has ended."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)
