"""The resident memory of this process.

Where Linux tells it, it is read from there: what ``getrusage`` calls the peak of a process is at least the
peak of the one that started it.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

UNIT = 1024 if sys.platform != "darwin" else 1
"""Bytes in a unit of ``ru_maxrss``."""


def reset_peak() -> float:
    """Forget the peak of this process's memory, if the system can do that, and return what it has, in MB."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return peak()
    return status("VmRSS")


def now() -> float:
    """Return the memory that this process has, in MB; its peak where the system does not tell."""
    return status("VmRSS") if Path("/proc/self/status").exists() else peak()


def peak() -> float:
    """Return the largest memory that this process has had since it started or forgot, in MB."""
    if Path("/proc/self/status").exists():
        return status("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6


def status(key: str) -> float:
    """Return a size from Linux's status of this process, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(key))
