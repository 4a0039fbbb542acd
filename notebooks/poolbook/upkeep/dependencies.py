"""Pin what JBang fetches by SHA-256: ``./workbook upkeep --pins`` writes java/dependencies.sha256.

These are the jars of the Java programs, the poms that lead Maven to them, and a PostgreSQL for each system.
``sha256sum --check`` can read the file, in the folder of a Maven repository. `workbook` compares the files with it
whenever JBang builds, and takes no other file of Maven's from a bundle.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from poolbook.system.paths import JAVA, ROOT, WORKBOOK

PINS = JAVA / "dependencies.sha256"
# A library that a program or a test requests from JBang at run time.
ASKED_FOR = re.compile(r'"([a-z][\w.-]*:[\w.-]+:\d[\w.-]*)"')
# The name of PostgreSQL's binary for each kind of machine, as connections/Platform.java makes it.
POSTGRES = {
    "linux-x64": "linux-amd64",
    "linux-arm64": "linux-arm64v8",
    "mac-x64": "darwin-amd64",
    "mac-arm64": "darwin-arm64v8",
    "win-x64": "windows-amd64",
}


def programs() -> list[str]:
    """All that JBang builds: every alias, and the scripts that only tests run."""
    catalog = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))
    tests = [
        file for file in sorted((JAVA / "test").rglob("*.java")) if "\n//JAVAC_OPTIONS " in file.read_text("utf-8")
    ]
    return [*catalog["aliases"], *(file.relative_to(ROOT).as_posix() for file in tests)]


def groups() -> list[str]:
    """The programs that the launcher builds together: Maven reads other poms for all of them than for each."""
    made = sorted((WORKBOOK / "programs").glob("Release*.java"))
    if not made:
        sys.exit("build the programs first: ./workbook check")
    return [file.relative_to(ROOT).as_posix() for file in made]


def asked_for() -> list[str]:
    """The Maven coordinates in the text of programs, tests and this package, but not those in a script's header."""
    files = [*JAVA.rglob("*.java"), *Path(__file__).parent.glob("*.py"), *(ROOT / "tests").rglob("*.py")]
    found = {found for file in files for found in ASKED_FOR.findall(file.read_text(encoding="utf-8"))}
    return sorted(found | {postgres(platform) for platform in POSTGRES})


def postgres(platform: str) -> str:
    """The Maven coordinates of the PostgreSQL that runs on a kind of machine."""
    text = (JAVA / "connections" / "Platform.java").read_text(encoding="utf-8")
    return f"{_constant('GROUP', text)}{POSTGRES[platform]}:{_constant('VERSION', text)}"


def _constant(name: str, java: str) -> str:
    return re.search(rf'\b{name} = "([^"]+)"', java)[1]


def platform_of(path: str) -> str | None:
    """The only kind of machine that needs a file of the repository; None if all do."""
    for platform in POSTGRES:
        group, name, version = postgres(platform).split(":")
        if path.startswith(f"{group.replace('.', '/')}/{name}/{version}/"):
            return platform
    return None


def repository() -> Path:
    """The folder where JBang keeps its downloads from Maven repositories."""
    return Path(os.environ.get("JBANG_REPO") or WORKBOOK / "repository")


def class_path(what: str) -> list[str]:
    """The jars a program or a library needs, as paths inside the repository. Raises CalledProcessError."""
    command = [sys.executable, str(ROOT / "workbook"), "jbang", "info", "classpath", what]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.strip()
    jars = [Path(jar) for jar in answer.split(os.pathsep)]
    return [jar.relative_to(repository()).as_posix() for jar in jars if jar.is_relative_to(repository())]


def pins() -> dict[str, str]:
    """The pinned SHA-256 hashes by path."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return {path: sha256 for sha256, path in map(str.split, lines)}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:  # empty at first: it holds what JBang fetches, and nothing else
        os.environ.update(JBANG_REPO=f"{folder}/repository", JBANG_DIR=f"{folder}/jbang")
        for what in tqdm([*programs(), *groups(), *asked_for()], unit="program"):
            class_path(what)
        fetched = sorted([*repository().rglob("*.jar"), *repository().rglob("*.pom")])
        hashes = {file.relative_to(repository()).as_posix(): hashlib.sha256(file.read_bytes()) for file in fetched}
    PINS.write_text("".join(f"{hashes[path].hexdigest()}  {path}\n" for path in sorted(hashes)), encoding="utf-8")
    print(f"{len(hashes)} files are pinned in {PINS.relative_to(ROOT).as_posix()}")
    return 0
