"""What a measurement ran on. No host name, no user name, no path of the machine ever goes in."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from poolbook.paths import ROOT


def machine(javas: Mapping[int, Path] | None = None) -> dict:
    """Facts for machine.json; what cannot be found out is None.

    ``javas`` maps major versions to ``java`` executables, whose version, vendor and default collector are asked.

    >>> sorted(machine())[:2]
    ['architecture', 'cpu_model']
    """
    return {
        "cpu_model": _cpu_model(),
        "architecture": platform.machine(),
        "logical_cores": processors(),
        "physical_cores": _physical_cores(),
        "memory_bytes": _memory_bytes(),
        "virtual": _virtual(),
        "system": platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "git_revision": _git("rev-parse", "HEAD"),
        "git_changed": _changed(),
        "jdks": {str(version): _jdk(java) for version, java in (javas or {}).items()},
    }


def processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def busy_neighbour() -> Iterator[None]:
    """Keep every processor busy with other processes while the block lasts; they end with this one at the latest."""
    spin = (
        "import os, sys, threading\n"
        "threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()\n"
        "while True:\n    pass"
    )
    command = [sys.executable, "-c", spin]
    neighbours = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(processors())]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
            neighbour.stdin.close()


def default_collector(java: str | Path) -> str | None:
    """The collector that this ``java`` takes by itself here: Serial on a small machine, else Parallel or G1."""
    flags = _run(java, "-XX:+PrintFlagsFinal", "-version") or ""
    used = re.search(r"bool Use(Serial|Parallel|ConcMarkSweep|G1|Z|Shenandoah)GC\s+:?= true", flags)
    return used[1] if used else None


def describe(facts: dict) -> str:
    """A few words for a chart's caption: cores and processor.

    >>> describe({"logical_cores": 2, "cpu_model": "AMD EPYC"})
    '2 processors, AMD EPYC'
    """
    return f"{facts.get('logical_cores')} processors, {facts.get('cpu_model') or 'unknown model'}"


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _run(*command: str | Path) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=ROOT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (done.stdout + done.stderr).strip() if done.returncode == 0 else None


def _cpu_model() -> str | None:
    if found := re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE):
        return found[1].strip()
    if platform.system() == "Darwin":
        return _run("sysctl", "-n", "machdep.cpu.brand_string")
    return platform.processor() or None


def _physical_cores() -> int | None:
    cores = set(
        re.findall(r"^physical id\s*:\s*(\d+)(?:.|\n)*?^core id\s*:\s*(\d+)", _read("/proc/cpuinfo"), re.MULTILINE)
    )
    if cores:
        return len(cores)
    asked = _run("sysctl", "-n", "hw.physicalcpu") if platform.system() == "Darwin" else None
    return int(asked) if asked else None


def _memory_bytes() -> int | None:
    if found := re.search(r"^MemTotal:\s*(\d+) kB", _read("/proc/meminfo"), re.MULTILINE):
        return int(found[1]) * 1024
    asked = _run("sysctl", "-n", "hw.memsize") if platform.system() == "Darwin" else None
    return int(asked) if asked else None


def _virtual() -> bool | None:
    """Whether this is a virtual machine or a container, as far as the system says."""
    info = _read("/proc/cpuinfo")
    if not info:
        return None
    container = Path("/.dockerenv").exists() or "docker" in _read("/proc/1/cgroup")
    return container or bool(re.search(r"^flags\s*:.*\bhypervisor\b", info, re.MULTILINE))


def _git(*arguments: str) -> str | None:
    return _run("git", *arguments)


def _changed() -> bool | None:
    status = _git("status", "--porcelain", "--untracked-files=no")
    return None if status is None else bool(status)


def _jdk(java: Path) -> dict:
    settings = _run(java, "-XshowSettings:properties", "-version") or ""

    def property_(name: str) -> str | None:
        found = re.search(rf"^\s*{re.escape(name)} = (.+)$", settings, re.MULTILINE)
        return found[1].strip() if found else None

    return {
        "version": property_("java.version"),
        "build": property_("java.vm.version"),
        "vendor": property_("java.vendor"),
        "default_collector": default_collector(java),
    }
