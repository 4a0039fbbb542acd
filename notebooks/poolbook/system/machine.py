"""The machine that a measurement ran on, without any host name, user name or path."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from poolbook.system import files
from poolbook.system.paths import ROOT, WORKBOOK

ID = WORKBOOK / "machine-id"


def machine(javas: Mapping[int, Path] | None = None) -> dict:
    """Facts for machine.json; None for unknown ones.

    ``javas`` maps major versions to ``java`` executables, which are run for their version, vendor and default
    collector.

    >>> sorted(machine())[:2]
    ['architecture', 'code_changed']
    """
    return {
        "cpu_model": _cpu_model(),
        "architecture": platform.machine(),
        "logical_cores": processors(),
        "physical_cores": _physical_cores(),
        "threads_per_core": _of_lscpu("Thread(s) per core", int),
        "max_mhz": _of_lscpu("CPU max MHz", float),
        "memory_bytes": _memory_bytes(),
        "virtual": _virtual(),
        "hypervisor": _of_lscpu("Hypervisor vendor", str),
        "cpu_limit": _limit("cpu.max"),
        "memory_limit": _limit("memory.max"),
        "huge_pages": _huge_pages(),
        "system": platform.system(),
        "distribution": _distribution(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "git_revision": _git("rev-parse", "HEAD"),
        "code_changed": _code_changed(),
        "jdks": {str(version): _jdk(java) for version, java in (javas or {}).items()},
    }


def name(facts: Mapping) -> str:
    """The name of a kind of machine: processor, number of processors, and six characters of a hash of what matters.

    The hash covers the processor, its count, the memory in whole GiB, the system, the numbers of the kernel's version,
    and whether it is virtual. A rebuilt kernel or a few KB less memory do not change it.

    >>> name({"cpu_model": "AMD EPYC", "logical_cores": 2, "memory_bytes": 2**34, "kernel": "6.1.2-x"})
    'amd-epyc-2-cores-6aea46'
    """
    model = re.sub(r"\(.*?\)|cpu|processor|@.*", " ", str(facts.get("cpu_model") or "unknown").lower())
    words = re.findall(r"[a-z0-9]+", model)
    numbers = re.match(r"[\d.]*\d", facts.get("kernel") or "")
    memory = facts.get("memory_bytes")
    what_matters = {
        **{key: facts.get(key) for key in ("cpu_model", "architecture", "logical_cores", "virtual", "system")},
        "memory_gib": memory and round(memory / 2**30),
        "kernel": numbers and numbers[0],
    }
    digest = hashlib.sha256(json.dumps(what_matters, sort_keys=True).encode()).hexdigest()
    return "-".join([*words[:4], f"{facts.get('logical_cores') or 0}-cores", digest[:6]])


def own_name(facts: Mapping, identity: str) -> str:
    """The name of one machine: that of its kind, and six characters of its `identity`."""
    return f"{name(facts)}-{identity[:6]}"


def identity() -> str:
    """Tells this machine from another one of the same kind: twelve characters of a hash, which nobody can turn back.

    It comes from the system's own id. A virtual machine or a container may be a copy that has the id of many others, so
    there a random number is added, which is kept in the workbook's own folder. The same where the system has no id.
    """
    asked = {
        "Darwin": lambda: re.search(
            r'"IOPlatformUUID" = "(.+?)"', _run("ioreg", "-rd1", "-c", "IOPlatformExpertDevice") or ""
        ),
        "Windows": lambda: re.search(
            r"MachineGuid\s+REG_SZ\s+(\S+)",
            _run("reg", "query", r"HKLM\SOFTWARE\Microsoft\Cryptography", "/v", "MachineGuid") or "",
        ),
    }.get(platform.system(), lambda: re.search(r"(\w+)", _read("/etc/machine-id")))()
    own = asked[1] if asked else ""
    if not own or _virtual() is not False:
        own += _kept_id()
    return hashlib.sha256(f"object pool workbook {own}".encode()).hexdigest()[:12]


def _kept_id() -> str:
    """A random number that is made once in this checkout."""
    if not _read(str(ID)):
        files.write(ID, secrets.token_hex(16))
    return _read(str(ID))


def processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def busy_neighbour() -> Iterator[None]:
    """Keep every processor busy with other processes during the block; they end with this process at the latest."""
    spin = (
        "import os, sys, threading\n"
        "threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()\n"
        "while True:\n    pass"
    )
    command = [sys.executable, "-P", "-c", spin]
    neighbours = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(processors())]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
            neighbour.stdin.close()


def default_collector(java: str | Path) -> str | None:
    """The default collector of this ``java`` here: Serial on a small machine, otherwise Parallel or G1."""
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
    """Whether this is a virtual machine or a container, as far as the system tells."""
    info = _read("/proc/cpuinfo")
    if not info:
        return None
    container = Path("/.dockerenv").exists() or "docker" in _read("/proc/1/cgroup")
    return container or bool(re.search(r"^flags\s*:.*\bhypervisor\b", info, re.MULTILINE))


def _git(*arguments: str) -> str | None:
    return _run("git", *arguments)


def _code_changed() -> bool | None:
    """Whether measuring code differs from the revision; new data and texts do not count."""
    status = _git("status", "--porcelain", "--", "java", "notebooks/poolbook", "workbook")
    return None if status is None else bool(status)


def _of_lscpu(field: str, kind: type) -> object:
    """A field that Linux's lscpu prints, or None."""
    found = re.search(rf"^\s*{re.escape(field)}:\s*(.+)$", _run("lscpu") or "", re.MULTILINE)
    try:
        return kind(found[1].strip()) if found else None
    except ValueError:
        return None


def _limit(file: str) -> str | None:
    """A limit of the container or control group, as Linux writes it; None if there is none."""
    text = _read(f"/sys/fs/cgroup/{file}").strip()
    return None if not text or text.startswith("max") else text


def _huge_pages() -> str | None:
    chosen = re.search(r"\[(\w+)\]", _read("/sys/kernel/mm/transparent_hugepage/enabled"))
    return chosen[1] if chosen else None


def _distribution() -> str | None:
    found = re.search(r'^PRETTY_NAME="?([^"\n]+)', _read("/etc/os-release"), re.MULTILINE)
    if found:
        return found[1]
    return {"Darwin": f"macOS {platform.mac_ver()[0]}", "Windows": f"Windows {platform.release()}"}.get(
        platform.system()
    )


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
