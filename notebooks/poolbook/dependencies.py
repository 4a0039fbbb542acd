"""Pin the jars of the Java programs by SHA-256: ``python -m poolbook.dependencies`` writes java/dependencies.sha256.

``sha256sum --check`` can read the file, in the folder of a Maven repository. `workbook` compares the jars with
it whenever JBang builds.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from poolbook.paths import JAVA, ROOT, WORKBOOK

PINS = JAVA / "dependencies.sha256"
# A library that a program or a test requests from JBang at run time.
ASKED_FOR = re.compile(r'"([a-z][\w.-]*:[\w.-]+:\d[\w.-]*)"')


def programs() -> list[str]:
    """All that JBang builds: every alias, and the scripts that only tests run."""
    catalog = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))
    tests = [file for file in sorted((JAVA / "test").glob("*.java")) if "\n//JAVAC_OPTIONS " in file.read_text("utf-8")]
    return [*catalog["aliases"], *(file.relative_to(ROOT).as_posix() for file in tests)]


def asked_for() -> list[str]:
    """The Maven coordinates in the text of programs and tests, but not those in a script's header."""
    files = [*JAVA.rglob("*.java"), *(ROOT / "tests").glob("*.py")]
    return sorted({found for file in files for found in ASKED_FOR.findall(file.read_text(encoding="utf-8"))})


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
    jars = {jar for what in (*programs(), *asked_for()) for jar in class_path(what)}
    hashes = {jar: hashlib.sha256((repository() / jar).read_bytes()).hexdigest() for jar in jars}
    PINS.write_text("".join(f"{hashes[jar]}  {jar}\n" for jar in sorted(jars)), encoding="utf-8")
    print(f"{len(jars)} jars are pinned in {PINS.relative_to(ROOT).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
