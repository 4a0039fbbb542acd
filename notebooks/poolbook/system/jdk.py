"""Finds a JDK, or knows which archive to fetch."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from poolbook.system.paths import ROOT
from poolbook.system.steps import WINDOWS, Problem

# Fetched only if no JDK is found. The checksums are Adoptium's own, read from projects that pin these archives:
# for Linux in the Dockerfile of the official image eclipse-temurin:21-jdk, for macOS and Windows in the
# build files of several unrelated projects.
TEMURIN = "21.0.12.1_1"
TEMURIN_URL = "https://github.com/adoptium/temurin21-binaries/releases/download/jdk-21.0.12.1%2B1/"
LARGEST_JDK = 400 * 10**6  # bytes
TEMURIN_SHA256 = {
    "x64_linux": "ce79869e1307ed8ee1e2baa86a412b1eb5b75d10a01006d788a6f968bcfaee94",
    "aarch64_linux": "23e37e026f12f3e706f18938ff611db3032d075b09d0879a25d06718c773e223",
    "x64_mac": "44db0f08196daf19a47f90d13388b0c943b67663cb537f998fe29e836fa842ce",
    "aarch64_mac": "3623232f33a9c3baadf304480b2535f9a3cba8a58d42ecbb438ba267315d9998",
    "x64_windows": "f9d6e191ab098c0d416e7d588a24420a8621cd2f4720dab2459b8b7b2d2d8b4e",
}
NO_JDK = "no JDK 17 or newer with javac and jshell in JAVA_HOME, on PATH or in the usual folders"


def tool(home: Path, name: str) -> Path:
    return home / "bin" / (f"{name}.exe" if WINDOWS else name)


def jdk_version(home: Path) -> tuple[int, ...]:
    """The version of a JDK that can do all we need (17 or newer, javac and jshell), otherwise nothing.

    Read from its files: starting a JVM for every folder would take seconds.
    """
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    facts = dict(re.findall(r'^(\w+)="(.*)"', release, re.MULTILINE))
    version = tuple(map(int, re.findall(r"\d+", facts.get("JAVA_VERSION", ""))))
    complete = "jdk.jshell" in facts.get("MODULES", "").split() and tool(home, "javac").is_file()
    return version if complete and version >= (17,) and tool(home, "java").is_file() else ()


def nearest_homes() -> Iterator[Path]:
    """Where users put a JDK on purpose: JAVA_HOME, PATH, this Python's environment."""
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    for where in filter(None, map(shutil.which, ("javac", "java"))):
        yield Path(where).resolve().parent.parent
    for part in ("lib/jvm", "Library/lib/jvm", "Library"):  # conda's folders, the last two on Windows
        yield Path(sys.prefix, part)


def known_jdks() -> dict:
    """What java/process/jdks.json knows of JDKs: where they can be, and the newest one that was tested."""
    file = ROOT / "java" / "process" / "jdks.json"
    return json.loads(file.read_text(encoding="utf-8"))


def usual_homes() -> Iterator[Path]:
    """The folders where systems and tools put JDKs."""
    known = known_jdks()
    for folder in known["folders"]:
        for home in Path(os.path.expandvars(folder)).expanduser().glob("*"):
            yield from (home / inside for inside in known["inside"])


def untested(version: int) -> str:
    """A sentence about a Java that is newer than those the workbook was tested with; empty for all others."""
    newest = known_jdks()["newest_tested"]
    if version <= newest:
        return ""
    return (
        f"Java {version} is newer than those the workbook was tested with, 17 to {newest}: "
        f"if something fails, install Java {newest} and set JAVA_HOME to it"
    )


def find_jdk() -> Path | None:
    """The first suitable JDK; from the usual folders, the oldest suitable one.

    Oldest, because the programs are compiled for Java 8, which a newer compiler may one day refuse.
    """
    nearest = next(filter(jdk_version, nearest_homes()), None)
    return nearest or min(filter(jdk_version, usual_homes()), key=jdk_version, default=None)


def jdk_archive() -> tuple[str, str]:
    """Name and SHA-256 of the JDK archive for this machine."""
    known = jdk_archives()
    if platform_name() not in known or (sys.platform == "linux" and platform.libc_ver()[0] != "glibc"):
        raise Problem(f"{NO_JDK}: install one, then run this again")
    return known[platform_name()]


def jdk_archives() -> dict[str, tuple[str, str]]:
    """Name and SHA-256 of the JDK archive for each kind of machine."""
    machine, system = {"x64": "x64", "aarch64": "arm64"}, {"linux": "linux", "mac": "mac", "windows": "win"}
    found = {}
    for key, sha256 in TEMURIN_SHA256.items():
        of_machine, of_system = key.split("_")
        kind = "zip" if of_system == "windows" else "tar.gz"
        name = f"OpenJDK21U-jdk_{key}_hotspot_{TEMURIN}.{kind}"
        found[f"{system[of_system]}-{machine[of_machine]}"] = (name, sha256)
    return found


def platform_name() -> str:
    """What kind of machine this is, such as linux-x64."""
    machine = {"amd64": "x64", "x86_64": "x64", "aarch64": "arm64"}
    system = {"darwin": "mac", "win32": "win"}
    key = platform.machine().lower()
    return f"{system.get(sys.platform, sys.platform)}-{machine.get(key, key)}"
