"""The style of the code is google-java-format's and ruff's.

JBang's directives stand before a Java file's package line. They are left alone: the formatter would put a blank into
``//DEPS``, and JBang would no longer see it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from poolbook.system.paths import ROOT
from poolbook.upkeep import tests

FORMATTER = "com.google.googlejavaformat:google-java-format:1.28.0"  # the last that runs on Java 17
COMPILER = ("api", "code", "file", "parser", "tree", "util")  # the packages of javac that it works with


def sources() -> list[Path]:
    """All Java files of the checkout except the learner's exercises, which follow the lesson."""
    return sorted(file for file in (ROOT / "java").rglob("*.java") if "exercises" not in file.parts)


def formatted(files: list[Path]) -> dict[Path, str]:
    """The formatted text of each Java file. Raises subprocess.CalledProcessError if one does not parse."""
    launcher = [sys.executable, str(ROOT / "workbook"), "jbang", "info", "classpath", FORMATTER]
    class_path = subprocess.run(launcher, check=True, capture_output=True, text=True).stdout.strip()
    home = os.environ.get("WORKBOOK_JAVA_HOME") or json.loads((ROOT / ".workbook" / "jdk.json").read_text())["home"]
    java = Path(home) / "bin" / "java"
    exports = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in COMPILER]
    heads = {}
    with tempfile.TemporaryDirectory() as folder:
        copies = {file: Path(folder, f"{number}.java") for number, file in enumerate(files)}
        for file, copy in copies.items():
            heads[file], body = _parts(file.read_text(encoding="utf-8"))
            copy.write_text(body, encoding="utf-8")
        formatter = [str(java), *exports, "-cp", class_path, "com.google.googlejavaformat.java.Main"]
        options = ["--replace", "--skip-reflowing-long-strings"]
        subprocess.run([*formatter, *options, *map(str, copies.values())], check=True)
        return {file: heads[file] + copy.read_text(encoding="utf-8") for file, copy in copies.items()}


def _parts(text: str) -> tuple[str, str]:
    """JBang's directives, and the rest from the package line on."""
    package = re.search(r"^package ", text, re.MULTILINE)
    start = package.start() if package else 0
    return text[:start], text[start:]


def ruff(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs ruff on the checkout. Raises `poolbook.system.extras.NotFetched`."""
    environment = {**os.environ, "PYTHONPATH": str(tests.packages())}
    command = [sys.executable, "-P", "-c", "from ruff.__main__ import find_ruff_bin; print(find_ruff_bin())"]
    program = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True)


def update() -> str:
    """Write the style into every file, and name the Java files; returns what ruff could not mend."""
    for path, text in formatted(sources()).items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} is formatted now")
    ruff("format", "--quiet")
    return ruff("check", "--fix", "--quiet").stdout
